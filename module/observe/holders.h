/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_OBSERVE_HOLDERS_H
#define AFP_OBSERVE_HOLDERS_H

#include <linux/types.h>

bool afp_hold(void);
void afp_release(void);
size_t afp_holders_show(char *buf, size_t size);
void afp_holders_say(const char *where);

#endif /* AFP_OBSERVE_HOLDERS_H */
