// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks with direct calls: the call site at the entry of a function calls a
 * trampoline of ours, without ftrace's in between.
 */
#include <linux/ftrace.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/version.h>

#include "kernel/direct.h"
#include "kernel/fault.h"
#include "kernel/symbols.h"

#if AFP_DIRECT
/* Since 6.4 a direct call belongs to an ops, before that to an address. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
static int afp_direct_register(struct afp_direct *direct)
{
	int err;

	memset(&direct->ops, 0, sizeof(direct->ops));
	/* It stays when kernel.ftrace_enabled is written. */
	direct->ops.flags = FTRACE_OPS_FL_PERMANENT;
	err = ftrace_set_filter_ip(&direct->ops, direct->target->address, 0, 1);
	if (!err && afp_fault("direct call at", direct->target->name))
		err = -EIO;
	if (!err)
		err = register_ftrace_direct(&direct->ops, direct->trampoline);
	if (err)
		afp_filter_free(&direct->ops);
	return err;
}

static int afp_direct_unregister(struct afp_direct *direct)
{
	return unregister_ftrace_direct(&direct->ops, direct->trampoline, true);
}
#else
static int afp_direct_register(struct afp_direct *direct)
{
	return register_ftrace_direct(direct->target->address,
				      direct->trampoline);
}

static int afp_direct_unregister(struct afp_direct *direct)
{
	return unregister_ftrace_direct(direct->target->address,
					direct->trampoline);
}
#endif

/**
 * afp_direct_install - have a trampoline called at the entry of a function
 * @direct: the hook; its target is looked up by name
 *
 * Context: process context, sleeps.
 *
 * Return: 0; -ENOENT if the function does not exist or cannot be hooked; what
 * register_ftrace_direct() says: -EBUSY if another has a direct call there, BPF
 * above all, or redirects it, or if ftrace is switched off; -ENODEV if it is
 * dead. Nothing stays behind.
 */
int afp_direct_install(struct afp_direct *direct)
{
	int err;

	if (!direct->target->address)
		direct->target->address = afp_symbol(direct->target->name);
	if (!direct->target->address)
		return -ENOENT;
	err = afp_fault("hook at", direct->target->name) ?
	      -EIO : afp_direct_register(direct);
	if (err)
		return err == -EINVAL ? -ENOENT : err;
	direct->installed = true;
	return 0;
}

/**
 * afp_direct_drain - wait until no task is in a trampoline that is removed
 *
 * Who is in there is preempted at most: wait until every task has slept or run
 * in user space. Where the kernel is not preempted that is a grace period of
 * RCU. Tasks that sleep below a trampoline are not waited for.
 *
 * Context: process context, sleeps.
 */
void afp_direct_drain(void)
{
	synchronize_rcu_tasks();
}

/**
 * afp_direct_remove - undo afp_direct_install()
 * @direct: the hook; nothing happens if it is not installed
 *
 * On return no task is in the trampoline or in what it calls any more. If ftrace
 * is dead it never returns, see afp_hook_stuck().
 *
 * Context: process context, sleeps.
 */
void afp_direct_remove(struct afp_direct *direct)
{
	int err;

	if (!direct->installed)
		return;
	/* It asks that when it is too late, and WARNs, on every kernel. */
	err = afp_ftrace_dead(direct->target) ? -ENODEV :
						afp_direct_unregister(direct);
	if (err)
		afp_hook_stuck(err);
	/* Nobody enters it any more. */
	afp_direct_drain();
	direct->installed = false;
}
#else
int afp_direct_install(struct afp_direct *direct)
{
	return -EOPNOTSUPP;
}

void afp_direct_remove(struct afp_direct *direct)
{
}

void afp_direct_drain(void)
{
}
#endif
