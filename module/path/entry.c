// SPDX-License-Identifier: GPL-2.0-only
/*
 * The beginning of a system call.
 *
 * Runs at the entry of __audit_syscall_entry(), in the task that makes the
 * call: preemptible, interrupts on. It does what the kernel's function does,
 * in fewer instructions, and above level filter it decides already here
 * whether a rule may match: from what cannot become another thing during the
 * call. In any doubt it returns and the kernel's function runs as if we were
 * not there.
 *
 * The exit of a call makes out from the context alone how it was begun, so any
 * entry goes with any exit: ours with the kernel's, that of one level with
 * that of another.
 *
 * It sleeps nowhere: see afp_policy_live().
 */
#include <linux/audit.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "kernel/begin.h"
#include "kernel/direct.h"
#include "kernel/hook.h"
#include "kernel/layout.h"
#include "kernel/reset.h"
#include "kernel/symbols.h"
#include "observe/counters.h"
#include "path/check.h"
#include "path/entry.h"
#include "path/exit.h"
#include "path/gather.h"
#include "path/provoke.h"
#include "rules/snapshot.h"

/* What a variant is compiled for. */
enum afp_how {
	AFP_HOW_FILTER,		/* begin the call */
	AFP_HOW_COLLECT,	/* if no rule can match, as a dummy */
	AFP_HOW_ENTRY,		/* if no rule can match, not at all */
	AFP_HOW_CHECK,		/* as afp_entry_level says; skips may be checked */
};

static enum afp_level afp_entry_level;

/* A rule names calls like this one: look at what it says of task and call. */
static noinline bool afp_ask_early(const struct afp_policy *policy, u32 pair,
				   const struct afp_entered *e)
{
	struct afp_call call __uninitialized;	/* all that is read is set */

	if (!afp_policy_may_name(policy, pair, afp_has_auid()))
		return true;
	if (policy->early[pair] & AFP_EARLY_NEVER)
		return false;
	afp_gather_uids(&call);
	afp_gather_gids(&call);
	afp_gather_task(&call);
	call.v[AFP_V_A0] = e->args[0];
	call.v[AFP_V_A1] = e->args[1];
	call.v[AFP_V_A2] = e->args[2];
	call.v[AFP_V_A3] = e->args[3];
	return afp_decide_early(policy, pair, &call) == AFP_SKIP;
}

/* The afp_pair() of a call of the task's own ABI. */
static __always_inline u32 afp_native_pair(u32 nr)
{
	u32 at = nr;

	/* As in afp_policy_pair(): the number is the user's. */
	OPTIMIZER_HIDE_VAR(at);
	at &= AFP_NR_MAX - 1;
	return unlikely(nr >= AFP_NR_MAX) ? AFP_PAIR_NONE : at;
}

/* The call's afp_pair(). */
static __always_inline u32 afp_entered_pair(const struct task_struct *task,
					    u32 nr)
{
	const u32 pair = afp_native_pair(nr);

	if (pair != AFP_PAIR_NONE && unlikely(afp_task_is_compat(task)))
		return pair + afp_pair(AFP_ABI_COMPAT, 0);
	return pair;
}

/*
 * Is there something that only the end of a call brings in order? Operations
 * of io_uring may be run, and filtered, with the context of a task that uses
 * it; trees that were removed wait for the end of a call.
 *
 * Return: not 0 if so.
 */
static __always_inline unsigned long
afp_needs_end(const struct task_struct *task, const struct audit_context *ctx,
	      const struct afp_layout *l)
{
	const struct list_head *killed =
		afp_context_list(ctx, l->killed_trees);

	return afp_task_exposes(task) |
	       ((unsigned long)READ_ONCE(killed->next) ^
		(unsigned long)killed);
}

/* The context is not that of a task between calls. Return: not 0 if so. */
static __always_inline u64 afp_is_odd(const struct audit_context *ctx,
				      const struct afp_layout *l)
{
	return (afp_context_two(ctx, l->context, l->state) ^
		AFP_TWO(AFP_CONTEXT_UNUSED, AFP_STATE_BUILD)) |
	       afp_context_u32(ctx, l->name_count);
}

/* Half of the calls are checked by what is decided here, half at their end. */
static DEFINE_PER_CPU(u32, afp_entry_turn);

