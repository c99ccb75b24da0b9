// SPDX-License-Identifier: GPL-2.0-only
/*
 * audit_bench: what does one syscall cost on this kernel, right now?
 *
 * It measures and nothing else: the audit rules, the module and the command
 * line of the kernel are the caller's business, so that the same command can
 * be run before and after any change and the two results compared.
 *
 * This file may know the C library and the Linux syscall interface. It may
 * not know the audit module, and it must work from an initramfs in which
 * there is nothing but this program: no /proc, no /sys, no shared library.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#if defined(__x86_64__)
#include <cpuid.h>
#define HAVE_TSC 1
#endif

#include "../include/audit_fastpath/version.h"

#define PROG "audit_bench"
#define SCHEMA_VERSION 1
/* argv[0] of the program that the execve benchmark starts: exit at once. */
#define EXEC_CHILD PROG "-exit"

#define EXIT_RUNTIME 1
#define EXIT_USAGE 2

#define SAMPLES_DEFAULT 31
#define SAMPLES_MAX 100000
#define TIME_DEFAULT_MS 10
#define TIME_MAX_MS 60000
#define LOOP_MAX 1000000000UL
#define WARM_UP_NS 50000000.0
#define CPUS_MAX 65536
#define BASE_FILE_MAX (1 << 20)
#define JSON_DEPTH_MAX 32

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define unlikely(x) __builtin_expect(!!(x), 0)
#define printf_like(f, a) __attribute__((__format__(__printf__, f, a)))

/* -- saying what went wrong ----------------------------------------------- */

static bool progress_shown;

static void progress_clear(void)
{
	if (progress_shown)
		fputs("\r\033[K", stderr);
	progress_shown = false;
}

static void vmessage(const char *fmt, va_list ap)
{
	progress_clear();
	fputs(PROG ": ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

static void printf_like(1, 2) warn_user(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vmessage(fmt, ap);
	va_end(ap);
}

/* The temporary files go in an atexit() handler, so exit() is enough. */
static _Noreturn void printf_like(1, 2) die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vmessage(fmt, ap);
	va_end(ap);
	exit(EXIT_RUNTIME);
}

static _Noreturn void printf_like(1, 2) usage_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vmessage(fmt, ap);
	va_end(ap);
	exit(EXIT_USAGE);
}

/* -- syscalls without the C library --------------------------------------- */

/*
 * Results are the kernel's: negative errno on failure. The instruction is
 * written out where we know it, so that a loop contains as little as possible
 * that is not the syscall, and nothing that depends on the C library.
 */
#if defined(__x86_64__) && !defined(__ILP32__)
static inline long sys6(long nr, long a, long b, long c, long d, long e, long f)
{
	register long r10 asm("r10") = d;
	register long r8 asm("r8") = e;
	register long r9 asm("r9") = f;
	long ret;

	asm volatile("syscall"
		     : "=a"(ret)
		     : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
		       "r"(r9)
		     : "rcx", "r11", "memory");
	return ret;
}

static inline long sys4(long nr, long a, long b, long c, long d)
{
	register long r10 asm("r10") = d;
	long ret;

	asm volatile("syscall"
		     : "=a"(ret)
		     : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10)
		     : "rcx", "r11", "memory");
	return ret;
}

static inline long sys3(long nr, long a, long b, long c)
{
	long ret;

	asm volatile("syscall"
		     : "=a"(ret)
		     : "0"(nr), "D"(a), "S"(b), "d"(c)
		     : "rcx", "r11", "memory");
	return ret;
}

static inline long sys0(long nr)
{
	long ret;

	asm volatile("syscall" : "=a"(ret) : "0"(nr) : "rcx", "r11", "memory");
	return ret;
}
#else
static inline long sys6(long nr, long a, long b, long c, long d, long e, long f)
{
	long ret = syscall(nr, a, b, c, d, e, f);

	return ret == -1 ? -errno : ret;
}

#define sys4(nr, a, b, c, d) sys6(nr, a, b, c, d, 0, 0)
#define sys3(nr, a, b, c) sys6(nr, a, b, c, 0, 0, 0)
#define sys0(nr) sys6(nr, 0, 0, 0, 0, 0, 0)
#endif

#define sys2(nr, a, b) sys3(nr, a, b, 0)
#define sys1(nr, a) sys3(nr, a, 0, 0)
#define PTR(p) ((long)(p))

/* -- what the syscalls work on -------------------------------------------- */

enum {
	NEED_DIR = 1 << 0, /* the private directory and its file */
	NEED_ZERO = 1 << 1,
	NEED_NULL = 1 << 2,
	NEED_SOCKET = 1 << 3,
	NEED_SELF = 1 << 4, /* a path to this program */
	NEED_INET = 1 << 5,
};

static struct {
	unsigned int have;
	pid_t owner; /* only this process may remove the files */
	int file_fd, zero_fd, null_fd, sock_fd, peer_fd, inet_fd;
	struct sockaddr_un peer;
	socklen_t peer_len;
	struct sockaddr_in inet_peer;
	const char *self;
	/* absolute unless $TMPDIR is not; "": there is nothing to remove */
	char dir[PATH_MAX];
	char file[PATH_MAX];
	char link[PATH_MAX];
	char other[PATH_MAX]; /* exists only inside an iteration, if at all */
	char missing[PATH_MAX]; /* never exists */
} fixture;

static union {
	struct stat stat;
	struct statx statx;
	struct utsname uts;
	char bytes[4096];
} buffer;

/* Called from exit() and from signal handlers: async-signal-safe. */
static void remove_files(void)
{
	if (!fixture.dir[0] || getpid() != fixture.owner)
		return;
	unlink(fixture.file);
	unlink(fixture.link);
	if (unlink(fixture.other))
		rmdir(fixture.other);
	rmdir(fixture.dir);
	fixture.dir[0] = '\0';
}

static void on_signal(int sig)
{
	sigset_t set;

	if (getpid() != fixture.owner)
		_exit(128 + sig);
	remove_files();
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	/* Still here: process 1 does not die of a default action. */
	_exit(128 + sig);
}

static const int fatal_signals[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM, SIGXCPU,
};

static void catch_signals(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct sigaction old;
	size_t i;

	/* A parent that ignores SIGCHLD would make wait4() fail. */
	signal(SIGCHLD, SIG_DFL);
	sigfillset(&sa.sa_mask);
	for (i = 0; i < ARRAY_SIZE(fatal_signals); i++) {
		/* nohup and shells in the background: ignored stays ignored */
		if (!sigaction(fatal_signals[i], NULL, &old) &&
		    old.sa_handler == SIG_IGN)
			continue;
		sigaction(fatal_signals[i], &sa, NULL);
	}
}

