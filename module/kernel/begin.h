/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What __audit_syscall_entry() does to the context of a call that is audited,
 * done here.
 *
 * Only for kernels whose struct audit_context is known in full.
 */
#ifndef AFP_KERNEL_BEGIN_H
#define AFP_KERNEL_BEGIN_H

#include <linux/audit.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/timekeeping.h>
#include <linux/version.h>

#include <asm/syscall.h>

#include "kernel/btf.h"
#include "kernel/compat.h"
#include "kernel/layout.h"
#include "kernel/reset.h"
#include "kernel/symbols.h"

/**
 * struct afp_begin - more offsets, in bytes
 * @ctime: in struct audit_context: stamp.ctime where there is one
 * @ppid: in struct audit_context
 * @clears: whether the entry clears serial and ppid; if not, the reset has
 *	done so
 * @auditd_pid: in struct auditd_connection
 *
 * All 0 if one of them is not as expected, or if this kernel is not one that
 * was looked at. Written once by afp_begin_init(), read only afterwards.
 */
struct afp_begin {
	u32 ctime;
	u32 ppid;
	u32 clears;
	u32 auditd_pid;
};

extern struct afp_begin afp_begin;

/* Those of afp_layout_5_10, afp_layout_6_1 and afp_layout_7_2. */
static const struct afp_begin afp_begin_5_10 __maybe_unused = {
	.ctime = 24, .ppid = 740, .clears = 1, .auditd_pid = 0,
};

static const struct afp_begin afp_begin_6_1 __maybe_unused = {
	.ctime = 32, .ppid = 744, .clears = 0, .auditd_pid = 0,
};

static const struct afp_begin afp_begin_7_2 __maybe_unused = {
	.ctime = 16, .ppid = 864, .clears = 0, .auditd_pid = 0,
};

/**
 * afp_begin_is - may afp_context_begin() be used with these offsets?
 * @known: offsets that code was compiled for
 *
 * What a kernel that nobody has looked at does besides, only it knows.
 *
 * Context: any.
 */
static inline bool afp_begin_is(const struct afp_begin *known)
{
	return LINUX_VERSION_CODE < KERNEL_VERSION(7, 4, 0) &&
	       afp_symbols.auditd_conn &&
	       !memcmp(&afp_begin, known, sizeof(*known));
}

/* The part of struct auditd_connection that is read. */
struct afp_auditd {
	struct pid *pid;
};

/**
 * afp_is_auditd - is the current task auditd?
 *
 * By the connection that stands at this moment, which outlives a daemon that
 * died: no number is kept. Semantics: auditd_test_task().
 *
 * Context: any.
 */
static __always_inline bool afp_is_auditd(void)
{
	const struct afp_auditd *conn;
	bool is;

	/*
	 * Pairs with call_rcu() in auditd_set() and auditd_reset(), which waits
	 * for this as for rcu_read_lock(), at a third of the price.
	 */
	if (!READ_ONCE(*afp_symbols.auditd_conn))
		return false;
	preempt_disable_notrace();
	conn = rcu_dereference_raw(*afp_symbols.auditd_conn);
	is = conn && conn->pid == task_tgid(current);
	preempt_enable_notrace();
	return is;
}

/**
 * afp_is_unused - is this the context of a task that is audited, between calls?
 * @ctx: context of the current task
 * @l: where its fields are
 *
 * If not, the task is always recorded or never, or its context is not as the
 * last call should have left it.
 *
 * Context: any, of a task at the entry of __audit_syscall_entry().
 */
static __always_inline bool afp_is_unused(const struct audit_context *ctx,
					  const struct afp_layout *l)
{
	return afp_context_two(ctx, l->context, l->state) ==
	       AFP_TWO(AFP_CONTEXT_UNUSED, AFP_STATE_BUILD);
}

/**
 * afp_may_begin - is afp_context_begin(), for a call that is no dummy, what the
 * kernel would do?
 * @ctx: context of the current task
 * @l: where its fields are
 *
 * If not, the kernel's own function knows what to do: no rule is counted, the
 * task is auditd's, or its context is not afp_is_unused().
 *
 * Context: any, of a task at the entry of __audit_syscall_entry(), while audit
 * is switched on.
 */
static __always_inline bool afp_may_begin(const struct audit_context *ctx,
					  const struct afp_layout *l)
{
	return likely(READ_ONCE(*afp_symbols.n_rules)) &&
	       likely(afp_is_unused(ctx, l)) &&
	       likely(!afp_context_u32(ctx, l->name_count)) &&
	       likely(!afp_is_auditd());
}

/**
 * afp_context_begin - begin to audit a call
 * @ctx: context of the current task; afp_may_begin() was true
 * @l: where its fields are
 * @b: where the others are
 * @dummy: 1 if nothing is to be collected
 * @arch: what syscall_get_arch() says of it, or 0 to ask that
 * @e: its number and arguments
 *
 * An interrupt that makes a record finds the context unused until the call's
 * number and arguments are in it, as it does in the kernel's function.
 *
 * Context: any.
 */
static __always_inline void
afp_context_begin(struct audit_context *ctx, const struct afp_layout *l,
		  const struct afp_begin *b, u32 dummy, u32 arch,
		  const struct afp_entered *e)
{
	if (!arch)
		arch = syscall_get_arch(current);
	AFP_SET(ctx, l->dummy, u32, dummy);
	AFP_SET(ctx, l->prio, u64, 0);
	AFP_SET(ctx, l->arch, u32, arch);
	AFP_SET(ctx, l->major, u32, e->nr);
	AFP_SET(ctx, l->argv, unsigned long, e->args[0]);
	AFP_SET(ctx, l->argv + 8, unsigned long, e->args[1]);
	AFP_SET(ctx, l->argv + 16, unsigned long, e->args[2]);
	AFP_SET(ctx, l->argv + 24, unsigned long, e->args[3]);
	if (b->clears) {
		AFP_SET(ctx, l->serial, u32, 0);
		AFP_SET(ctx, b->ppid, u32, 0);
	}
	/* Interrupts of this CPU are what may come in between. */
	barrier();
	AFP_SET(ctx, l->context, u32, AFP_CONTEXT_SYSCALL);
	AFP_SET(ctx, l->current_state, u32, AFP_STATE_BUILD);
	ktime_get_coarse_real_ts64((struct timespec64 *)((char *)ctx + b->ctime));
}

void afp_begin_init(const struct afp_btf *btf);

#endif /* AFP_KERNEL_BEGIN_H */
