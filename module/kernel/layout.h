/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the fields of the kernel's private audit structures are, and the
 * only functions that read them.
 */
#ifndef AFP_KERNEL_LAYOUT_H
#define AFP_KERNEL_LAYOUT_H

#include <linux/audit.h>
#include <linux/list.h>
#include <linux/types.h>

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
	/* struct audit_names */
	u32 name_list;
	u32 name_ino;
	/* struct audit_entry */
	u32 entry_list;
	u32 entry_rule;
};

extern struct afp_layout afp_layout;

/* What a live context said about the layout. */
enum afp_proof {
	AFP_PROOF_OPEN,		/* nothing yet */
	AFP_PROOF_HOLDS,
	AFP_PROOF_FAILED,
};

#define AFP_CONTEXT_SYSCALL	1	/* AUDIT_CTX_SYSCALL */
#define AFP_STATE_BUILD		1	/* AUDIT_STATE_BUILD */
#define AFP_TREE_REFS		31	/* audit_tree_refs.c[] */

int afp_layout_init(const char **missing);
enum afp_proof afp_layout_prove(const struct audit_context *ctx);
enum afp_proof afp_layout_proof(void);

static __always_inline const void *
afp_context_at(const struct audit_context *ctx, u32 offset)
{
	return (const char *)ctx + offset;
}

/* An int of the context, read once: an interrupt may write some of them. */
static __always_inline u32 afp_context_u32(const struct audit_context *ctx,
					   u32 offset)
{
	return READ_ONCE(*(const u32 *)afp_context_at(ctx, offset));
}

static __always_inline u64 afp_context_u64(const struct audit_context *ctx,
					   u32 offset)
{
	return READ_ONCE(*(const u64 *)afp_context_at(ctx, offset));
}

static __always_inline const struct list_head *
afp_context_list(const struct audit_context *ctx, u32 offset)
{
	return afp_context_at(ctx, offset);
}

/* The inode number of an entry of the names list, by its list node. */
static __always_inline u64 afp_name_ino(const struct list_head *node)
{
	return *(const u64 *)((const char *)node - afp_layout.name_list +
			      afp_layout.name_ino);
}

/* The rule of an entry of a filter list, by its list node. */
static __always_inline const struct audit_krule *
afp_entry_rule(const struct list_head *node)
{
	return (const void *)((const char *)node - afp_layout.entry_list +
			      afp_layout.entry_rule);
}

#endif /* AFP_KERNEL_LAYOUT_H */