static void name_file(char *path, const char *name)
{
	int len = snprintf(path, PATH_MAX, "%s/%s", fixture.dir, name);

	if (len < 0 || len >= PATH_MAX)
		die("the name %s/%s is too long", fixture.dir, name);
}

static bool try_directory(const char *base)
{
	size_t len = strlen(base);
	char dir[PATH_MAX];

	while (len > 1 && base[len - 1] == '/')
		len--;
	if (len + sizeof("/" PROG ".XXXXXX/missing") > sizeof(dir)) {
		errno = ENAMETOOLONG;
		return false;
	}
	sprintf(dir, "%.*s/" PROG ".XXXXXX", (int)len, base);
	if (!mkdtemp(dir))
		return false;
	memcpy(fixture.dir, dir, sizeof(dir));
	name_file(fixture.file, "file");
	name_file(fixture.link, "link");
	name_file(fixture.other, "other");
	name_file(fixture.missing, "missing");
	return true;
}

static void make_directory(void)
{
	static const char *const places[] = { "/tmp", "/run" };
	const char *tmpdir = getenv("TMPDIR");
	sigset_t all, old;
	bool made = false;
	int saved;

	/* A signal must not find a directory that nobody has noted yet. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	if (tmpdir && *tmpdir)
		made = try_directory(tmpdir);
	else
		for (size_t i = 0; !made && i < ARRAY_SIZE(places); i++)
			made = try_directory(places[i]);
	saved = errno;
	sigprocmask(SIG_SETMASK, &old, NULL);
	errno = saved;

	if (!made && tmpdir && *tmpdir)
		die("cannot make a directory in TMPDIR, %s: %m; set TMPDIR to a writable directory",
		    tmpdir);
	if (!made)
		die("cannot make a directory in /tmp or /run: %m; set TMPDIR to a writable directory");

	fixture.file_fd =
		open(fixture.file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fixture.file_fd < 0)
		die("cannot create %s: %m", fixture.file);
	if (symlink("file", fixture.link))
		die("cannot create %s: %m", fixture.link);
}

static int open_device(const char *path, int flags)
{
	struct stat st;
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0)
		die("cannot open %s: %m; is devtmpfs mounted on /dev?", path);
	if (fstat(fd, &st) || !S_ISCHR(st.st_mode))
		die("%s is not a character device; is devtmpfs mounted on /dev?",
		    path);
	return fd;
}

static void make_sockets(void)
{
	struct sockaddr_un any = { .sun_family = AF_UNIX };

	fixture.sock_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	fixture.peer_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fixture.sock_fd < 0 || fixture.peer_fd < 0)
		die("cannot create a local socket: %m");
	/* Autobind: a free abstract name, and nothing in a file system. */
	fixture.peer_len = sizeof(fixture.peer);
	if (bind(fixture.peer_fd, (struct sockaddr *)&any,
		 sizeof(any.sun_family)) ||
	    getsockname(fixture.peer_fd, (struct sockaddr *)&fixture.peer,
			&fixture.peer_len))
		die("cannot bind a local socket: %m");
}

/*
 * UDP: one connect is one call, which looks up a route and remembers a peer.
 * Nothing is sent, so nobody need listen there.
 */
static void make_inet_socket(void)
{
	fixture.inet_fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fixture.inet_fd < 0)
		die("cannot create an IPv4 socket: %m");
	fixture.inet_peer.sin_family = AF_INET;
	fixture.inet_peer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	/* discard */
	fixture.inet_peer.sin_port = htons(9);
}

static void find_self(void)
{
	fixture.self = (const char *)getauxval(AT_EXECFN);
	if (!fixture.self || access(fixture.self, X_OK))
		fixture.self = "/proc/self/exe";
	if (access(fixture.self, X_OK))
		die("cannot find this program to execute it: %m; start it by its full path");
}

static void provide(unsigned int need)
{
	need &= ~fixture.have;
	if (need & NEED_DIR)
		make_directory();
	if (need & NEED_ZERO)
		fixture.zero_fd = open_device("/dev/zero", O_RDONLY);
	if (need & NEED_NULL)
		fixture.null_fd = open_device("/dev/null", O_WRONLY);
	if (need & NEED_SOCKET)
		make_sockets();
	if (need & NEED_INET)
		make_inet_socket();
	if (need & NEED_SELF)
		find_self();
	fixture.have |= need;
}

/* -- the loops ------------------------------------------------------------ */

static inline long check_close(long fd)
{
	return unlikely(fd < 0) ? fd : sys1(SYS_close, fd);
}

static inline long do_open(const char *path, long flags, long mode)
{
	return check_close(sys4(SYS_openat, AT_FDCWD, PTR(path), flags, mode));
}

static inline long do_enoent(void)
{
	long ret =
		sys4(SYS_openat, AT_FDCWD, PTR(fixture.missing), O_RDONLY, 0);

	if (unlikely(ret >= 0))
		return -EEXIST;
	return ret == -ENOENT ? 0 : ret;
}

static inline long do_stat(const char *path)
{
#ifdef SYS_stat
	return sys2(SYS_stat, PTR(path), PTR(&buffer));
#else
	return sys4(SYS_newfstatat, AT_FDCWD, PTR(path), PTR(&buffer), 0);
#endif
}

static inline long do_access(const char *path)
{
#ifdef SYS_access
	return sys2(SYS_access, PTR(path), R_OK);
#else
	return sys3(SYS_faccessat, AT_FDCWD, PTR(path), R_OK);
#endif
}

static inline long do_readlink(const char *path)
{
#ifdef SYS_readlink
	return sys3(SYS_readlink, PTR(path), PTR(buffer.bytes),
		    sizeof(buffer.bytes));
#else
	return sys4(SYS_readlinkat, AT_FDCWD, PTR(path), PTR(buffer.bytes),
		    sizeof(buffer.bytes));
#endif
}

static inline long do_chmod(const char *path)
{
#ifdef SYS_chmod
	return sys2(SYS_chmod, PTR(path), 0600);
#else
	return sys3(SYS_fchmodat, AT_FDCWD, PTR(path), 0600);
#endif
}

static inline long do_chown(const char *path)
{
#ifdef SYS_chown
	return sys3(SYS_chown, PTR(path), -1, -1);
#else
	return sys6(SYS_fchownat, AT_FDCWD, PTR(path), -1, -1, 0, 0);
#endif
}

static inline long do_unlink(const char *path)
{
#ifdef SYS_unlink
	return sys1(SYS_unlink, PTR(path));
#else
	return sys3(SYS_unlinkat, AT_FDCWD, PTR(path), 0);
#endif
}

static inline long do_create(const char *path)
{
	long ret = do_open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

	return unlikely(ret < 0) ? ret : do_unlink(path);
}

