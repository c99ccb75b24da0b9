// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check decisions against the kernel's own.
 *
 * A call that would be skipped is noted and left to the kernel. If its filter
 * makes a record nevertheless, the decision was wrong, unless the rules have
 * changed in between: then the fuse trips, and nothing is decided any more.
 *
 * A check lives from the decision, at the entry of __audit_syscall_exit() or
 * at that of __audit_syscall_entry(), to
 * unroll_tree_refs(), which that function reaches on every way once it has
 * filtered. In between audit_log_exit() is entered if there is a record.
 */
#include <linux/audit.h>
#include <linux/hash.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "kernel/hook.h"
#include "kernel/layout.h"
#include "observe/counters.h"
#include "path/check.h"
#include "path/control.h"
#include "path/exit.h"
#include "rules/follow.h"
#include "rules/snapshot.h"

#define AFP_CHECK_BITS	10
#define AFP_CHECK_PROBE	8	/* places that a task may take */

/*
 * Checks under way. A place is claimed with cmpxchg() on its task; until it is
 * given back only that task uses what else is in it, so nothing else is needed.
 */
static struct afp_check {
	struct task_struct *task;
	u32 generation;
	bool early;	/* it was decided when the call began */
} afp_checks[1 << AFP_CHECK_BITS];

static u32 afp_check_every;
/* Skips until the next that is checked, and where the steps come from. */
static DEFINE_PER_CPU(s32, afp_check_left);
static DEFINE_PER_CPU(u32, afp_check_seed);

/* The first mismatch. Written by who turns afp_fuse from whole to blowing. */
enum { AFP_FUSE_WHOLE, AFP_FUSE_BLOWING, AFP_FUSE_BLOWN };
static int afp_fuse;
static struct afp_mismatch afp_found;

static struct afp_check *afp_check_place(struct task_struct *owner,
					 bool claim)
{
	u32 i, at = hash_ptr(current, AFP_CHECK_BITS);

	for (i = 0; i < AFP_CHECK_PROBE; i++) {
		struct afp_check *check =
			&afp_checks[(at + i) % ARRAY_SIZE(afp_checks)];

		if (!claim && READ_ONCE(check->task) == owner)
			return check;
		if (claim && !cmpxchg(&check->task, NULL, owner))
			return check;
	}
	return NULL;
}

/*
 * A step: 1 to 2 * every - 1, by xorshift. Not by the kernel's generators: they
 * take locks, which sleep on PREEMPT_RT, and who reads a policy must not.
 */
static s32 afp_check_step(u32 every)
{
	u32 x = this_cpu_read(afp_check_seed);

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	this_cpu_write(afp_check_seed, x);
	return 1 + ((u64)x * (2ULL * every - 1) >> 32);
}

/**
 * afp_check_due - is this skip one that is checked?
 *
 * One of as many as afp_check_arm() was told, on average. The step is random,
 * or it would be the same call of a loop each time.
 *
 * Context: any. Counts the skips of each CPU.
 */
bool afp_check_due(void)
{
	u32 every = READ_ONCE(afp_check_every);

	if (every <= 1)
		return every;
	if (this_cpu_dec_return(afp_check_left) > 0)
		return false;
	this_cpu_write(afp_check_left, afp_check_step(every));
	return true;
}

/**
 * afp_check_begin - note that the current call would be skipped
 * @policy: the policy that said so
 * @early: it said so when the call began
 *
 * If there is no room the call is not checked, nor counted as checked.
 *
 * Context: task context, at the entry of __audit_syscall_exit() or, if @early,
 * of __audit_syscall_entry().
 */
void afp_check_begin(const struct afp_policy *policy, bool early)
{
	struct afp_check *check = afp_check_place(current, false);

	if (check)
		pr_warn_once("audit_fastpath: the check of an earlier call did not end, this kernel is not as expected: do not rely on selfcheck\n");
	else
		check = afp_check_place(current, true);
	if (!check)
		return;
	check->generation = policy->generation;
	check->early = early;
}

/**
 * afp_check_open - is the current call one that is checked already?
 *
 * Context: task context.
 */
bool afp_check_open(void)
{
	return afp_check_place(current, false);
}

static void afp_check_end(struct afp_check *check)
{
	/* Pairs with cmpxchg() of the next owner. */
	smp_store_release(&check->task, NULL);
}

/**
 * afp_check_drop - nothing comes of a check of the current call
 *
 * Its filters are not run, or it is over: nothing is counted.
 *
 * Context: task context.
 */
void afp_check_drop(void)
{
	struct afp_check *check = afp_check_place(current, false);

	if (check)
		afp_check_end(check);
}

