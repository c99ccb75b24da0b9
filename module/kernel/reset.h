/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What audit_reset_context() does to a context in which nothing was collected,
 * done here: a third of what a skipped call costs otherwise. And what 5.10, which
 * has no such function, does at the end of __audit_syscall_exit().
 *
 * Only for kernels whose struct audit_context is known in full.
 */
#ifndef AFP_KERNEL_RESET_H
#define AFP_KERNEL_RESET_H

#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/static_call.h>
#include <linux/version.h>

#include "audit_fastpath/policy.h"
#include "kernel/btf.h"
#include "kernel/layout.h"

/*
 * Which of the two is compiled. The kernels in between have the function of 5.10,
 * but nobody has looked at them: they reset themselves.
 */
#define AFP_RESET_5_10	(LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0))

/**
 * struct afp_reset - more offsets in struct audit_context, in bytes
 * @size: of the structure
 * @members: how many it has; the known ones are all that can be
 *
 * Other members are named after the fields, @ctime is stamp.ctime where there
 * is one. On 5.10 @sockaddr is sockaddr_len: the pointer stays for ever, and that
 * there is an address is said by its length. 0 are those that 5.10 does not have
 * or leaves alone, and all if one of them is not as expected. Written once by
 * afp_reset_init(), read only afterwards.
 */
struct afp_reset {
	u32 size;
	u32 members;
	u32 uring_op;
	u32 ctime;
	u32 filterkey;
	u32 pwd;
	u32 aux;
	u32 aux_pids;
	u32 sockaddr;
	u32 ppid;
	u32 target_pid;
	u32 fds;
};

extern struct afp_reset afp_reset;

/* Those of afp_layout_5_10, afp_layout_6_1 and afp_layout_7_2. */
static const struct afp_reset afp_reset_5_10 __maybe_unused = {
	.size = 1000, .members = 46,
	.filterkey = 680, .pwd = 688, .aux = 704, .aux_pids = 712,
	.sockaddr = 728, .ppid = 740, .target_pid = 788, .fds = 976,
};

static const struct afp_reset afp_reset_6_1 __maybe_unused = {
	.size = 1008, .members = 46, .uring_op = 24, .ctime = 32,
	.filterkey = 688, .pwd = 696, .aux = 712, .aux_pids = 720,
	.sockaddr = 728, .ppid = 744, .target_pid = 796, .fds = 984,
};

static const struct afp_reset afp_reset_7_2 __maybe_unused = {
	.size = 1152, .members = 45, .uring_op = 44, .ctime = 16,
	.filterkey = 808, .pwd = 816, .aux = 832, .aux_pids = 840,
	.sockaddr = 848, .ppid = 864, .target_pid = 916, .fds = 1128,
};

/**
 * afp_reset_is - may afp_context_reset() be used with these offsets?
 * @known: offsets that code was compiled for
 *
 * What a kernel that nobody has looked at resets besides, only it knows.
 *
 * Context: any.
 */
static inline bool afp_reset_is(const struct afp_reset *known)
{
	return LINUX_VERSION_CODE < KERNEL_VERSION(7, 4, 0) &&
	       !memcmp(&afp_reset, known, sizeof(*known));
}

/**
 * afp_context_collected - has the call collected what has to be freed?
 * @ctx: context of the current task, in a system call, not dummy, without names
 *	and without references to trees; nothing is forced
 * @l: where its fields are
 * @r: where the others are
 *
 * Not looked at, because it is written only
 * - with aux or type: the module's name and all that shares its place;
 * - with sockaddr: sockaddr_len. On 5.10 it is the other way round: only
 *   sockaddr_len is reset, and a length of 0 is none;
 * - with target_pid, and read only if that is not 0: the rest of target_*;
 * - with pwd.dentry: pwd.mnt;
 * - with prio: filterkey;
 * - with a record: the ids behind ppid, personality.
 *
 * Context: any.
 *
 * Return: not 0 if only the kernel's function is to reset it.
 */