static inline long do_link(const char *from, const char *to)
{
#ifdef SYS_link
	long ret = sys2(SYS_link, PTR(from), PTR(to));
#else
	long ret =
		sys6(SYS_linkat, AT_FDCWD, PTR(from), AT_FDCWD, PTR(to), 0, 0);
#endif

	return unlikely(ret < 0) ? ret : do_unlink(to);
}

static inline long do_rename(const char *from, const char *to)
{
#ifdef SYS_rename
	return sys2(SYS_rename, PTR(from), PTR(to));
#else
	return sys6(SYS_renameat2, AT_FDCWD, PTR(from), AT_FDCWD, PTR(to), 0,
		    0);
#endif
}

static inline long do_rename_twice(const char *from, const char *to)
{
	long ret = do_rename(from, to);

	return unlikely(ret < 0) ? ret : do_rename(to, from);
}

static inline long do_mkdir(const char *path)
{
#ifdef SYS_mkdir
	long ret = sys2(SYS_mkdir, PTR(path), 0700);

	return unlikely(ret < 0) ? ret : sys1(SYS_rmdir, PTR(path));
#else
	long ret = sys3(SYS_mkdirat, AT_FDCWD, PTR(path), 0700);

	return unlikely(ret < 0) ?
		       ret :
		       sys3(SYS_unlinkat, AT_FDCWD, PTR(path), AT_REMOVEDIR);
#endif
}

static inline long do_mmap(void)
{
#ifdef SYS_mmap
	long ret = sys6(SYS_mmap, 0, 4096, PROT_READ,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* The top page of the address space is for errors, on every arch. */
	if (unlikely((unsigned long)ret > -4096UL))
		return ret;
#else
	void *ptr =
		mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long ret = PTR(ptr);

	if (unlikely(ptr == MAP_FAILED))
		return -errno;
#endif
	return sys2(SYS_munmap, ret, 4096);
}

static inline long do_connect(void)
{
	return sys3(SYS_connect, fixture.inet_fd, PTR(&fixture.inet_peer),
		    sizeof(fixture.inet_peer));
}

static inline long do_connect_unix(void)
{
	return sys3(SYS_connect, fixture.sock_fd, PTR(&fixture.peer),
		    fixture.peer_len);
}

/* argv == NULL: the child only exits */
static inline long do_fork(const char *path, char **argv)
{
	static char *const no_env[] = { NULL };
	int status = 0;
	long pid, ret;

#ifdef SYS_fork
	pid = sys0(SYS_fork);
#else
	pid = sys6(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
#endif
	if (unlikely(pid < 0))
		return pid;
	if (!pid) {
		ret = 0;
		if (argv)
			ret = sys3(SYS_execve, PTR(path), PTR(argv),
				   PTR(no_env));
		for (;;)
			sys1(SYS_exit_group, -ret & 0xff);
	}
	ret = sys4(SYS_wait4, pid, PTR(&status), 0, 0);
	if (unlikely(ret < 0))
		return ret;
	if (unlikely(status))
		return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
	return 0;
}

static char *exec_argv[] = { (char *)EXEC_CHILD, NULL };

/*
 * n > 0; a loop returns 0, or the negative errno of the first call that failed.
 * clang-format would put spaces where the kernel's style wants tabs.
 */
/* clang-format off */
#define LOOP(name, call)					\
static long loop_##name(unsigned long n)			\
{								\
	do {							\
		long ret = (call);				\
								\
		if (unlikely(ret < 0))				\
			return ret;				\
	} while (--n);						\
	return 0;						\
}

/* For calls that cannot fail: the tightest loop there is. */
#define LOOP_PLAIN(name)					\
static long loop_##name(unsigned long n)			\
{								\
	do {							\
		sys0(SYS_##name);				\
	} while (--n);						\
	return 0;						\
}
/* clang-format on */

LOOP_PLAIN(getpid)
LOOP_PLAIN(getppid)
LOOP_PLAIN(getuid)
LOOP(uname, sys1(SYS_uname, PTR(&buffer)))
LOOP(kill, sys2(SYS_kill, fixture.owner, 0))
LOOP(setresuid, sys3(SYS_setresuid, -1, -1, -1))
LOOP(read, sys3(SYS_read, fixture.zero_fd, PTR(buffer.bytes), 1))
LOOP(write, sys3(SYS_write, fixture.null_fd, PTR(buffer.bytes), 1))
LOOP(fstat, sys2(SYS_fstat, fixture.file_fd, PTR(&buffer)))
LOOP(stat, do_stat(fixture.file))
LOOP(statx, sys6(SYS_statx, AT_FDCWD, PTR(fixture.file), 0, STATX_BASIC_STATS,
		 PTR(&buffer), 0))
LOOP(access, do_access(fixture.file))
LOOP(readlink, do_readlink(fixture.link))
LOOP(open, do_open(fixture.file, O_RDONLY, 0))
LOOP(openat_rdwr, do_open(fixture.file, O_RDWR, 0))
LOOP(enoent, do_enoent())
LOOP(create, do_create(fixture.other))
LOOP(link, do_link(fixture.file, fixture.other))
LOOP(rename, do_rename_twice(fixture.file, fixture.other))
LOOP(mkdir, do_mkdir(fixture.other))
LOOP(chmod, do_chmod(fixture.file))
LOOP(chown, do_chown(fixture.file))
LOOP(truncate, sys2(SYS_truncate, PTR(fixture.file), 0))
LOOP(mmap, do_mmap())
LOOP(socket, check_close(sys3(SYS_socket, AF_UNIX, SOCK_DGRAM, 0)))
LOOP(connect, do_connect())
LOOP(connect_unix, do_connect_unix())
LOOP(fork, do_fork(NULL, NULL))
LOOP(execve, do_fork(fixture.self, exec_argv))

struct bench {
	const char *name;
	const char *what;
	long (*loop)(unsigned long n);
	unsigned int need;
};

static const struct bench benches[] = {
	{ "getpid", "getpid", loop_getpid, 0 },
	{ "getppid", "getppid", loop_getppid, 0 },
	{ "getuid", "getuid", loop_getuid, 0 },
	{ "uname", "uname", loop_uname, 0 },
	{ "kill", "kill, signal 0 to itself", loop_kill, 0 },
	{ "setresuid", "setresuid that changes nothing", loop_setresuid, 0 },
	{ "read", "read of one byte of /dev/zero", loop_read, NEED_ZERO },
	{ "write", "write of one byte to /dev/null", loop_write, NEED_NULL },
	{ "fstat", "fstat of a file", loop_fstat, NEED_DIR },
	{ "stat", "stat of a file", loop_stat, NEED_DIR },
	{ "statx", "statx of a file", loop_statx, NEED_DIR },
	{ "access", "access, R_OK", loop_access, NEED_DIR },
	{ "readlink", "readlink", loop_readlink, NEED_DIR },
	{ "open", "openat O_RDONLY, close", loop_open, NEED_DIR },
	{ "openat-rdwr", "openat O_RDWR, close", loop_openat_rdwr, NEED_DIR },
	{ "enoent", "openat O_RDONLY of a missing file", loop_enoent,
	  NEED_DIR },
	{ "create", "openat O_CREAT|O_EXCL, close, unlink", loop_create,
	  NEED_DIR },
	{ "link", "link, unlink", loop_link, NEED_DIR },
	{ "rename", "rename and rename back", loop_rename, NEED_DIR },
	{ "mkdir", "mkdir, rmdir", loop_mkdir, NEED_DIR },
	{ "chmod", "chmod to the mode it has", loop_chmod, NEED_DIR },
	{ "chown", "chown to -1, -1", loop_chown, NEED_DIR },
	{ "truncate", "truncate of an empty file", loop_truncate, NEED_DIR },
	{ "mmap", "mmap of one anonymous page, munmap", loop_mmap, 0 },
	{ "socket", "socket AF_UNIX, close", loop_socket, 0 },
	{ "connect", "connect of a UDP socket to 127.0.0.1", loop_connect,
	  NEED_INET },
	{ "connect-unix", "connect of an AF_UNIX datagram socket",
	  loop_connect_unix, NEED_SOCKET },
	{ "fork", "fork, exit of the child, wait4", loop_fork, 0 },
	{ "execve", "fork, execve of this program, exit, wait4", loop_execve,
	  NEED_SELF },
};

static const struct bench *find_bench(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(benches); i++)
		if (strlen(benches[i].name) == len &&
		    !memcmp(benches[i].name, name, len))
			return &benches[i];
	return NULL;
}

/* -- cycles --------------------------------------------------------------- */

enum cycles_source { CYCLES_NONE, CYCLES_TSC, CYCLES_TSCP, CYCLES_PERF };

static const char *const cycles_names[] = {
	[CYCLES_NONE] = "none",
	[CYCLES_TSC] = "rdtsc",
	[CYCLES_TSCP] = "rdtscp",
	[CYCLES_PERF] = "perf",
};

static enum cycles_source cycles_source;
static int perf_fd = -1;

/* False if the counter did not run the whole time (it was shared, or taken). */
static bool perf_read(uint64_t *value)
{
	struct {
		uint64_t value, enabled, running;
	} data;

	if (read(perf_fd, &data, sizeof(data)) != (ssize_t)sizeof(data))
		return false;
	*value = data.value;
	return data.running && data.running == data.enabled;
}

static bool perf_open(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.pinned = 1,
		.exclude_hv = 1,
	};
	uint64_t first, second;

	perf_fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1,
			  PERF_FLAG_FD_CLOEXEC);
	if (perf_fd < 0)
		return false;
	if (perf_read(&first)) {
		loop_getpid(1000);
		if (perf_read(&second) && second > first)
			return true;
	}
	close(perf_fd);
	perf_fd = -1;
	return false;
}

