/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the fields of the kernel's private audit structures are, and the
 * only functions that read them.
 */
#ifndef AFP_KERNEL_LAYOUT_H
#define AFP_KERNEL_LAYOUT_H

#include <linux/audit.h>
#include <linux/list.h>
#include <linux/string.h>
#include <linux/types.h>

#include "kernel/offsets.h"

/**
 * struct afp_layout - offsets in bytes
 *
 * Members are named after the fields; @context is in_syscall on 5.10, which
 * has the same values for "unused" and "in a system call". Written once by
 * afp_layout_init(), read only afterwards.
 */
struct afp_layout {
	/* struct audit_context */
	u32 dummy;
	u32 context;
	u32 state;
	u32 current_state;
	u32 serial;
	u32 major;
	u32 argv;
	u32 return_code;
	u32 prio;
	u32 return_valid;
	u32 name_count;
	u32 names_list;
	u32 arch;
	u32 trees;
	u32 first_trees;
	u32 killed_trees;
	u32 tree_count;
	u32 type;
	/* struct audit_names */
	u32 name_list;
	u32 name_ino;
	u32 name_name;
	u32 name_len;
	/* struct audit_entry */
	u32 entry_list;
	u32 entry_rule;
	/* struct audit_watch */
	u32 watch_ino;
};

extern struct afp_layout afp_layout;

/*
 * Layouts of kernels that were looked at, for code that is compiled once for
 * each of them: an offset that is a constant costs nothing. Used only if
 * the running kernel's BTF says the very same.
 */
static const struct afp_layout afp_layout_5_10 __maybe_unused = {
	.dummy = 0, .context = 4, .state = 8, .current_state = 12,
	.serial = 16, .major = 20, .argv = 40, .return_code = 72, .prio = 80,
	.return_valid = 88, .name_count = 656, .names_list = 664, .arch = 784,
	.trees = 824, .first_trees = 832, .killed_trees = 840,
	.tree_count = 856, .type = 860, .name_list = 0, .name_ino = 32,
	.name_name = 16, .name_len = 24,
	.entry_list = 0, .entry_rule = 32, .watch_ino = 16,
};

static const struct afp_layout afp_layout_6_1 __maybe_unused = {
	.dummy = AFP_DUMMY_AT, .context = AFP_CONTEXT_AT, .state = 8,
	.current_state = 12,
	.serial = 16, .major = 20, .argv = 48, .return_code = 80, .prio = 88,
	.return_valid = 96, .name_count = 664, .names_list = 672, .arch = 792,
	.trees = 832, .first_trees = 840, .killed_trees = AFP_KILLED_6_1,
	.tree_count = 864, .type = 868, .name_list = 0, .name_ino = 32,
	.name_name = 16, .name_len = 24,
	.entry_list = 0, .entry_rule = 32, .watch_ino = 16,
};

static const struct afp_layout afp_layout_7_2 __maybe_unused = {
	.dummy = AFP_DUMMY_AT, .context = AFP_CONTEXT_AT, .state = 8,
	.current_state = 12,
	.serial = 32, .major = 40, .argv = 48, .return_code = 80, .prio = 88,
	.return_valid = 96, .name_count = 784, .names_list = 792, .arch = 912,
	.trees = 976, .first_trees = 984, .killed_trees = AFP_KILLED_7_2,
	.tree_count = 1008, .type = 1012, .name_list = 0, .name_ino = 32,
	.name_name = 16, .name_len = 24,
	.entry_list = 0, .entry_rule = 32, .watch_ino = 16,
};

/* What a live context said about the layout. */
enum afp_proof {
	AFP_PROOF_OPEN,		/* nothing yet */
	AFP_PROOF_HOLDS,
	AFP_PROOF_FAILED,
};

#define AFP_CONTEXT_UNUSED	0	/* AUDIT_CTX_UNUSED */
#define AFP_CONTEXT_SYSCALL	1	/* AUDIT_CTX_SYSCALL */
#define AFP_STATE_BUILD		1	/* AUDIT_STATE_BUILD */
#define AFP_TREE_REFS		31	/* audit_tree_refs.c[] */

