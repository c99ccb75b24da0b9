/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_PATH_EXIT_H
#define AFP_PATH_EXIT_H

#include <linux/types.h>

#include "audit_fastpath/names.h"
#include "audit_fastpath/policy.h"

struct audit_context;

int afp_exit_arm(bool check, enum afp_backend backend, bool again,
		 const char **refused);
enum afp_backend afp_exit_backend(void);
void afp_exit_disarm(void);
enum afp_answer afp_exit_answer(const struct audit_context *ctx,
				const struct afp_policy *policy, int success,
				long code, bool moved, u32 *pair);

/* For the trampolines in path/exit_x86.S, each for one layout. */
#define AFP_DIRECT_ENTRY(name) \
	unsigned long afp_direct_##name(int success, long code); \
	void afp_tramp_##name(void)
AFP_DIRECT_ENTRY(5_10);
AFP_DIRECT_ENTRY(6_1);
AFP_DIRECT_ENTRY(7_2);
AFP_DIRECT_ENTRY(any);
AFP_DIRECT_ENTRY(check);

#endif /* AFP_PATH_EXIT_H */