static enum cycles_source find_cycles(void)
{
#ifdef HAVE_TSC
	unsigned int a, b, c, d;
	int mode;
#endif

	if (perf_open())
		return CYCLES_PERF;
#ifdef HAVE_TSC
	if (!prctl(PR_GET_TSC, &mode) && mode == PR_TSC_SIGSEGV)
		return CYCLES_NONE;
	if (__get_cpuid(0x80000001, &a, &b, &c, &d) && d & (1u << 27))
		return CYCLES_TSCP;
	if (__get_cpuid(1, &a, &b, &c, &d) && d & (1u << 4))
		return CYCLES_TSC;
#endif
	return CYCLES_NONE;
}

static inline uint64_t tsc_read(void)
{
#ifdef HAVE_TSC
	unsigned int cpu;
	uint64_t t;

	if (cycles_source == CYCLES_TSCP) {
		t = __builtin_ia32_rdtscp(&cpu);
		asm volatile("lfence" ::: "memory");
		return t;
	}
	if (cycles_source == CYCLES_TSC) {
		asm volatile("lfence" ::: "memory");
		t = __builtin_ia32_rdtsc();
		asm volatile("lfence" ::: "memory");
		return t;
	}
#endif
	return 0;
}

/* -- measuring ------------------------------------------------------------ */

struct stats {
	double min, median, max, mad;
};

struct result {
	const struct bench *bench;
	unsigned long loop;
	struct stats ns;
	struct stats cycles;
	bool have_cycles;
};

struct config {
	const struct bench *bench[ARRAY_SIZE(benches)];
	size_t benches;
	unsigned long samples;
	unsigned long time_ms;
	unsigned long loop; /* 0: calibrate */
	long cpu; /* -1: the current one */
	bool pinned;
	bool list, json, quiet, progress;
	const char *compare;
};

struct reading {
	double ns; /* of the whole loop */
	double cycles; /* of the whole loop; < 0: unreadable */
};

static double since(const struct timespec *a, const struct timespec *b)
{
	return (double)(b->tv_sec - a->tv_sec) * 1e9 +
	       (double)(b->tv_nsec - a->tv_nsec);
}

static struct reading measure(const struct bench *bench, unsigned long n)
{
	uint64_t perf_a = 0, perf_b = 0, tsc_a, tsc_b;
	bool perf = cycles_source == CYCLES_PERF && perf_read(&perf_a);
	struct timespec a, b;
	struct reading r;
	long ret;

	clock_gettime(CLOCK_MONOTONIC_RAW, &a);
	tsc_a = tsc_read();
	ret = bench->loop(n);
	tsc_b = tsc_read();
	clock_gettime(CLOCK_MONOTONIC_RAW, &b);
	perf = perf && perf_read(&perf_b);
	if (ret)
		die("%s failed: %s", bench->name, strerror((int)-ret));

	r.ns = since(&a, &b);
	r.cycles = -1;
	if (perf)
		r.cycles = (double)(perf_b - perf_a);
	else if (cycles_source == CYCLES_TSC || cycles_source == CYCLES_TSCP)
		r.cycles = (double)(int64_t)(tsc_b - tsc_a);
	return r;
}

/* How many iterations take at least @target ns? */
static unsigned long calibrate(const struct bench *bench, double target)
{
	unsigned long n = 1;

	while (n < LOOP_MAX) {
		double ns = measure(bench, n).ns;
		double next;

		if (ns >= target)
			break;
		/* From a short loop one learns only the order of magnitude. */
		next = ns < target / 50 ? n * 10.0 : n * target / ns * 1.02 + 1;
		n = next < LOOP_MAX ? (unsigned long)next : LOOP_MAX;
	}
	return n;
}