static __always_inline u64
afp_context_collected(const struct audit_context *ctx,
		      const struct afp_layout *l, const struct afp_reset *r)
{
	/* Those of a size together: operands of one register. */
	return (afp_context_u64(ctx, r->pwd + sizeof(void *)) |
		afp_context_u64(ctx, r->aux) |
		afp_context_u64(ctx, r->aux_pids) |
		afp_context_u64(ctx, r->sockaddr)) |
	       (afp_context_u32(ctx, r->target_pid) |
		afp_context_u32(ctx, l->type));
}

/**
 * afp_task_exposes - does anyone read a task's context between two calls?
 * @task: the current task
 *
 * Number, arch, arguments, time and result of the last call are overwritten at
 * the entry of the next. Only an operation of io_uring that is run in between
 * is filtered with them, which takes that the task has ever used io_uring.
 * 5.10 filters no such operations, and resets none of that.
 *
 * Context: any.
 *
 * Return: not 0 if so.
 */
static __always_inline u64 afp_task_exposes(const struct task_struct *task)
{
#if defined(CONFIG_IO_URING) && !AFP_RESET_5_10
	return (unsigned long)task->io_uring;
#else
	return 0;
#endif
}

/* The same of the current task's context. */
static __always_inline u64 afp_context_exposed(void)
{
	return afp_task_exposes(current);
}

/**
 * afp_context_unclean - would a reset change a context of no call?
 * @ctx: context of the current task, in no system call, not dummy, without names
 *	and without references to trees
 * @l: where its fields are
 * @r: where the others are
 *
 * A rule about ppid leaves it set; on 5.10 it stays so until the next call. fds
 * is 0 in a new context, and -1 from the end of its first call on. 5.10 leaves
 * current_state and serial as they are: in a context that was born with audit
 * switched off they never were anything.
 *
 * Context: any.
 *
 * Return: not 0 if it would, or if that cannot be said.
 */
static __always_inline u64 afp_context_unclean(const struct audit_context *ctx,
					       const struct afp_layout *l,
					       const struct afp_reset *r)
{
	const struct list_head *killed = afp_context_list(ctx, l->killed_trees);
	const u64 unclean = afp_context_exposed() |
			    afp_context_collected(ctx, l, r) |
			    (u32)~afp_context_u32(ctx, r->fds) |
			    ((unsigned long)killed->next ^
			     (unsigned long)killed) |
			    (afp_context_u32(ctx, l->state) ^ AFP_STATE_BUILD) |
			    afp_context_u64(ctx, l->prio);

	if (AFP_RESET_5_10)
		return unclean;
	return unclean | afp_context_u32(ctx, r->ppid) |
	       (afp_context_u32(ctx, l->current_state) ^ AFP_STATE_BUILD) |
	       afp_context_u32(ctx, l->serial);
}

#define AFP_SET(ctx, offset, type, value) \
	(*(type *)((char *)(ctx) + (offset)) = (value))

static __always_inline int afp_return_valid(int success)
{
	return success ? AFP_RETURN_SUCCESS : AFP_RETURN_FAILURE;
}

/**
 * afp_context_result - store what a call returned, as its filters would see it
 * @ctx: context of the current task
 * @l: where its fields are
 * @success: whether the call's result counts as success
 * @code: what it returned
 *
 * Kernels before 5.16 keep it for a filter in the middle of the next call.
 *
 * Context: any.
 */
static __always_inline void afp_context_result(struct audit_context *ctx,
					       const struct afp_layout *l,
					       int success, long code)
{
	AFP_SET(ctx, l->return_code, long, afp_return_fixup(code));
	AFP_SET(ctx, l->return_valid, int, afp_return_valid(success));
}

