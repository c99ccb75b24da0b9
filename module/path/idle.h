/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_PATH_IDLE_H
#define AFP_PATH_IDLE_H

#include <linux/types.h>

#include "kernel/direct.h"

int afp_idle_arm(const char **refused);
void afp_idle_attach(void);
void afp_idle_disarm(void);

/* The trampoline in path/idle_x86.S, and what it calls. */
void afp_tramp_idle(void);
unsigned long afp_by_name afp_idle_enter(const struct afp_entered *e);

#endif /* AFP_PATH_IDLE_H */