static void warm_up(const struct bench *bench)
{
	unsigned long n = 1;
	double spent = 0;

	while (spent < WARM_UP_NS) {
		double ns = measure(bench, n).ns;

		spent += ns;
		if (ns < WARM_UP_NS / 20 && n < LOOP_MAX / 2)
			n *= 2;
	}
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double sorted_median(const double *v, size_t n)
{
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Destroys @v. */
static struct stats make_stats(double *v, size_t n)
{
	struct stats s;
	size_t i;

	qsort(v, n, sizeof(*v), compare_doubles);
	s.min = v[0];
	s.max = v[n - 1];
	s.median = sorted_median(v, n);
	for (i = 0; i < n; i++)
		v[i] = v[i] < s.median ? s.median - v[i] : v[i] - s.median;
	qsort(v, n, sizeof(*v), compare_doubles);
	s.mad = sorted_median(v, n);
	return s;
}

static void show_progress(const struct config *cfg, const char *name,
			  unsigned long done)
{
	static struct timespec last;
	struct timespec now;

	if (!cfg->progress)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	/* Drawing wakes the terminal, which we would then measure. */
	if (progress_shown && since(&last, &now) < 2e8)
		return;
	last = now;
	fprintf(stderr, "\r\033[K%s: sample %lu of %lu", name, done,
		cfg->samples);
	fflush(stderr);
	progress_shown = true;
}

static void run(const struct config *cfg, const struct bench *bench, double *ns,
		double *cycles, struct result *res)
{
	unsigned long i;

	res->bench = bench;
	res->loop = cfg->loop;
	res->have_cycles = cycles_source != CYCLES_NONE;

	show_progress(cfg, bench->name, 0);
	if (!res->loop) {
		warm_up(bench);
		res->loop = calibrate(bench, cfg->time_ms * 1e6);
	}
	measure(bench, res->loop);

	for (i = 0; i < cfg->samples; i++) {
		struct reading r = measure(bench, res->loop);

		ns[i] = r.ns / res->loop;
		cycles[i] = r.cycles / res->loop;
		if (r.cycles < 0)
			res->have_cycles = false;
		show_progress(cfg, bench->name, i + 1);
	}
	progress_clear();
	res->ns = make_stats(ns, cfg->samples);
	res->cycles = make_stats(cycles, cfg->samples);
}

/* -- CPU ------------------------------------------------------------------ */

static void describe_cpus(const cpu_set_t *set, size_t size, char *buf,
			  size_t buf_size)
{
	size_t used = 0;
	int cpu, last;

	buf[0] = '\0';
	for (cpu = 0; cpu < CPUS_MAX; cpu = last + 1) {
		last = cpu;
		if (!CPU_ISSET_S(cpu, size, set))
			continue;
		while (last + 1 < CPUS_MAX && CPU_ISSET_S(last + 1, size, set))
			last++;
		used += snprintf(buf + used, buf_size - used,
				 last > cpu ? "%s%d-%d" : "%s%d",
				 used ? "," : "", cpu, last);
		if (used + 32 > buf_size)
			return;
	}
}

static void pin(struct config *cfg)
{
	size_t size = CPU_ALLOC_SIZE(CPUS_MAX);
	cpu_set_t *set = CPU_ALLOC(CPUS_MAX);
	cpu_set_t *allowed = CPU_ALLOC(CPUS_MAX);
	bool given = cfg->cpu >= 0;
	char cpus[256];

	if (!set || !allowed)
		die("out of memory");
	CPU_ZERO_S(size, set);
	CPU_ZERO_S(size, allowed);
	cpus[0] = '\0';
	if (sched_getaffinity(0, size, allowed) >= 0)
		describe_cpus(allowed, size, cpus, sizeof(cpus));

	if (!given)
		cfg->cpu = sched_getcpu();
	if (cfg->cpu >= 0 && cfg->cpu < CPUS_MAX)
		CPU_SET_S((size_t)cfg->cpu, size, set);

	/* The kernel calls a CPU that is absent or offline an invalid mask. */
	if (cfg->cpu < CPUS_MAX && !sched_setaffinity(0, size, set))
		cfg->pinned = true;
	else if (given && (cfg->cpu >= CPUS_MAX || errno == EINVAL))
		usage_error(
			"--cpu %ld: there is no such CPU to run on; the usable ones are %s",
			cfg->cpu, cpus[0] ? cpus : "unknown");
	else if (given)
		die("cannot run on CPU %ld: %m", cfg->cpu);
	else
		warn_user(
			"cannot stay on one CPU: %m; the figures will vary more");
	CPU_FREE(set);
	CPU_FREE(allowed);
}

/* -- reading a former result ---------------------------------------------- */

/* Just enough JSON, read strictly: the file may have been edited by hand. */
struct json {
	const char *p, *end;
	unsigned long line;
};

static void json_space(struct json *j)
{
	for (; j->p < j->end; j->p++) {
		if (*j->p == '\n')
			j->line++;
		else if (*j->p != ' ' && *j->p != '\t' && *j->p != '\r')
			return;
	}
}

static bool json_char(struct json *j, char c)
{
	json_space(j);
	if (j->p >= j->end || *j->p != c)
		return false;
	j->p++;
	return true;
}

/* Keeps what fits; a character written as \uXXXX is kept as '?'. */
static bool json_string(struct json *j, char *buf, size_t size)
{
	size_t used = 0;
	int i;

	if (!json_char(j, '"'))
		return false;
	while (j->p < j->end) {
		unsigned char c = *j->p++;

		if (c == '"') {
			buf[used] = '\0';
			return true;
		}
		if (c < 0x20)
			return false;
		if (c == '\\') {
			if (j->p >= j->end || !*j->p ||
			    !strchr("\"\\/bfnrtu", *j->p))
				return false;
			c = *j->p++;
			if (c == 'u') {
				for (i = 0; i < 4; i++, j->p++)
					if (j->p >= j->end || !*j->p ||
					    !strchr("0123456789abcdefABCDEF",
						    *j->p))
						return false;
				c = '?';
			} else if (!strchr("\"\\/", c)) {
				c = '?';
			}
		}
		if (used + 1 < size)
			buf[used++] = c;
	}
	return false;
}

static bool json_number(struct json *j, double *value)
{
	char buf[64];
	char *end;
	size_t len;

	json_space(j);
	len = 0;
	while (j->p + len < j->end && len < sizeof(buf) - 1 && j->p[len] &&
	       strchr("+-.0123456789eE", j->p[len]))
		len++;
	if (!len || !(*j->p == '-' || (*j->p >= '0' && *j->p <= '9')))
		return false;
	memcpy(buf, j->p, len);
	buf[len] = '\0';
	*value = strtod(buf, &end);
	if (*end || !isfinite(*value))
		return false;
	j->p += len;
	return true;
}

static bool json_word(struct json *j, const char *word)
{
	size_t len = strlen(word);

	json_space(j);
	if ((size_t)(j->end - j->p) < len || memcmp(j->p, word, len))
		return false;
	j->p += len;
	return true;
}

/*
 * Next member of the object or element of the array that @open opened; @first
 * is true before the first and is changed. 1: there is one, 0: that was all,
 * -1: malformed. @key is NULL in an array.
 */
static int json_next(struct json *j, bool *first, char close, char *key,
		     size_t size)
{
	if (json_char(j, close))
		return 0;
	if (!*first && !json_char(j, ','))
		return -1;
	*first = false;
	if (key && !(json_string(j, key, size) && json_char(j, ':')))
		return -1;
	return 1;
}

static bool json_skip(struct json *j, int depth)
{
	char key[2];
	bool first = true;
	double number;
	int more;

	if (depth > JSON_DEPTH_MAX)
		return false;
	json_space(j);
	if (j->p >= j->end)
		return false;
	switch (*j->p) {
	case '"':
		return json_string(j, key, sizeof(key));
	case '{':
		j->p++;
		while ((more = json_next(j, &first, '}', key, sizeof(key))) > 0)
			if (!json_skip(j, depth + 1))
				return false;
		return !more;
	case '[':
		j->p++;
		while ((more = json_next(j, &first, ']', NULL, 0)) > 0)
			if (!json_skip(j, depth + 1))
				return false;
		return !more;
	case 't':
		return json_word(j, "true");
	case 'f':
		return json_word(j, "false");
	case 'n':
		return json_word(j, "null");
	default:
		return json_number(j, &number);
	}
}

struct base_result {
	char name[32];
	double min, median;
};

/* A former result: what --compare needs of it. */
struct base {
	struct base_result *result;
	size_t results;
	double schema; /* < 0: not said */
	char tool[32];
	char kernel[128];
};

static bool base_ns(struct json *j, struct base_result *r)
{
	bool first = true;
	char key[32];
	int more;

	if (!json_char(j, '{'))
		return false;
	while ((more = json_next(j, &first, '}', key, sizeof(key))) > 0) {
		bool good;

		if (!strcmp(key, "min"))
			good = json_number(j, &r->min);
		else if (!strcmp(key, "median"))
			good = json_number(j, &r->median);
		else
			good = json_skip(j, 0);
		if (!good)
			return false;
	}
	return !more;
}

static bool base_result(struct json *j, struct base *base)
{
	struct base_result r = { .min = -1, .median = -1 };
	struct base_result *grown;
	bool first = true;
	char key[32];
	int more;

	if (!json_char(j, '{'))
		return false;
	while ((more = json_next(j, &first, '}', key, sizeof(key))) > 0) {
		bool good;

		if (!strcmp(key, "syscall"))
			good = json_string(j, r.name, sizeof(r.name));
		else if (!strcmp(key, "ns"))
			good = base_ns(j, &r);
		else
			good = json_skip(j, 0);
		if (!good)
			return false;
	}
	if (more || !r.name[0] || r.min < 0 || r.median < 0)
		return false;
	/* A coarse clock and a short loop: there is no ratio to zero. */
	if (r.min == 0 || r.median == 0)
		return true;
	grown = reallocarray(base->result, base->results + 1, sizeof(r));
	if (!grown)
		die("out of memory");
	base->result = grown;
	base->result[base->results++] = r;
	return true;
}

static bool base_parse(struct json *j, struct base *base)
{
	bool first = true, first_result = true;
	char key[32];
	int more;

	if (!json_char(j, '{'))
		return false;
	while ((more = json_next(j, &first, '}', key, sizeof(key))) > 0) {
		bool good = true;

		if (!strcmp(key, "schema_version")) {
			good = json_number(j, &base->schema);
		} else if (!strcmp(key, "tool")) {
			good = json_string(j, base->tool, sizeof(base->tool));
		} else if (!strcmp(key, "kernel")) {
			good = json_string(j, base->kernel,
					   sizeof(base->kernel));
		} else if (!strcmp(key, "results") &&
			   (base->schema < 0 ||
			    base->schema == SCHEMA_VERSION)) {
			good = json_char(j, '[');
			while (good && (more = json_next(j, &first_result, ']',
							 NULL, 0)) > 0)
				good = base_result(j, base);
			good = good && !more;
		} else {
			good = json_skip(j, 0);
		}
		if (!good)
			return false;
	}
	json_space(j);
	return !more && j->p == j->end;
}

static const struct base_result *base_find(const struct base *base,
					   const char *name)
{
	size_t i;

	for (i = 0; i < base->results; i++)
		if (!strcmp(base->result[i].name, name))
			return &base->result[i];
	return NULL;
}

static void base_load(struct base *base, const char *file)
{
	struct json j = { .line = 1 };
	char *text = malloc(BASE_FILE_MAX + 1);
	FILE *f;
	size_t len;
	bool good;

	if (!text)
		die("out of memory");
	f = fopen(file, "re");
	if (!f)
		die("cannot open %s: %m", file);
	len = fread(text, 1, BASE_FILE_MAX + 1, f);
	if (ferror(f))
		die("cannot read %s: %m", file);
	fclose(f);
	if (len > BASE_FILE_MAX)
		die("%s is too large for a result of " PROG " --json", file);

	j.p = text;
	j.end = text + len;
	base->schema = -1;
	good = base_parse(&j, base);
	if (good && base->tool[0] && strcmp(base->tool, PROG))
		die("%s was written by %s, not by " PROG " --json", file,
		    base->tool);
	if (good && base->schema >= 0 && base->schema != SCHEMA_VERSION)
		die("%s has schema version %g, and this " PROG " reads %d",
		    file, base->schema, SCHEMA_VERSION);
	if (!good)
		die("%s is not a result of " PROG
		    " --json: line %lu is not what it writes",
		    file, j.line);
	if (base->schema < 0 || !base->tool[0])
		die("%s is not a result of " PROG
		    " --json: it has no tool or schema_version",
		    file);
	if (!base->results)
		die("%s has no results to compare with", file);
	free(text);
}

/* Nothing asked for: what the file has. And something must be in both. */
static void base_choose(const struct base *base, struct config *cfg)
{
	const struct bench *bench;
	size_t i, common = 0;

	if (!cfg->benches) {
		for (i = 0; i < base->results; i++) {
			const char *name = base->result[i].name;

			bench = find_bench(name, strlen(name));
			if (bench && cfg->benches < ARRAY_SIZE(benches))
				cfg->bench[cfg->benches++] = bench;
		}
	}
	for (i = 0; i < cfg->benches; i++)
		if (base_find(base, cfg->bench[i]->name))
			common++;
	if (!common)
		die("%s has none of the syscalls to measure", cfg->compare);
}

/* -- printing ------------------------------------------------------------- */

static void json_print_string(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		unsigned char c = *s;

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < 0x20 || c >= 0x7f)
			/* uname and file names need not be UTF-8 */
			printf("\\u%04x", c);
		else
			putchar(c);
	}
	putchar('"');
}

