/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_PATH_ENTRY_H
#define AFP_PATH_ENTRY_H

#include <linux/types.h>

#include "audit_fastpath/names.h"
#include "kernel/direct.h"

int afp_entry_arm(enum afp_level level, bool check, enum afp_backend backend,
		  bool again, const char **refused);
void afp_entry_uncheck(void);
void afp_entry_disarm(void);

/* The trampolines in path/entry_x86.S, and what they call. */
#define AFP_ENTRY_DECLARE(name) \
	void afp_tramp_enter_##name(void); \
	unsigned long afp_by_name afp_enter_##name(const struct afp_entered *e)
AFP_ENTRY_DECLARE(5_10_filter);
AFP_ENTRY_DECLARE(5_10_collect);
AFP_ENTRY_DECLARE(5_10_entry);
AFP_ENTRY_DECLARE(5_10_check);
AFP_ENTRY_DECLARE(6_1_filter);
AFP_ENTRY_DECLARE(6_1_collect);
AFP_ENTRY_DECLARE(6_1_entry);
AFP_ENTRY_DECLARE(6_1_check);
AFP_ENTRY_DECLARE(7_2_filter);
AFP_ENTRY_DECLARE(7_2_collect);
AFP_ENTRY_DECLARE(7_2_entry);
AFP_ENTRY_DECLARE(7_2_check);

#endif /* AFP_PATH_ENTRY_H */
