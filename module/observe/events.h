/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_OBSERVE_EVENTS_H
#define AFP_OBSERVE_EVENTS_H

#include <linux/types.h>

void afp_event(const char *op, const char *from, const char *to, bool done);

#endif /* AFP_OBSERVE_EVENTS_H */