/**
 * afp_context_reset - what audit_reset_context() does, or the end of 5.10's
 *	__audit_syscall_exit()
 * @ctx: context of the current task, in a system call, not dummy, its state
 *	AUDIT_STATE_BUILD; afp_context_collected() was 0
 * @l: where its fields are
 * @r: where the others are
 * @whole: clear also what the entry of the next call overwrites
 * @success: whether the call's result counts as success
 * @code: what it returned; only 5.10 keeps the two
 *
 * As there, the context is marked as unused first: from then on an interrupt
 * changes nothing of it that is reset. What was 0 when the call was decided is
 * written all the same: an interrupt may have come in between.
 *
 * 5.10 leaves serial, current_state and ppid to the entry of the next call, and
 * so do we. Not written there, because it is so already if nothing was
 * collected: an empty list of names and its count, pwd, aux, aux_pids, type,
 * sockaddr_len, and trees with tree_count, see afp_trees_touched(). Nor is
 * target_sid, which is read only with target_pid, nor filterkey, which comes
 * only with prio.
 *
 * Context: any.
 */
static __always_inline void afp_context_reset(struct audit_context *ctx,
					      const struct afp_layout *l,
					      const struct afp_reset *r,
					      bool whole, int success,
					      long code)
{
	int i;

	if (AFP_RESET_5_10)
		afp_context_result(ctx, l, success, code);
	AFP_SET(ctx, l->context, u32, AFP_CONTEXT_UNUSED);
	/* Of this CPU only: interrupts are what may come in between. */
	barrier();
	if (AFP_RESET_5_10) {
		AFP_SET(ctx, l->prio, u64, 0);
		AFP_SET(ctx, r->fds, s32, -1);
		return;
	}
	AFP_SET(ctx, l->current_state, u32, AFP_STATE_BUILD);
	AFP_SET(ctx, l->serial, u32, 0);
	AFP_SET(ctx, l->prio, u64, 0);
	AFP_SET(ctx, r->ppid, u32, 0);
	AFP_SET(ctx, r->fds, s32, -1);
	if (likely(!whole))
		return;
	AFP_SET(ctx, l->major, u32, 0);
	AFP_SET(ctx, r->uring_op, u32, 0);
	AFP_SET(ctx, r->ctime, u64, 0);
	AFP_SET(ctx, r->ctime + 8, u64, 0);
	for (i = 0; i < 4; i++)
		AFP_SET(ctx, l->argv + i * sizeof(long), unsigned long, 0);
	AFP_SET(ctx, l->return_code, long, 0);
	AFP_SET(ctx, l->return_valid, u32, 0);
	AFP_SET(ctx, l->arch, u32, 0);
}

void afp_reset_init(const struct afp_btf *btf);
void afp_return(void);

void afp_reset_nothing(struct audit_context *ctx);
/* audit_reset_context(): as kallsyms_lookup_name(), never called by pointer. */
DECLARE_STATIC_CALL(afp_reset_by_kernel, afp_reset_nothing);

#ifdef AFP_DEBUG
bool afp_reset_compare(struct audit_context *ctx, const struct afp_layout *l,
		       const struct afp_reset *r, int success, long code);
void afp_reset_compare_clean(struct audit_context *ctx,
			     const struct afp_layout *l,
			     const struct afp_reset *r);
void afp_reset_exposed(void);
#else
/* Let the kernel reset it, and compare. Return: whether that was done. */
static inline bool afp_reset_compare(struct audit_context *ctx,
				     const struct afp_layout *l,
				     const struct afp_reset *r, int success,
				     long code)
{
	return false;
}

/* Let the kernel reset what needs no reset, and compare. */
static inline void afp_reset_compare_clean(struct audit_context *ctx,
					   const struct afp_layout *l,
					   const struct afp_reset *r)
{
}

/* Count a context that is reset as a whole. */
static inline void afp_reset_exposed(void)
{
}
#endif

#endif /* AFP_KERNEL_RESET_H */
