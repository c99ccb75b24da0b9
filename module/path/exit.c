// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decision at the end of a system call.
 *
 * Runs at the entry of __audit_syscall_exit(), in the task that leaves the
 * call: preemptible, interrupts on. When no rule can match, the filters are
 * not run and the context is reset as the kernel would have done after them.
 * In any doubt it returns and the kernel's function runs as if we were not
 * there.
 *
 * It sleeps nowhere: see afp_policy_live().
 */
#include <linux/audit.h>
#include <linux/cred.h>
#include <linux/list.h>
#include <linux/sched.h>

#include "kernel/hook.h"
#include "kernel/layout.h"
#include "kernel/symbols.h"
#include "observe/counters.h"
#include "path/exit.h"
#include "rules/follow.h"
#include "rules/snapshot.h"

#define AFP_BUCKET_MASK		31	/* AUDIT_INODE_BUCKETS - 1 */

/* Supplementary groups are handed on as numbers. */
static_assert(sizeof(kgid_t) == sizeof(__u32));

/*
 * Is any of the names in a bucket of the inode hash that has rules? Looked up
 * live, as audit_filter_inodes() does: a watch moves between buckets without
 * a word. Only the head of a bucket is read, so no RCU section is needed.
 */
static bool afp_buckets_used(const struct list_head *names)
{
	const struct list_head *node, *bucket;

	for (node = names->next; node != names; node = node->next) {
		bucket = &afp_symbols.inode_hash[(u32)afp_name_ino(node) &
						 AFP_BUCKET_MASK];
		if (READ_ONCE(bucket->next) != bucket)
			return true;
	}
	return false;
}

/*
 * Has the call touched a directory tree that is audited? The first page of
 * references is kept for the next call and is "empty" when all are free.
 */
static bool afp_trees_touched(const struct audit_context *ctx)
{
	const struct afp_layout *l = &afp_layout;
	u64 first = afp_context_u64(ctx, l->first_trees);

	return first && (first != afp_context_u64(ctx, l->trees) ||
			 afp_context_u32(ctx, l->tree_count) != AFP_TREE_REFS);
}

/* Some rule names calls like this one: look at what the rules say. */
static noinline enum afp_answer
afp_ask_rules(const struct afp_policy *policy, u32 row,
	      const struct audit_context *ctx, struct afp_ftrace_regs *fregs)
{
	const struct afp_layout *l = &afp_layout;
	const struct list_head *names = afp_context_list(ctx, l->names_list);
	const unsigned long *argv = afp_context_at(ctx, l->argv);
	const struct cred *cred = current_cred();
	kuid_t auid = audit_get_loginuid(current);
	struct afp_call call;

	if (row == AFP_ROW_LIMIT)
		return AFP_WALK_LIMIT;
	call.arch = afp_context_u32(ctx, l->arch);
	call.nr = afp_context_u32(ctx, l->major);
	call.v[AFP_V_PID] = task_tgid_nr(current);
	call.v[AFP_V_UID] = __kuid_val(cred->uid);
	call.v[AFP_V_EUID] = __kuid_val(cred->euid);
	call.v[AFP_V_SUID] = __kuid_val(cred->suid);
	call.v[AFP_V_FSUID] = __kuid_val(cred->fsuid);
	call.v[AFP_V_GID] = __kgid_val(cred->gid);
	call.v[AFP_V_EGID] = __kgid_val(cred->egid);
	call.v[AFP_V_SGID] = __kgid_val(cred->sgid);
	call.v[AFP_V_FSGID] = __kgid_val(cred->fsgid);
	call.v[AFP_V_AUID] = __kuid_val(auid);
	call.v[AFP_V_AUID_SET] = uid_valid(auid);
	call.v[AFP_V_SESSIONID] = audit_get_sessionid(current);
	call.v[AFP_V_PERS] = current->personality;
	call.v[AFP_V_EXIT] = afp_return_fixup(afp_regs_arg(fregs, 1));
	call.v[AFP_V_SUCCESS] = (int)afp_regs_arg(fregs, 0) ?
				AFP_RETURN_SUCCESS : AFP_RETURN_FAILURE;
	call.v[AFP_V_A0] = argv[0];
	call.v[AFP_V_A1] = argv[1];
	call.v[AFP_V_A2] = argv[2];
	call.v[AFP_V_A3] = argv[3];
	call.groups = (const __u32 *)cred->group_info->gid;
	call.group_count = cred->group_info->ngroups;
	call.names = !list_empty(names);
	call.trees = afp_trees_touched(ctx);
	call.buckets = call.names && afp_policy_has_inode(policy, row) &&
		       afp_buckets_used(names);

	return afp_decide_row(policy, row, &call);
}

