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
#include "kernel/inodes.h"
#include "kernel/layout.h"
#include "kernel/reset.h"
#include "kernel/symbols.h"
#include "observe/counters.h"
#include "path/check.h"
#include "path/exit.h"
#include "path/provoke.h"
#include "rules/follow.h"
#include "rules/snapshot.h"

/* Supplementary groups are handed on as numbers. */
static_assert(sizeof(kgid_t) == sizeof(__u32));

static __always_inline bool afp_has_names(const struct audit_context *ctx,
					  const struct afp_layout *l)
{
	const struct list_head *names = afp_context_list(ctx, l->names_list);

	return names->next != names;
}

static __always_inline bool afp_has_objects(const struct audit_context *ctx,
					    const struct afp_layout *l)
{
	return afp_has_names(ctx, l) || afp_trees_touched(ctx, l);
}

/*
 * Does any rule name calls of this number and class? A class bit is a number
 * of places in &afp_policy.look.
 */
static __always_inline bool afp_named(const struct afp_policy *policy,
				      u32 pair, bool objects)
{
	u32 look = policy->look[pair];

	if (uid_valid(audit_get_loginuid(current)))
		look >>= AFP_CLASS_AUID;
	if (objects)
		look >>= AFP_CLASS_OBJECTS;
	return look & 1;
}

/* AFP_CLASS_* of the call. */
static __always_inline u32 afp_class(bool objects)
{
	return (uid_valid(audit_get_loginuid(current)) ? AFP_CLASS_AUID : 0) |
	       (objects ? AFP_CLASS_OBJECTS : 0);
}

/* What is gathered together, if any of it is needed. */
#define AFP_NEEDS_TASK \
	(AFP_NEEDS(AFP_V_PID) | AFP_NEEDS(AFP_V_AUID) | \
	 AFP_NEEDS(AFP_V_AUID_SET) | AFP_NEEDS(AFP_V_SESSIONID) | \
	 AFP_NEEDS(AFP_V_PERS))
#define AFP_NEEDS_CALL \
	(AFP_NEEDS(AFP_V_EXIT) | AFP_NEEDS(AFP_V_SUCCESS) | \
	 AFP_NEEDS(AFP_V_A0) | AFP_NEEDS(AFP_V_A1) | AFP_NEEDS(AFP_V_A2) | \
	 AFP_NEEDS(AFP_V_A3))
#define AFP_NEEDS_OBJECTS \
	(AFP_NEEDS(AFP_V_NAMES) | AFP_NEEDS(AFP_V_OBJECTS) | \
	 AFP_NEEDS(AFP_V_TREES) | AFP_NEEDS(AFP_V_INODES))
static_assert((AFP_NEEDS_CRED ^ AFP_NEEDS_TASK ^ AFP_NEEDS_CALL ^
	       AFP_NEEDS_OBJECTS) == AFP_NEEDS(AFP_VALUES) - 1);

