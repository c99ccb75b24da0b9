// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layout of the kernel's private audit structures: read from the kernel's
 * own BTF, then proved on the first live context before anything is decided
 * by it.
 */
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/seccomp.h>
#include <linux/uaccess.h>
#include <asm/syscall.h>

#include "kernel/begin.h"
#include "kernel/btf.h"
#include "kernel/classes.h"
#include "kernel/fault.h"
#include "kernel/layout.h"
#include "kernel/reset.h"
#include "kernel/symbols.h"

#define AFP_NAMES_LOOK		64	/* names that a proof follows */
#define AFP_DISTINCTIVE		0x10000	/* an argument that is no accident */
#define AFP_COMMON		2	/* what many members are: 0, 1 or 2 */
#define AFP_CONTRADICTIONS	8	/* calls that disprove the layout */

struct afp_layout afp_layout __read_mostly;

/* For assembly: where a task has its context. Never called. */
static void __used afp_offsets(void)
{
	asm volatile(".globl afp_task_context\n\t"
		     ".set afp_task_context, %c0"
		     : : "i" (offsetof(struct task_struct, audit_context)));
}

/**
 * afp_layout_read - find members of a structure
 * @btf: an opened blob
 * @type: the structure's name
 * @members: what to find, and the size that each has to have
 * @count: number of @members
 * @missing: set to what is not as needed
 *
 * Context: process context.
 *
 * Return: 0; -ENOENT if something is not there; -EINVAL if it is of another
 * size or not inside of the structure.
 */
int __init afp_layout_read(const struct afp_btf *btf, const char *type,
			   const struct afp_member *members, int count,
			   const char **missing)
{
	u32 id, size, total;
	int i, err;

	*missing = type;
	id = afp_btf_struct(btf, type);
	if (!id)
		return -ENOENT;
	err = afp_btf_size(btf, id, &total);
	if (err)
		return err;
	for (i = 0; i < count; i++) {
		const struct afp_member *m = &members[i];

		*missing = m->path;
		err = afp_btf_member(btf, id, m->path, m->offset, &size);
		if (err == -ENOENT && m->older)
			err = afp_btf_member(btf, id, m->older, m->offset,
					     &size);
		if (err)
			return err;
		/* Inside of it, so that a proof can read it without a fault. */
		if (size != m->size || *m->offset > total ||
		    size > total - *m->offset)
			return -EINVAL;
	}
	return 0;
}

/* Values that are compiled in, and which way of skipping fits the kernel. */
static int __init afp_constants_check(const struct afp_btf *btf,
				      const char **missing)
{
	s32 value;

	*missing = "AUDIT_STATE_BUILD";
	/* By the name that it had until 5.16, too. */
	if (afp_btf_enumerator(btf, "AUDIT_STATE_BUILD", &value) &&
	    afp_btf_enumerator(btf, "AUDIT_BUILD_CONTEXT", &value))
		return -ENOENT;
	if (value != AFP_STATE_BUILD)
		return -EINVAL;

	/* 5.10 has in_syscall, a bool, and resets without a function. */
	if (afp_btf_enumerator(btf, "AUDIT_CTX_SYSCALL", &value))
		return 0;
	*missing = "AUDIT_CTX_SYSCALL";
	if (value != AFP_CONTEXT_SYSCALL)
		return -EINVAL;
	/*
	 * Here a dummy context is not reset at all, so that marking it as one
	 * is no way to skip.
	 */
	*missing = "audit_reset_context";
	return afp_symbols.reset_context ? 0 : -ENOENT;
}

#ifdef AFP_DEBUG
static bool afp_break_layout;
module_param_named(break_layout, afp_break_layout, bool, 0400);
MODULE_PARM_DESC(break_layout, "swap two offsets (debug builds)");
#endif

/**
 * afp_layout_init - read the layout from the kernel's BTF
 * @missing: set to the structure, member or constant that is not as expected
 *
 * Context: process context, sleeps. After afp_symbols_init().
 *
 * Return: 0; -ENOENT if something is not there; -EINVAL if it is of another
 * size or value, or the BTF is damaged; -ENOMEM.
 */
