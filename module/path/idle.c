// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks that are not audited while there is no rule (idle=detach).
 *
 * A task that has an audit context is sent through the audit code at the
 * beginning and at the end of each of its system calls, by a flag. While the
 * kernel counts no rule each task loses the flag at the end of a call of its
 * own; when a rule is about to come all get it back, before it can be seen.
 *
 * Nobody takes the flag from another: x86 goes into the audit code at the
 * beginning of a call also when anything else is to be done there, seccomp or
 * ptrace, but at the end only by the flag. A task between the two would begin its
 * next call in the middle of one, of which the kernel says WARN, or BUG. For the
 * same reason a call of a task without the flag is not begun at all: see
 * afp_idle_enter().
 *
 * A context that a record was made with is no dummy any more, and has to be
 * reset at the end of each call: its task gets the flag back, until it has been
 * through a call as a dummy.
 */
#include <linux/audit.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>

#include "kernel/detach.h"
#include "kernel/direct.h"
#include "kernel/hook.h"
#include "kernel/layout.h"
#include "kernel/locks.h"
#include "kernel/reset.h"
#include "observe/counters.h"
#include "path/idle.h"
#include "rules/follow.h"

/* Whether a task may lose its flag. Set under audit_cmd_mutex. */
static bool afp_detaching;

/*
 * Whether each task that has a context has the flag, and keeps it. Cleared under
 * audit_cmd_mutex, before afp_detaching is set.
 */
static bool afp_all_attached = true;

static bool afp_may_detach(const struct audit_context *ctx)
{
	const struct afp_layout *l = &afp_layout;

	/*
	 * A task that uses io_uring has operations run with its context,
	 * which then has to say whether it is in a call.
	 */
	return afp_context_u32(ctx, l->dummy) == 1 &&
	       afp_context_u32(ctx, l->state) == AFP_STATE_BUILD &&
	       list_empty(afp_context_list(ctx, l->killed_trees)) &&
	       !afp_task_exposes(current);
}

/* At the entry of __audit_syscall_exit(), which goes on to end the call. */
static void afp_idle_on_exit(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *ops,
			     struct afp_ftrace_regs *fregs)
{
	struct audit_context *ctx = audit_context();

	if (!ctx || !READ_ONCE(afp_detaching) || !afp_is_attached(current))
		return;
	if (afp_layout_proof() != AFP_PROOF_HOLDS) {
		/* Of a call that was begun: the end of others says nothing. */
		if (afp_layout_proof() == AFP_PROOF_OPEN &&
		    afp_context_u32(ctx, afp_layout.context) ==
			    AFP_CONTEXT_SYSCALL &&
		    afp_layout_prove(ctx) != AFP_PROOF_OPEN)
			afp_follow_build();
		return;
	}
	if (!afp_may_detach(ctx))
		return;
	afp_detach(current);
	/*
	 * Pairs with smp_mb() in afp_attach_all(): either that finds the flag
	 * cleared, or this finds that none is to be cleared any more. And for
	 * interrupts of this CPU: a record that one has made meanwhile is seen
	 * here, one that is made later finds the flag cleared.
	 */
	smp_mb();
	if (unlikely(!READ_ONCE(afp_detaching)) ||
	    unlikely(afp_context_u32(ctx, afp_layout.dummy) != 1)) {
		afp_attach(current);
		return;
	}
	atomic64_inc(&afp_tasks_detached);
}

/**
 * afp_idle_enter - is a call not to be begun?
 * @e: what __audit_syscall_entry() was handed
 *
 * The call of a task without the flag has no end.
 *
 * Context: any, of a task at the entry of __audit_syscall_entry().
 *
 * Return: 1 if so, 0 if the kernel is to begin it, as AFP_TRAMPOLINE wants it.
 */
unsigned long afp_by_name afp_idle_enter(const struct afp_entered *e)
{
	return !afp_is_attached(current);
}

static void afp_idle_on_entry(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *ops,
			      struct afp_ftrace_regs *fregs)
{
	if (!afp_is_attached(current))
		afp_regs_return(fregs, (unsigned long)afp_return);
}

/* At the entry of audit_log_start(), also in an interrupt. */
static void afp_idle_on_record(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops,
			       struct afp_ftrace_regs *fregs)
{
	if (!audit_context() || afp_is_attached(current))
		return;
	afp_attach(current);
	atomic64_inc(&afp_tasks_attached);
}

static struct afp_target afp_idle_exit_target = { "__audit_syscall_exit" };
static struct afp_target afp_idle_entry_target = { "__audit_syscall_entry" };
/* Some compilers split it: its own file may call the second part alone. */
static struct afp_target afp_idle_record_targets[] = {
	{ "audit_log_start" },
	{ .name = "audit_log_start.part.0", .optional = true },
};

