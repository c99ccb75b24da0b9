// SPDX-License-Identifier: GPL-2.0-only
/*
 * The inode hash: rules about an inode, sorted into buckets by its number.
 *
 * It is looked at live, as the kernel's own filter does: a watch moves to
 * another inode and another bucket without a word to anyone.
 */
#include <linux/audit.h>
#include <linux/list.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/rculist.h>

#include "kernel/inodes.h"
#include "kernel/layout.h"
#include "kernel/symbols.h"

#define AFP_BUCKET_MASK		31	/* AUDIT_INODE_BUCKETS - 1 */

/*
 * Does a rule want a record for this number? Semantics: audit_in_mask(). The
 * number is the user's, and below AFP_NR_MAX: masked, so that no guess goes
 * beyond.
 */
static bool afp_rule_wants(const struct audit_krule *rule, u32 nr)
{
	return rule->action == AUDIT_ALWAYS &&
	       rule->mask[nr / 32 & (AUDIT_BITMASK_SIZE - 1)] >> (nr % 32) & 1;
}

/*
 * May a rule be about this inode? It has a watch, whose operator is always
 * "equal", or a field that names one. It keeps its watch for as long as it can
 * be seen. Not by inode_f: in a rule that was copied, because an LSM had its
 * policy loaded, that points into the one that is gone.
 */
static bool afp_rule_about(const struct audit_krule *rule, u64 ino)
{
	u32 i;

	if (rule->watch)
		return afp_watch_ino(rule->watch) == ino;
	for (i = 0; i < rule->field_count; i++) {
		const struct audit_field *f = &rule->fields[i];

		if (f->type == AUDIT_INODE && f->op == Audit_equal)
			return f->val == (u32)ino;
	}
	return true;
}

/**
 * afp_inodes_watched - may a rule be about an inode that a call has named?
 * @ctx: context of the current task, at the end of the call
 * @nr: the call's number
 *
 * Semantics: audit_filter_inodes() in kernel/auditsc.c, as far as the bucket,
 * the mask and the inode go; everything else is for the policy to decide.
 *
 * Context: any. As long as the rules in the buckets of those names.
 */
bool afp_inodes_watched(const struct audit_context *ctx, u32 nr)
{
	const struct list_head *names =
		afp_context_list(ctx, afp_layout.names_list);
	const struct list_head *name, *bucket, *node;
	bool watched = false;

	for (name = names->next; name != names && !watched; name = name->next) {
		u64 ino = afp_name_ino(name);

		bucket = &afp_symbols.inode_hash[(u32)ino & AFP_BUCKET_MASK];
		/*
		 * Pairs with list_add_rcu() and call_rcu() in kernel/audit*.c,
		 * which wait for this as for rcu_read_lock(), at a fraction of
		 * the price. For one bucket at a time: there may be many names.
		 */
		preempt_disable_notrace();
		for (node = rcu_dereference_sched(list_next_rcu(bucket));
		     node != bucket && !watched;
		     node = rcu_dereference_sched(list_next_rcu(node)))
			watched = afp_rule_about(afp_entry_rule(node), ino) &&
				  afp_rule_wants(afp_entry_rule(node), nr);
		preempt_enable_notrace();
	}
	return watched;
}
