/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The policy engine's interface: what the module, the unit tests and the
 * command line tool share.
 *
 * A policy is one immutable block of memory without pointers, compiled from a
 * list of audit rules. It answers one question about one syscall: may a rule
 * that asks for a record match this call? The answer is allowed to be "yes"
 * too often, never too rarely.
 *
 * This file may know audit rules as the user ABI describes them, and nothing
 * of the running kernel: <linux/types.h> is the only header it may include.
 * module/kernel/classes.c asserts that the numbers here are the kernel's.
 */
#ifndef AUDIT_FASTPATH_POLICY_H
#define AUDIT_FASTPATH_POLICY_H

#include <linux/types.h>

/** AFP_MASK_WORDS - of an audit rule's mask of 2048 syscall numbers */
#define AFP_MASK_WORDS		64
/** AFP_NR_MAX - numbers that are decided; no kernel has a call above them */
#define AFP_NR_MAX		512
/** AFP_RULES_MAX - rules a policy can be compiled from; above it: walk */
#define AFP_RULES_MAX		16384
/** AFP_FIELDS_MAX - fields of one rule (AUDIT_MAX_FIELDS) */
#define AFP_FIELDS_MAX		64

/* The two syscall tables whose numbers a rule's mask is tested against. */
enum afp_abi {
	AFP_ABI_NATIVE,		/* x86-64: b64 */
	AFP_ABI_COMPAT,		/* x86-64: b32, i386 numbers */
	AFP_ABIS
};

/* All (abi, number) pairs, as one index. */
#define AFP_PAIRS		(AFP_ABIS * AFP_NR_MAX)

static inline __u32 afp_pair(enum afp_abi abi, __u32 nr)
{
	return abi * AFP_NR_MAX + nr;
}

/* Field types, values of AUDIT_* in <linux/audit.h>. */
enum afp_field_type {
	AFP_F_PID = 0,
	AFP_F_UID = 1,
	AFP_F_EUID = 2,
	AFP_F_SUID = 3,
	AFP_F_FSUID = 4,
	AFP_F_GID = 5,
	AFP_F_EGID = 6,
	AFP_F_SGID = 7,
	AFP_F_FSGID = 8,
	AFP_F_LOGINUID = 9,
	AFP_F_PERS = 10,
	AFP_F_ARCH = 11,
	AFP_F_MSGTYPE = 12,
	AFP_F_SUBJ_USER = 13,
	AFP_F_SUBJ_ROLE = 14,
	AFP_F_SUBJ_TYPE = 15,
	AFP_F_SUBJ_SEN = 16,
	AFP_F_SUBJ_CLR = 17,
	AFP_F_PPID = 18,
	AFP_F_OBJ_USER = 19,
	AFP_F_OBJ_ROLE = 20,
	AFP_F_OBJ_TYPE = 21,
	AFP_F_OBJ_LEV_LOW = 22,
	AFP_F_OBJ_LEV_HIGH = 23,
	AFP_F_LOGINUID_SET = 24,
	AFP_F_SESSIONID = 25,
	AFP_F_FSTYPE = 26,
	AFP_F_DEVMAJOR = 100,
	AFP_F_DEVMINOR = 101,
	AFP_F_INODE = 102,
	AFP_F_EXIT = 103,
	AFP_F_SUCCESS = 104,
	AFP_F_WATCH = 105,
	AFP_F_PERM = 106,
	AFP_F_DIR = 107,
	AFP_F_FILETYPE = 108,
	AFP_F_OBJ_UID = 109,
	AFP_F_OBJ_GID = 110,
	AFP_F_FIELD_COMPARE = 111,
	AFP_F_EXE = 112,
	AFP_F_SADDR_FAM = 113,
	AFP_F_ARG0 = 200,
	AFP_F_ARG1 = 201,
	AFP_F_ARG2 = 202,
	AFP_F_ARG3 = 203,
	AFP_F_FILTERKEY = 210,
};