static void json_print_stats(const char *key, const struct stats *s)
{
	printf("\"%s\": { \"min\": %.3f, \"median\": %.3f, \"max\": %.3f, \"mad\": %.3f }",
	       key, s->min, s->median, s->max, s->mad);
}

static void print_json(const struct config *cfg, const struct utsname *uts,
		       const struct result *res, const struct base *base)
{
	size_t i;

	printf("{\n  \"schema_version\": %d,\n", SCHEMA_VERSION);
	printf("  \"tool\": \"" PROG "\",\n");
	printf("  \"version\": \"" AFP_VERSION "\",\n");
	printf("  \"kernel\": ");
	json_print_string(uts->release);
	printf(",\n  \"machine\": ");
	json_print_string(uts->machine);
	printf(",\n  \"cpu\": %ld,\n  \"pinned\": %s,\n", cfg->cpu,
	       cfg->pinned ? "true" : "false");
	printf("  \"samples\": %lu,\n", cfg->samples);
	if (cfg->loop)
		printf("  \"sample_ms\": null,\n");
	else
		printf("  \"sample_ms\": %lu,\n", cfg->time_ms);
	printf("  \"cycles_source\": \"%s\",\n", cycles_names[cycles_source]);
	if (base) {
		printf("  \"compared_with\": ");
		json_print_string(cfg->compare);
		printf(",\n");
	}
	printf("  \"results\": [\n");
	for (i = 0; i < cfg->benches; i++, res++) {
		const struct base_result *was;

		printf("    { \"syscall\": \"%s\", \"loop\": %lu,\n      ",
		       res->bench->name, res->loop);
		json_print_stats("ns", &res->ns);
		printf(",\n      ");
		if (res->have_cycles)
			json_print_stats("cycles", &res->cycles);
		else
			printf("\"cycles\": null");
		was = base ? base_find(base, res->bench->name) : NULL;
		if (was)
			printf(",\n      \"compare\": { \"min\": %.3f, \"median\": %.3f, \"min_ratio\": %.4f, \"median_ratio\": %.4f }",
			       was->min, was->median, res->ns.min / was->min,
			       res->ns.median / was->median);
		else if (base)
			printf(",\n      \"compare\": null");
		printf(" }%s\n", i + 1 < cfg->benches ? "," : "");
	}
	printf("  ]\n}\n");
}

