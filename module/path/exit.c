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
#include <linux/list.h>
#include <linux/sched.h>

#include "kernel/direct.h"
#include "kernel/hook.h"
#include "kernel/inodes.h"
#include "kernel/layout.h"
#include "kernel/reset.h"
#include "kernel/symbols.h"
#include "observe/counters.h"
#include "path/check.h"
#include "path/entry.h"
#include "path/exit.h"
#include "path/gather.h"
#include "path/provoke.h"
#include "rules/follow.h"
#include "rules/snapshot.h"

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

/* What is gathered together, if any of it is needed. */
#define AFP_NEEDS_RESULT \
	(AFP_NEEDS(AFP_V_EXIT) | AFP_NEEDS(AFP_V_SUCCESS))
#define AFP_NEEDS_ARGS \
	(AFP_NEEDS(AFP_V_A0) | AFP_NEEDS(AFP_V_A1) | \
	 AFP_NEEDS(AFP_V_A2) | AFP_NEEDS(AFP_V_A3))
#define AFP_NEEDS_OBJECTS \
	(AFP_NEEDS(AFP_V_NAMES) | AFP_NEEDS(AFP_V_OBJECTS) | \
	 AFP_NEEDS(AFP_V_TREES) | AFP_NEEDS(AFP_V_INODES))
static_assert((AFP_NEEDS_CRED ^ AFP_NEEDS_TASK ^ AFP_NEEDS_RESULT ^
	       AFP_NEEDS_ARGS ^
	       AFP_NEEDS_OBJECTS) == AFP_NEEDS(AFP_VALUES) - 1);