/* Operators, values of enum { Audit_equal, ... } in <linux/audit.h>. */
enum afp_op {
	AFP_OP_EQ,
	AFP_OP_NE,
	AFP_OP_MASK,		/* any bit in common */
	AFP_OP_TEST,		/* all bits set */
	AFP_OP_LT,
	AFP_OP_GT,
	AFP_OP_LE,
	AFP_OP_GE,
	AFP_OPS
};

/* Permission bits of AUDIT_PERM. */
#define AFP_PERM_EXEC		1
#define AFP_PERM_WRITE		2
#define AFP_PERM_READ		4
#define AFP_PERM_ATTR		8

/* What audit_classify_syscall() says of a number: how perm= is decided. */
enum afp_kind {
	AFP_KIND_NUMBER,	/* by class membership: &afp_classes.perm */
	AFP_KIND_OPEN,		/* by the access mode in a1 */
	AFP_KIND_OPENAT,	/* by the access mode in a2 */
	AFP_KIND_SOCKETCALL,	/* write, for some values of a0 */
	AFP_KIND_EXEC,		/* exec, always */
	AFP_KIND_UNSURE,	/* openat2 and whatever we do not know */
	AFP_KINDS
};

/* Where a rule is kept, which says when the kernel looks at it. */
enum afp_place {
	AFP_PLACE_EXIT,		/* the exit list: at every audited call */
	AFP_PLACE_INODE,	/* an inode hash bucket: for names in it */
};

/**
 * struct afp_field - one condition of a rule
 * @type: enum afp_field_type; an unknown value means "may match"
 * @op: enum afp_op; an unknown value means "may match"
 * @val: right hand side, 32 bits as the kernel compares them
 */
struct afp_field {
	__u32 type;
	__u32 op;
	__u32 val;
};

/**
 * struct afp_rule - one rule, as it is input to afp_compile()
 * @fields: conditions, ANDed
 * @field_count: number of @fields
 * @place: enum afp_place
 * @always: the action is "always"; other actions never cause a record
 * @mask: bit n set: the rule is for syscall number n, of either ABI; bits from
 *	AFP_NR_MAX on are not looked at
 */
struct afp_rule {
	const struct afp_field *fields;
	__u32 field_count;
	__u8 place;
	__u8 always;
	__u32 mask[AFP_MASK_WORDS];
};

/**
 * struct afp_classes - what a kernel says of its syscall numbers
 * @arch: AUDIT_ARCH_* of each ABI; 0: the kernel has no such ABI
 * @exists: whether the native number is a system call at all
 * @kind: enum afp_kind of each number
 * @perm: AFP_PERM_* classes each number is in, for AFP_KIND_NUMBER
 * @alters: AFP_ALTERS_*, what of the task that makes it a call may change
 */
struct afp_classes {
	__u32 arch[AFP_ABIS];
	__u8 exists[AFP_NR_MAX];
	__u8 kind[AFP_ABIS][AFP_NR_MAX];
	__u8 perm[AFP_ABIS][AFP_NR_MAX];
	__u8 alters[AFP_ABIS][AFP_NR_MAX];
};

/*
 * What is known when a call begins and may be another thing when it ends. In
 * doubt both.
 */
#define AFP_ALTERS_TASK		1	/* ids, audit ids, session, personality */
#define AFP_ALTERS_CONTEXT	2	/* the context is used by others in it */

/* Left hand sides that a test can name: index into &afp_call.v. */
enum afp_value {
	AFP_V_PID,
	AFP_V_UID,
	AFP_V_EUID,
	AFP_V_SUID,
	AFP_V_FSUID,
	AFP_V_GID,
	AFP_V_EGID,
	AFP_V_SGID,
	AFP_V_FSGID,
	AFP_V_AUID,
	AFP_V_AUID_SET,		/* 1 unless auid is 4294967295 */
	AFP_V_SESSIONID,
	AFP_V_PERS,
	AFP_V_EXIT,		/* after afp_return_fixup() */
	AFP_V_SUCCESS,		/* AFP_RETURN_SUCCESS or _FAILURE */
	AFP_V_A0,
	AFP_V_A1,
	AFP_V_A2,
	AFP_V_A3,
	AFP_V_NAMES,		/* 1 if the call collected at least one name */
	AFP_V_OBJECTS,		/* 1 if it has names or an object of SysV IPC */
	AFP_V_TREES,		/* 1 if it touched a tree that a rule watches */
	AFP_V_INODES,		/* 1 if a name may be that of a rule in the hash */
	AFP_VALUES
};