/* Some rule names calls like this one: look at what the rules say. */
static __always_inline enum afp_answer
afp_ask_rules(const struct afp_layout *l, const struct afp_policy *policy,
	      u32 row, const struct audit_context *ctx, int success, long code,
	      bool moved)
{
	const u32 needs = afp_policy_needs(policy, row);
	const u32 nr = afp_context_u32(ctx, l->major);
	struct afp_call call;

	if (needs & AFP_NEEDS_CRED) {
		const struct cred *cred = current_cred();

		call.v[AFP_V_UID] = __kuid_val(cred->uid);
		call.v[AFP_V_EUID] = __kuid_val(cred->euid);
		call.v[AFP_V_SUID] = __kuid_val(cred->suid);
		call.v[AFP_V_FSUID] = __kuid_val(cred->fsuid);
		call.v[AFP_V_GID] = __kgid_val(cred->gid);
		call.v[AFP_V_EGID] = __kgid_val(cred->egid);
		call.v[AFP_V_SGID] = __kgid_val(cred->sgid);
		call.v[AFP_V_FSGID] = __kgid_val(cred->fsgid);
		call.groups = (const __u32 *)cred->group_info->gid;
		call.group_count = cred->group_info->ngroups;
	}
	if (needs & AFP_NEEDS_TASK) {
		const kuid_t auid = audit_get_loginuid(current);

		call.v[AFP_V_PID] = task_tgid_nr(current);
		call.v[AFP_V_AUID] = __kuid_val(auid);
		call.v[AFP_V_AUID_SET] = uid_valid(auid);
		call.v[AFP_V_SESSIONID] = audit_get_sessionid(current);
		call.v[AFP_V_PERS] = current->personality;
	}
	if (needs & AFP_NEEDS_CALL) {
		const unsigned long *argv = afp_context_at(ctx, l->argv);

		call.v[AFP_V_EXIT] = afp_return_fixup(code);
		call.v[AFP_V_SUCCESS] = success ? AFP_RETURN_SUCCESS :
						  AFP_RETURN_FAILURE;
		call.v[AFP_V_A0] = argv[0];
		call.v[AFP_V_A1] = argv[1];
		call.v[AFP_V_A2] = argv[2];
		call.v[AFP_V_A3] = argv[3];
	}
	if (needs & AFP_NEEDS_OBJECTS) {
		call.v[AFP_V_NAMES] = afp_has_names(ctx, l);
		call.v[AFP_V_OBJECTS] =
			call.v[AFP_V_NAMES] ||
			afp_context_u32(ctx, l->type) == AUDIT_IPC;
		call.v[AFP_V_TREES] = afp_trees_touched(ctx, l);
		call.v[AFP_V_INODES] =
			call.v[AFP_V_NAMES] &&
			needs & AFP_NEEDS(AFP_V_INODES) &&
			(moved || afp_inodes_watched(ctx, nr));
	}

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

	/* Nothing of this is read before what was decided so far. */
	barrier();
	return killed->next != killed ||
	       (afp_context_two(ctx, l->state, l->current_state) ^
		AFP_TWO(AFP_STATE_BUILD, AFP_STATE_BUILD)) |
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
	return afp_context_two(ctx, l->dummy, l->context) ==
	       AFP_TWO(0, AFP_CONTEXT_SYSCALL);
}

/* Do we reset the context of this call, if it is skipped? */
static __always_inline bool afp_resets(const struct audit_context *ctx,
				       const struct afp_layout *l,
				       const struct afp_reset *r, bool objects)
{
	return AFP_REDIRECTS && r && !objects && afp_context_clean(ctx, l, r);
}

/*
 * Skip the filters. What runs instead is what the kernel runs after them:
 * audit_reset_context(), entered in place of our function and returning to
 * its caller. If it would not find anything to free it is done here (@resets),
 * and our function returns at once.
 *
 * Kernels before 5.16 have none. There the function cleans up itself, whatever
 * the context is, and filters only in a system call. So the call is ended here
 * a little early: the function's own next store would be the same. The result
 * is stored as it would have been: a filter in the middle of the next call
 * sees it.
 */
static __always_inline void afp_skip(struct audit_context *ctx,
				     const struct afp_layout *l,
				     const struct afp_reset *r, bool resets,
				     struct afp_ftrace_regs *fregs)
{
	char *at = (char *)ctx;

	if (resets) {
		if (!afp_reset_compare(ctx, l, r))
			afp_context_reset(ctx, l, r);
		afp_regs_return(fregs, (unsigned long)afp_return);
		return;
	}
	/* The known layouts are chosen by it, see afp_choose_callback(). */
	if (AFP_REDIRECTS && l != &afp_layout_5_10 &&
	    (l != &afp_layout || afp_symbols.reset_context)) {
		afp_regs_redirect(fregs, afp_symbols.reset_context, ctx);
		return;
	}
	*(long *)(at + l->return_code) =
		afp_return_fixup(afp_exit_code(fregs));
	*(int *)(at + l->return_valid) = afp_exit_success(fregs) ?
					 AFP_RETURN_SUCCESS :
					 AFP_RETURN_FAILURE;
	WRITE_ONCE(*(int *)(at + l->context), AFP_CONTEXT_UNUSED);
}

