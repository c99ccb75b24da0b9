/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_OBSERVE_HOLDERS_H
#define AFP_OBSERVE_HOLDERS_H

#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#define AFP_HOLDERS	64	/* a power of two */

extern struct task_struct *afp_holders[AFP_HOLDERS];

/**
 * afp_hold - keep the module while the current task has a frame of it below
 *
 * Context: any; does not sleep. Ended by afp_release() in the same task.
 *
 * Return: false if the module is being unloaded: there may be no such frame then.
 */
static __always_inline bool afp_hold(void)
{
	if (!try_module_get(THIS_MODULE))
		return false;
	/* Who finds the place taken goes unnamed. */
	cmpxchg(&afp_holders[current->pid & (AFP_HOLDERS - 1)], NULL, current);
	return true;
}

/**
 * afp_release - end what afp_hold() began
 *
 * Context: any; does not sleep. The caller's own code is not held any more.
 */
static __always_inline void afp_release(void)
{
	struct task_struct **place;

	place = &afp_holders[current->pid & (AFP_HOLDERS - 1)];
	if (READ_ONCE(*place) == current)
		WRITE_ONCE(*place, NULL);
	module_put(THIS_MODULE);
}

size_t afp_holders_show(char *buf, size_t size);
void afp_holders_say(const char *where);

#endif /* AFP_OBSERVE_HOLDERS_H */
