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
#include <linux/pid.h>

#include "observe/holders.h"

struct task_struct *afp_holders[AFP_HOLDERS];

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