/* Some rule names calls like this one: look at what the rules say. */
static __always_inline enum afp_answer
afp_ask_rules(const struct afp_layout *l, const struct afp_policy *policy,
	      u32 row, const struct audit_context *ctx, int success, long code,
	      bool moved)
{
	const u32 needs = afp_policy_needs(policy, row);
	const u32 nr = afp_context_u32(ctx, l->major);
	/* What is not gathered is not read: see afp_policy_needs(). */
	struct afp_call call __uninitialized;

	/* Most rows have rules about files alone. */
	if (needs & AFP_NEEDS_FILE && !moved && !afp_trees_touched(ctx, l)) {
		if (!afp_inodes_watched(ctx, nr))
			return AFP_SKIP;
		moved = true;
	}
	if (needs & AFP_NEEDS_UIDS)
		afp_gather_uids(&call);
	if (needs & AFP_NEEDS_GIDS)
		afp_gather_gids(&call);
	if (needs & AFP_NEEDS_TASK)
		afp_gather_task(&call);
	if (needs & AFP_NEEDS_RESULT) {
		call.v[AFP_V_EXIT] = afp_return_fixup(code);
		call.v[AFP_V_SUCCESS] = success ? AFP_RETURN_SUCCESS :
						  AFP_RETURN_FAILURE;
	}
	if (needs & AFP_NEEDS_ARGS) {
		const unsigned long *argv = afp_context_at(ctx, l->argv);

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
 *
 * Return: not 0 if so.
 */
static __always_inline u64 afp_forced(const struct audit_context *ctx,
				      const struct afp_layout *l)
{
	const struct list_head *killed =
		afp_context_list(ctx, l->killed_trees);

	/* Nothing of this is read before what was decided so far. */
	barrier();
	return ((unsigned long)killed->next ^ (unsigned long)killed) |
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

/* How a call goes on that has been decided. */
enum afp_way {
	AFP_ON,		/* into the kernel's function */
	AFP_RETURN,	/* to its caller */
	AFP_RESET,	/* to audit_reset_context() in its place */
};

/*
 * Skip the filters, and nothing else. What runs instead is what the kernel runs
 * after them: audit_reset_context(), entered in place of our function and
 * returning to its caller.
 *
 * Kernels before 5.16 have none. There the function cleans up itself, whatever
 * the context is, and filters only in a system call. So the call is ended here
 * a little early: the function's own next store would be the same.
 */
static __always_inline enum afp_way afp_skip(struct audit_context *ctx,
					     const struct afp_layout *l,
					     int success, long code)
{
	/* The known layouts are chosen by it, see afp_choose_variant(). */
	if (AFP_REDIRECTS && l != &afp_layout_5_10 &&
	    (l != &afp_layout || afp_symbols.reset_context))
		return AFP_RESET;
	afp_context_result(ctx, l, success, code);
	WRITE_ONCE(*(int *)((char *)ctx + l->context), AFP_CONTEXT_UNUSED);
	return AFP_ON;
}

/*
 * Skip them for a call that has collected nothing: our function returns.
 * @exposed: what afp_context_exposed() says
 */
static __always_inline enum afp_way afp_skip_all(struct audit_context *ctx,
						 const struct afp_layout *l,
						 const struct afp_reset *r,
						 bool exposed, int success,
						 long code)
{
	if (exposed)
		afp_reset_exposed();
	if (!afp_reset_compare(ctx, l, r, success, code))
		afp_context_reset(ctx, l, r, exposed, success, code);
	return AFP_RETURN;
}

/*
 * Is this call, about to be skipped, one that is left to the kernel to see what
 * it does? It is counted then.
 */
static __always_inline bool afp_left_alone(const struct audit_context *ctx,
					   const struct afp_layout *l,
					   const struct afp_policy *policy,
					   u32 pair)
{
	if (unlikely(afp_check_blown())) {
		afp_count(AFP_WALK_POLICY, pair);
		return true;
	}
	/* It was counted when it was decided, at its entry. */
	if (afp_check_open()) {
		afp_provoke_check(afp_context_u32(ctx, l->major));
		return true;
	}
	if (likely(!afp_check_due()))
		return false;
	afp_check_begin(policy, false);
	afp_provoke_check(afp_context_u32(ctx, l->major));
	afp_count(AFP_WALK_CHECK, pair);
	return true;
}

/* See afp_exit_answer(), for a layout. @pair may be set already. */
static __always_inline enum afp_answer
afp_answer(const struct afp_layout *l, const struct audit_context *ctx,
	   const struct afp_policy *policy, int success, long code, bool moved,
	   u32 *pair)
{
	const unsigned long *argv = afp_context_at(ctx, l->argv);
	enum afp_answer answer;
	u32 class, row;

	if (*pair == AFP_PAIR_NONE) {
		answer = afp_policy_pair(policy, afp_context_u32(ctx, l->arch),
					 afp_context_u32(ctx, l->major), pair);
		if (answer != AFP_SKIP)
			return answer;
	}
	if (afp_provoke_blind(afp_context_u32(ctx, l->major)))
		return AFP_SKIP;
	class = (afp_has_auid() ? AFP_CLASS_AUID : 0) |
		(afp_has_objects(ctx, l) ? AFP_CLASS_OBJECTS : 0);
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

/*
 * Whatever is not answered by afp_decide_exit(). @pair: of the call, or
 * AFP_PAIR_NONE.
 */
static __always_inline enum afp_way
afp_look_closer(const struct afp_layout *l, const struct afp_reset *r,
		struct audit_context *ctx, int success, long code, u32 pair,
		bool check)
{
	const struct afp_policy *policy = afp_policy_live();
	enum afp_answer answer = AFP_WALK_POLICY;
	bool resets = false;

	if (policy)
		answer = afp_answer(l, ctx, policy, success, code, false,
				    &pair);
	else
		afp_without_policy(ctx);
	if (answer == AFP_SKIP) {
		resets = r && !afp_has_objects(ctx, l) &&
			 !afp_context_collected(ctx, l, r);
		if (afp_forced(ctx, l))
			answer = afp_forced_by(ctx);
	}
	if (answer == AFP_SKIP && check && afp_left_alone(ctx, l, policy, pair))
		return AFP_ON;
	afp_count(answer, pair);
	if (answer != AFP_SKIP)
		return AFP_ON;
	return resets ? afp_skip_all(ctx, l, r, afp_context_exposed(), success,
				     code) :
			afp_skip(ctx, l, success, code);
}

/*
 * The hot path. Most calls have collected nothing, and no rule names such; where
 * we do not reset the context ourselves it is enough that no rule names them.
 *
 * Return: whether the call was answered, and *way is set; if not, it is to be
 * looked at closer, and *known is its afp_pair(), or AFP_PAIR_NONE.
 */
static __always_inline bool
afp_decide_exit(const struct afp_layout *l, const struct afp_reset *r,
		struct audit_context *ctx, int success, long code, bool check,
		u32 *known, enum afp_way *way)
{
	const struct afp_policy *policy = afp_policy_live();
	u64 unlike = 0;
	u32 pair;

	*known = AFP_PAIR_NONE;
	if (unlikely(!policy))
		return false;
	if (unlikely(afp_policy_pair(policy, afp_context_u32(ctx, l->arch),
				     afp_context_u32(ctx, l->major), &pair) !=
		     AFP_SKIP))
		return false;
	*known = pair;
	if (r) {
		unlike = afp_policy_named(policy, pair, afp_has_auid(), false) |
			 afp_context_u32(ctx, l->name_count) |
			 afp_context_exposed() |
			 afp_context_collected(ctx, l, r);
		if (unlikely(unlike) || unlikely(afp_trees_touched(ctx, l)))
			return false;
	} else if (unlikely(policy->look[pair]) &&
		   afp_policy_named(policy, pair, afp_has_auid(),
				    afp_has_objects(ctx, l))) {
		return false;
	}
	if (unlikely(afp_forced(ctx, l)))
		return false;
	*way = AFP_ON;
	if (check && afp_left_alone(ctx, l, policy, pair))
		return true;
	*way = r ? afp_skip_all(ctx, l, r, false, success, code) :
		   afp_skip(ctx, l, success, code);
	afp_count(AFP_SKIP, pair);
	return true;
}

/*
 * The context is a dummy: no rule can match this call. Either its entry said so
 * (level collect), or the kernel's did because no rule was counted. The
 * kernel's own exit would mark it as unused and leave the rest.
 *
 * A tree that was removed meanwhile waits for the end of a call that is no
 * dummy. The context is as good for that as any: nothing was collected.
 */
static __always_inline enum afp_way afp_end_dummy(struct audit_context *ctx,
						  const struct afp_layout *l,
						  const struct afp_reset *r,
						  bool check)
{
	if (unlikely(!list_empty(afp_context_list(ctx, l->killed_trees)))) {
		if (afp_layout_proof() == AFP_PROOF_HOLDS)
			AFP_SET(ctx, l->dummy, u32, 0);
		return AFP_ON;
	}
	if (!r || check || !afp_policy_live())
		return AFP_ON;
	/* What 5.10 does with the priority depends on it. */
	if (AFP_RESET_5_10 &&
	    afp_context_u32(ctx, l->state) != AFP_STATE_BUILD)
		return AFP_ON;
	AFP_SET(ctx, l->context, u32, AFP_CONTEXT_UNUSED);
	/*
	 * An interrupt that made a record before that has left its marks, and
	 * since 5.16 the context is no dummy any more: the kernel resets it.
	 * After that it leaves none.
	 */
	barrier();
	if (AFP_RESET_5_10)
		AFP_SET(ctx, l->prio, u64, 0);
	return likely(afp_context_u32(ctx, l->dummy)) ? AFP_RETURN : AFP_ON;
}

/*
 * The context is that of no call, or of one that collects nothing.
 *
 * Of no call: its entry did nothing, because audit is switched off or because
 * ours let nothing be done (level entry). The kernel resets it all the same,
 * each time, since 5.16 unless it is a dummy. If there is nothing
 * to reset our function returns. Like every decision it takes a policy: without
 * one the layout may be in doubt, or the module on its way out.
 */
static __always_inline enum afp_way afp_not_entered(struct audit_context *ctx,
						    const struct afp_layout *l,
						    const struct afp_reset *r,
						    bool check)
{
	const u64 two = afp_context_two(ctx, l->dummy, l->context);

	/* Nothing is filtered now, whatever was to be checked. */
	if (check)
		afp_check_drop();
	if (r && !check && two == AFP_TWO(1, AFP_CONTEXT_UNUSED))
		return afp_policy_live() ? AFP_RETURN : AFP_ON;
	if (two == AFP_TWO(1, AFP_CONTEXT_SYSCALL))
		return afp_end_dummy(ctx, l, r, check);
	if (!r || check || !afp_policy_live() ||
	    two != AFP_TWO(0, AFP_CONTEXT_UNUSED))
		return AFP_ON;
	if (afp_has_objects(ctx, l) || afp_context_unclean(ctx, l, r))
		return AFP_ON;
	afp_reset_compare_clean(ctx, l, r);
	return AFP_RETURN;
}

/* Go on from a callback. */
static __always_inline void afp_go(struct afp_ftrace_regs *fregs,
				   struct audit_context *ctx, enum afp_way way)
{
	if (way == AFP_RETURN)
		afp_regs_return(fregs, (unsigned long)afp_return);
	else if (way == AFP_RESET)
		afp_regs_redirect(fregs, afp_symbols.reset_context, ctx);
}

/* The same, as an AFP_TRAMPOLINE is told. */
static __always_inline unsigned long afp_told(const struct audit_context *ctx,
					      enum afp_way way)
{
	return way == AFP_RESET ? (unsigned long)ctx : way == AFP_RETURN;
}

/*
 * A callback and what a trampoline calls, compiled for each layout that is
 * known and once for any: an offset that is a constant costs nothing. What is
 * not needed by most calls is in a function of its own, so that they need no
 * stack frame. A callback that cannot return at once leaves the reset to the
 * kernel.
 */
#define AFP_CALLBACK_RESET(reset)	(AFP_REDIRECTS ? (reset) : NULL)
#define AFP_ON_EXIT(name, layout, reset, check) \
	static noinline void \
	afp_callback_##name##_closer(struct audit_context *ctx, \
				     struct afp_ftrace_regs *fregs, u32 known) \
	{ \
		afp_go(fregs, ctx, \
		       afp_look_closer(layout, AFP_CALLBACK_RESET(reset), ctx, \
				       afp_exit_success(fregs), \
				       afp_exit_code(fregs), known, check)); \
	} \
\
	static noinline void \
	afp_callback_##name##_idle(struct audit_context *ctx, \
				   struct afp_ftrace_regs *fregs) \
	{ \
		afp_go(fregs, ctx, \
		       afp_not_entered(ctx, layout, AFP_CALLBACK_RESET(reset), \
				       check)); \
	} \
\
	static void afp_callback_##name(unsigned long ip, \
					unsigned long parent_ip, \
					struct ftrace_ops *ops, \
					struct afp_ftrace_regs *fregs) \
	{ \
		struct audit_context *ctx = audit_context(); \
		enum afp_way way; \
		u32 known; \
\
		if (!ctx) \
			return; \
		if (!afp_collected(ctx, layout)) { \
			afp_callback_##name##_idle(ctx, fregs); \
			return; \
		} \
		if (!afp_decide_exit(layout, AFP_CALLBACK_RESET(reset), ctx, \
				     afp_exit_success(fregs), \
				     afp_exit_code(fregs), check, &known, \
				     &way)) \
			afp_callback_##name##_closer(ctx, fregs, known); \
		else \
			afp_go(fregs, ctx, way); \
	} \
\
	static noinline unsigned long \
	afp_direct_##name##_closer(struct audit_context *ctx, int success, \
				   long code, u32 known) \
	{ \
		return afp_told(ctx, \
				afp_look_closer(layout, reset, ctx, success, code, \
						known, check)); \
	} \
