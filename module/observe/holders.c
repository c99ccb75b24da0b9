// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who holds the module: tasks that sleep in a kernel function which a frame of
 * ours stands around. Unloading is refused ("in use") until they are back: here
 * one sees for whom it has to wait.
 *
 * By their ids, and no more is kept of them: a task that dies in there, because
 * the kernel has a fault, never leaves its place.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "observe/holders.h"

#define AFP_HOLDERS	64	/* a power of two */

/* Written by the task whose id it is, or by who finds it 0. */
static pid_t afp_holders[AFP_HOLDERS];

/* The places that a task may have, the likeliest first. */
static pid_t *afp_holder_place(int i)
{
	return &afp_holders[(current->pid + i) & (AFP_HOLDERS - 1)];
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
	int i;

	if (!try_module_get(THIS_MODULE))
		return false;
	/* Who finds all places taken goes unnamed. */
	for (i = 0; i < AFP_HOLDERS; i++)
		if (!cmpxchg(afp_holder_place(i), 0, current->pid))
			break;
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
	int i;

	for (i = 0; i < AFP_HOLDERS; i++) {
		if (READ_ONCE(*afp_holder_place(i)) == current->pid) {
			WRITE_ONCE(*afp_holder_place(i), 0);
			break;
		}
	}
	module_put(THIS_MODULE);
}

/* The id in a place, or NULL. Under rcu_read_lock(), which keeps it. */
static struct pid *afp_holder(int i)
{
	const pid_t nr = READ_ONCE(afp_holders[i]);

	return nr ? find_pid_ns(nr, &init_pid_ns) : NULL;
}

/**
 * afp_holders_show - the ids of tasks that hold the module
 * @buf: where to write them, separated by spaces, and a newline
 * @size: room there
 *
 * As the reader's PID namespace numbers them; what is not in there is left out.
 *
 * Context: any.
 *
 * Return: how much was written.
 */
size_t afp_holders_show(char *buf, size_t size)
{
	size_t len = 0;
	int i;

	rcu_read_lock();	/* see afp_holder() */
	for (i = 0; i < AFP_HOLDERS; i++) {
		const pid_t nr = pid_vnr(afp_holder(i));

		if (nr)
			len += scnprintf(buf + len, size - len, "%s%d",
					 len ? " " : "", nr);
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

	rcu_read_lock();	/* see afp_holder(), and a task is freed by RCU */
	for (i = 0; i < AFP_HOLDERS; i++) {
		const struct task_struct *task = pid_task(afp_holder(i),
							  PIDTYPE_PID);

		if (task)
			pr_info("audit_fastpath: %s[%d] is in %s(): the module cannot be unloaded before it is back\n",
				task->comm, task->pid, where);
	}
	rcu_read_unlock();
}
