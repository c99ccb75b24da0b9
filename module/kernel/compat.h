/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernel versions, hidden behind names of our own.
 */
#ifndef AFP_KERNEL_COMPAT_H
#define AFP_KERNEL_COMPAT_H

#include <linux/audit.h>
#include <linux/ftrace.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/sysfs.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 10, 0)
#error "audit-fastpath needs Linux 5.10 or newer"
#endif

/* What audit_classify_syscall() returns: numbers without names until 5.16. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 16, 0)
#include <linux/audit_arch.h>
#else
enum {
	AUDITSC_NATIVE,
	AUDITSC_COMPAT,
	AUDITSC_OPEN,
	AUDITSC_OPENAT,
	AUDITSC_SOCKETCALL,
	AUDITSC_EXECVE,
};
#endif

/* The list of rules about operations of io_uring, since 5.16. */
#ifdef AUDIT_FILTER_URING_EXIT
#define AFP_FILTER_URING	AUDIT_FILTER_URING_EXIT
#else
#define AFP_FILTER_URING	(-1)
#endif

/*
 * Callbacks. Before 5.11 they were handed pt_regs, since then ftrace_regs,
 * and the flag about recursion changed its sense: "safe" had to be said, now
 * protection has to be asked for.
 *
 * AFP_REDIRECTS: whether a callback can go on elsewhere, or return at once.
 * Before 5.11 that takes a full set of registers, which is dear.
 * AFP_FTRACE_REDIRECT without it only keeps others from redirecting the
 * function, livepatches above all; the callback is handed no registers.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define afp_ftrace_regs			pt_regs
#define AFP_REDIRECTS			0
#define AFP_FTRACE_UNPROTECTED		FTRACE_OPS_FL_RECURSION_SAFE
#define AFP_FTRACE_PROTECTED		0
#define AFP_FTRACE_REDIRECT		FTRACE_OPS_FL_IPMODIFY
#else
#define AFP_REDIRECTS			1
#define afp_ftrace_regs			ftrace_regs
#define AFP_FTRACE_UNPROTECTED		0
#define AFP_FTRACE_PROTECTED		FTRACE_OPS_FL_RECURSION
#ifdef CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS
#define AFP_FTRACE_REDIRECT		FTRACE_OPS_FL_IPMODIFY
#else
#define AFP_FTRACE_REDIRECT \
	(FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_SAVE_REGS)
#endif
#endif

/**
 * afp_filter_free - give back what the filter of an ops takes
 * @ops: not registered
 *
 * Before 6.1 ftrace_free_filter() was not for modules, and setting the filter to
 * nothing takes memory itself: of the smallest kind, which the kernel gives when it has
 * to kill for it, unless the caller is who is killed.
 *
 * Context: process context, sleeps.
 */
static inline void afp_filter_free(struct ftrace_ops *ops)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
	ftrace_free_filter(ops);
#else
	while (ftrace_set_filter(ops, NULL, 0, 1) == -ENOMEM)
		schedule_timeout_uninterruptible(1);
#endif
}

/**
 * struct afp_entered - what __audit_syscall_entry() is handed
 * @nr: the number of the call, an int
 * @args: its first four arguments
 */
struct afp_entered {
	unsigned long nr;
	unsigned long args[4];
};

#ifdef CONFIG_X86_64
#define AFP_ARCH_SUPPORTED	1

/* What syscall_get_arch() says of a task's calls of its own ABI. */
#define AFP_ARCH_NATIVE		AUDIT_ARCH_X86_64

/* Is the call of the other ABI? As syscall_get_arch() tells. */
static __always_inline bool afp_task_is_compat(const struct task_struct *task)
{
	return IS_ENABLED(CONFIG_IA32_EMULATION) &&
	       task->thread_info.status & TS_COMPAT;
}

/*
 * What __audit_syscall_exit() is handed. Before 5.11 without the registers of
 * the call of it: its only caller takes both from those of the task.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
static __always_inline bool afp_exit_success(struct afp_ftrace_regs *unused)
{
	return is_syscall_success(task_pt_regs(current));
}

static __always_inline long afp_exit_code(struct afp_ftrace_regs *unused)
{
	return regs_return_value(task_pt_regs(current));
}

/* No callback begins calls there. */
static __always_inline struct afp_entered
afp_entered_of(struct afp_ftrace_regs *unused)
{
	return (struct afp_entered){};
}