static struct afp_hook afp_idle_exit_hook = {
	.callback = afp_idle_on_exit,
	.flags = AFP_FTRACE_PROTECTED,
	.targets = &afp_idle_exit_target,
	.count = 1,
};

static struct afp_hook afp_idle_record_hook = {
	.callback = afp_idle_on_record,
	.flags = AFP_FTRACE_PROTECTED,
	.targets = afp_idle_record_targets,
	.count = ARRAY_SIZE(afp_idle_record_targets),
};

static struct afp_hook afp_idle_entry_hook = {
	.callback = afp_idle_on_entry,
	.flags = AFP_FTRACE_UNPROTECTED | AFP_FTRACE_REDIRECT,
	.targets = &afp_idle_entry_target,
	.count = 1,
};

static struct afp_direct afp_idle_entry_direct = {
	.target = &afp_idle_entry_target,
#if AFP_DIRECT
	.trampoline = (unsigned long)afp_tramp_idle,
#endif
};

static bool afp_idle_armed(void)
{
	return afp_idle_exit_hook.installed;
}

/* Without taking a flag from anybody: nobody may yet, or any more. */
static void afp_idle_unhook(void)
{
	afp_hook_remove(&afp_idle_exit_hook);
	afp_direct_remove(&afp_idle_entry_direct);
	afp_hook_remove(&afp_idle_entry_hook);
	afp_hook_remove(&afp_idle_record_hook);
}

/* What keeps calls of detached tasks in order first. */
static int afp_idle_hook(const char **refused)
{
	int err;

	err = afp_hook_install(&afp_idle_record_hook, refused);
	if (err)
		return err;
	*refused = afp_idle_entry_target.name;
	err = AFP_DIRECT ? afp_direct_install(&afp_idle_entry_direct) :
			   -EOPNOTSUPP;
	if (err && AFP_REDIRECTS)
		err = afp_hook_install(&afp_idle_entry_hook, refused);
	if (!err)
		err = afp_hook_install(&afp_idle_exit_hook, refused);
	if (err)
		afp_idle_unhook();
	return err;
}

/**
 * afp_idle_arm - let tasks lose the flag while no rule is counted
 * @refused: set to the function that could not be hooked, or NULL
 *
 * Context: process context, sleeps; takes audit_cmd_mutex. After afp_exit_disarm():
 * a function is redirected by one only.
 *
 * Return: 0, also if there is a rule by now and nothing is to be done;
 * -EOPNOTSUPP on an architecture whose flag is not known, or what
 * afp_hook_install() says; nothing is hooked then.
 */
int afp_idle_arm(const char **refused)
{
	int err;

	*refused = NULL;
	if (!AFP_DETACHES)
		return -EOPNOTSUPP;
	if (!afp_idle_armed()) {
		err = afp_idle_hook(refused);
		if (err)
			return err;
	}
	if (READ_ONCE(afp_detaching))
		return 0;
	/* No rule is on its way while it is held: those call afp_idle_attach(). */
	afp_audit_lock();
	if (!afp_rules_exist()) {
		WRITE_ONCE(afp_all_attached, false);
		/* Read without the lock, by whom it lets lose the flag. */
		smp_store_release(&afp_detaching, true);
	}
	afp_audit_unlock();
	return 0;
}

/*
 * Give the flag back to all. A task that is being born has it: it copies its
 * parent's flags first, and gets a context and the flag afterwards.
 */
static void afp_attach_all(void)
{
	struct task_struct *process, *task;
	u64 count = 0;

	WRITE_ONCE(afp_detaching, false);
	/* Pairs with that in afp_idle_on_exit(). */
	smp_mb();
	/* Each thread that is there from the beginning to the end is seen. */
	rcu_read_lock();
	for_each_process_thread(process, task) {
		if (!READ_ONCE(task->audit_context) || afp_is_attached(task))
			continue;
		afp_attach(task);
		count++;
	}
	rcu_read_unlock();
	atomic64_add(count, &afp_tasks_attached);
	/* Pairs with smp_load_acquire() in afp_idle_attach(). */
	smp_store_release(&afp_all_attached, true);
}

/**
 * afp_idle_attach - have every task audited again
 *
 * On return each call that begins is audited. A call that is under way was
 * begun before, and is not.
 *
 * Context: any, also with preemption off; with audit_cmd_mutex held, before a
 * rule is added.
 */
void afp_idle_attach(void)
{
	/* If another is about it, it may be in the middle: do all of it. */
	if (!smp_load_acquire(&afp_all_attached))
		afp_attach_all();
}

/**
 * afp_idle_disarm - have every task audited again, and unhook
 *
 * Context: process context, sleeps. Does nothing if it is not armed.
 */
void afp_idle_disarm(void)
{
	if (!afp_idle_armed())
		return;
	afp_attach_all();
	afp_idle_unhook();
}
