/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kinds and classes of the numbers of one ABI, whose <asm/unistd_*.h> has been
 * included. Semantics: audit_classify_syscall() and the lists in
 * include/asm-generic/audit_*.h.
 */
#include <stddef.h>

#include "classes.h"

/* Newer than some headers; the same number in every ABI. */
#ifndef __NR_fchmodat2
#define __NR_fchmodat2		452
#endif
#ifndef __NR_setxattrat
#define __NR_setxattrat		463
#define __NR_getxattrat		464
#define __NR_listxattrat	465
#define __NR_removexattrat	466
#endif

static const __u16 exec_calls[] = { __NR_execve, __NR_execveat };

static const __u16 write_calls[] = {
	__NR_rename, __NR_mkdir, __NR_rmdir, __NR_creat, __NR_link,
	__NR_unlink, __NR_symlink, __NR_mknod, __NR_mkdirat, __NR_mknodat,
	__NR_unlinkat, __NR_renameat, __NR_linkat, __NR_symlinkat,
	__NR_renameat2, __NR_acct, __NR_swapon, __NR_quotactl, __NR_truncate,
	__NR_ftruncate, __NR_bind, __NR_fallocate,
#ifdef __NR_truncate64
	__NR_truncate64, __NR_ftruncate64,
#endif
};

static const __u16 read_calls[] = {
	__NR_readlink, __NR_quotactl, __NR_listxattr, __NR_listxattrat,
	__NR_llistxattr, __NR_flistxattr, __NR_getxattr, __NR_getxattrat,
	__NR_lgetxattr, __NR_fgetxattr, __NR_readlinkat,
};

static const __u16 attr_calls[] = {
	__NR_chmod, __NR_fchmod, __NR_chown, __NR_lchown, __NR_fchown,
	__NR_setxattr, __NR_setxattrat, __NR_lsetxattr, __NR_fsetxattr,
	__NR_removexattr, __NR_removexattrat, __NR_lremovexattr,
	__NR_fremovexattr, __NR_fchownat, __NR_fchmodat, __NR_fchmodat2,
	__NR_link, __NR_linkat,
#ifdef __NR_chown32
	__NR_chown32, __NR_fchown32, __NR_lchown32,
#endif
};

static void set(__u8 *table, const __u16 *calls, size_t size, __u8 value)
{
	for (size_t i = 0; i < size / sizeof(*calls); i++)
		table[calls[i]] |= value;
}

static void classes_of_abi(__u8 *kind, __u8 *perm)
{
	kind[__NR_open] = AFP_KIND_OPEN;
	kind[__NR_openat] = AFP_KIND_OPENAT;
	kind[__NR_openat2] = AFP_KIND_UNSURE;
#ifdef __NR_socketcall
	kind[__NR_socketcall] = AFP_KIND_SOCKETCALL;
#endif
	set(kind, exec_calls, sizeof(exec_calls), AFP_KIND_EXEC);
	set(perm, write_calls, sizeof(write_calls), AFP_PERM_WRITE);
	set(perm, read_calls, sizeof(read_calls), AFP_PERM_READ);
	set(perm, attr_calls, sizeof(attr_calls), AFP_PERM_ATTR);
}