/* A record that the policy had no rule for. */
static void afp_check_failed(const struct audit_context *ctx, u32 rules)
{
	afp_count_mismatch();
	if (cmpxchg(&afp_fuse, AFP_FUSE_WHOLE, AFP_FUSE_BLOWING))
		return;
	afp_found.arch = afp_context_u32(ctx, afp_layout.arch);
	afp_found.nr = afp_context_u32(ctx, afp_layout.major);
	afp_found.rules = rules;
	/* Pairs with smp_load_acquire() in afp_check_tripped(). */
	smp_store_release(&afp_fuse, AFP_FUSE_BLOWN);
	afp_control_kick();
}

/*
 * A record is about to be written. Priority 0 is none, 1 is that of a record
 * that something else made during the call and that wants its companions:
 * only what is above comes from a rule.
 *
 * Rules may have come or gone since the decision: the policy is another then,
 * or has been withdrawn. A watch may have moved to an inode of the call, and
 * on again: then the answer is another now if any rule about an inode counts
 * as one about these. Neither is a mismatch. What was decided when the call
 * began holds whatever watches do: rules about an inode were left open.
 *
 * Return: whether the check is over.
 */
static bool afp_check_record(const struct afp_check *check)
{
	const struct audit_context *ctx = audit_context();
	const struct afp_layout *l = &afp_layout;
	const struct afp_policy *policy;
	u32 pair;

	if (!ctx || afp_context_u64(ctx, l->prio) <= 1)
		return false;
	/*
	 * Who has seen a rule sees that the policy was withdrawn before it was
	 * added. Pairs with list_add_rcu() in audit_rule_change().
	 */
	smp_rmb();
	policy = afp_policy_live();
	if (policy && policy->generation == check->generation &&
	    (check->early ||
	     afp_exit_answer(ctx, policy,
			     afp_context_u32(ctx, l->return_valid) ==
			     AFP_RETURN_SUCCESS,
			     afp_context_u64(ctx, l->return_code),
			     afp_follow_moving(), &pair) == AFP_SKIP)) {
		afp_count_checked();
		afp_check_failed(ctx, policy->rules);
	}
	return true;
}

static struct afp_target afp_check_targets[] = {
	{ "audit_log_exit" },
	{ "unroll_tree_refs" },
};

static void afp_on_check(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *ops, struct afp_ftrace_regs *fregs)
{
	struct afp_check *check = afp_check_place(current, false);

	if (!check)
		return;
	if (!afp_is_entry(ip, &afp_check_targets[0])) {
		afp_count_checked();
		afp_check_end(check);
	} else if (afp_check_record(check)) {
		afp_check_end(check);
	}
}

static struct afp_hook afp_check_hook = {
	.callback = afp_on_check,
	.flags = AFP_FTRACE_PROTECTED,
	.targets = afp_check_targets,
	.count = ARRAY_SIZE(afp_check_targets),
};

/**
 * afp_check_arm - be ready to end checks
 * @every: check one of so many skips, 1 to AFP_CHECK_MOST
 * @seed: a random number, for the steps between them
 * @refused: set to the function that could not be hooked, or NULL
 *
 * Context: process context, sleeps. Before afp_check_begin() can be called.
 *
 * Return: 0, or what afp_hook_install() says.
 */
int afp_check_arm(u32 every, u32 seed, const char **refused)
{
	int cpu;

	if (every != afp_check_every)
		for_each_possible_cpu(cpu) {
			/* Any but 0, which xorshift never leaves. */
			WRITE_ONCE(per_cpu(afp_check_seed, cpu),
				   hash_32(seed + cpu, 32) | 1);
			WRITE_ONCE(per_cpu(afp_check_left, cpu), 0);
		}
	WRITE_ONCE(afp_check_every, every);
	if (afp_check_hook.installed)
		return 0;
	/* Those that were under way when the last hook was removed. */
	memset(afp_checks, 0, sizeof(afp_checks));
	return afp_hook_install(&afp_check_hook, refused);
}

/**
 * afp_check_disarm - undo afp_check_arm()
 *
 * Context: process context, sleeps. After nothing calls afp_check_begin().
 */
void afp_check_disarm(void)
{
	afp_hook_remove(&afp_check_hook);
	WRITE_ONCE(afp_check_every, 0);
}

/**
 * afp_check_tripped - has a decision been wrong?
 * @mismatch: filled in if so
 *
 * Context: any.
 */
bool afp_check_tripped(struct afp_mismatch *mismatch)
{
	if (smp_load_acquire(&afp_fuse) != AFP_FUSE_BLOWN)
		return false;
	*mismatch = afp_found;
	return true;
}

/**
 * afp_check_blown - is nothing to be decided any more?
 *
 * From the moment of the first mismatch, before the hooks are gone.
 *
 * Context: any.
 */
bool afp_check_blown(void)
{
	return READ_ONCE(afp_fuse) != AFP_FUSE_WHOLE;
}

/**
 * afp_check_rearm - put in a new fuse
 *
 * Context: any.
 */
void afp_check_rearm(void)
{
	cmpxchg(&afp_fuse, AFP_FUSE_BLOWN, AFP_FUSE_WHOLE);
}