\
	static noinline unsigned long \
	afp_direct_##name##_idle(struct audit_context *ctx) \
	{ \
		return afp_told(ctx, \
				afp_not_entered(ctx, layout, reset, check)); \
	} \
\
	unsigned long afp_by_name afp_direct_##name(int success, long code) \
	{ \
		struct audit_context *ctx = audit_context(); \
		enum afp_way way; \
		u32 known; \
\
		if (!ctx) \
			return AFP_ON; \
		if (!afp_collected(ctx, layout)) \
			return afp_direct_##name##_idle(ctx); \
		if (!afp_decide_exit(layout, reset, ctx, success, code, \
				     check, &known, &way)) \
			return afp_direct_##name##_closer(ctx, success, code, \
							  known); \
		return afp_told(ctx, way); \
	}

AFP_ON_EXIT(5_10, &afp_layout_5_10, &afp_reset_5_10, false)
AFP_ON_EXIT(6_1, &afp_layout_6_1, &afp_reset_6_1, false)
AFP_ON_EXIT(7_2, &afp_layout_7_2, &afp_reset_7_2, false)
AFP_ON_EXIT(any, &afp_layout, NULL, false)
/* The same, where skips are checked. */
AFP_ON_EXIT(5_10_check, &afp_layout_5_10, &afp_reset_5_10, true)
AFP_ON_EXIT(6_1_check, &afp_layout_6_1, &afp_reset_6_1, true)
AFP_ON_EXIT(7_2_check, &afp_layout_7_2, &afp_reset_7_2, true)
AFP_ON_EXIT(any_check, &afp_layout, NULL, true)

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