/**
 * afp_layout_is - is the running kernel's layout this one?
 * @known: one that code was compiled for
 *
 * Context: any.
 */
static inline bool afp_layout_is(const struct afp_layout *known)
{
	return !memcmp(&afp_layout, known, sizeof(*known));
}

struct afp_btf;

/**
 * struct afp_member - a member that is looked for
 * @path: its name, see afp_btf_member()
 * @older: its name on older kernels, or NULL
 * @offset: where the offset goes
 * @size: the size that it has to have
 */
struct afp_member {
	const char *path;
	const char *older;
	u32 *offset;
	u32 size;
};

int afp_layout_read(const struct afp_btf *btf, const char *type,
		    const struct afp_member *members, int count,
		    const char **missing);
int afp_layout_init(const char **missing);
enum afp_proof afp_layout_prove(const struct audit_context *ctx);
enum afp_proof afp_layout_proof(void);

static __always_inline const void *
afp_context_at(const struct audit_context *ctx, u32 offset)
{
	return (const char *)ctx + offset;
}

/*
 * Fields of the context. It is the current task's, but an interrupt may write
 * some of them at any time: who needs to know what they are now puts a
 * barrier() before. Read plainly, so that they can be operands.
 */
static __always_inline u32 afp_context_u32(const struct audit_context *ctx,
					   u32 offset)
{
	return *(const u32 *)afp_context_at(ctx, offset);
}

static __always_inline u64 afp_context_u64(const struct audit_context *ctx,
					   u32 offset)
{
	return *(const u64 *)afp_context_at(ctx, offset);
}

/* Two ints as one number, the second in its upper half. */
#define AFP_TWO(first, second)	((u64)(second) << 32 | (first))

static __always_inline u64 afp_context_two(const struct audit_context *ctx,
					   u32 first, u32 second)
{
	/* Side by side, as in every layout that is known: one load. */
	if (IS_ENABLED(CONFIG_X86_64) && second == first + 4)
		return afp_context_u64(ctx, first);
	return AFP_TWO(afp_context_u32(ctx, first),
		       afp_context_u32(ctx, second));
}

static __always_inline const struct list_head *
afp_context_list(const struct audit_context *ctx, u32 offset)
{
	return afp_context_at(ctx, offset);
}

/*
 * Has the call touched a directory tree that is audited? The first page of
 * references is kept for the next call and is "empty" when all are free.
 */
static __always_inline bool afp_trees_touched(const struct audit_context *ctx,
					      const struct afp_layout *l)
{
	u64 first = afp_context_u64(ctx, l->first_trees);

	return first && (first != afp_context_u64(ctx, l->trees) ||
			 afp_context_u32(ctx, l->tree_count) != AFP_TREE_REFS);
}

/* The inode number of an entry of the names list, by its list node. */
static __always_inline u64 afp_name_ino(const struct list_head *node)
{
	return *(const u64 *)((const char *)node - afp_layout.name_list +
			      afp_layout.name_ino);
}

/* Has an entry of the names list a name? By its list node. */
static __always_inline bool afp_name_has(const struct list_head *node)
{
	return *(void * const *)((const char *)node - afp_layout.name_list +
				 afp_layout.name_name);
}

/* Its name_len, which is nothing of the kernel's if it has no name. */
static __always_inline u32 afp_name_len(const struct list_head *node)
{
	return *(const u32 *)((const char *)node - afp_layout.name_list +
			      afp_layout.name_len);
}

static __always_inline void afp_name_len_set(struct list_head *node, u32 len)
{
	*(u32 *)((char *)node - afp_layout.name_list + afp_layout.name_len) =
		len;
}

/* The inode that a watch is on at this moment. */
static __always_inline u64 afp_watch_ino(const struct audit_watch *watch)
{
	return READ_ONCE(*(const u64 *)((const char *)watch +
					afp_layout.watch_ino));
}

/* The rule of an entry of a filter list, by its list node. */
static __always_inline const struct audit_krule *
afp_entry_rule(const struct list_head *node)
{
	return (const void *)((const char *)node - afp_layout.entry_list +
			      afp_layout.entry_rule);
}

#endif /* AFP_KERNEL_LAYOUT_H */