/*
 * See afp_exit_answer(), for a layout. If @pair is set already, some rule names
 * the number.
 */
static __always_inline enum afp_answer
afp_answer(const struct afp_layout *l, const struct audit_context *ctx,
	   const struct afp_policy *policy, int success, long code, bool moved,
	   u32 *pair)
{
	const unsigned long *argv = afp_context_at(ctx, l->argv);
	enum afp_answer answer;
	u32 class, row;

	if (*pair == AFP_PAIR_NONE) {
		answer = afp_policy_look(policy, afp_context_u32(ctx, l->arch),
					 afp_context_u32(ctx, l->major), pair);
		if (answer != AFP_WALK_RULE)
			return answer;
	}
	if (afp_provoke_blind(afp_context_u32(ctx, l->major)))
		return AFP_SKIP;
	class = afp_class(afp_has_objects(ctx, l));
	row = afp_policy_row(policy, *pair, class, argv[1], argv[2]);
	if (row == AFP_ROW_NONE)
		return AFP_SKIP;
	if (row == AFP_ROW_LIMIT)
		return AFP_WALK_LIMIT;
	return afp_ask_rules(l, policy, row, ctx, success, code, moved);
}

/**
 * afp_exit_answer - may the filters be skipped for a call?
 * @ctx: context of the current task, at the end of a system call
 * @policy: the policy to go by
 * @success: whether the call's result counts as success
 * @code: what it returned
 * @moved: watches move at this time: any rule about an inode may be one about
 *	an inode of the call
 * @pair: set to the call's afp_pair(), or AFP_PAIR_NONE
 *
 * What is forced is not looked at.
 *
 * Context: any that ends a system call; the policy is kept alive by not
 * sleeping, see afp_policy_live().
 *
 * Return: AFP_SKIP, or why not.
 */
enum afp_answer afp_exit_answer(const struct audit_context *ctx,
				const struct afp_policy *policy, int success,
				long code, bool moved, u32 *pair)
{
	*pair = AFP_PAIR_NONE;
	return afp_answer(&afp_layout, ctx, policy, success, code, moved, pair);
}

/* Whatever is not a call that no rule of its class names. */
static __always_inline void afp_look_closer(const struct afp_layout *l,
					    const struct afp_reset *r,
					    struct audit_context *ctx,
					    struct afp_ftrace_regs *fregs,
					    u32 pair, bool check)
{
	const struct afp_policy *policy = afp_policy_live();
	enum afp_answer answer = AFP_WALK_POLICY;
	bool resets = false;

	if (check && afp_check_blown())
		answer = AFP_WALK_POLICY;
	else if (policy)
		answer = afp_answer(l, ctx, policy, afp_exit_success(fregs),
				    afp_exit_code(fregs), false, &pair);
	else
		afp_without_policy(ctx);
	if (answer == AFP_SKIP) {
		resets = afp_resets(ctx, l, r, afp_has_objects(ctx, l));
		if (afp_forced(ctx, l))
			answer = afp_forced_by(ctx);
	}
	if (answer == AFP_SKIP && check && afp_check_due()) {
		afp_check_begin(policy);
		afp_provoke_check(afp_context_u32(ctx, l->major));
		answer = AFP_WALK_CHECK;
	}
	if (answer == AFP_SKIP)
		afp_skip(ctx, l, r, resets, fregs);
	afp_count(answer, pair);
}

/*
 * The hot path. A call that no rule of its class names is answered here.
 *
 * Return: whether the call was skipped; if not, it is to be looked at closer,
 * and *named is set if rules name its number.
 */