static void print_head(const struct config *cfg, const struct utsname *uts,
		       const struct base *base)
{
	if (cfg->quiet || cfg->json)
		return;
	printf("Linux %s %s, ", uts->release, uts->machine);
	if (cfg->pinned)
		printf("CPU %ld, ", cfg->cpu);
	printf("%lu sample%s of ", cfg->samples, cfg->samples == 1 ? "" : "s");
	if (cfg->loop)
		printf("%lu iteration%s", cfg->loop, cfg->loop == 1 ? "" : "s");
	else
		printf("%lu ms", cfg->time_ms);
	if (cycles_source == CYCLES_PERF)
		printf(", cycles by perf (core clock)");
	else if (cycles_source != CYCLES_NONE)
		printf(", cycles by %s (reference clock)",
		       cycles_names[cycles_source]);
	else
		printf(", no cycle counter");
	printf("\n");
	if (base)
		printf("ratio: minimum now to minimum in %s (Linux %s)\n",
		       cfg->compare,
		       base->kernel[0] ? base->kernel : "unknown");
	printf("\n%-12s %10s %10s %10s %8s %10s %10s%s\n", "", "ns/op", "", "",
	       "", "cycles/op", "", "");
	printf("%-12s %10s %10s %10s %8s %10s %10s", "syscall", "min", "median",
	       "max", "MAD", "min", "median");
	if (base)
		printf(" %10s %7s", "before", "ratio");
	printf("\n");
}

static void print_result(const struct config *cfg, const struct result *res,
			 const struct base *base)
{
	const struct base_result *was = NULL;

	if (cfg->json)
		return;
	if (base)
		was = base_find(base, res->bench->name);
	if (cfg->quiet) {
		printf("%s %.2f", res->bench->name, res->ns.min);
	} else {
		printf("%-12s %10.2f %10.2f %10.2f %8.2f", res->bench->name,
		       res->ns.min, res->ns.median, res->ns.max, res->ns.mad);
		if (res->have_cycles)
			printf(" %10.1f %10.1f", res->cycles.min,
			       res->cycles.median);
		else
			printf(" %10s %10s", "-", "-");
	}
	if (was && cfg->quiet)
		printf(" %.4f", res->ns.min / was->min);
	else if (was)
		printf(" %10.2f %7.3f", was->min, res->ns.min / was->min);
	else if (base)
		printf(cfg->quiet ? " -" : " %10s %7s", "-", "-");
	printf("\n");
	fflush(stdout);
}

static void print_list(bool quiet)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(benches); i++) {
		if (quiet)
			puts(benches[i].name);
		else
			printf("%-12s %s\n", benches[i].name, benches[i].what);
	}
}

static void print_help(void)
{
	printf("Usage: " PROG " [OPTION]...\n"
	       "Measure what a syscall costs. The audit rules are left as they are.\n"
	       "\n"
	       "  -s, --syscall NAME[,NAME]  what to measure; may be repeated; \"all\" is every\n"
	       "                             one (default: getpid)\n"
	       "  -n, --samples N            samples of each syscall, 1-%d (default: %d)\n"
	       "  -t, --time MS              shortest sample, 1-%d ms (default: %d)\n"
	       "  -l, --loop N               N iterations per sample, without calibration or\n"
	       "                             warm-up by time: for emulators that count\n"
	       "                             instructions\n"
	       "  -c, --cpu N                run on CPU N (default: the current one)\n"
	       "  -C, --compare FILE         print the ratio to FILE, written by --json\n"
	       "  -j, --json                 print JSON\n"
	       "  -q, --quiet, --min-only    print \"NAME MINIMUM\" and nothing else\n"
	       "  -L, --list                 list the syscalls\n"
	       "  -h, --help                 print this help\n"
	       "  -V, --version              print the version\n"
	       "\n"
	       "Exit status: 0 measured, 1 could not measure or compare, 2 wrong usage.\n",
	       SAMPLES_MAX, SAMPLES_DEFAULT, TIME_MAX_MS, TIME_DEFAULT_MS);
}

