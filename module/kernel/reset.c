// SPDX-License-Identifier: GPL-2.0-only
/*
 * What there is to know of struct audit_context to reset it without the
 * kernel's function.
 */
#include <linux/ftrace.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/static_call.h>
#include <linux/time64.h>

#include "kernel/reset.h"
#include "kernel/symbols.h"

struct afp_reset afp_reset __read_mostly;

/**
 * afp_return - where a hooked function is redirected that is to return at once
 *
 * Context: any.
 */
noinline notrace void afp_return(void)
{
}

void afp_reset_nothing(struct audit_context *ctx)
{
}

DEFINE_STATIC_CALL(afp_reset_by_kernel, afp_reset_nothing);

#ifdef AFP_DEBUG
#if AFP_RESET_5_10
static void afp_exit_nothing(int success, long code)
{
}

/*
 * The kernel's __audit_syscall_exit(), after the call at its entry that ours is
 * made from. It filters first: all that a filter without a match leaves behind
 * is ppid, and a match with a rule that says "never" leaves current_state.
 * Either is set at the entry of the next call, and not looked at before.
 */
DEFINE_STATIC_CALL(afp_exit_by_kernel, afp_exit_nothing);

static void afp_let_kernel_reset(struct audit_context *ctx,
				 struct audit_context *copy,
				 const struct afp_layout *l,
				 const struct afp_reset *r, int success,
				 long code)
{
	static_call(afp_exit_by_kernel)(success, code);
	AFP_SET(copy, r->ppid, u32, afp_context_u32(ctx, r->ppid));
	AFP_SET(copy, l->current_state, u32,
		afp_context_u32(ctx, l->current_state));
}
#else
static void afp_let_kernel_reset(struct audit_context *ctx,
				 struct audit_context *copy,
				 const struct afp_layout *l,
				 const struct afp_reset *r, int success,
				 long code)
{
	static_call(afp_reset_by_kernel)(ctx);
}
#endif

static bool afp_compare;
module_param_named(compare_reset, afp_compare, bool, 0600);
MODULE_PARM_DESC(compare_reset, "let the kernel reset contexts, too, and compare (debug builds)");

static atomic_long_t afp_compared, afp_compared_clean, afp_whole;
static int afp_compared_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%ld\n", atomic_long_read(kp->arg));
}

module_param_call(reset_compared, NULL, afp_compared_get, &afp_compared, 0400);
MODULE_PARM_DESC(reset_compared, "contexts that were compared (debug builds)");
module_param_call(clean_compared, NULL, afp_compared_get, &afp_compared_clean,
		  0400);
MODULE_PARM_DESC(clean_compared, "the same, of no call (debug builds)");
module_param_call(reset_whole, NULL, afp_compared_get, &afp_whole, 0400);
MODULE_PARM_DESC(reset_whole, "contexts that io_uring may look at (debug builds)");

static int afp_differs = -1;
module_param_named(reset_differs, afp_differs, int, 0400);
MODULE_PARM_DESC(reset_differs, "offset of the first difference, -1: none (debug builds)");

#define AFP_CONTEXT_MAX	2048

struct afp_context_copy {
	char bytes[AFP_CONTEXT_MAX];
};
static DEFINE_PER_CPU_ALIGNED(struct afp_context_copy, afp_context_copy);

static void afp_compare_with(const struct audit_context *copy,
			     const struct audit_context *ctx,
			     const struct afp_reset *r, atomic_long_t *compared)
{
	u32 i;

	for (i = 0; i < r->size; i++)
		if (((char *)copy)[i] != ((char *)ctx)[i])
			break;
	if (i < r->size)
		cmpxchg(&afp_differs, -1, (int)i);
	atomic_long_inc(compared);
}

/* Is each field looked at? @copy is of a context that collected nothing. */
static bool afp_collected_is_seen(struct audit_context *copy,
				  const struct afp_layout *l,
				  const struct afp_reset *r)
{
	const u32 fields[] = {
		r->pwd + sizeof(void *), r->aux, r->aux_pids, r->sockaddr,
		r->target_pid, l->type,
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		AFP_SET(copy, fields[i], u32, 1);
		if (!afp_context_collected(copy, l, r))
			return false;
		AFP_SET(copy, fields[i], u32, 0);
	}
	return true;
}

/*
 * As if an interrupt had made a record just now, and io_uring, pipe() and a rule
 * about ppid had been at work. On 5.10 filters look at it before it is reset: it
 * must neither make a match nor a record.
 */