#define AFP_RETURN_SUCCESS	1
#define AFP_RETURN_FAILURE	2

/**
 * struct afp_call - a finished system call, as the kernel's filter sees it
 * @arch: AUDIT_ARCH_* at entry
 * @nr: number at entry
 * @v: values, by enum afp_value
 * @groups: supplementary groups, sorted as the kernel sorts them
 * @group_count: number of @groups
 */
struct afp_call {
	__u32 arch;
	__s32 nr;
	__u32 v[AFP_VALUES];
	const __u32 *groups;
	__u32 group_count;
};

/* An answer: skip, or why not. Reasons of the policy itself come first. */
enum afp_answer {
	AFP_SKIP,
	AFP_WALK_RULE,		/* a rule may match */
	AFP_WALK_ABI,		/* an ABI the policy does not know */
	AFP_WALK_NUMBER,	/* x32, -1, or above AFP_NR_MAX */
	AFP_WALK_LIMIT,		/* a limit of the policy was reached */
	AFP_WALK_POLICY,	/* no policy: withdrawn, or not built yet */
	AFP_WALK_STATE,		/* the task is recorded or not audited */
	AFP_WALK_FORCED,	/* a record was made during the call */
	AFP_WALK_TREES,		/* removed trees wait for this exit */
	AFP_WALK_CHECK,		/* it would be skipped, and is checked */
	AFP_ANSWERS
};

/* Row numbers with a meaning of their own. */
#define AFP_ROW_NONE		0	/* no rule: skip */
#define AFP_ROW_LIMIT		1	/* walk: a limit was reached */
#define AFP_ROW_FIRST		2

/*
 * A cell is what a call is, as far as rules are sorted by it beforehand: its
 * (abi, number), for open and openat the access mode, and its class. Numbers
 * come first, then four cells for the access modes of each system call that
 * opens.
 */
#define AFP_OPENS		15
#define AFP_MODES		4
#define AFP_CELLS		(AFP_PAIRS + AFP_OPENS * AFP_MODES)

/*
 * The class of a call: what costs next to nothing to find out and makes most
 * rules impossible. Bits.
 */
#define AFP_CLASS_OBJECTS	1	/* it collected names, or touched trees */
#define AFP_CLASS_AUID		2	/* auid is not 4294967295: no daemon */
#define AFP_CLASSES		4

/* &afp_policy.kind: enum afp_kind, and for opens which of them, from 1. */
#define AFP_KIND_BITS		4
#define AFP_KIND_MASK		((1 << AFP_KIND_BITS) - 1)

/* One test. All tests of a rule have to hold for the rule to match. */
enum afp_test_kind {
	AFP_T_RANGE,		/* lo <= v[a] <= lo + span, modulo 2^32 */
	AFP_T_MATCH,		/* none is left: the rule matches */
	AFP_T_NONE,		/* holds for no value of v[a] */
	AFP_T_MASK,		/* v[a] and lo have a bit in common */
	AFP_T_BITS,		/* v[a] has all bits of lo */
	AFP_T_VALUES,		/* v[a] op v[lo], the operator is in span */
	AFP_T_GROUP_EQ,		/* v[a] or a supplementary group is lo */
	AFP_T_GROUP_NE,		/* and neither is */
};

/**
 * struct afp_test - a test
 * @kind: enum afp_test_kind
 * @a: index into &afp_call.v
 * @next: bytes from here to where to go on if it fails, the tests of the next
 *	rule of the group; 0: there is none
 * @lo: right hand side, by @kind
 * @span: the same; all six operators of order and equality make a range
 */
struct afp_test {
	__u8 kind;
	__u8 a;
	__u16 next;
	__u32 lo;
	__u32 span;
};

