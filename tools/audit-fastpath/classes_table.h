/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kinds and classes of the numbers of one ABI, whose <asm/unistd_*.h> has been
 * included. Semantics: audit_classify_syscall() and the lists in
 * include/asm-generic/audit_*.h.
 */
#include <stddef.h>

#include "classes.h"

/* Newer than some headers; the same number in every ABI. */
#ifndef __NR_quotactl_fd
#define __NR_quotactl_fd	443
#endif
#ifndef __NR_fchmodat2
#define __NR_fchmodat2		452
#endif
#ifndef __NR_setxattrat
#define __NR_setxattrat		463
#define __NR_getxattrat		464
#define __NR_listxattrat	465
#define __NR_removexattrat	466
#endif
#ifndef __NR_file_getattr
#define __NR_file_getattr	468
#define __NR_file_setattr	469
#endif

/* The last number that each kernel has. */
static const __u16 last_call[] = {
	[CLASSES_5_10] = 440,
	[CLASSES_6_1] = 450,
	[CLASSES_6_12] = 462,
	[CLASSES_7_3] = 472,
};

static const __u16 exec_calls[] = { __NR_execve, __NR_execveat };

static const __u16 write_calls[] = {
#ifdef __NR_rename
	__NR_rename, __NR_mkdir, __NR_rmdir, __NR_creat, __NR_link,
	__NR_unlink, __NR_symlink, __NR_mknod,
#endif
#ifdef __NR_renameat
	__NR_renameat,
#endif
	__NR_mkdirat, __NR_mknodat, __NR_unlinkat, __NR_linkat, __NR_symlinkat,
	__NR_renameat2, __NR_acct, __NR_swapon, __NR_quotactl, __NR_truncate,
	__NR_ftruncate, __NR_bind, __NR_fallocate,
#ifdef __NR_truncate64
	__NR_truncate64, __NR_ftruncate64,
#endif
};

static const __u16 read_calls[] = {
#ifdef __NR_readlink
	__NR_readlink,
#endif
	__NR_quotactl, __NR_listxattr, __NR_listxattrat,
	__NR_llistxattr, __NR_flistxattr, __NR_getxattr, __NR_getxattrat,
	__NR_lgetxattr, __NR_fgetxattr, __NR_readlinkat,
};

static const __u16 attr_calls[] = {
#ifdef __NR_chmod
	__NR_chmod, __NR_chown, __NR_lchown, __NR_link,
#endif
	__NR_fchmod, __NR_fchown,
	__NR_setxattr, __NR_setxattrat, __NR_lsetxattr, __NR_fsetxattr,
	__NR_removexattr, __NR_removexattrat, __NR_lremovexattr,
	__NR_fremovexattr, __NR_fchownat, __NR_fchmodat, __NR_fchmodat2,
	__NR_linkat,
#ifdef __NR_chown32
	__NR_chown32, __NR_fchown32, __NR_lchown32,
#endif
};

/* What 7.x added. */
static const __u16 write_calls_7[] = { __NR_quotactl_fd };

static const __u16 read_calls_7[] = {
	__NR_quotactl_fd, __NR_file_getattr, __NR_statx,
#ifdef __NR_stat
	__NR_stat, __NR_lstat,
#endif
#ifdef __NR_fstat
	__NR_fstat,
#endif
#ifdef __NR_stat64
	__NR_stat64, __NR_lstat64, __NR_fstat64,
#endif
#ifdef __NR_newfstatat
	__NR_newfstatat,
#endif
#ifdef __NR_fstatat64
	__NR_fstatat64,
#endif
};

static const __u16 attr_calls_7[] = { __NR_file_setattr };

static void set(__u8 *table, const __u16 *calls, size_t size, __u8 value)
{
	for (size_t i = 0; i < size / sizeof(*calls); i++)
		table[calls[i]] |= value;
}

static void classes_of_abi(enum classes_kernel kernel, __u8 *kind, __u8 *perm)
{
#ifdef __NR_open
	kind[__NR_open] = AFP_KIND_OPEN;
#endif
	kind[__NR_openat] = AFP_KIND_OPENAT;
	/* Until 5.15 a call like any other, that is in no class. */
	if (kernel != CLASSES_5_10)
		kind[__NR_openat2] = AFP_KIND_UNSURE;
#ifdef __NR_socketcall
	kind[__NR_socketcall] = AFP_KIND_SOCKETCALL;
#endif
	set(kind, exec_calls, sizeof(exec_calls), AFP_KIND_EXEC);
	set(perm, write_calls, sizeof(write_calls), AFP_PERM_WRITE);
	set(perm, read_calls, sizeof(read_calls), AFP_PERM_READ);
	set(perm, attr_calls, sizeof(attr_calls), AFP_PERM_ATTR);
	if (kernel == CLASSES_7_3) {
		set(perm, write_calls_7, sizeof(write_calls_7), AFP_PERM_WRITE);
		set(perm, read_calls_7, sizeof(read_calls_7), AFP_PERM_READ);
		set(perm, attr_calls_7, sizeof(attr_calls_7), AFP_PERM_ATTR);
	}
	for (__u32 nr = last_call[kernel] + 1; nr < AFP_NR_MAX; nr++)
		perm[nr] = 0;
}