static void afp_soil(struct audit_context *ctx, const struct afp_layout *l,
		     const struct afp_reset *r, long code)
{
	AFP_SET(ctx, l->serial, u32, 1);
	AFP_SET(ctx, l->prio, u64, 1);
	AFP_SET(ctx, r->fds, s32, 1);
	AFP_SET(ctx, l->return_code, long, ~afp_return_fixup(code));
	AFP_SET(ctx, l->return_valid, u32, 0);
	if (AFP_RESET_5_10)
		return;
	AFP_SET(ctx, l->return_valid, u32, 1);
	AFP_SET(ctx, l->current_state, u32, AFP_STATE_BUILD + 1);
	AFP_SET(ctx, r->uring_op, u32, 1);
	AFP_SET(ctx, r->ppid, u32, 1);
}

bool afp_reset_compare(struct audit_context *ctx, const struct afp_layout *l,
		       const struct afp_reset *r, int success, long code)
{
	struct audit_context *copy;

	if (!READ_ONCE(afp_compare) || r->size > AFP_CONTEXT_MAX)
		return false;
	preempt_disable();
	afp_soil(ctx, l, r, code);
	copy = (void *)this_cpu_ptr(&afp_context_copy);
	memcpy(copy, ctx, r->size);
	if (!afp_collected_is_seen(copy, l, r))
		WRITE_ONCE(afp_differs, 0);
	afp_context_reset(copy, l, r, true, success, code);
	afp_let_kernel_reset(ctx, copy, l, r, success, code);
	afp_compare_with(copy, ctx, r, &afp_compared);
	/* 5.10 leaves it, and it would look like a record. */
	AFP_SET(ctx, l->serial, u32, 0);
	preempt_enable();
	return true;
}

void afp_reset_exposed(void)
{
	atomic_long_inc(&afp_whole);
}

void afp_reset_compare_clean(struct audit_context *ctx,
			     const struct afp_layout *l,
			     const struct afp_reset *r)
{
	struct audit_context *copy;

	if (!READ_ONCE(afp_compare) || r->size > AFP_CONTEXT_MAX)
		return;
	preempt_disable();
	copy = (void *)this_cpu_ptr(&afp_context_copy);
	memcpy(copy, ctx, r->size);
	/* It is in no call: 5.10 filters nothing, so there is no result. */
	afp_let_kernel_reset(ctx, copy, l, r, 0, 0);
	afp_compare_with(copy, ctx, r, &afp_compared_clean);
	preempt_enable();
}
#endif

/**
 * afp_reset_init - read the offsets from the kernel's BTF
 * @btf: an opened blob
 *
 * If anything is not as expected they stay 0 and are those of no kernel that
 * is known: the kernel's own function resets.
 *
 * Context: process context. After afp_symbols_init().
 */
void __init afp_reset_init(const struct afp_btf *btf)
{
	struct afp_reset r = {};
	const struct afp_member members[] = {
#if AFP_RESET_5_10
		{ "sockaddr_len", NULL, &r.sockaddr, sizeof(size_t) },
#else
		{ "uring_op", NULL, &r.uring_op, 4 },
		{ "stamp.ctime", "ctime", &r.ctime, sizeof(struct timespec64) },
		{ "sockaddr", NULL, &r.sockaddr, sizeof(void *) },
#endif
		{ "filterkey", NULL, &r.filterkey, sizeof(void *) },
		{ "pwd", NULL, &r.pwd, 2 * sizeof(void *) },
		{ "aux", NULL, &r.aux, sizeof(void *) },
		{ "aux_pids", NULL, &r.aux_pids, sizeof(void *) },
		{ "ppid", NULL, &r.ppid, sizeof(pid_t) },
		{ "target_pid", NULL, &r.target_pid, sizeof(pid_t) },
		{ "fds", NULL, &r.fds, 2 * sizeof(int) },
	};
	u32 id = afp_btf_struct(btf, "audit_context");
	const char *missing;

	if (afp_symbols.reset_context)
		static_call_update(afp_reset_by_kernel,
				   (typeof(afp_reset_nothing) *)
				   afp_symbols.reset_context);
	else if (!AFP_RESET_5_10)
		return;
#if AFP_RESET_5_10 && defined(AFP_DEBUG)
	static_call_update(afp_exit_by_kernel,
			   (typeof(afp_exit_nothing) *)
			   (afp_symbol("__audit_syscall_exit") +
			    MCOUNT_INSN_SIZE));
#endif
	if (!afp_layout_read(btf, "audit_context", members, ARRAY_SIZE(members),
			     &missing) &&
	    !afp_btf_size(btf, id, &r.size) &&
	    !afp_btf_members(btf, id, &r.members))
		afp_reset = r;
}
