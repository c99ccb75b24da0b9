// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ask the running kernel what it thinks of its system call numbers.
 *
 * perm= depends on tables that change between kernels (7.2 put stat into the
 * read class), so they are read from the kernel and never copied.
 */
#include <linux/audit.h>
#include <linux/build_bug.h>
#include <linux/static_call.h>
#include <linux/string.h>

#include "kernel/classes.h"
#include "kernel/compat.h"
#include "kernel/symbols.h"

struct afp_classes afp_classes __read_mostly;

static int afp_no_match(int class, unsigned int syscall)
{
	return 0;
}

static int afp_no_classify(int abi, unsigned int syscall)
{
	return -1;
}

static int afp_no_classify_arch(int arch)
{
	return -1;
}

DEFINE_STATIC_CALL(afp_match_class, afp_no_match);
DEFINE_STATIC_CALL(afp_classify, afp_no_classify);
DEFINE_STATIC_CALL(afp_classify_arch, afp_no_classify_arch);

/* Calls that send signals, as masks of rules. */
static u32 afp_signals[AFP_ABIS][AUDIT_BITMASK_SIZE];

/* The numbers of policy.h are the kernel's. */
static_assert(AFP_MASK_WORDS == AUDIT_BITMASK_SIZE);
static_assert(AFP_NR_MAX <= AUDIT_BITMASK_SIZE * 32);
static_assert(AFP_FIELDS_MAX == AUDIT_MAX_FIELDS);
static_assert(AFP_OP_EQ == (int)Audit_equal);
static_assert(AFP_OP_NE == (int)Audit_not_equal);
static_assert(AFP_OP_MASK == (int)Audit_bitmask);
static_assert(AFP_OP_TEST == (int)Audit_bittest);
static_assert(AFP_OP_LT == (int)Audit_lt);
static_assert(AFP_OP_GT == (int)Audit_gt);
static_assert(AFP_OP_LE == (int)Audit_le);
static_assert(AFP_OP_GE == (int)Audit_ge);
static_assert(AFP_PERM_EXEC == AUDIT_PERM_EXEC);
static_assert(AFP_PERM_WRITE == AUDIT_PERM_WRITE);
static_assert(AFP_PERM_READ == AUDIT_PERM_READ);
static_assert(AFP_PERM_ATTR == AUDIT_PERM_ATTR);

