/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernel versions, hidden behind names of our own.
 */
#ifndef AFP_KERNEL_COMPAT_H
#define AFP_KERNEL_COMPAT_H

#include <linux/ftrace.h>
#include <linux/version.h>
#include <linux/sysfs.h>

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

/*
 * Callbacks. Before 5.11 they were handed pt_regs, since then ftrace_regs,
 * and the flag about recursion changed its sense: "safe" had to be said, now
 * protection has to be asked for.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define afp_ftrace_regs			pt_regs
#define AFP_FTRACE_UNPROTECTED		FTRACE_OPS_FL_RECURSION_SAFE
#define AFP_FTRACE_PROTECTED		0
#define AFP_FTRACE_REDIRECT \
	(FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_SAVE_REGS)
#else
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

/* The registers of a callback whose arguments can be read and written. */
static __always_inline struct pt_regs *
afp_regs(struct afp_ftrace_regs *fregs)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
	return fregs;
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	return &arch_ftrace_regs(fregs)->regs;
#else
	return &fregs->regs;
#endif
}

#ifdef CONFIG_X86_64
#define AFP_ARCH_SUPPORTED	1

static __always_inline unsigned long
afp_regs_arg(struct afp_ftrace_regs *fregs, int n)
{
	struct pt_regs *regs = afp_regs(fregs);

	return n ? regs->si : regs->di;
}

static __always_inline void afp_regs_redirect(struct afp_ftrace_regs *fregs,
					      unsigned long target,
					      const void *arg)
{
	struct pt_regs *regs = afp_regs(fregs);

	regs->di = (unsigned long)arg;
	regs->ip = target;
}
#else
#define AFP_ARCH_SUPPORTED	0

static inline unsigned long afp_regs_arg(struct afp_ftrace_regs *fregs, int n)
{
	return 0;
}

static inline void afp_regs_redirect(struct afp_ftrace_regs *fregs,
				     unsigned long target, const void *arg)
{
}
#endif

#endif /* AFP_KERNEL_COMPAT_H */