/**
 * struct afp_span - a run of elements in another table
 * @first: index of the first
 * @count: how many
 */
struct afp_span {
	__u32 first;
	__u32 count;
};

/*
 * Rules with the same mask, arch, perm, class and place: the offset of the
 * first test. In the inode hash that is one for all of them.
 */
struct afp_group {
	__u32 tests_at;
};

/* What may match in cells that are equal to the rules. */
struct afp_row {
	struct afp_span groups;	/* of __u16: indexes of groups */
	__u32 needs;		/* see afp_policy_needs() */
};

/**
 * struct afp_policy - the compiled rules: one block, offsets, no pointers
 * @generation: set by the caller of afp_compile(), shown to users
 * @rules: rules it was compiled from, of any action
 * @size: bytes in use
 * @arch: AUDIT_ARCH_* of each ABI
 * @limited: a limit was reached, some rows are AFP_ROW_LIMIT
 * @syscalls_total: native numbers that are system calls
 * @syscalls_skippable: of these, skipped for an unprivileged daemon
 * @syscalls_skippable_user: of these, skipped for a user who has logged in
 * @rows_at: offset of the struct afp_row table
 * @index_at: offset of the __u16 table that rows point into
 * @groups_at: offset of the struct afp_group table
 * @tests_at: offset of the struct afp_test table
 * @look: the classes in which an (abi, number) has a row: bit c for class c
 * @early: the same for a call that begins, see afp_policy_may_name()
 * @kind: what kind of call it is, by afp_pair(); see AFP_KIND_BITS
 * @row: row number of each cell
 */
struct afp_policy {
	__u32 generation;
	__u32 rules;
	__u32 size;
	__u32 arch[AFP_ABIS];
	__u32 limited;
	__u32 syscalls_total;
	__u32 syscalls_skippable;
	__u32 syscalls_skippable_user;
	__u32 rows_at;
	__u32 index_at;
	__u32 groups_at;
	__u32 tests_at;
	__u8 look[AFP_PAIRS];
	__u8 early[AFP_PAIRS];
	__u8 kind[AFP_PAIRS];
	__u16 row[AFP_CLASSES][AFP_CELLS];
};

/**
 * afp_policy_size - memory that a policy of @count rules may take
 * @count: number of rules, at most AFP_RULES_MAX
 *
 * Return: bytes; 64 KiB and 256 for each rule.
 */
static inline __u32 afp_policy_size(__u32 count)
{
	return 65536 + 256 * count;
}

/**
 * afp_scratch_size - working memory of afp_compile()
 * @count: number of rules, at most AFP_RULES_MAX
 *
 * Return: bytes.
 */
__u32 afp_scratch_size(__u32 count);

/**
 * afp_compile - compile rules into a policy
 * @rules: the exit list and the inode hash, in any order
 * @count: number of @rules
 * @classes: what the kernel that will run the policy says of its numbers
 * @policy: memory for the policy, afp_policy_size(@count) bytes, 8-aligned
 * @scratch: working memory, afp_scratch_size(@count) bytes, 8-aligned
 *
 * Pure: reads its arguments, writes @policy and @scratch. Does not sleep,
 * needs no lock, cannot fail for want of memory: what does not fit is
 * answered with AFP_WALK_LIMIT. Semantics: audit_filter_rules() in
 * kernel/auditsc.c.
 *
 * Return: 0, or -1 if @count is above AFP_RULES_MAX.
 */
int afp_compile(const struct afp_rule *rules, __u32 count,
		const struct afp_classes *classes,
		struct afp_policy *policy, void *scratch);

/**
 * struct afp_task - a task without supplementary groups
 * @id: of all its user and group ids
 * @auid: audit user id; 4294967295: unset
 * @sessionid: audit session
 */
struct afp_task {
	__u32 id;
	__u32 auid;
	__u32 sessionid;
};