#define AFP_SAME_FIELD(name) \
	static_assert(AFP_F_##name == AUDIT_##name)

AFP_SAME_FIELD(PID);
AFP_SAME_FIELD(UID);
AFP_SAME_FIELD(EUID);
AFP_SAME_FIELD(SUID);
AFP_SAME_FIELD(FSUID);
AFP_SAME_FIELD(GID);
AFP_SAME_FIELD(EGID);
AFP_SAME_FIELD(SGID);
AFP_SAME_FIELD(FSGID);
AFP_SAME_FIELD(LOGINUID);
AFP_SAME_FIELD(PERS);
AFP_SAME_FIELD(ARCH);
AFP_SAME_FIELD(MSGTYPE);
AFP_SAME_FIELD(SUBJ_USER);
AFP_SAME_FIELD(SUBJ_ROLE);
AFP_SAME_FIELD(SUBJ_TYPE);
AFP_SAME_FIELD(SUBJ_SEN);
AFP_SAME_FIELD(SUBJ_CLR);
AFP_SAME_FIELD(PPID);
AFP_SAME_FIELD(OBJ_USER);
AFP_SAME_FIELD(OBJ_ROLE);
AFP_SAME_FIELD(OBJ_TYPE);
AFP_SAME_FIELD(OBJ_LEV_LOW);
AFP_SAME_FIELD(OBJ_LEV_HIGH);
AFP_SAME_FIELD(LOGINUID_SET);
AFP_SAME_FIELD(SESSIONID);
AFP_SAME_FIELD(FSTYPE);
AFP_SAME_FIELD(DEVMAJOR);
AFP_SAME_FIELD(DEVMINOR);
AFP_SAME_FIELD(INODE);
AFP_SAME_FIELD(EXIT);
AFP_SAME_FIELD(SUCCESS);
AFP_SAME_FIELD(WATCH);
AFP_SAME_FIELD(PERM);
AFP_SAME_FIELD(DIR);
AFP_SAME_FIELD(FILETYPE);
AFP_SAME_FIELD(OBJ_UID);
AFP_SAME_FIELD(OBJ_GID);
AFP_SAME_FIELD(FIELD_COMPARE);
AFP_SAME_FIELD(EXE);
AFP_SAME_FIELD(SADDR_FAM);
AFP_SAME_FIELD(ARG0);
AFP_SAME_FIELD(ARG1);
AFP_SAME_FIELD(ARG2);
AFP_SAME_FIELD(ARG3);
AFP_SAME_FIELD(FILTERKEY);

/* Codes that compile.c knows of: objects up to 9, then credentials. */
static_assert(AUDIT_COMPARE_UID_TO_OBJ_UID == 1);
static_assert(AUDIT_COMPARE_FSGID_TO_OBJ_GID == 9);
static_assert(AUDIT_COMPARE_UID_TO_AUID == 10);
static_assert(AUDIT_COMPARE_AUID_TO_FSUID == 14);
static_assert(AUDIT_COMPARE_SUID_TO_FSUID == 19);
static_assert(AUDIT_COMPARE_GID_TO_EGID == 20);
static_assert(AUDIT_COMPARE_SGID_TO_FSGID == 25);
static_assert(AUDIT_MAX_FIELD_COMPARE == 25);

#ifdef CONFIG_X86_64
static void __init afp_native_calls(u8 *exists)
{
#define __SYSCALL(nr, sym) \
	if ((nr) < AFP_NR_MAX) \
		exists[nr] = strcmp(#sym, "sys_ni_syscall") != 0;
#define __SYSCALL_NORETURN	__SYSCALL
/* 5.10 tells its three kinds apart. */
#define __SYSCALL_COMMON	__SYSCALL
#define __SYSCALL_64		__SYSCALL
#define __SYSCALL_X32(nr, sym)
#include <asm/syscalls_64.h>
#undef __SYSCALL
#undef __SYSCALL_NORETURN
#undef __SYSCALL_COMMON
#undef __SYSCALL_64
#undef __SYSCALL_X32
}

static void __init afp_arches(u32 *arch)
{
	arch[AFP_ABI_NATIVE] = AUDIT_ARCH_X86_64;
	if (IS_ENABLED(CONFIG_IA32_EMULATION))
		arch[AFP_ABI_COMPAT] = AUDIT_ARCH_I386;
}
#elif defined(CONFIG_ARM64) && AFP_ARCH_SUPPORTED
static void __init afp_native_calls(u8 *exists)
{
#define __SYSCALL(nr, sym) \
	if ((nr) < AFP_NR_MAX) \
		exists[nr] = strcmp(#sym, "sys_ni_syscall") != 0;
#define __SYSCALL_WITH_COMPAT(nr, sym, compat)	__SYSCALL(nr, sym)
#include <asm/syscall_table_64.h>
#undef __SYSCALL
#undef __SYSCALL_WITH_COMPAT
}

static void __init afp_arches(u32 *arch)
{
	arch[AFP_ABI_NATIVE] = AUDIT_ARCH_AARCH64;
	if (IS_ENABLED(CONFIG_COMPAT))
		arch[AFP_ABI_COMPAT] = AUDIT_ARCH_ARM;
}
#else
static void __init afp_native_calls(u8 *exists)
{
}

static void __init afp_arches(u32 *arch)
{
}
#endif

/*
 * Numbers whose call is known to leave its task as it was, if it is not in the
 * table below. Of what a later kernel adds nothing is.
 */
#define AFP_NR_KNOWN	472

#if AFP_ARCH_SUPPORTED
/*
 * Calls that may change ids, audit ids, session or personality of the task that
 * makes them. The audit ids are changed by a write to /proc/self/loginuid,
 * from wherever that comes.
 */
static const u16 afp_task_alters[] __initconst = {
	__NR_write, __NR_pwrite64, __NR_writev, __NR_pwritev, __NR_pwritev2,
	__NR_sendfile, __NR_splice, __NR_tee, __NR_vmsplice,
	__NR_copy_file_range, __NR_io_submit,
	__NR_setuid, __NR_setgid, __NR_setreuid, __NR_setregid,
	__NR_setresuid, __NR_setresgid, __NR_setfsuid, __NR_setfsgid,
	__NR_setgroups, __NR_capset, __NR_prctl, __NR_personality,
	__NR_execve, __NR_execveat, __NR_unshare, __NR_setns, __NR_keyctl,
	/* Code that anybody may have written, and that does as it likes. */
	__NR_ioctl, __NR_init_module, __NR_finit_module,
	__NR_add_key, __NR_request_key, 446 /* landlock_restrict_self */,
	460 /* lsm_set_self_attr */,
};

/* Calls in which the context is that of an operation, too. In either ABI. */
static const u16 afp_context_alters[] __initconst = {
	__NR_io_uring_setup, __NR_io_uring_enter, __NR_io_uring_register,
};

static void __init afp_alters(u8 alters[AFP_ABIS][AFP_NR_MAX])
{
	int i;

	/* Nobody has looked at the numbers of the other table. */
	memset(alters[AFP_ABI_COMPAT], AFP_ALTERS_TASK, AFP_NR_MAX);
	memset(alters[AFP_ABI_NATIVE] + AFP_NR_KNOWN + 1, AFP_ALTERS_TASK,
	       AFP_NR_MAX - AFP_NR_KNOWN - 1);
	for (i = 0; i < ARRAY_SIZE(afp_task_alters); i++)
		alters[AFP_ABI_NATIVE][afp_task_alters[i]] |= AFP_ALTERS_TASK;
	for (i = 0; i < ARRAY_SIZE(afp_context_alters); i++) {
		alters[AFP_ABI_NATIVE][afp_context_alters[i]] |=
			AFP_ALTERS_CONTEXT;
		alters[AFP_ABI_COMPAT][afp_context_alters[i]] |=
			AFP_ALTERS_CONTEXT;
	}
}
#else
static void __init afp_alters(u8 alters[AFP_ABIS][AFP_NR_MAX])
{
	memset(alters, AFP_ALTERS_TASK | AFP_ALTERS_CONTEXT,
	       AFP_ABIS * AFP_NR_MAX);
}
#endif

static enum afp_kind __init afp_kind(u32 arch, unsigned int nr, bool compat)
{
	switch (static_call(afp_classify)(arch, nr)) {
	case AUDITSC_NATIVE:
		return compat ? AFP_KIND_UNSURE : AFP_KIND_NUMBER;
	case AUDITSC_COMPAT:
		return compat ? AFP_KIND_NUMBER : AFP_KIND_UNSURE;
	case AUDITSC_OPEN:
		return AFP_KIND_OPEN;
	case AUDITSC_OPENAT:
		return AFP_KIND_OPENAT;
	case AUDITSC_SOCKETCALL:
		return AFP_KIND_SOCKETCALL;
	case AUDITSC_EXECVE:
		return AFP_KIND_EXEC;
	default:
		return AFP_KIND_UNSURE;
	}
}

static u8 __init afp_perm(unsigned int nr, bool compat)
{
	static const struct {
		u8 perm, native, compat;
	} class[] __initconst = {
		{ AFP_PERM_WRITE, AUDIT_CLASS_WRITE, AUDIT_CLASS_WRITE_32 },
		{ AFP_PERM_READ, AUDIT_CLASS_READ, AUDIT_CLASS_READ_32 },
		{ AFP_PERM_ATTR, AUDIT_CLASS_CHATTR, AUDIT_CLASS_CHATTR_32 },
	};
	u8 perm = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(class); i++)
		if (static_call(afp_match_class)(compat ? class[i].compat :
							  class[i].native, nr))
			perm |= class[i].perm;
	return perm;
}

static void __init afp_signals_init(void)
{
	static const int class[AFP_ABIS] __initconst = {
		[AFP_ABI_NATIVE] = AUDIT_CLASS_SIGNAL,
		[AFP_ABI_COMPAT] = AUDIT_CLASS_SIGNAL_32,
	};
	unsigned int abi, nr;

	for (abi = 0; abi < AFP_ABIS; abi++)
		for (nr = 0; nr < AUDIT_BITMASK_SIZE * 32; nr++)
			if (static_call(afp_match_class)(class[abi], nr))
				afp_signals[abi][AUDIT_WORD(nr)] |=
					AUDIT_BIT(nr);
}

static bool afp_sends(const struct audit_krule *rule, enum afp_abi abi)
{
	int i;

	for (i = 0; i < AUDIT_BITMASK_SIZE; i++)
		if (rule->mask[i] & afp_signals[abi][i])
			return true;
	return false;
}

/**
 * afp_rule_signals - is a rule counted as one about calls that send signals?
 * @rule: a rule of the kernel, of any list
 *
 * Semantics: audit_match_signal(), which answers the opposite. It looks at
 * arch_f, the last field of that type; the pointer is lost when the kernel
 * duplicates a rule, so this looks at the fields.
 *
 * Context: process context, with audit_filter_mutex held.
 */
bool afp_rule_signals(const struct audit_krule *rule)
{
	const struct audit_field *arch = NULL;
	u32 i;

	for (i = 0; i < rule->field_count; i++)
		if (rule->fields[i].type == AUDIT_ARCH)
			arch = &rule->fields[i];
	if (!arch)
		return afp_sends(rule, AFP_ABI_NATIVE) ||
		       afp_sends(rule, AFP_ABI_COMPAT);
	switch (static_call(afp_classify_arch)(arch->val)) {
	case 0:
		return afp_sends(rule, AFP_ABI_NATIVE);
	case 1:
		return afp_sends(rule, AFP_ABI_COMPAT);
	default:
		return false;
	}
}

/**
 * afp_classes_init - read the classes of all numbers from the kernel
 * @missing: set to the name of the first symbol that is not there
 *
 * Context: process context, sleeps. After afp_symbols_init().
 *
 * Return: 0 or -ENOENT.
 */
int __init afp_classes_init(const char **missing)
{
	unsigned long match, classify, arches;
	unsigned int abi, nr;

	*missing = "audit_match_class";
	match = afp_symbol(*missing);
	if (!match)
		return -ENOENT;
	*missing = "audit_classify_syscall";
	classify = afp_symbol(*missing);
	if (!classify)
		return -ENOENT;
	*missing = "audit_classify_arch";
	arches = afp_symbol(*missing);
	if (!arches)
		return -ENOENT;
	*missing = NULL;
	static_call_update(afp_match_class, (typeof(afp_no_match) *)match);
	static_call_update(afp_classify, (typeof(afp_no_classify) *)classify);

	static_call_update(afp_classify_arch,
			   (typeof(afp_no_classify_arch) *)arches);
	afp_signals_init();
	afp_arches(afp_classes.arch);
	afp_native_calls(afp_classes.exists);
	afp_alters(afp_classes.alters);
	for (abi = 0; abi < AFP_ABIS; abi++) {
		u32 arch = afp_classes.arch[abi];
		bool compat = abi == AFP_ABI_COMPAT;

		if (!arch)
			continue;
		for (nr = 0; nr < AFP_NR_MAX; nr++) {
			afp_classes.kind[abi][nr] = afp_kind(arch, nr, compat);
			afp_classes.perm[abi][nr] = afp_perm(nr, compat);
		}
	}
	return 0;
}
