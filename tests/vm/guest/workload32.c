// SPDX-License-Identifier: GPL-2.0-only
/*
 * The 32-bit part of the workload: a fixed sequence of i386 system calls.
 * Freestanding, as no 32-bit libc is at hand:
 *
 *   gcc -m32 -O2 -ffreestanding -fno-pie -fno-stack-protector -nostdlib \
 *       -static -no-pie workload32.c
 *
 * Usage: workload32 x=DIR, as workload calls it. Results are not looked at:
 * the records tell.
 */

#define NR32_read 3
#define NR32_write 4
#define NR32_open 5
#define NR32_close 6
#define NR32_creat 8
#define NR32_link 9
#define NR32_unlink 10
#define NR32_execve 11
#define NR32_chdir 12
#define NR32_chmod 15
#define NR32_getpid 20
#define NR32_getuid 24
#define NR32_access 33
#define NR32_kill 37
#define NR32_rename 38
#define NR32_mkdir 39
#define NR32_rmdir 40
#define NR32_setuid 23
#define NR32_socketcall 102
#define NR32_stat 106
#define NR32_ipc 117
#define NR32_setdomainname 121
#define NR32_adjtimex 124
#define NR32_getpriority 96
#define NR32_chown 182
#define NR32_truncate64 193
#define NR32_setxattr 226
#define NR32_exit_group 252
#define NR32_clock_settime 264
#define NR32_openat 295
#define NR32_unlinkat 301
#define NR32_socket 359
#define NR32_bind 361
#define NR32_connect 362

#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define AT_FDCWD (-100)

/* socketcall(2) */
#define CALL_SOCKET 1
#define CALL_BIND 2
#define CALL_CONNECT 3

static int call(int nr, long a, long b, long c, long d)
{
	int ret;

	asm volatile("int $0x80"
		     : "=a"(ret)
		     : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(0)
		     : "memory");
	return ret;
}

#define S_(nr, a, b, c, d, ...) \
	call(nr, (long)(a), (long)(b), (long)(c), (long)(d))
#define S(...) S_(__VA_ARGS__, 0, 0, 0, 0, 0)

static const char *top;

static const char *path(const char *name)
{
	static char buf[4][128];
	static int next;
	char *start = buf[next++ % 4];
	char *p = start;
	const char *q;

	for (q = top; *q;)
		*p++ = *q++;
	*p++ = '/';
	for (q = name; *q;)
		*p++ = *q++;
	*p = 0;
	return start;
}

static void shut(int fd)
{
	if (fd >= 0)
		S(NR32_close, fd);
}

static void files(void)
{
	static char buf[128];
	int fd;

	fd = S(NR32_open, path("plain/f1"), O_RDWR);
	S(NR32_read, fd, buf, 4);
	S(NR32_write, fd, "b32", 3);
	shut(fd);
	shut(S(NR32_open, path("watched/f1"), O_RDWR));
	shut(S(NR32_open, path("watched/f1"), O_RDONLY));
	shut(S(NR32_open, path("tree/f1"), O_WRONLY | O_TRUNC));
	shut(S(NR32_open, path("priv/secret"), O_RDONLY));
	shut(S(NR32_open, path("plain/missing"), O_RDONLY));
	shut(S(NR32_open, path("plain/n32"), O_CREAT | O_EXCL | O_RDWR, 0600));
	shut(S(NR32_openat, AT_FDCWD, path("watched/f2"), O_RDWR));
	shut(S(NR32_creat, path("plain/n32"), 0600));
	S(NR32_link, path("plain/n32"), path("plain/l32"));
	S(NR32_rename, path("plain/l32"), path("plain/m32"));
	S(NR32_unlink, path("plain/m32"));
	S(NR32_unlinkat, AT_FDCWD, path("plain/n32"), 0);
	S(NR32_unlink, path("watched/missing"));
	S(NR32_mkdir, path("plain/d32"), 0755);
	S(NR32_mkdir, path("priv/d32"), 0755);
	S(NR32_rmdir, path("plain/d32"));
	S(NR32_rmdir, path("priv/d32"));
	S(NR32_chmod, path("watched/f1"), 0644);
	S(NR32_chmod, path("plain/f1"), 0644);
	S(NR32_chown, path("plain/f2"), 0, 0);
	S(NR32_setxattr, path("plain/f1"), "trusted.afp", "v", 1);
	S(NR32_truncate64, path("plain/f1"), 10, 0);
	S(NR32_access, path("priv/secret"), 4);
	S(NR32_stat, path("plain/f1"), buf);
	S(NR32_chdir, path("missing"));
}

static void others(void)
{
	static struct {
		unsigned short family, port;
		unsigned int address;
		char zero[8];
	} here = { 2, 0x750e, 0x0100007f, { 0 } },
	  there = { 2, 0x760e, 0x0100007f, { 0 } };
	static long args[3];
	int fd;

	S(NR32_getpid);
	S(NR32_getuid);
	S(NR32_getpriority, 0, 0);
	S(NR32_kill, 1, 0);
	args[0] = 2;
	args[1] = 1;
	args[2] = 0;
	fd = S(NR32_socketcall, CALL_SOCKET, args);
	args[0] = fd;
	args[1] = (long)&here;
	args[2] = sizeof(here);
	S(NR32_socketcall, CALL_BIND, args);
	args[1] = (long)&there;
	S(NR32_socketcall, CALL_CONNECT, args);
	shut(fd);
	fd = S(NR32_socket, 2, 1, 0);
	S(NR32_bind, fd, &here, sizeof(here));
	S(NR32_connect, fd, &there, sizeof(there));
	shut(fd);
	S(NR32_socketcall, 99, args);
	S(NR32_ipc, 99);
	S(NR32_adjtimex, 8);
	S(NR32_clock_settime, 0, 8);
	S(NR32_setdomainname, 8, 4);
	S(NR32_setuid, 1000);
	S(NR32_execve, path("bin/missing"), 0, 0);
	S(-1);
	S(500);
	S(2047);
	S(2048);
	S(0x40000005, path("watched/f1"), O_RDWR);
}

__attribute__((noreturn, used)) static void start(char **argv)
{
	const char *p = argv[1];

	while (*p && *p++ != '=')
		;
	top = p;
	files();
	others();
	for (;;)
		S(NR32_exit_group, 0);
}

/* The kernel starts us with argc at the top of the stack, argv above it. */
asm(".globl _start\n"
    "_start:\n"
	"lea 4(%esp), %eax\n"
	"and $-16, %esp\n"
	"sub $12, %esp\n"
	"push %eax\n"
	"call start\n");