/*
 * Is something forced: a record that was made during the call and wants its
 * companions, a task that is always recorded, a tree that waits for this exit
 * to be removed? An interrupt can do the first at any moment, so this is
 * asked last. In what is left of the moment the kernel is as blind: it, too,
 * does not look again between its filters and the reset.
 */
static __always_inline bool afp_forced(const struct audit_context *ctx,
				       const struct afp_layout *l)
{
	const struct list_head *killed =
		afp_context_list(ctx, l->killed_trees);

	return READ_ONCE(killed->next) != killed ||
	       (afp_context_u32(ctx, l->state) ^ AFP_STATE_BUILD) |
	       (afp_context_u32(ctx, l->current_state) ^ AFP_STATE_BUILD) |
	       afp_context_u32(ctx, l->serial) |
	       afp_context_u64(ctx, l->prio);
}

/* What of it. Only to be counted, so it may have changed meanwhile. */
static enum afp_answer afp_forced_by(const struct audit_context *ctx)
{
	const struct afp_layout *l = &afp_layout;

	if (afp_context_u32(ctx, l->state) != AFP_STATE_BUILD)
		return AFP_WALK_STATE;
	if (!list_empty(afp_context_list(ctx, l->killed_trees)))
		return AFP_WALK_TREES;
	return AFP_WALK_FORCED;
}

/* No policy is live. While the layout is in doubt, hold it against this call. */
static noinline void afp_without_policy(const struct audit_context *ctx)
{
	if (afp_layout_proof() == AFP_PROOF_OPEN &&
	    afp_layout_prove(ctx) != AFP_PROOF_OPEN)
		afp_follow_build();
}

/* The context is that of a system call whose collectors have run. */
static __always_inline bool afp_collected(const struct audit_context *ctx,
					  const struct afp_layout *l)
{
	return !(afp_context_u32(ctx, l->dummy) |
		 (afp_context_u32(ctx, l->context) ^ AFP_CONTEXT_SYSCALL));
}

/*
 * Skip the filters. What runs instead is what the kernel runs after them:
 * audit_reset_context(), entered in place of our function and returning to
 * its caller.
 *
 * 5.10 has none. There the function cleans up itself, and filters only if the
 * context is no dummy. The result is stored as it would have been: a filter
 * in the middle of the next call sees it.
 */
static __always_inline void afp_skip(struct audit_context *ctx,
				     struct afp_ftrace_regs *fregs)
{
	const struct afp_layout *l = &afp_layout;
	char *at = (char *)ctx;

	if (likely(afp_symbols.reset_context)) {
		afp_regs_redirect(fregs, afp_symbols.reset_context, ctx);
		return;
	}
	*(long *)(at + l->return_code) =
		afp_return_fixup(afp_regs_arg(fregs, 1));
	*(int *)(at + l->return_valid) = (int)afp_regs_arg(fregs, 0) ?
					 AFP_RETURN_SUCCESS :
					 AFP_RETURN_FAILURE;
	WRITE_ONCE(*(int *)(at + l->dummy), 1);
}