static inline void afp_regs_redirect(struct afp_ftrace_regs *unused,
				     unsigned long target, const void *arg)
{
}

static inline void afp_regs_return(struct afp_ftrace_regs *unused,
				   unsigned long target)
{
}
#else
/* The registers of a callback whose arguments can be read and written. */
static __always_inline struct pt_regs *
afp_regs(struct afp_ftrace_regs *fregs)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	return &arch_ftrace_regs(fregs)->regs;
#else
	return &fregs->regs;
#endif
}

static __always_inline bool afp_exit_success(struct afp_ftrace_regs *fregs)
{
	return (int)afp_regs(fregs)->di != 0;
}

static __always_inline long afp_exit_code(struct afp_ftrace_regs *fregs)
{
	return afp_regs(fregs)->si;
}

static __always_inline struct afp_entered
afp_entered_of(struct afp_ftrace_regs *fregs)
{
	const struct pt_regs *regs = afp_regs(fregs);

	return (struct afp_entered){
		.nr = regs->di,
		.args = { regs->si, regs->dx, regs->cx, regs->r8 },
	};
}

static __always_inline void afp_regs_redirect(struct afp_ftrace_regs *fregs,
					      unsigned long target,
					      const void *arg)
{
	struct pt_regs *regs = afp_regs(fregs);

	regs->di = (unsigned long)arg;
	regs->ip = target;
}

static __always_inline void afp_regs_return(struct afp_ftrace_regs *fregs,
					    unsigned long target)
{
	afp_regs(fregs)->ip = target;
}
#endif
#elif defined(CONFIG_ARM64) && defined(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS) && \
	LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define AFP_ARCH_SUPPORTED	1
#define AFP_ARCH_NATIVE		AUDIT_ARCH_AARCH64

static __always_inline bool afp_task_is_compat(const struct task_struct *task)
{
	return IS_ENABLED(CONFIG_COMPAT) &&
	       READ_ONCE(task->thread_info.flags) & _TIF_32BIT;
}

static __always_inline bool afp_exit_success(struct afp_ftrace_regs *fregs)
{
	return (int)ftrace_regs_get_argument(fregs, 0) != 0;
}

static __always_inline long afp_exit_code(struct afp_ftrace_regs *fregs)
{
	return ftrace_regs_get_argument(fregs, 1);
}

static __always_inline struct afp_entered
afp_entered_of(struct afp_ftrace_regs *fregs)
{
	return (struct afp_entered){
		.nr = ftrace_regs_get_argument(fregs, 0),
		.args = {
			ftrace_regs_get_argument(fregs, 1),
			ftrace_regs_get_argument(fregs, 2),
			ftrace_regs_get_argument(fregs, 3),
			ftrace_regs_get_argument(fregs, 4),
		},
	};
}

/* The link register stays: the target returns to the caller of the function. */
static __always_inline void afp_regs_redirect(struct afp_ftrace_regs *fregs,
					      unsigned long target,
					      const void *arg)
{
	arch_ftrace_regs(fregs)->regs[0] = (unsigned long)arg;
	ftrace_regs_set_instruction_pointer(fregs, target);
}

static __always_inline void afp_regs_return(struct afp_ftrace_regs *fregs,
					    unsigned long target)
{
	ftrace_regs_set_instruction_pointer(fregs, target);
}
#else
#define AFP_ARCH_SUPPORTED	0
#define AFP_ARCH_NATIVE		syscall_get_arch(current)

static inline bool afp_task_is_compat(const struct task_struct *task)
{
	return false;
}

static inline bool afp_exit_success(struct afp_ftrace_regs *fregs)
{
	return false;
}

static inline struct afp_entered afp_entered_of(struct afp_ftrace_regs *fregs)
{
	return (struct afp_entered){};
}

static inline long afp_exit_code(struct afp_ftrace_regs *fregs)
{
	return 0;
}

static inline void afp_regs_redirect(struct afp_ftrace_regs *fregs,
				     unsigned long target, const void *arg)
{
}

static inline void afp_regs_return(struct afp_ftrace_regs *fregs,
				   unsigned long target)
{
}
#endif

/*
 * Is this a kernel whose __audit_inode_child() was seen to pass by entries
 * without a name, and to give them none later?
 */
static inline bool afp_names_known(void)
{
	return LINUX_VERSION_CODE < KERNEL_VERSION(7, 4, 0);
}

#endif /* AFP_KERNEL_COMPAT_H */