static struct afp_direct afp_exit_direct = {
	.target = &afp_exit_target,
};

enum {
	AFP_EXIT_PLAIN,
	AFP_EXIT_QUICK,		/* most calls were skipped when they began */
	AFP_EXIT_CHECK,		/* skips may be checked */
	AFP_EXITS
};

/* A layout's callback, and its trampoline, by what it is for. */
static const struct afp_variant {
	ftrace_func_t callback;
	unsigned long trampoline;
} afp_variants[][AFP_EXITS] = {
#if AFP_DIRECT
#define AFP_VARIANT(name, quick) \
	{ afp_callback_##name, (unsigned long)afp_tramp_##quick }
#else
#define AFP_VARIANT(name, quick)	{ afp_callback_##name, 0 }
#endif
#define AFP_VARIANTS(name, quick) \
	{ AFP_VARIANT(name, name), AFP_VARIANT(name, quick), \
	  AFP_VARIANT(name##_check, name##_check) }
	AFP_VARIANTS(any, any), AFP_VARIANTS(5_10, 5_10),
	AFP_VARIANTS(6_1, 6_1_quick), AFP_VARIANTS(7_2, 7_2_quick),
};

static const struct afp_variant *afp_choose_variant(enum afp_level level,
						    bool check)
{
	int known = 0;

	if (afp_layout_is(&afp_layout_5_10) && afp_reset_is(&afp_reset_5_10))
		known = 1;
	else if (afp_layout_is(&afp_layout_6_1) && afp_reset_is(&afp_reset_6_1))
		known = 2;
	else if (afp_layout_is(&afp_layout_7_2) && afp_reset_is(&afp_reset_7_2))
		known = 3;
	return &afp_variants[known][check ? AFP_EXIT_CHECK :
				    level > AFP_LEVEL_FILTER ? AFP_EXIT_QUICK :
							       AFP_EXIT_PLAIN];
}

static const struct afp_variant *afp_variant;	/* that is installed */

/* Is what is installed what this variant asks for? */
static bool afp_is_installed(const struct afp_variant *variant)
{
	return afp_variant && variant->callback == afp_variant->callback &&
	       (!afp_exit_direct.installed ||
		variant->trampoline == afp_variant->trampoline);
}

static void afp_exit_remove(void)
{
	afp_direct_remove(&afp_exit_direct);
	afp_hook_remove(&afp_exit_hook);
	afp_variant = NULL;
}

/* Directly if that is wanted and possible, with a callback otherwise. */
static int afp_exit_install(const struct afp_variant *variant, bool direct,
			    const char **refused)
{
	static int said;	/* why there is no direct call */
	int err;

	if (direct) {
		afp_exit_direct.trampoline = variant->trampoline;
		err = afp_direct_install(&afp_exit_direct);
		if (!err) {
			said = 0;
			return 0;
		}
		if (err != said)
			pr_info("audit_fastpath: no direct call from %s (error %d)%s: a callback of ftrace does it\n",
				afp_exit_target.name, err, err == -EBUSY ?
				", another has one, BPF or a livepatch" : "");
		said = err;
	}
	afp_exit_hook.callback = variant->callback;
	return afp_hook_install(&afp_exit_hook, refused);
}

/**
 * afp_exit_arm - begin to decide at the end of system calls
 * @level: what may be skipped: AFP_LEVEL_VERIFY or above
 * @check: whether skips may be checked; afp_check_arm() came before
 * @backend: how; AFP_BACKEND_AUTO is a direct call where there can be one
 * @again: if a direct call was refused, try again
 * @refused: set to the function that could not be hooked, or NULL
 *
 * If it is armed already only what differs is changed; calls that begin and
 * end meanwhile are the kernel's.
 *
 * Context: process context, sleeps.
 *
 * Return: 0, or what afp_hook_install() says: then it is not armed.
 */
int afp_exit_arm(enum afp_level level, bool check, enum afp_backend backend,
		 bool again, const char **refused)
{
	const struct afp_variant *variant = afp_choose_variant(level, check);
	bool direct = AFP_DIRECT && backend != AFP_BACKEND_FTRACE;
	int err;

	*refused = NULL;
	if (!afp_is_installed(variant) ||
	    (again && direct && !afp_exit_direct.installed)) {
		/* None may begin a call now that only our exit can end well. */
		afp_entry_disarm();
		afp_exit_remove();
	}
	if (!check)
		afp_check_disarm();
	if (afp_variant)
		return 0;
	err = afp_exit_install(variant, direct, refused);
	if (err)
		afp_check_disarm();
	else
		afp_variant = variant;
	return err;
}

/**
 * afp_exit_backend - how the end of system calls is hooked at this moment
 *
 * Context: process context, with what calls afp_exit_arm() kept out.
 *
 * Return: AFP_BACKEND_AUTO if it is not.
 */
enum afp_backend afp_exit_backend(void)
{
	if (!afp_variant)
		return AFP_BACKEND_AUTO;
	return afp_exit_direct.installed ? AFP_BACKEND_DIRECT :
					   AFP_BACKEND_FTRACE;
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
	afp_exit_remove();
	afp_check_disarm();
}