/* A full disk or a closed pipe must not look like a result. */
static void finish_output(void)
{
	if (fflush(stdout) || ferror(stdout))
		die("cannot write the result: %m");
}

/* -- command line --------------------------------------------------------- */

static unsigned long parse_number(const char *option, const char *text,
				  unsigned long min, unsigned long max)
{
	unsigned long value = 0;
	const char *p = text;

	for (; *p >= '0' && *p <= '9'; p++) {
		unsigned long digit = *p - '0';

		if (value > (ULONG_MAX - digit) / 10)
			break;
		value = value * 10 + digit;
	}
	if (p == text || *p || value < min || value > max)
		usage_error("%s '%s': give a whole number from %lu to %lu",
			    option, text, min, max);
	return value;
}

static void add_bench(struct config *cfg, const struct bench *bench)
{
	size_t i;

	for (i = 0; i < cfg->benches; i++)
		if (cfg->bench[i] == bench)
			return;
	cfg->bench[cfg->benches++] = bench;
}

static void add_syscalls(struct config *cfg, const char *list)
{
	size_t i, len;

	for (;; list += len + 1) {
		const struct bench *bench;

		len = strcspn(list, ",");
		bench = find_bench(list, len);
		if (bench)
			add_bench(cfg, bench);
		else if (len == 3 && !memcmp(list, "all", 3))
			for (i = 0; i < ARRAY_SIZE(benches); i++)
				add_bench(cfg, &benches[i]);
		else
			usage_error("--syscall: unknown syscall '%.*s'; " PROG
				    " --list shows the known ones",
				    (int)len, list);
		if (!list[len])
			return;
	}
}

static void parse(int argc, char **argv, struct config *cfg)
{
	static const struct option options[] = {
		{ "syscall", required_argument, NULL, 's' },
		{ "samples", required_argument, NULL, 'n' },
		{ "time", required_argument, NULL, 't' },
		{ "loop", required_argument, NULL, 'l' },
		{ "cpu", required_argument, NULL, 'c' },
		{ "compare", required_argument, NULL, 'C' },
		{ "json", no_argument, NULL, 'j' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "min-only", no_argument, NULL, 'q' },
		{ "list", no_argument, NULL, 'L' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 }
	};
	bool timed = false, other = false;

	opterr = 0;
	for (;;) {
		const char *was = argv[optind];
		int c = getopt_long(argc, argv, "+:s:n:t:l:c:C:jqLhV", options,
				    NULL);

		if (c < 0)
			break;
		if (c != 'L' && c != 'q')
			other = true;
		switch (c) {
		case 's':
			add_syscalls(cfg, optarg);
			break;
		case 'n':
			cfg->samples = parse_number("--samples", optarg, 1,
						    SAMPLES_MAX);
			break;
		case 't':
			cfg->time_ms =
				parse_number("--time", optarg, 1, TIME_MAX_MS);
			timed = true;
			break;
		case 'l':
			cfg->loop = parse_number("--loop", optarg, 1, LOOP_MAX);
			break;
		case 'c':
			cfg->cpu = (long)parse_number("--cpu", optarg, 0,
						      CPUS_MAX - 1);
			break;
		case 'C':
			cfg->compare = optarg;
			break;
		case 'j':
			cfg->json = true;
			break;
		case 'q':
			cfg->quiet = true;
			break;
		case 'L':
			cfg->list = true;
			break;
		case 'h':
			print_help();
			finish_output();
			exit(EXIT_SUCCESS);
		case 'V':
			puts(PROG " " AFP_VERSION);
			finish_output();
			exit(EXIT_SUCCESS);
		case ':':
			usage_error("option '%s' needs a value; " PROG
				    " --help shows which",
				    was);
		default:
			usage_error("unknown option '%s'; " PROG
				    " --help shows the known ones",
				    was);
		}
	}
	if (optind < argc)
		usage_error(
			"unexpected argument '%s'; syscalls are named with --syscall",
			argv[optind]);
	if (cfg->list && other)
		usage_error(
			"--list measures nothing; give it alone or with --quiet");
	if (cfg->json && cfg->quiet)
		usage_error(
			"--json and --quiet are two formats; give one of them");
	if (cfg->loop && timed)
		usage_error(
			"--loop fixes what --time calibrates; give one of them");
}

int main(int argc, char **argv)
{
	struct config cfg = {
		.samples = SAMPLES_DEFAULT,
		.time_ms = TIME_DEFAULT_MS,
		.cpu = -1,
	};
	struct base base = { 0 };
	struct result *res;
	struct utsname uts;
	double *ns, *cycles;
	size_t i;

	if (argc == 1 && !strcmp(argv[0], EXEC_CHILD))
		_exit(0);
	if (argc < 1)
		return EXIT_USAGE;

	parse(argc, argv, &cfg);
	if (cfg.list) {
		print_list(cfg.quiet);
		finish_output();
		return EXIT_SUCCESS;
	}
	if (cfg.compare) {
		base_load(&base, cfg.compare);
		base_choose(&base, &cfg);
	}
	if (!cfg.benches)
		add_syscalls(&cfg, "getpid");
	cfg.progress = !cfg.quiet && isatty(STDERR_FILENO);

	pin(&cfg);
	if (uname(&uts))
		die("uname failed: %m");
	res = calloc(cfg.benches, sizeof(*res));
	ns = calloc(cfg.samples, sizeof(*ns));
	cycles = calloc(cfg.samples, sizeof(*cycles));
	if (!res || !ns || !cycles)
		die("out of memory");

	fixture.owner = getpid();
	if (atexit(remove_files))
		die("out of memory");
	catch_signals();
	/* Each once, so that what cannot work is said before we start. */
	for (i = 0; i < cfg.benches; i++) {
		long ret;

		provide(cfg.bench[i]->need);
		ret = cfg.bench[i]->loop(1);
		if (ret)
			die("%s failed: %s", cfg.bench[i]->name,
			    strerror((int)-ret));
	}
	cycles_source = find_cycles();

	print_head(&cfg, &uts, cfg.compare ? &base : NULL);
	for (i = 0; i < cfg.benches; i++) {
		run(&cfg, cfg.bench[i], ns, cycles, &res[i]);
		print_result(&cfg, &res[i], cfg.compare ? &base : NULL);
	}
	if (cfg.json)
		print_json(&cfg, &uts, res, cfg.compare ? &base : NULL);
	finish_output();
	free(base.result);
	free(res);
	free(ns);
	free(cycles);
	return EXIT_SUCCESS;
}
