// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who holds the module: tasks that sleep in a kernel function which a frame of
 * ours stands around. Unloading is refused ("in use") until they are back: here
 * one sees for whom it has to wait.
 *
 * A task takes its place before it can sleep there and leaves it on its way out,
 * so one that is found in a place has not ended before the place was read, and
 * is freed by RCU: it may be looked at inside of rcu_read_lock().
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "observe/holders.h"

#define AFP_HOLDERS	64	/* a power of two */

static struct task_struct *afp_holders[AFP_HOLDERS];

static struct task_struct **afp_holder_place(void)
{
	return &afp_holders[current->pid & (AFP_HOLDERS - 1)];
}

/**
 * afp_hold - keep the module while the current task has a frame of it below
 *
 * Context: any; does not sleep. Ended by afp_release() in the same task.
 *
 * Return: false if the module is being unloaded: there may be no such frame then.
 */
bool afp_hold(void)
{
	if (!try_module_get(THIS_MODULE))
		return false;
	/* Who finds the place taken goes unnamed. */
	cmpxchg(afp_holder_place(), NULL, current);
	return true;
}

/**
 * afp_release - end what afp_hold() began
 *
 * What runs of the module from here on is not held any more: afp_direct_drain()
 * waits for it.
 *
 * Context: any; does not sleep.
 */
void afp_release(void)
{
	struct task_struct **place = afp_holder_place();

	if (READ_ONCE(*place) == current)
		WRITE_ONCE(*place, NULL);
	module_put(THIS_MODULE);
}

/**
 * afp_holders_show - the pids of tasks that hold the module
 * @buf: where to write them, separated by spaces, and a newline
 * @size: room there
 *
 * As the reader's PID namespace numbers them; others are left out. So is a task
 * whose place another had taken.
 *
 * Context: any.
 *
 * Return: how much was written.
 */
size_t afp_holders_show(char *buf, size_t size)
{
	size_t len = 0;
	int i;

	rcu_read_lock();	/* a task's memory: see above */
	for (i = 0; i < AFP_HOLDERS; i++) {
		struct task_struct *task = READ_ONCE(afp_holders[i]);
		pid_t pid = task ? task_pid_vnr(task) : 0;

		if (pid)
			len += scnprintf(buf + len, size - len, "%s%d",
					 len ? " " : "", pid);
	}
	rcu_read_unlock();
	return len + scnprintf(buf + len, size - len, "\n");
}

/**
 * afp_holders_say - name those that hold the module in the log, if any do
 * @where: the kernel's function that they are in
 *
 * Context: any.
 */
void afp_holders_say(const char *where)
{
	int i;

	rcu_read_lock();	/* a task's memory: see above */
	for (i = 0; i < AFP_HOLDERS; i++) {
		struct task_struct *task = READ_ONCE(afp_holders[i]);

		if (task)
			pr_info("audit_fastpath: %s[%d] is in %s(): the module cannot be unloaded before it is back\n",
				task->comm, task_pid_nr(task), where);
	}
	rcu_read_unlock();
}