/* Whatever is not a call that no rule names. */
static noinline void afp_look_closer(struct audit_context *ctx,
				     struct afp_ftrace_regs *fregs)
{
	const struct afp_layout *l = &afp_layout;
	const unsigned long *argv = afp_context_at(ctx, l->argv);
	const struct afp_policy *policy = afp_policy_live();
	enum afp_answer answer = AFP_WALK_POLICY;
	u32 pair, row;

	if (policy)
		answer = afp_policy_look(policy, afp_context_u32(ctx, l->arch),
					 afp_context_u32(ctx, l->major), &pair);
	else
		afp_without_policy(ctx);
	if (answer == AFP_WALK_RULE) {
		row = afp_policy_row(policy, pair,
				     uid_valid(audit_get_loginuid(current)),
				     argv[1], argv[2]);
		answer = AFP_SKIP;
		if (row != AFP_ROW_NONE)
			answer = afp_ask_rules(policy, row, ctx, fregs);
	}
	if (answer == AFP_SKIP && afp_forced(ctx, l))
		answer = afp_forced_by(ctx);
	if (answer == AFP_SKIP)
		afp_skip(ctx, fregs);
	afp_count(answer);
}

/*
 * The hot path, compiled for each layout that is known and once for any. A
 * call that no rule names is answered here.
 */
static __always_inline void afp_decide_exit(const struct afp_layout *l,
					    struct afp_ftrace_regs *fregs)
{
	struct audit_context *ctx = audit_context();
	const struct afp_policy *policy;
	u32 pair;

	if (!ctx || !afp_collected(ctx, l))
		return;
	policy = afp_policy_live();
	if (likely(policy) &&
	    likely(afp_policy_look(policy, afp_context_u32(ctx, l->arch),
				   afp_context_u32(ctx, l->major),
				   &pair) == AFP_SKIP) &&
	    likely(!afp_forced(ctx, l))) {
		afp_skip(ctx, fregs);
		afp_count(AFP_SKIP);
		return;
	}
	afp_look_closer(ctx, fregs);
}

static void afp_on_exit_6_1(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *ops,
			    struct afp_ftrace_regs *fregs)
{
	afp_decide_exit(&afp_layout_6_1, fregs);
}

static void afp_on_exit_7_2(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *ops,
			    struct afp_ftrace_regs *fregs)
{
	afp_decide_exit(&afp_layout_7_2, fregs);
}

static void afp_on_exit(unsigned long ip, unsigned long parent_ip,
			struct ftrace_ops *ops, struct afp_ftrace_regs *fregs)
{
	afp_decide_exit(&afp_layout, fregs);
}

static struct afp_target afp_exit_target = { "__audit_syscall_exit" };

/*
 * Not protected against recursion, because nothing that the callback calls
 * ends in a system call: that saves a third of its cost.
 */
static struct afp_hook afp_exit_hook = {
	.flags = AFP_FTRACE_UNPROTECTED | AFP_FTRACE_REDIRECT,
	.targets = &afp_exit_target,
	.count = 1,
};

static ftrace_func_t afp_choose_callback(void)
{
	if (afp_layout_is(&afp_layout_6_1))
		return afp_on_exit_6_1;
	if (afp_layout_is(&afp_layout_7_2))
		return afp_on_exit_7_2;
	return afp_on_exit;
}

/**
 * afp_exit_arm - begin to decide at the end of system calls
 * @refused: set to the function that could not be hooked, or NULL
 *
 * Context: process context, sleeps. Does nothing if it is armed.
 *
 * Return: 0, or what afp_hook_install() says.
 */
int afp_exit_arm(const char **refused)
{
	*refused = NULL;
	if (afp_exit_hook.installed)
		return 0;
	afp_exit_hook.callback = afp_choose_callback();
	return afp_hook_install(&afp_exit_hook, refused);
}

/**
 * afp_exit_disarm - stop deciding
 *
 * On return no decision is under way.
 *
 * Context: process context, sleeps. Does nothing if it is not armed.
 */
void afp_exit_disarm(void)
{
	afp_hook_remove(&afp_exit_hook);
}