/* What becomes of the calls of a number that a task makes. */
enum afp_outlook {
	AFP_OUTLOOK_SKIPS,	/* all are skipped */
	AFP_OUTLOOK_DECIDES,	/* it depends on arguments, result, names, other ids */
	AFP_OUTLOOK_WALKS,	/* all walk */
};

/**
 * afp_policy_outlook - what becomes of calls of which nothing else is known
 * @policy: the policy
 * @pair: afp_pair() of the calls
 * @task: who makes them
 *
 * For people who ask about rules; no system call needs it. @policy's
 * syscalls_skippable is the number of native calls for which it is
 * AFP_OUTLOOK_SKIPS. Any context.
 *
 * Return: enum afp_outlook.
 */
enum afp_outlook afp_policy_outlook(const struct afp_policy *policy, __u32 pair,
				    const struct afp_task *task);

/**
 * afp_policy_pair - the number of a call, as the policy knows it
 * @policy: the policy
 * @arch: AUDIT_ARCH_* at entry
 * @nr: number at entry
 * @pair: set to the afp_pair() of the call if the answer is AFP_SKIP
 *
 * Any context.
 *
 * Return: AFP_SKIP if it is known; AFP_WALK_ABI or AFP_WALK_NUMBER.
 */
static inline enum afp_answer afp_policy_pair(const struct afp_policy *policy,
					      __u32 arch, __s32 nr,
					      __u32 *pair)
{
	__u32 at = nr;

	/*
	 * The number is the user's: masked, so that no guess goes beyond. The
	 * compiler must not know that it is checked as well.
	 */
	__asm__("" : "+r" (at));
	at &= AFP_NR_MAX - 1;
	if (__builtin_expect(arch != policy->arch[AFP_ABI_NATIVE], 0)) {
		if (arch != policy->arch[AFP_ABI_COMPAT] || !arch)
			return AFP_WALK_ABI;
		at += afp_pair(AFP_ABI_COMPAT, 0);
	}
	if (__builtin_expect((__u32)nr >= AFP_NR_MAX, 0))
		return AFP_WALK_NUMBER;
	*pair = at;
	return AFP_SKIP;
}

/**
 * afp_policy_named - does any rule name calls of this number and class?
 * @policy: the policy
 * @pair: from afp_policy_pair()
 * @auid: whether the task has an audit user id
 * @objects: whether the call collected names, or touched trees
 *
 * A class bit is a number of places in &afp_policy.look.
 *
 * Any context.
 *
 * Return: 0 if none does: skip; or 1.
 */
static inline __u32 afp_policy_named(const struct afp_policy *policy,
				     __u32 pair, int auid, int objects)
{
	__u32 look = policy->look[pair];

	if (auid)
		look >>= AFP_CLASS_AUID;
	if (objects)
		look >>= AFP_CLASS_OBJECTS;
	return look & 1;
}

/*
 * &afp_policy.early: bits 0 and 1 are by whether the task has an audit user
 * id.
 */
#define AFP_EARLY_ALTERS	4	/* AFP_ALTERS_TASK */
#define AFP_EARLY_NEVER		8	/* AFP_ALTERS_CONTEXT */

/**
 * afp_policy_may_name - may any rule name a call that begins?
 * @policy: the policy
 * @pair: from afp_policy_pair()
 * @auid: whether the task has an audit user id
 *
 * Whatever the call will collect, and whatever it will make of its task.
 *
 * Any context.
 *
 * Return: 0 if none does: nothing need be collected; or 1.
 */
static inline __u32 afp_policy_may_name(const struct afp_policy *policy,
					__u32 pair, int auid)
{
	__u32 early = policy->early[pair];

	if (auid)
		early >>= 1;
	return early & 1;
}

/**
 * afp_policy_row - the row of a call
 * @policy: the policy
 * @pair: from afp_policy_pair()
 * @class: AFP_CLASS_* of the call
 * @a1: second argument
 * @a2: third argument
 *
 * Any context.
 *
 * Return: the row: AFP_ROW_NONE, AFP_ROW_LIMIT or one for afp_decide_row().
 */
