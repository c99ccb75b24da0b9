/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_RULES_FOLLOW_H
#define AFP_RULES_FOLLOW_H

#include <linux/types.h>

int afp_follow_start(void (*built)(void), void (*changing)(void),
		     const char **refused);
void afp_follow_stop(void);
void afp_follow_build(void);
bool afp_follow_dead(void);
void afp_follow_hold(bool hold);
bool afp_rules_exist(void);
bool afp_follow_moving(void);

#endif /* AFP_RULES_FOLLOW_H */
