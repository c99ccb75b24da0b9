/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_PATH_CHECK_H
#define AFP_PATH_CHECK_H

#include <linux/types.h>

struct afp_policy;

/* One of at most so many skips is checked: twice that is an int. */
#define AFP_CHECK_MOST	(1u << 30)

/**
 * struct afp_mismatch - a record that a skip would have lost
 * @arch: AUDIT_ARCH_* of the call
 * @nr: its number
 * @rules: number of rules that the policy was compiled from
 */
struct afp_mismatch {
	u32 arch;
	s32 nr;
	u32 rules;
};

int afp_check_arm(u32 every, u32 seed, const char **refused);
void afp_check_disarm(void);
bool afp_check_due(void);
void afp_check_begin(const struct afp_policy *policy, bool early);
bool afp_check_open(void);
void afp_check_drop(void);
bool afp_check_tripped(struct afp_mismatch *mismatch);
bool afp_check_blown(void);
void afp_check_rearm(void);

#endif /* AFP_PATH_CHECK_H */
