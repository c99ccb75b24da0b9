/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_RULES_SNAPSHOT_H
#define AFP_RULES_SNAPSHOT_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "audit_fastpath/policy.h"

#define AFP_INODE_BUCKETS	32	/* AUDIT_INODE_BUCKETS */

extern struct afp_policy *afp_live_policy;

/**
 * afp_policy_live - the policy to decide by, at this moment
 *
 * The caller may be preempted but must not sleep before it is done with the
 * policy: it is a reader of RCU-tasks, whose grace period ends when every
 * task has slept, been in user space or idle. Pairs with smp_store_release()
 * in afp_build() and with synchronize_rcu_tasks() in afp_reap().
 *
 * Return: the policy, or NULL: walk.
 */
static __always_inline const struct afp_policy *afp_policy_live(void)
{
	/* Address dependency: what the pointer leads to is complete. */
	return READ_ONCE(afp_live_policy);
}

/**
 * struct afp_policy_info - what is known of the newest policy
 * @generation: number of policies built so far
 * @rules: rules it was compiled from
 * @syscalls_total: native system calls
 * @syscalls_skippable: of these, skipped for an unprivileged daemon
 * @syscalls_skippable_user: of these, skipped for a user who has logged in
 * @build_ns: time the build took, locks included
 */
struct afp_policy_info {
	u32 generation;
	u32 rules;
	u32 syscalls_total;
	u32 syscalls_skippable;
	u32 syscalls_skippable_user;
	u64 build_ns;
};

void afp_policy_info(struct afp_policy_info *info);
void afp_withdraw(void);
int afp_build(void);
void afp_snapshot_exit(void);

#endif /* AFP_RULES_SNAPSHOT_H */