int __init afp_layout_init(const char **missing)
{
	struct afp_layout *l = &afp_layout;
	u32 krule_mask, krule_fields, krule_count, krule_action, krule_watch;
	const struct afp_member context[] = {
		{ "dummy", NULL, &l->dummy, 4 },
		{ "context", "in_syscall", &l->context, 4 },
		{ "state", NULL, &l->state, 4 },
		{ "current_state", NULL, &l->current_state, 4 },
		{ "serial", "stamp.serial", &l->serial, 4 },
		{ "major", NULL, &l->major, 4 },
		{ "argv", NULL, &l->argv, 4 * sizeof(long) },
		{ "return_code", NULL, &l->return_code, sizeof(long) },
		{ "prio", NULL, &l->prio, 8 },
		{ "return_valid", NULL, &l->return_valid, 4 },
		{ "name_count", NULL, &l->name_count, 4 },
		{ "names_list", NULL, &l->names_list,
		  sizeof(struct list_head) },
		{ "arch", NULL, &l->arch, 4 },
		{ "trees", NULL, &l->trees, sizeof(void *) },
		{ "first_trees", NULL, &l->first_trees, sizeof(void *) },
		{ "killed_trees", NULL, &l->killed_trees,
		  sizeof(struct list_head) },
		{ "tree_count", NULL, &l->tree_count, 4 },
		{ "type", NULL, &l->type, 4 },
	};
	const struct afp_member names[] = {
		{ "list", NULL, &l->name_list, sizeof(struct list_head) },
		{ "ino", NULL, &l->name_ino, 8 },
		{ "name", NULL, &l->name_name, sizeof(void *) },
		{ "name_len", NULL, &l->name_len, 4 },
	};
	const struct afp_member entry[] = {
		{ "list", NULL, &l->entry_list, sizeof(struct list_head) },
		{ "rule", NULL, &l->entry_rule, sizeof(struct audit_krule) },
	};
	const struct afp_member watch[] = {
		{ "ino", NULL, &l->watch_ino, 8 },
	};
	/* In <linux/audit.h>, so compiled in: it has to be the same. */
	const struct afp_member krule[] = {
		{ "action", NULL, &krule_action, 4 },
		{ "mask", NULL, &krule_mask, AUDIT_BITMASK_SIZE * 4 },
		{ "field_count", NULL, &krule_count, 4 },
		{ "fields", NULL, &krule_fields, sizeof(void *) },
		{ "watch", NULL, &krule_watch, sizeof(void *) },
	};
	size_t size = afp_symbols.btf_size;
	const void *data = afp_fault_btf(afp_symbols.btf, &size);
	struct afp_btf btf;
	int err;

	*missing = "BTF";
	err = afp_btf_open(&btf, data, size);
	if (!err)
		err = afp_layout_read(&btf, "audit_context", context,
				      ARRAY_SIZE(context), missing);
	if (!err)
		err = afp_layout_read(&btf, "audit_names", names,
				      ARRAY_SIZE(names), missing);
	if (!err)
		err = afp_layout_read(&btf, "audit_entry", entry,
				      ARRAY_SIZE(entry), missing);
	if (!err)
		err = afp_layout_read(&btf, "audit_watch", watch,
				      ARRAY_SIZE(watch), missing);
	if (!err)
		err = afp_layout_read(&btf, "audit_krule", krule,
				      ARRAY_SIZE(krule), missing);
	if (!err && (krule_action != offsetof(struct audit_krule, action) ||
		     krule_mask != offsetof(struct audit_krule, mask) ||
		     krule_count != offsetof(struct audit_krule, field_count) ||
		     krule_fields != offsetof(struct audit_krule, fields) ||
		     krule_watch != offsetof(struct audit_krule, watch)))
		err = -EINVAL;
	if (!err)
		err = afp_constants_check(&btf, missing);
	if (!err)
		afp_reset_init(&btf);
	if (!err)
		afp_begin_init(&btf);
	afp_btf_close(&btf);
	afp_fault_btf_end(data);
#ifdef AFP_DEBUG
	if (afp_break_layout)
		swap(l->argv, l->first_trees);
#endif
	return err;
}

static bool afp_peek(const void *at, void *to, size_t size)
{
	return !copy_from_kernel_nofault(to, at, size);
}

/* Is this the head of a list whose neighbours point back to it? */
static bool afp_sane_list(const struct list_head *head, struct list_head *copy)
{
	struct list_head next, prev;

	return afp_peek(head, copy, sizeof(*copy)) &&
	       afp_peek(copy->next, &next, sizeof(next)) &&
	       afp_peek(copy->prev, &prev, sizeof(prev)) &&
	       next.prev == head && prev.next == head;
}

static bool afp_sane_names(const struct audit_context *ctx)
{
	const struct list_head *head =
		afp_context_list(ctx, afp_layout.names_list);
	struct list_head node;
	u32 count = afp_context_u32(ctx, afp_layout.name_count), i;

	if (!afp_sane_list(head, &node))
		return false;
	for (i = 0; node.next != head; i++) {
		if (i == AFP_NAMES_LOOK)
			return count > i;
		if (!afp_peek(node.next, &node, sizeof(node)))
			return false;
	}
	return i == count;
}

