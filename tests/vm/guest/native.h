/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls without a C library, on each architecture that there are test
 * kernels for.
 */
#ifndef GUEST_NATIVE_H
#define GUEST_NATIVE_H

#include <linux/audit.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define NATIVE_ARCH	AUDIT_ARCH_X86_64

/* The 32-bit entry is there: int $0x80. */
#define NATIVE_INT80	1

static inline __attribute__((always_inline)) long
native_call(long nr, long a, long b, long c, long d, long e, long f)
{
	register long r10 asm("r10") = d;
	register long r8 asm("r8") = e;
	register long r9 asm("r9") = f;
	long ret;

	asm volatile("syscall"
		     : "=a"(ret)
		     : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
		       "r"(r9)
		     : "rcx", "r11", "memory");
	return ret;
}

/* The 32-bit entry; its pointers fit because the programs are not PIE. */
static inline long native_int80(long nr, long a, long b, long c, long d, long e)
{
	long ret;

	asm volatile("int $0x80"
		     : "=a"(ret)
		     : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
		     : "r8", "r9", "r10", "r11", "memory");
	return (int)ret;
}

/* What a signal handler returns to. */
#define NATIVE_SIGRETURN	"mov $15, %eax\nsyscall\n"

#define NATIVE_PAUSE		"pause"
#elif defined(__aarch64__)
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>

#define NATIVE_ARCH	AUDIT_ARCH_AARCH64
#define NATIVE_INT80	0

/*
 * Calls that came to be before this architecture: numbers of none, each with
 * the one that does the same here, if there is one.
 */
#define SYS_access	(-1001)
#define SYS_alarm	(-1002)
#define SYS_chmod	(-1003)
#define SYS_chown	(-1004)
#define SYS_creat	(-1005)
#define SYS_fork	(-1006)
#define SYS_ioperm	(-1007)
#define SYS_iopl	(-1008)
#define SYS_lchown	(-1009)
#define SYS_link	(-1010)
#define SYS_lstat	(-1011)
#define SYS_mkdir	(-1012)
#define SYS_mknod	(-1013)
#define SYS_open	(-1014)
#define SYS_pause	(-1015)
#define SYS_pipe	(-1016)
#define SYS_readlink	(-1017)
#define SYS_rename	(-1018)
#define SYS_rmdir	(-1019)
#define SYS_stat	(-1020)
#define SYS_symlink	(-1021)
#define SYS_time	(-1022)
#define SYS_unlink	(-1023)
#define SYS_vfork	(-1024)

static inline __attribute__((always_inline)) long
native_svc(long nr, long a, long b, long c, long d, long e, long f)
{
	register long x8 asm("x8") = nr;
	register long x0 asm("x0") = a;
	register long x1 asm("x1") = b;
	register long x2 asm("x2") = c;
	register long x3 asm("x3") = d;
	register long x4 asm("x4") = e;
	register long x5 asm("x5") = f;

	asm volatile("svc #0"
		     : "+r"(x0)
		     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
		     : "memory");
	return x0;
}

static inline __attribute__((always_inline)) long
native_call(long nr, long a, long b, long c, long d, long e, long f)
{
	const long here = AT_FDCWD;

	switch (nr) {
	case SYS_access:
		return native_svc(SYS_faccessat, here, a, b, 0, 0, 0);
	case SYS_chmod:
		return native_svc(SYS_fchmodat, here, a, b, 0, 0, 0);
	case SYS_chown:
		return native_svc(SYS_fchownat, here, a, b, c, 0, 0);
	case SYS_lchown:
		return native_svc(SYS_fchownat, here, a, b, c,
				  AT_SYMLINK_NOFOLLOW, 0);
	case SYS_creat:
		return native_svc(SYS_openat, here, a,
				  O_CREAT | O_WRONLY | O_TRUNC, b, 0, 0);
	case SYS_open:
		return native_svc(SYS_openat, here, a, b, c, 0, 0);
	case SYS_link:
		return native_svc(SYS_linkat, here, a, here, b, 0, 0);
	case SYS_symlink:
		return native_svc(SYS_symlinkat, a, here, b, 0, 0, 0);
	case SYS_rename:
		return native_svc(SYS_renameat, here, a, here, b, 0, 0);
	case SYS_unlink:
		return native_svc(SYS_unlinkat, here, a, 0, 0, 0, 0);
	case SYS_rmdir:
		return native_svc(SYS_unlinkat, here, a, AT_REMOVEDIR, 0, 0, 0);
	case SYS_mkdir:
		return native_svc(SYS_mkdirat, here, a, b, 0, 0, 0);
	case SYS_mknod:
		return native_svc(SYS_mknodat, here, a, b, c, 0, 0);
	case SYS_readlink:
		return native_svc(SYS_readlinkat, here, a, b, c, 0, 0);
	case SYS_stat:
		return native_svc(SYS_newfstatat, here, a, b, 0, 0, 0);
	case SYS_lstat:
		return native_svc(SYS_newfstatat, here, a, b,
				  AT_SYMLINK_NOFOLLOW, 0, 0);
	case SYS_pipe:
		return native_svc(SYS_pipe2, a, 0, 0, 0, 0, 0);
	case SYS_pause:
		return native_svc(SYS_ppoll, 0, 0, 0, 0, 0, 0);
	case SYS_fork:
		return native_svc(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
	case SYS_vfork:
		return native_svc(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0,
				  0);
	default:
		return native_svc(nr, a, b, c, d, e, f);
	}
}

static inline long native_int80(long nr, long a, long b, long c, long d, long e)
{
	(void)nr, (void)a, (void)b, (void)c, (void)d, (void)e;
	return -1;
}

#define NATIVE_SIGRETURN	"mov x8, #139\nsvc #0\n"
#define NATIVE_PAUSE		"yield"
#endif

#endif /* GUEST_NATIVE_H */
