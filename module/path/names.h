/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_PATH_NAMES_H
#define AFP_PATH_NAMES_H

#include <linux/list.h>
#include <linux/types.h>

#include "kernel/direct.h"

void afp_names_arm(bool again);
void afp_names_disarm(void);
void afp_names_exit(void);

/* The trampoline in path/names_x86.S, and what it calls. */
void afp_tramp_names(void);
struct list_head *afp_by_name afp_names_before(void);
void afp_by_name afp_names_after(struct list_head *runs);

#endif /* AFP_PATH_NAMES_H */