static bool afp_sane_trees(const struct audit_context *ctx)
{
	u64 first = afp_context_u64(ctx, afp_layout.first_trees);
	u64 trees = afp_context_u64(ctx, afp_layout.trees);
	u32 count = afp_context_u32(ctx, afp_layout.tree_count);
	struct list_head killed;

	if (!afp_sane_list(afp_context_list(ctx, afp_layout.killed_trees),
			   &killed))
		return false;
	if (!first)
		return !trees && !count;
	return trees && count <= AFP_TREE_REFS;
}

/*
 * Does what the context says of the call differ from the registers for a
 * reason? A tracer or a seccomp filter may have changed them, execve and
 * sigreturn have put others in their place.
 */
static bool afp_registers_differ(long nr, u32 arch)
{
	enum afp_abi abi = arch == afp_classes.arch[AFP_ABI_COMPAT] ?
			   AFP_ABI_COMPAT : AFP_ABI_NATIVE;

	if (current->ptrace || seccomp_mode(&current->seccomp))
		return true;
	if (nr < 0 || nr >= AFP_NR_MAX)
		return true;
	/* It is the user's: so that no guess goes beyond. */
	nr = array_index_nospec(nr, AFP_NR_MAX);
	return afp_classes.kind[abi][nr] == AFP_KIND_EXEC;
}

/* What one call says. Nothing is followed that could fault. */
static enum afp_proof afp_layout_ask(const struct audit_context *ctx)
{
	const struct afp_layout *l = &afp_layout;
	struct pt_regs *regs = task_pt_regs(current);
	long nr = syscall_get_nr(current, regs);
	u32 arch = syscall_get_arch(current);
	unsigned long args[6], distinctive = 0;
	const unsigned long *argv = afp_context_at(ctx, l->argv);
	int i;

	if (afp_context_u32(ctx, l->context) != AFP_CONTEXT_SYSCALL ||
	    afp_registers_differ(nr, arch))
		return AFP_PROOF_OPEN;

	syscall_get_arguments(current, regs, args);
	if (afp_context_u32(ctx, l->major) != (u32)nr ||
	    afp_context_u32(ctx, l->arch) != arch)
		return AFP_PROOF_FAILED;
	for (i = 0; i < 4; i++) {
		if (argv[i] != args[i])
			return AFP_PROOF_FAILED;
		distinctive |= args[i];
	}
	if (afp_context_u32(ctx, l->dummy) > 1 ||
	    afp_context_u32(ctx, l->state) > 2 ||
	    afp_context_u32(ctx, l->current_state) > 2 ||
	    !afp_sane_names(ctx) || !afp_sane_trees(ctx))
		return AFP_PROOF_FAILED;
	/* That a member which is 0 has the number of read() proves nothing. */
	return nr > AFP_COMMON && distinctive >= AFP_DISTINCTIVE ?
	       AFP_PROOF_HOLDS : AFP_PROOF_OPEN;
}

static enum afp_proof afp_proof;
static atomic_t afp_contradictions;

/**
 * afp_layout_proof - what live calls have said so far
 *
 * Context: any.
 */
enum afp_proof afp_layout_proof(void)
{
	return READ_ONCE(afp_proof);
}

/**
 * afp_layout_prove - hold the layout against a live system call
 * @ctx: context of the current task, at the entry of __audit_syscall_exit()
 *
 * Number, arch and arguments have to be those of the registers, counters and
 * lists have to be possible. One call that agrees in full, and whose number and
 * arguments are not what other members may be, proves the layout;
 * it takes some that do not to disprove it, because a call whose registers
 * were changed on the way disagrees too.
 *
 * Context: any, of a task that leaves a system call.
 *
 * Return: AFP_PROOF_OPEN as long as nothing is decided.
 */
enum afp_proof afp_layout_prove(const struct audit_context *ctx)
{
	enum afp_proof said = afp_layout_ask(ctx);

	if (said == AFP_PROOF_FAILED &&
	    atomic_inc_return(&afp_contradictions) < AFP_CONTRADICTIONS)
		said = AFP_PROOF_OPEN;
	/* The first verdict stands, whoever else is about to give one. */
	if (said != AFP_PROOF_OPEN)
		cmpxchg(&afp_proof, AFP_PROOF_OPEN, said);
	return afp_layout_proof();
}