static __always_inline bool afp_decide_exit(const struct afp_layout *l,
					    const struct afp_reset *r,
					    struct audit_context *ctx,
					    struct afp_ftrace_regs *fregs,
					    u32 *named)
{
	const struct afp_policy *policy = afp_policy_live();
	enum afp_answer answer;
	bool objects, resets;
	u32 pair;

	*named = AFP_PAIR_NONE;
	if (unlikely(!policy))
		return false;
	answer = afp_policy_look(policy, afp_context_u32(ctx, l->arch),
				 afp_context_u32(ctx, l->major), &pair);
	/* If nobody asks for them, it is not found out. */
	objects = (r || answer != AFP_SKIP) && afp_has_objects(ctx, l);
	if (unlikely(answer != AFP_SKIP)) {
		if (answer != AFP_WALK_RULE)
			return false;
		if (afp_named(policy, pair, objects)) {
			*named = pair;
			return false;
		}
	}
	resets = afp_resets(ctx, l, r, objects);
	if (unlikely(afp_forced(ctx, l)))
		return false;
	afp_skip(ctx, l, r, resets, fregs);
	afp_count(AFP_SKIP, pair);
	return true;
}

/*
 * A callback, compiled for each layout that is known and once for any: an
 * offset that is a constant costs nothing. What is not needed by most calls is
 * in a function of its own, so that they need no stack frame.
 */
#define AFP_ON_EXIT(name, layout, reset, check) \
	static noinline void name##_closer(struct audit_context *ctx, \
					   struct afp_ftrace_regs *fregs, \
					   u32 named) \
	{ \
		afp_look_closer(layout, reset, ctx, fregs, named, check); \
	} \
\
	static void name(unsigned long ip, unsigned long parent_ip, \
			 struct ftrace_ops *ops, \
			 struct afp_ftrace_regs *fregs) \
	{ \
		struct audit_context *ctx = audit_context(); \
		u32 named = AFP_PAIR_NONE; \
\
		if (!ctx || !afp_collected(ctx, layout)) \
			return; \
		if (check || \
		    !afp_decide_exit(layout, reset, ctx, fregs, &named)) \
			name##_closer(ctx, fregs, named); \
	}

AFP_ON_EXIT(afp_on_exit_5_10, &afp_layout_5_10, NULL, false)
AFP_ON_EXIT(afp_on_exit_6_1, &afp_layout_6_1, &afp_reset_6_1, false)
AFP_ON_EXIT(afp_on_exit_7_2, &afp_layout_7_2, &afp_reset_7_2, false)
AFP_ON_EXIT(afp_on_exit, &afp_layout, NULL, false)
/* Where skips are checked: slower, and the same for every layout. */
AFP_ON_EXIT(afp_on_exit_check, &afp_layout, NULL, true)

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

static ftrace_func_t afp_choose_callback(bool check)
{
	if (check)
		return afp_on_exit_check;
	if (!afp_symbols.reset_context)
		return afp_layout_is(&afp_layout_5_10) ? afp_on_exit_5_10 :
							 afp_on_exit;
	if (afp_layout_is(&afp_layout_6_1) && afp_reset_is(&afp_reset_6_1))
		return afp_on_exit_6_1;
	if (afp_layout_is(&afp_layout_7_2) && afp_reset_is(&afp_reset_7_2))
		return afp_on_exit_7_2;
	return afp_on_exit;
}

/**
 * afp_exit_arm - begin to decide at the end of system calls
 * @check: whether skips may be checked; afp_check_arm() came before
 * @refused: set to the function that could not be hooked, or NULL
 *
 * If it is armed already only what differs is changed; calls that end
 * meanwhile walk.
 *
 * Context: process context, sleeps.
 *
 * Return: 0, or what afp_hook_install() says: then it is not armed.
 */
int afp_exit_arm(bool check, const char **refused)
{
	ftrace_func_t callback = afp_choose_callback(check);
	int err;

	*refused = NULL;
	if (afp_exit_hook.callback != callback)
		afp_hook_remove(&afp_exit_hook);
	if (!check)
		afp_check_disarm();
	if (afp_exit_hook.installed)
		return 0;
	afp_exit_hook.callback = callback;
	err = afp_hook_install(&afp_exit_hook, refused);
	if (err)
		afp_check_disarm();
	return err;
}

/**
 * afp_exit_disarm - stop deciding
 *
 * On return no decision and no check is under way.
 *
 * Context: process context, sleeps. Does nothing if it is not armed.
 */
void afp_exit_disarm(void)
{
	afp_hook_remove(&afp_exit_hook);
	afp_check_disarm();
}