/*
 * Is this call, about to be skipped, one that is left to the kernel to see what
 * it does? It is counted then.
 */
static bool afp_entry_checks(const struct afp_policy *policy, u32 pair)
{
	if (afp_check_blown())
		return true;
	if (READ_ONCE(afp_entry_level) == AFP_LEVEL_VERIFY &&
	    this_cpu_inc_return(afp_entry_turn) % 2)
		return true;
	if (!afp_check_due())
		return false;
	afp_check_begin(policy, true);
	afp_count(AFP_WALK_CHECK, pair);
	return true;
}

/* How a call goes on, as an AFP_TRAMPOLINE is told. */
enum {
	AFP_BY_KERNEL,		/* into the kernel's function */
	AFP_BEGUN,		/* to its caller: it is begun, or not to be */
};

/* Begin a call, to be filtered at its end. */
static __always_inline unsigned long
afp_begin_call(struct audit_context *ctx, const struct afp_layout *l,
	       const struct afp_begin *b, const struct afp_entered *e)
{
	/* So does the kernel's function then. */
	if (unlikely(!audit_enabled))
		return AFP_BEGUN;
	if (!afp_may_begin(ctx, l))
		return AFP_BY_KERNEL;
	afp_context_begin(ctx, l, b, 0, 0, e);
	return AFP_BEGUN;
}

/* No rule can match this call, and nothing about its context is odd. */
static __always_inline unsigned long
afp_begin_skipped(struct audit_context *ctx, const struct afp_layout *l,
		  const struct afp_begin *b, enum afp_level level, u32 pair,
		  u32 arch, const struct afp_entered *e)
{
	/*
	 * Also of auditd's, and while audit is switched off, then at level
	 * collect as well: the kernel does not begin such calls either, and
	 * leaves a context that is unused.
	 */
	if (level == AFP_LEVEL_ENTRY || unlikely(!audit_enabled)) {
		AFP_SET(ctx, l->dummy, u32, 1);
	} else {
		if (unlikely(afp_is_auditd()))
			return AFP_BY_KERNEL;
		afp_context_begin(ctx, l, b, 1, arch, e);
	}
	afp_count(AFP_SKIP, pair);
	return AFP_BEGUN;
}

/* What is not answered by the number alone. */
static __always_inline unsigned long
afp_enter_closer(const struct afp_layout *l, const struct afp_begin *b,
		 enum afp_how how, struct audit_context *ctx,
		 const struct afp_entered *e)
{
	const struct afp_policy *policy = afp_policy_live();
	enum afp_level level = READ_ONCE(afp_entry_level);
	const struct task_struct *task = current;
	u32 pair = afp_entered_pair(task, e->nr);
	bool skips;

	if (unlikely(!policy) || unlikely(afp_is_odd(ctx, l)))
		return AFP_BY_KERNEL;
	skips = pair != AFP_PAIR_NONE && !afp_needs_end(task, ctx, l) &&
		afp_ask_early(policy, pair, e);
	if (how == AFP_HOW_CHECK) {
		/* One of an earlier call, that never ended. */
		afp_check_drop();
		if (afp_provoke_blind_early(e->nr, &pair))
			skips = true;
		/* Only of a call that will be filtered. */
		if (skips && audit_enabled && afp_may_begin(ctx, l) &&
		    afp_entry_checks(policy, pair))
			skips = false;
		/* Nothing is ours to do while all is left to the kernel. */
		if (level == AFP_LEVEL_VERIFY)
			return AFP_BY_KERNEL;
	}
	if (!skips)
		return afp_begin_call(ctx, l, b, e);
	return afp_begin_skipped(ctx, l, b, how == AFP_HOW_CHECK ? level :
				 how == AFP_HOW_ENTRY ? AFP_LEVEL_ENTRY :
							AFP_LEVEL_COLLECT,
				 pair, 0, e);
}

typedef unsigned long (*afp_closer)(struct audit_context *ctx,
				    const struct afp_entered *e);

/* @closer: afp_enter_closer() for the same, in a function of its own. */
static __always_inline unsigned long
afp_enter(const struct afp_layout *l, const struct afp_begin *b,
	  enum afp_how how, afp_closer closer, const struct afp_entered *e)
{
	const struct task_struct *task = current;
	struct audit_context *ctx = task->audit_context;
	const struct afp_policy *policy;
	u32 pair, early;