static inline __u32 afp_policy_row(const struct afp_policy *policy,
				   __u32 pair, __u32 class, __u32 a1, __u32 a2)
{
	__u32 kind = policy->kind[pair], open = kind >> AFP_KIND_BITS;

	if (open) {
		if ((kind & AFP_KIND_MASK) == AFP_KIND_OPENAT)
			a1 = a2;
		pair = AFP_PAIRS + (open - 1) * AFP_MODES +
		       (a1 & (AFP_MODES - 1));
	}
	return policy->row[class][pair];
}

/**
 * afp_call_class - the class of a call
 * @call: the call
 *
 * Any context.
 *
 * Return: AFP_CLASS_*.
 */
static inline __u32 afp_call_class(const struct afp_call *call)
{
	return (call->v[AFP_V_AUID_SET] ? AFP_CLASS_AUID : 0) |
	       (call->v[AFP_V_NAMES] || call->v[AFP_V_TREES] ?
			AFP_CLASS_OBJECTS : 0);
}

/**
 * afp_decide_row - may a rule of this row match?
 * @policy: the policy
 * @row: a row of it, from afp_policy_row(), not below AFP_ROW_FIRST
 * @call: the call
 *
 * Bounded by the number of rules that name this cell. Any context.
 *
 * Return: AFP_SKIP or AFP_WALK_RULE.
 */
enum afp_answer afp_decide_row(const struct afp_policy *policy, __u32 row,
			       const struct afp_call *call);

/**
 * afp_decide - may a rule that asks for a record match this call?
 * @policy: the policy
 * @call: the call
 *
 * Any context.
 *
 * Return: AFP_SKIP, or the reason to let the kernel's own filter decide.
 */
enum afp_answer afp_decide(const struct afp_policy *policy,
			   const struct afp_call *call);

/**
 * afp_decide_early - may a rule match a call that begins?
 * @policy: the policy
 * @pair: from afp_policy_pair()
 * @call: the call; of its values those of the task and the arguments are read
 *
 * Whatever it will return and collect. What the call may change of its task
 * counts as unknown, and so does everything in a rule about an inode: such a
 * rule is looked at in the middle of a call, too, which may have borrowed
 * credentials then.
 *
 * Bounded by the number of rules that name this number. Any context.
 *
 * Return: AFP_SKIP if none can; AFP_WALK_RULE, AFP_WALK_LIMIT.
 */
enum afp_answer afp_decide_early(const struct afp_policy *policy, __u32 pair,
				 const struct afp_call *call);

/* What afp_policy_needs() has a bit for. */
#define AFP_NEEDS(value)	(1u << (value))

/* AFP_V_UID to AFP_V_FSGID, and the supplementary groups. */
#define AFP_NEEDS_CRED \
	(AFP_NEEDS(AFP_V_FSGID + 1) - AFP_NEEDS(AFP_V_UID))

/* And: no rule of the row matches while AFP_V_INODES and AFP_V_TREES are 0. */
#define AFP_NEEDS_FILE		(1u << 31)

/**
 * afp_policy_needs - which values a row depends on
 * @policy: the policy
 * @row: a row of it, not below AFP_ROW_FIRST
 *
 * Any context.
 *
 * Return: AFP_NEEDS() of each &afp_call.v that afp_decide_row() may read for
 * this row, and perhaps AFP_NEEDS_FILE; supplementary groups only if one of
 * AFP_NEEDS_CRED is. Everything else of the call may be left as it is.
 */
static inline __u32 afp_policy_needs(const struct afp_policy *policy,
				     __u32 row)
{
	const struct afp_row *rows;

	rows = (const void *)((const char *)policy + policy->rows_at);
	return rows[row].needs;
}

/**
 * afp_return_fixup - the return code as rules see it
 * @code: what the system call returned
 *
 * The restart codes show as -EINTR. Semantics: audit_return_fixup().
 *
 * Return: the code.
 */
static inline long afp_return_fixup(long code)
{
	if (code <= -512 && code >= -516 && code != -515)
		return -4;
	return code;
}

#endif /* AUDIT_FASTPATH_POLICY_H */
