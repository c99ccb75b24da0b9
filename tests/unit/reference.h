/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A slow, literal model of the kernel's exit filter: whole rule lists, whole
 * calls, every field. It knows nothing of policies; what it says is what the
 * engine is judged by. Semantics: audit_filter_syscall(),
 * audit_filter_inodes() and audit_filter_rules() in kernel/auditsc.c.
 */
#ifndef AFP_TEST_REFERENCE_H
#define AFP_TEST_REFERENCE_H

#include <linux/types.h>

#include "audit_fastpath/policy.h"

#define REF_NAMES	8
#define REF_GROUPS	64
#define REF_BUCKETS	32
/** REF_INO_UNSET - inode number of a name whose inode was never found */
#define REF_INO_UNSET	(~0ULL)
/** REF_PRIO - where the kernel starts to count priorities down and up */
#define REF_PRIO	(~0ULL / 2)

/**
 * struct ref_rule - a loaded rule, as the kernel keeps it
 * @fields: conditions; the value of AUDIT_EXE is the number of a program
 * @field_count: number of @fields
 * @place: enum afp_place
 * @always: the action is "always", otherwise "never"
 * @mask: syscall numbers
 * @prio: the greater wins; 0 never matches
 * @bucket: for AFP_PLACE_INODE: hash bucket that the rule is kept in
 * @tree: number of the tree of AUDIT_DIR; 0: the tree is gone
 * @watch_ino: inode of AUDIT_WATCH, or REF_INO_UNSET
 * @watch_dev: its device
 */
struct ref_rule {
	struct afp_field fields[AFP_FIELDS_MAX];
	__u32 field_count;
	__u8 place;
	__u8 always;
	__u32 mask[AFP_MASK_WORDS];
	__u64 prio;
	__u32 bucket;
	__u32 tree;
	__u64 watch_ino;
	__u32 watch_dev;
};

/* One entry of the names list. */
struct ref_name {
	__u64 ino;
	__u32 dev;
	__u32 rdev;
	__u32 mode;
	__u32 uid;
	__u32 gid;
};

/**
 * struct ref_call - everything the kernel's filter may look at
 * @success: the call's result counts as success
 * @code: what the call returned, before the restart codes become -EINTR
 * @groups: supplementary groups, sorted
 * @trees: bit n: the call touched tree n
 * @ipc: the call has an IPC object, for AUDIT_OBJ_*
 * @exe: number of the program, 0: the task has none
 * @openat2: flags that perm= of openat2 is decided by
 * @family: address family of a sockaddr, if @has_sockaddr
 * @oracle: answers where only an LSM or a later kernel knows: 0 no, ~0 yes,
 *	otherwise by chance
 *
 * From @exe on, and what the names say, the engine is not told.
 */
struct ref_call {
	__u32 arch;
	__s32 nr;
	__u64 arg[4];
	__u8 success;
	long code;
	__u32 pid;
	__u32 uid, euid, suid, fsuid;
	__u32 gid, egid, sgid, fsgid;
	__u32 auid;
	__u32 sessionid;
	__u32 personality;
	__u32 groups[REF_GROUPS];
	__u32 group_count;
	struct ref_name names[REF_NAMES];
	__u32 name_count;
	__u32 trees;
	__u8 ipc;
	__u32 exe;
	__u32 ppid;
	__u32 openat2;
	__u8 has_sockaddr;
	__u32 family;
	__u32 oracle;
};

/* Conditions that the kernel's rule loader refuses: it has no such rules. */
int ref_loadable(const struct afp_field *f);

/**
 * ref_record - does the kernel write a record because of these rules?
 * @rules: in the order of their lists; each list is a subsequence
 * @count: number of @rules
 * @classes: what the kernel says of its numbers
 * @call: the call; nothing was forced during it
 *
 * Return: 1 if the filters leave the state RECORD, else 0.
 */
int ref_record(const struct ref_rule *rules, __u32 count,
	       const struct afp_classes *classes, const struct ref_call *call);

/**
 * ref_visible - the part of a call that the engine is told
 * @rules: the rules, for which inodes are watched
 * @count: number of @rules
 * @call: the call
 * @out: filled in; points into @call
 */
void ref_visible(const struct ref_rule *rules, __u32 count,
		 const struct ref_call *call, struct afp_call *out);

#endif /* AFP_TEST_REFERENCE_H */
