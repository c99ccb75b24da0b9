/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_PATH_EXIT_H
#define AFP_PATH_EXIT_H

#include <linux/types.h>

#include "audit_fastpath/policy.h"

struct audit_context;

int afp_exit_arm(bool check, const char **refused);
void afp_exit_disarm(void);
enum afp_answer afp_exit_answer(const struct audit_context *ctx,
				const struct afp_policy *policy, int success,
				long code, bool moved, u32 *pair);

#endif /* AFP_PATH_EXIT_H */
