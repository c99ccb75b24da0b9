/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The flag of a task that has its system calls audited. audit_alloc() sets it
 * when the task is born, and nothing in the kernel clears it of a task that has
 * an audit context.
 */
#ifndef AFP_KERNEL_DETACH_H
#define AFP_KERNEL_DETACH_H

#include <linux/sched.h>
#include <linux/thread_info.h>
#include <linux/version.h>

#ifdef CONFIG_X86_64
#define AFP_DETACHES	1

/* Among the works of a system call since 5.11, a thread's flag before. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
#define AFP_FLAG(op, task)	op##_task_syscall_work(task, SYSCALL_AUDIT)
#else
#define AFP_FLAG(op, task)	op##_tsk_thread_flag(task, TIF_SYSCALL_AUDIT)
#endif

static __always_inline bool afp_is_attached(struct task_struct *task)
{
	return AFP_FLAG(test, task);
}

static __always_inline void afp_attach(struct task_struct *task)
{
	AFP_FLAG(set, task);
}

static __always_inline void afp_detach(struct task_struct *task)
{
	AFP_FLAG(clear, task);
}
#else
#define AFP_DETACHES	0

static __always_inline bool afp_is_attached(struct task_struct *task)
{
	return true;
}

static __always_inline void afp_attach(struct task_struct *task)
{
}

static __always_inline void afp_detach(struct task_struct *task)
{
}
#endif

#endif /* AFP_KERNEL_DETACH_H */