	/* So does the kernel's function then. */
	if (unlikely(!ctx))
		return AFP_BEGUN;
	policy = afp_policy_live();
	/* Without a policy the layout may be in doubt. */
	if (unlikely(!policy))
		return AFP_BY_KERNEL;
	if (how == AFP_HOW_FILTER)
		return afp_begin_call(ctx, l, b, e);
	/* Of calls of another ABI less is known at compile time. */
	if (how == AFP_HOW_CHECK || unlikely(afp_task_is_compat(task)))
		return closer(ctx, e);
	pair = afp_native_pair(e->nr);
	if (unlikely(pair == AFP_PAIR_NONE))
		return closer(ctx, e);
	early = policy->early[pair];
	if (uid_valid(task->loginuid))
		early >>= 1;
	if (unlikely((early & 1) | afp_needs_end(task, ctx, l) |
		     afp_is_odd(ctx, l)))
		return closer(ctx, e);
	return afp_begin_skipped(ctx, l, b, how == AFP_HOW_ENTRY ?
					    AFP_LEVEL_ENTRY :
					    AFP_LEVEL_COLLECT, pair,
				 AFP_ARCH_NATIVE, e);
}

/* A callback and what a trampoline calls, for a layout and a level. */
#define AFP_ON_ENTRY(layout, name, how) \
	static noinline unsigned long afp_closer_##layout##_##name( \
		struct audit_context *ctx, const struct afp_entered *e) \
	{ \
		return afp_enter_closer(&afp_layout_##layout, \
					&afp_begin_##layout, how, ctx, e); \
	} \
\
	static void afp_callback_enter_##layout##_##name( \
		unsigned long ip, unsigned long parent_ip, \
		struct ftrace_ops *ops, struct afp_ftrace_regs *fregs) \
	{ \
		const struct afp_entered e = afp_entered_of(fregs); \
\
		if (afp_enter(&afp_layout_##layout, &afp_begin_##layout, how, \
			      afp_closer_##layout##_##name, &e)) \
			afp_regs_return(fregs, (unsigned long)afp_return); \
	} \
\
	unsigned long afp_by_name \
	afp_enter_##layout##_##name(const struct afp_entered *e) \
	{ \
		return afp_enter(&afp_layout_##layout, &afp_begin_##layout, \
				 how, afp_closer_##layout##_##name, e); \
	}

#define AFP_ON_ENTRY_ALL(layout) \
	AFP_ON_ENTRY(layout, filter, AFP_HOW_FILTER) \
	AFP_ON_ENTRY(layout, collect, AFP_HOW_COLLECT) \
	AFP_ON_ENTRY(layout, entry, AFP_HOW_ENTRY) \
	AFP_ON_ENTRY(layout, check, AFP_HOW_CHECK)

AFP_ON_ENTRY_ALL(5_10)
AFP_ON_ENTRY_ALL(6_1)
AFP_ON_ENTRY_ALL(7_2)

static struct afp_target afp_entry_target = { "__audit_syscall_entry" };

/* Not protected against recursion: nothing that is called makes a call. */
static struct afp_hook afp_entry_hook = {
	.flags = AFP_FTRACE_UNPROTECTED | AFP_FTRACE_REDIRECT,
	.targets = &afp_entry_target,
	.count = 1,
};

static struct afp_direct afp_entry_direct = {
	.target = &afp_entry_target,
};

/* Of a layout, by enum afp_how: the callback, and the trampoline. */
static const struct afp_entry_variant {
	ftrace_func_t callback;
	unsigned long trampoline;
} afp_entry_variants[][4] = {
#if AFP_DIRECT
#define AFP_VARIANT(name) \
	{ afp_callback_enter_##name, (unsigned long)afp_tramp_enter_##name }
#else
#define AFP_VARIANT(name)	{ afp_callback_enter_##name, 0 }
#endif
#define AFP_VARIANTS(layout) \
	{ AFP_VARIANT(layout##_filter), AFP_VARIANT(layout##_collect), \
	  AFP_VARIANT(layout##_entry), AFP_VARIANT(layout##_check) }
	AFP_VARIANTS(5_10), AFP_VARIANTS(6_1), AFP_VARIANTS(7_2),
};

/* NULL if this kernel is not one of those: it begins each call itself. */
static const struct afp_entry_variant *
afp_choose_entry(enum afp_level level, bool check)
{
	enum afp_how how = AFP_HOW_FILTER;
	int known;

	if (afp_layout_is(&afp_layout_5_10) && afp_begin_is(&afp_begin_5_10))
		known = 0;
	else if (afp_layout_is(&afp_layout_6_1) &&
		 afp_reset_is(&afp_reset_6_1) && afp_begin_is(&afp_begin_6_1))
		known = 1;
	else if (afp_layout_is(&afp_layout_7_2) &&
		 afp_reset_is(&afp_reset_7_2) && afp_begin_is(&afp_begin_7_2))
		known = 2;
	else
		return NULL;
	if (check && level != AFP_LEVEL_FILTER)
		how = AFP_HOW_CHECK;
	else if (level == AFP_LEVEL_COLLECT)
		how = AFP_HOW_COLLECT;
	else if (level == AFP_LEVEL_ENTRY)
		how = AFP_HOW_ENTRY;
	return &afp_entry_variants[known][how];
}

static const struct afp_entry_variant *afp_entry_variant;	/* installed */
static bool afp_entry_checking;		/* for checks */
static const struct afp_entry_variant *afp_entry_refused;	/* a direct call */

/**
 * afp_entry_arm - begin to begin system calls
 * @level: what may be skipped: AFP_LEVEL_VERIFY or above
 * @check: whether skips may be checked; afp_check_arm() came before
 * @backend: how; AFP_BACKEND_AUTO is a direct call where there can be one
 * @again: if a direct call was refused, try again
 * @refused: set to the function that could not be hooked, or NULL
 *
 * At level filter all that is gained is a few instructions, which a callback of
 * ftrace would cost again: then there is a direct call, or nothing. Calls that
 * begin while something is changed are begun by the kernel.
 *
 * Context: process context, sleeps. After afp_exit_arm().
 *
 * Return: 0; -EOPNOTSUPP if this kernel is not one that calls can be begun for,
 * or what afp_hook_install() says: then it is not armed, and above level filter
 * that is what the module acts as.
 */
int afp_entry_arm(enum afp_level level, bool check, enum afp_backend backend,
		  bool again, const char **refused)
{
	const struct afp_entry_variant *variant =
		afp_choose_entry(level, check);
	bool direct = AFP_DIRECT && backend != AFP_BACKEND_FTRACE;
	int err = -EOPNOTSUPP;

	*refused = NULL;
	if (variant != afp_entry_variant ||
	    (again && direct && !afp_entry_direct.installed))
		afp_entry_disarm();
	WRITE_ONCE(afp_entry_level, level);
	if (afp_entry_variant)
		return 0;
	if (!variant)
		return level > AFP_LEVEL_FILTER ? -EOPNOTSUPP : 0;
	/* Not each time that a policy is built. */
	if (direct && (again || variant != afp_entry_refused)) {
		*refused = afp_entry_target.name;
		afp_entry_direct.trampoline = variant->trampoline;
		err = afp_direct_install(&afp_entry_direct);
		afp_entry_refused = err ? variant : NULL;
	}
	if (err && AFP_REDIRECTS && level != AFP_LEVEL_FILTER) {
		afp_entry_hook.callback = variant->callback;
		err = afp_hook_install(&afp_entry_hook, refused);
	}
	if (!err) {
		afp_entry_variant = variant;
		afp_entry_checking = check;
	}
	return level > AFP_LEVEL_FILTER ? err : 0;
}

/**
 * afp_entry_uncheck - leave no call to the kernel to be checked from now on
 *
 * Context: process context, sleeps. Before afp_check_disarm(), which
 * afp_exit_arm() calls when no skip is to be checked.
 */
void afp_entry_uncheck(void)
{
	if (afp_entry_variant && afp_entry_checking)
		afp_entry_disarm();
}

/**
 * afp_entry_disarm - let the kernel begin calls
 *
 * On return none is being begun by us. Calls that were decided go on as they
 * were begun.
 *
 * Context: process context, sleeps. Does nothing if it is not armed.
 */
void afp_entry_disarm(void)
{
	afp_direct_remove(&afp_entry_direct);
	afp_hook_remove(&afp_entry_hook);
	afp_entry_variant = NULL;
}
