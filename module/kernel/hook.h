/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_KERNEL_HOOK_H
#define AFP_KERNEL_HOOK_H

#include <linux/printk.h>
#include <linux/sched.h>

#include "kernel/compat.h"

/**
 * struct afp_target - a kernel function to be hooked
 * @name: its name
 * @address: looked up when it is first hooked, then kept
 * @optional: there need be none, but not as the first of a hook
 */
struct afp_target {
	const char *name;
	unsigned long address;
	bool optional;
};

/**
 * struct afp_hook - one callback at the entry of some kernel functions
 * @callback: called in the context of the function, before it
 * @flags: AFP_FTRACE_*
 * @targets: the functions
 * @count: number of @targets
 * @ops: what ftrace knows of it, private to hook.c
 * @installed: between afp_hook_install() and afp_hook_remove()
 */
struct afp_hook {
	ftrace_func_t callback;
	unsigned long flags;
	struct afp_target *targets;
	int count;
	struct ftrace_ops ops;
	bool installed;
};

/**
 * afp_is_entry - was a callback called at the entry of this function?
 * @ip: what the callback was handed
 * @target: the function, hooked
 *
 * The call site is the first instruction, or the one after ENDBR.
 */
static inline bool afp_is_entry(unsigned long ip,
				const struct afp_target *target)
{
	return ip - target->address < 16;
}

/**
 * afp_hook_stuck - a hook cannot be taken away
 * @err: what ftrace said
 *
 * If ftrace was shut down by a fault of its own (ftrace_kill()) the call
 * sites cannot be changed any more and go on calling this module. Its code
 * then has to stay for ever, and so does the caller.
 *
 * Context: process context. Does not return.
 */
static inline void afp_hook_stuck(int err)
{
	pr_crit("audit_fastpath: ftrace cannot be unhooked (error %d): the module stays in memory and rmmod waits for ever; reboot to end this\n",
		err);
	for (;;)
		schedule_timeout_idle(MAX_SCHEDULE_TIMEOUT);
}

bool afp_ftrace_dead(const struct afp_target *target);
int afp_hook_install(struct afp_hook *hook, const char **refused);
void afp_hook_remove(struct afp_hook *hook);

#endif /* AFP_KERNEL_HOOK_H */
