// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks with ftrace callbacks, the backend that works on every kernel with
 * dynamic ftrace.
 */
#include <linux/ftrace.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kernel/fault.h"
#include "kernel/hook.h"
#include "kernel/symbols.h"

static int afp_hook_filter(struct afp_hook *hook, struct afp_target *target,
			   bool first)
{
	if (!target->address)
		return -ENOENT;
	if (afp_fault("filter", target->name))
		return -EIO;
	return ftrace_set_filter_ip(&hook->ops, target->address, 0, first);
}

/**
 * afp_hook_install - have a callback called at the entry of functions
 * @hook: the hook; its targets are looked up by name
 * @refused: set to the function that was refused, or NULL if it was ftrace
 *
 * The hook stays when kernel.ftrace_enabled is written: it is PERMANENT.
 *
 * Context: process context, sleeps.
 *
 * Return: 0; -ENOENT if a function does not exist or cannot be hooked; what
 * register_ftrace_function() says: -EBUSY if another owns the function, or if
 * ftrace is switched off; -ENODEV if it is dead. Nothing stays behind.
 */
int afp_hook_install(struct afp_hook *hook, const char **refused)
{
	int i, err;

	*refused = NULL;
	/* As new each time: nothing is left of the last one but flags. */
	memset(&hook->ops, 0, sizeof(hook->ops));
	hook->ops.func = hook->callback;
	hook->ops.flags = hook->flags | FTRACE_OPS_FL_PERMANENT;
	for (i = 0; i < hook->count; i++) {
		struct afp_target *target = &hook->targets[i];

		*refused = target->name;
		if (!target->address)
			target->address = afp_symbol(target->name);
		if (!target->address && target->optional)
			continue;
		err = afp_hook_filter(hook, target, !i);
		if (err) {
			afp_filter_free(&hook->ops);
			return err == -EINVAL ? -ENOENT : err;
		}
	}
	*refused = NULL;
	err = afp_fault("callback at", hook->targets[0].name) ?
	      -EIO : register_ftrace_function(&hook->ops);
	if (err) {
		afp_filter_free(&hook->ops);
		return err;
	}
	hook->installed = true;
	return 0;
}

/**
 * afp_ftrace_dead - was ftrace shut down by a fault of its own?
 * @target: a function that is hooked
 *
 * Then it neither installs hooks nor removes any until the next boot, and the
 * call sites go on calling who has hooked them. It is asked in the way of who
 * hooks @target, and nothing comes of it.
 *
 * Context: process context, sleeps.
 *
 * Return: true if so; false also if there is no memory to ask.
 */
bool afp_ftrace_dead(const struct afp_target *target)
{
	struct ftrace_ops *ops = kzalloc(sizeof(*ops), GFP_KERNEL);
	int err;

	if (!ops)
		return false;
	err = ftrace_set_filter_ip(ops, target->address, 0, 1);
	afp_filter_free(ops);
	kfree(ops);
	return err == -ENODEV;
}

/**
 * afp_hook_remove - undo afp_hook_install()
 * @hook: the hook; nothing happens if it is not installed
 *
 * On return no callback runs any more: ftrace waits for a grace period of
 * RCU-tasks, which ends when every task has been off its trampolines. If ftrace
 * is dead it never returns, see afp_hook_stuck().
 *
 * Context: process context, sleeps.
 */
void afp_hook_remove(struct afp_hook *hook)
{
	int err;

	if (!hook->installed)
		return;
	err = unregister_ftrace_function(&hook->ops);
	if (err)
		afp_hook_stuck(err);
	afp_filter_free(&hook->ops);
	hook->installed = false;
}
