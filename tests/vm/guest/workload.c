// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: workload --prepare DIR
 *        workload DIR
 *
 * One run of calls that audit rules may or may not match, for the record
 * equality test: two runs on equal kernels under equal rules must leave equal
 * records. --prepare lays out DIR, which must be an empty tmpfs (so that inode
 * numbers repeat); the rules are loaded in between, as all-fields.rules names
 * files in DIR. The run sends the user messages "afp-begin" and "afp-end"
 * around itself and prints what every call returned.
 *
 * What makes it repeat:
 *  - system calls go straight to the kernel, unused arguments are zero, and
 *    buffers are static: an address in a record is the same each time, if
 *    the kernel is booted with norandmaps;
 *  - each task names itself in its first call, so records can be told apart
 *    by comm; nothing of libc runs in between;
 *  - tasks run one at a time, but for threads_together() and storm(), which
 *    make no inode and wait in calls whose number does not depend on timing;
 *  - who has to know that another task sleeps has a task named "quiet" look,
 *    and the normaliser drops what that one does.
 */
#define _GNU_SOURCE
/* First: the kernel's headers define what is an enum in that of older libcs. */
#include <sys/mount.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <mqueue.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "native.h"

/* Newer than some headers. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif
#ifndef AUDIT_FILTER_URING_EXIT
#define AUDIT_FILTER_URING_EXIT 0x07
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define USER 1000
#define GROUP 1000
#define OTHER_GROUP 2000

#define NR_LOGS 192
#define LOG_SIZE 1200

/* What one task's calls returned; shared by all tasks, printed at the end. */
struct tasklog {
	char name[16];
	int nr;
	struct {
		int call;
		long ret;
	} entry[LOG_SIZE];
};

static struct {
	int nr;
	struct tasklog log[NR_LOGS];
} *logs;

static struct tasklog *cur;
static char top[64];
static char data[16384];

/* Raw system calls */

#define raw	native_call

static long note(struct tasklog *log, long nr, long ret)
{
	if (log && log->nr < LOG_SIZE) {
		log->entry[log->nr].call = nr;
		log->entry[log->nr++].ret = ret;
	}
	return ret;
}

/* Call and remember: S(nr, arguments...), T(log, nr, arguments...). */
#define T_(log, nr, a, b, c, d, e, f, ...) \
	note(log, nr, raw(nr, (long)(a), (long)(b), (long)(c), (long)(d), \
			  (long)(e), (long)(f)))
#define T(log, ...) T_(log, __VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)
#define S(...) T(cur, __VA_ARGS__)

/* Call and forget: what this returns may differ between runs. */
#define R_(nr, a, b, c, d, e, f, ...) \
	raw(nr, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), \
	    (long)(f))
#define R(...) R_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

/* In the logs, calls by the 32-bit entry have this added. */
#define INT80 100000

/* The 32-bit entry. */
static long int80(long nr, long a, long b, long c, long d)
{
	return note(cur, INT80 + nr, native_int80(nr, a, b, c, d, 0));
}

#define I80_(nr, a, b, c, d, ...) \
	int80(nr, (long)(a), (long)(b), (long)(c), (long)(d))
#define I80(...) I80_(__VA_ARGS__, 0, 0, 0, 0, 0)

/*
 * raw_thread(flags, stack, ptid, ctid, fn, arg): clone(2) whose child runs
 * fn(arg) on stack and then exits its thread.
 */
long raw_thread(long flags, void *stack, int *ptid, int *ctid,
		void (*fn)(void *), void *arg);
#ifdef __x86_64__
asm(".text\n"
    ".type raw_thread, @function\n"
    "raw_thread:\n"
	"mov %rcx, %r10\n"
	"sub $16, %rsi\n"
	"mov %r8, (%rsi)\n"
	"mov %r9, 8(%rsi)\n"
	"xor %r8d, %r8d\n"
	"xor %r9d, %r9d\n"
	"mov $56, %eax\n"
	"syscall\n"
	"test %rax, %rax\n"
	"jz 1f\n"
	"ret\n"
"1:	xor %ebp, %ebp\n"
	"pop %rax\n"
	"pop %rdi\n"
	"call *%rax\n"
	"mov $60, %eax\n"
	"xor %edi, %edi\n"
	"syscall\n"
    ".size raw_thread, . - raw_thread\n");
#else
/* Here ctid is the fifth argument of the call, and 4 the other's place. */
asm(".text\n"
    ".type raw_thread, @function\n"
    "raw_thread:\n"
	"sub x1, x1, #16\n"
	"stp x4, x5, [x1]\n"
	"mov x4, x3\n"
	"mov x3, #0\n"
	"mov x8, #220\n"
	"svc #0\n"
	"cbz x0, 1f\n"
	"ret\n"
"1:	mov x29, #0\n"
	"ldp x1, x0, [sp], #16\n"
	"blr x1\n"
	"mov x0, #0\n"
	"mov x8, #93\n"
	"svc #0\n"
    ".size raw_thread, . - raw_thread\n");
#endif

/* Names and tasks */

/* DIR/d/name, in one of a few static buffers. */
static const char *path(const char *d, const char *name)
{
	static char buf[8][128];
	static int next;
	char *p = buf[next++ % ARRAY_SIZE(buf)];

	strcpy(p, top);
	if (d[0]) {
		strcat(p, "/");
		strcat(p, d);
	}
	if (name[0]) {
		strcat(p, "/");
		strcat(p, name);
	}
	return p;
}

static void shut(long fd)
{
	if (fd >= 0)
		S(SYS_close, fd);
}

static struct tasklog *new_log(const char *name)
{
	struct tasklog *log = &logs->log[logs->nr++];

	if (logs->nr > NR_LOGS)
		R(SYS_exit_group, 99);
	strncpy(log->name, name, sizeof(log->name) - 1);
	return log;
}

/* What a child does first: get its name, and its own log. */
static void named(const char *name, struct tasklog *log)
{
	cur = log;
	S(SYS_prctl, PR_SET_NAME, name);
}

static int status;

/* Start a child that runs fn(arg) under its own name, do not wait. */
static long start(const char *name, void (*fn)(long), long arg)
{
	struct tasklog *log = new_log(name);
	long pid = R(SYS_fork);

	if (pid)
		return note(cur, SYS_fork, pid);
	named(name, log);
	fn(arg);
	S(SYS_exit_group, 0);
	__builtin_unreachable();
}

static void reap(long pid)
{
	S(SYS_wait4, pid, &status, 0, 0);
	note(cur, -2, status);
}

static void run(const char *name, void (*fn)(long), long arg)
{
	reap(start(name, fn, arg));
}

/*
 * A task named "quiet" that waits until pid sleeps and then sends it sig, if
 * any. Its calls are many or few, so the normaliser drops its events, and it
 * keeps no log.
 */
static long quiet_in(struct tasklog *log, long pid, int sig)
{
	static char name[32], text[256];
	long child = R(SYS_fork);
	char *p;
	long fd;

	if (child)
		return note(log, SYS_fork, child);
	R(SYS_prctl, PR_SET_NAME, "quiet");
	sprintf(name, "/proc/%ld/stat", pid);
	for (;;) {
		static const struct timespec ms = { 0, 1000000 };

		fd = R(SYS_open, name, O_RDONLY);
		memset(text, 0, sizeof(text));
		R(SYS_read, fd, text, sizeof(text) - 1);
		R(SYS_close, fd);
		p = strrchr(text, ')');
		if (!p || p[2] == 'S')
			break;
		R(SYS_nanosleep, &ms, 0);
	}
	if (sig)
		R(SYS_kill, pid, sig);
	R(SYS_exit_group, 0);
	__builtin_unreachable();
}

static long quiet(long pid, int sig)
{
	return quiet_in(cur, pid, sig);
}

static void until_asleep(long pid)
{
	reap(quiet(pid, 0));
}

/* Identities */

static void login_as(const char *auid)
{
	long fd = S(SYS_open, "/proc/self/loginuid", O_WRONLY);

	S(SYS_write, fd, auid, strlen(auid));
	shut(fd);
}

static void become_user(void)
{
	S(SYS_setgroups, 0, 0);
	S(SYS_setresgid, GROUP, GROUP, GROUP);
	S(SYS_setresuid, USER, USER, USER);
}

enum who { ROOT, PLAIN_USER, LOGGED_IN, SUDO };

static void be(enum who who)
{
	if (who == LOGGED_IN || who == SUDO)
		login_as("1000");
	if (who == PLAIN_USER || who == LOGGED_IN)
		become_user();
}

/* Audit's netlink interface */

static struct {
	struct nlmsghdr h;
	char payload[sizeof(struct audit_rule_data) + 512];
} msg;

static long audit_socket(void)
{
	return S(SYS_socket, AF_NETLINK, SOCK_RAW, NETLINK_AUDIT);
}

/* Send msg, whose payload is len long, and log the kernel's answer. */
static void audit_send(long fd, int type, size_t len)
{
	static const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	static struct {
		struct nlmsghdr h;
		struct nlmsgerr e;
		char rest[1024];
	} ack;

	msg.h.nlmsg_type = type;
	msg.h.nlmsg_len = NLMSG_LENGTH(len);
	msg.h.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	msg.h.nlmsg_seq++;
	S(SYS_sendto, fd, &msg, NLMSG_SPACE(len), 0, &kernel, sizeof(kernel));
	memset(&ack, 0, sizeof(ack));
	S(SYS_recvfrom, fd, &ack, sizeof(ack), 0);
	note(cur, -3, ack.e.error);
}

static void audit_user(long fd, const char *text)
{
	strcpy(NLMSG_DATA(&msg.h), text);
	audit_send(fd, AUDIT_USER, strlen(text) + 1);
}

static void audit_set(long fd, unsigned int mask, unsigned int enabled)
{
	struct audit_status *s = NLMSG_DATA(&msg.h);

	memset(s, 0, sizeof(*s));
	s->mask = mask;
	s->enabled = enabled;
	audit_send(fd, AUDIT_SET, sizeof(*s));
}

static struct audit_rule_data *rule_new(int list, int action)
{
	struct audit_rule_data *r = NLMSG_DATA(&msg.h);

	memset(msg.payload, 0, sizeof(msg.payload));
	r->flags = list;
	r->action = action;
	return r;
}

static void rule_call(struct audit_rule_data *r, int nr)
{
	r->mask[AUDIT_WORD(nr)] |= AUDIT_BIT(nr);
}

static void rule_all(struct audit_rule_data *r)
{
	memset(r->mask, 0xff, sizeof(r->mask));
}

static void rule_num(struct audit_rule_data *r, int field, unsigned int op,
		     unsigned int value)
{
	r->fields[r->field_count] = field;
	r->fieldflags[r->field_count] = op;
	r->values[r->field_count++] = value;
}

static void rule_str(struct audit_rule_data *r, int field, const char *text)
{
	rule_num(r, field, AUDIT_EQUAL, strlen(text));
	memcpy(r->buf + r->buflen, text, strlen(text));
	r->buflen += strlen(text);
}

static void rule_send(long fd, int type)
{
	struct audit_rule_data *r = NLMSG_DATA(&msg.h);

	/* the place in the list is not part of the rule */
	if (type == AUDIT_DEL_RULE)
		r->flags &= ~AUDIT_FILTER_PREPEND;
	audit_send(fd, type, sizeof(*r) + r->buflen);
}

/* Files */

static const char *const dirs[] = { "watched", "tree", "plain" };

static void opens(const char *d)
{
	static const int flags[] = {
		O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_RDWR,
		O_WRONLY | O_APPEND, O_RDWR | O_TRUNC, O_RDONLY | O_TRUNC,
		O_PATH, O_NOFOLLOW, O_DIRECTORY, O_CREAT | O_RDWR,
		O_CREAT | O_EXCL | O_WRONLY, O_NONBLOCK | O_NOATIME,
	};
	static struct open_how how;
	long dir, fd;
	size_t i;

	dir = S(SYS_open, path(d, ""), O_RDONLY | O_DIRECTORY);
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		shut(S(SYS_open, path(d, "f1"), flags[i], 0640));
		shut(S(SYS_openat, AT_FDCWD, path(d, "f2"), flags[i], 0640));
		how.flags = flags[i];
		how.mode = flags[i] & O_CREAT ? 0640 : 0;
		how.resolve = i & 1 ? RESOLVE_BENEATH : 0;
		shut(S(SYS_openat2, dir, "f1", &how, sizeof(how)));
	}
	how.flags = O_RDWR;
	how.mode = how.resolve = 0;
	shut(S(SYS_openat2, dir, "f1", &how, 4));
	shut(S(SYS_openat2, dir, "f1", 8, sizeof(how)));
	shut(S(SYS_openat2, dir, "missing", &how, sizeof(how)));
	shut(S(SYS_openat, dir, "f1", O_RDONLY));
	shut(S(SYS_openat, dir, "missing", O_RDWR));

	/* new ones */
	fd = S(SYS_open, path(d, "new"), O_CREAT | O_EXCL | O_WRONLY, 0640);
	if (fd >= 0)
		S(SYS_write, fd, "new", 3);
	shut(fd);
	shut(S(SYS_open, path(d, "new"), O_CREAT | O_EXCL | O_WRONLY, 0640));
	S(SYS_unlink, path(d, "new"));
	shut(S(SYS_creat, path(d, "new"), 0600));
	S(SYS_unlinkat, dir, "new", 0);
	fd = S(SYS_open, path(d, ""), O_TMPFILE | O_RDWR, 0600);
	if (fd >= 0)
		S(SYS_linkat, fd, "", dir, "fromtmp", AT_EMPTY_PATH);
	shut(fd);
	S(SYS_unlinkat, dir, "fromtmp", 0);

	/* and what goes wrong */
	shut(S(SYS_open, path(d, "missing"), O_RDONLY));
	shut(S(SYS_open, path(d, "missing"), O_WRONLY));
	shut(S(SYS_open, path(d, "missing/deeper"), O_RDWR));
	shut(S(SYS_open, path(d, "f1/under"), O_RDONLY));
	shut(S(SYS_open, path(d, "f1/under"), O_CREAT | O_RDWR, 0600));
	shut(S(SYS_open, path(d, "sub"), O_RDWR));
	shut(S(SYS_open, path(d, "dangling"), O_RDONLY));
	shut(S(SYS_open, path(d, "link"), O_RDONLY | O_NOFOLLOW));
	shut(S(SYS_open, path(d, "link"), O_RDWR));
	shut(S(SYS_open, path("priv", "secret"), O_RDONLY));
	shut(S(SYS_open, path("priv", "secret"), O_RDWR));
	shut(S(SYS_openat, AT_FDCWD, path("priv", "none"), O_CREAT | O_EXCL,
	       0600));
	S(SYS_unlink, path("priv", "none"));
	shut(S(SYS_open, 0, O_RDONLY));
	shut(S(SYS_open, "", O_RDONLY));
	shut(dir);
}

static void contents(const char *d)
{
	static struct iovec iov = { data, 32 };
	static char buf[512];
	long fd, fd2;

	fd = S(SYS_open, path(d, "f1"), O_RDWR);
	S(SYS_write, fd, "0123456789", 10);
	S(SYS_lseek, fd, 0, SEEK_SET);
	S(SYS_read, fd, buf, 16);
	S(SYS_read, fd, buf, 0);
	S(SYS_pread64, fd, buf, 4, 2);
	S(SYS_pwrite64, fd, "ab", 2, 1);
	S(SYS_readv, fd, &iov, 1);
	S(SYS_writev, fd, &iov, 1);
	S(SYS_fsync, fd);
	S(SYS_ftruncate, fd, 20);
	S(SYS_fallocate, fd, 0, 0, 64);
	S(SYS_fcntl, fd, F_GETFL);
	S(SYS_ioctl, fd, FIONREAD, buf);
	fd2 = S(SYS_dup, fd);
	S(SYS_dup3, fd, fd2, O_CLOEXEC);
	S(SYS_sendfile, fd, fd2, 0, 8);
	shut(fd2);
	shut(fd);
	S(SYS_read, 77, buf, 1);
	S(SYS_write, 77, buf, 1);

	fd = S(SYS_open, path(d, ""), O_RDONLY | O_DIRECTORY);
	S(SYS_getdents64, fd, buf, sizeof(buf));
	S(SYS_fchdir, fd);
	S(SYS_getcwd, buf, sizeof(buf));
	shut(S(SYS_open, "f2", O_RDONLY));
	S(SYS_chdir, "/");
	shut(fd);
}

static void looks(const char *d)
{
	static char buf[512];
	long fd;

	S(SYS_stat, path(d, "f1"), buf);
	S(SYS_stat, path(d, "missing"), buf);
	S(SYS_lstat, path(d, "link"), buf);
	S(SYS_newfstatat, AT_FDCWD, path(d, "f2"), buf, 0);
	S(SYS_statx, AT_FDCWD, path(d, "f1"), 0, STATX_BASIC_STATS, buf);
	S(SYS_access, path(d, "f1"), R_OK);
	S(SYS_access, path(d, "f1"), X_OK);
	S(SYS_faccessat, AT_FDCWD, path("priv", "secret"), W_OK);
	S(SYS_faccessat2, AT_FDCWD, path(d, "f1"), W_OK, AT_EACCESS);
	S(SYS_readlink, path(d, "link"), buf, sizeof(buf));
	S(SYS_readlinkat, AT_FDCWD, path(d, "f1"), buf, sizeof(buf));
	S(SYS_statfs, path(d, ""), buf);
	fd = S(SYS_open, path(d, "f1"), O_PATH);
	S(SYS_fstat, fd, buf);
	shut(fd);
}

static void attributes(const char *d)
{
	static const struct timespec when[2] = { { 1, 0 }, { 2, 0 } };
	static char buf[64];
	long fd;

	S(SYS_chmod, path(d, "f1"), 0600);
	S(SYS_chmod, path(d, "f1"), 0644);
	S(SYS_chmod, path(d, "missing"), 0644);
	S(SYS_fchmodat, AT_FDCWD, path(d, "f2"), 0644);
	S(SYS_fchmodat2, AT_FDCWD, path(d, "f2"), 0644, 0);
	S(SYS_chown, path(d, "f1"), USER, GROUP);
	S(SYS_chown, path(d, "f1"), 0, 0);
	S(SYS_lchown, path(d, "link"), 0, 0);
	S(SYS_fchownat, AT_FDCWD, path(d, "f2"), 0, 0, 0);
	S(SYS_utimensat, AT_FDCWD, path(d, "f1"), when, 0);
	S(SYS_truncate, path(d, "f1"), 10);
	S(SYS_truncate, path(d, "missing"), 10);
	S(SYS_setxattr, path(d, "f1"), "trusted.afp", "v", 1, 0);
	S(SYS_setxattr, path(d, "f1"), "user.afp", "v", 1, 0);
	S(SYS_lsetxattr, path(d, "link"), "trusted.afp", "v", 1, 0);
	S(SYS_getxattr, path(d, "f1"), "trusted.afp", buf, sizeof(buf));
	S(SYS_listxattr, path(d, "f1"), buf, sizeof(buf));
	S(SYS_removexattr, path(d, "f1"), "trusted.afp");
	S(SYS_removexattr, path(d, "f1"), "user.afp");
	S(SYS_lremovexattr, path(d, "link"), "trusted.afp");
	fd = S(SYS_open, path(d, "f1"), O_RDONLY);
	S(SYS_fchmod, fd, 0644);
	S(SYS_fchown, fd, 0, 0);
	S(SYS_fsetxattr, fd, "trusted.afp", "v", 1, 0);
	S(SYS_fremovexattr, fd, "trusted.afp");
	shut(fd);
}

static void names(const char *d)
{
	long dir = S(SYS_open, path(d, ""), O_RDONLY | O_DIRECTORY);

	S(SYS_link, path(d, "f1"), path(d, "hard"));
	S(SYS_link, path(d, "f1"), path(d, "f2"));
	S(SYS_link, path("plain", "f1"), path("plain", "hard2"));
	S(SYS_unlink, path("plain", "hard2"));
	S(SYS_symlink, "f1", path(d, "soft"));
	S(SYS_symlinkat, "f1", dir, "soft2");
	S(SYS_rename, path(d, "hard"), path(d, "moved"));
	S(SYS_rename, path(d, "missing"), path(d, "moved"));
	S(SYS_renameat, dir, "soft", dir, "soft3");
	S(SYS_renameat2, dir, "moved", AT_FDCWD, path("plain", "across"), 0);
	S(SYS_renameat2, AT_FDCWD, path("plain", "across"), dir, "f2",
	  RENAME_NOREPLACE);
	S(SYS_renameat2, AT_FDCWD, path("plain", "across"), dir, "soft3",
	  RENAME_EXCHANGE);
	S(SYS_unlink, path("plain", "across"));
	S(SYS_unlink, path(d, "soft3"));
	S(SYS_unlinkat, dir, "soft2", 0);
	S(SYS_unlink, path(d, "missing"));
	S(SYS_unlink, path(d, "sub"));
	S(SYS_unlink, path("priv", "secret2"));
	S(SYS_mkdir, path(d, "made"), 0755);
	S(SYS_mkdir, path(d, "made"), 0755);
	S(SYS_mkdirat, dir, "made/in", 0700);
	S(SYS_rmdir, path(d, "made"));
	S(SYS_rename, path(d, "made/in"), path(d, "made2"));
	S(SYS_rmdir, path(d, "made2"));
	S(SYS_unlinkat, dir, "made", AT_REMOVEDIR);
	S(SYS_rmdir, path(d, "f1"));
	S(SYS_mknod, path(d, "fifo"), S_IFIFO | 0600);
	S(SYS_mknodat, dir, "null", S_IFCHR | 0600, 0x103);
	S(SYS_mknod, path(d, "block"), S_IFBLK | 0600, 0x700);
	shut(S(SYS_open, path(d, "null"), O_WRONLY));
	S(SYS_unlink, path(d, "fifo"));
	S(SYS_unlink, path(d, "null"));
	S(SYS_unlink, path(d, "block"));
	S(SYS_mkdir, path("f1", "x"), 0700);
	shut(dir);
}

/* What the rules that come with auditd watch, by calls of each class. */
static void system_files(void)
{
	/* of these the content does not matter */
	static const char *const spare[] = {
		"/etc/hosts", "/etc/sudoers", "/etc/security/opasswd",
		"/var/log/wtmp",
	};
	static char buf[512];
	size_t i;
	long fd;

	shut(S(SYS_open, "/etc/passwd", O_RDONLY));
	shut(S(SYS_open, "/etc/passwd", O_RDWR));
	S(SYS_link, "/etc/passwd", "/etc/passwd");
	shut(S(SYS_open, "/etc/shadow", O_RDONLY));
	S(SYS_link, "/etc/shadow", "/etc/passwd");
	S(SYS_chmod, "/etc/group", 0644);
	S(SYS_getxattr, "/etc/group", "user.none", buf, sizeof(buf));
	for (i = 0; i < ARRAY_SIZE(spare); i++) {
		shut(S(SYS_openat, AT_FDCWD, spare[i], O_WRONLY | O_APPEND));
		S(SYS_truncate, spare[i], 0);
		S(SYS_chmod, spare[i], 0644);
		S(SYS_mkdir, spare[i], 0700);
		S(SYS_rename, spare[i], "/etc/afp-spare");
		shut(S(SYS_open, spare[i], O_RDWR));
		S(SYS_rename, "/etc/afp-spare", spare[i]);
		S(SYS_access, spare[i], W_OK);
	}
	S(SYS_mkdir, "/etc/sudoers.d/new", 0700);
	S(SYS_rmdir, "/etc/sudoers.d/new");
	fd = S(SYS_open, "/var/log/audit", O_RDONLY | O_DIRECTORY);
	S(SYS_getdents64, fd, buf, sizeof(buf));
	shut(fd);
	S(SYS_listxattr, "/var/log/audit", buf, sizeof(buf));
	S(SYS_readlink, "/var/log/audit", buf, sizeof(buf));
}

static void files(long who)
{
	size_t i;

	be(who);
	for (i = 0; i < ARRAY_SIZE(dirs); i++) {
		opens(dirs[i]);
		contents(dirs[i]);
		looks(dirs[i]);
		attributes(dirs[i]);
		names(dirs[i]);
	}
	system_files();
	shut(S(SYS_open, "/dev/null", O_RDWR));
	shut(S(SYS_open, path("", "first"), O_RDONLY));
	S(SYS_chmod, path("", "first"), 0644);
	shut(S(SYS_open, path("owned", "user"), O_RDONLY));
	S(SYS_chmod, path("owned", "user"), 0644);
	S(SYS_truncate, path("owned", "group"), 0);
	shut(S(SYS_open, path("fifo", ""), O_RDWR | O_NONBLOCK));
}

/* Identities that change */

static void creds(long which)
{
	static const unsigned int groups[] = { OTHER_GROUP, 3000 };
	static unsigned int got[8];

	S(SYS_setgroups, 2, groups);
	S(SYS_getgroups, 8, got);
	S(SYS_getuid);
	switch (which) {
	case 0:
		S(SYS_setuid, USER);
		S(SYS_setuid, 0);
		break;
	case 1:
		S(SYS_setreuid, -1, USER);
		shut(S(SYS_open, path("priv", "secret"), O_RDONLY));
		S(SYS_setreuid, -1, 0);
		shut(S(SYS_open, path("priv", "secret"), O_RDONLY));
		break;
	case 2:
		S(SYS_setresuid, USER, 1001, 0);
		S(SYS_getpid);
		S(SYS_getresuid, got, got + 1, got + 2);
		S(SYS_setresuid, 0, 0, 0);
		break;
	case 3:
		S(SYS_setgid, GROUP);
		S(SYS_getgid);
		S(SYS_setregid, OTHER_GROUP, GROUP);
		S(SYS_getegid);
		S(SYS_setresgid, 1, 2, 3);
		S(SYS_getresgid, got, got + 1, got + 2);
		break;
	case 4:
		S(SYS_setfsuid, USER);
		S(SYS_setfsgid, GROUP);
		shut(S(SYS_open, path("plain", "f1"), O_RDONLY));
		shut(S(SYS_open, path("priv", "secret"), O_RDONLY));
		S(SYS_setfsuid, 0);
		S(SYS_setfsgid, 0);
		break;
	case 5:
		become_user();
		S(SYS_setuid, 0);
		S(SYS_setgid, 0);
		S(SYS_setgroups, 2, groups);
		S(SYS_setresuid, -1, -1, 0);
		break;
	}
	S(SYS_geteuid);
	S(SYS_getppid);
	S(SYS_getpgid, 0);
	S(SYS_setsid);
	S(SYS_getsid, 0);
}

static void caps(long who)
{
	static struct __user_cap_header_struct h = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	static struct __user_cap_data_struct d[2];

	be(who);
	S(SYS_capget, &h, d);
	d[0].effective &= ~(1u << CAP_DAC_OVERRIDE);
	d[0].effective &= ~(1u << CAP_DAC_READ_SEARCH);
	S(SYS_capset, &h, d);
	shut(S(SYS_open, path("owned", "user"), O_RDWR));
	d[0].inheritable = 1u << CAP_NET_RAW;
	d[0].permitted |= 1u << CAP_NET_RAW;
	S(SYS_capset, &h, d);
	S(SYS_prctl, PR_CAPBSET_DROP, CAP_SYS_BOOT);
	S(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1);
}

static void login(long arg)
{
	static char buf[32];
	long fd;

	(void)arg;
	login_as("1000");
	shut(S(SYS_open, path("plain", "f1"), O_RDWR));
	S(SYS_getpriority, 0, 0);
	login_as("1001");
	S(SYS_getpriority, 0, 0);
	login_as("4294967295");
	S(SYS_getpriority, 0, 0);
	login_as("1000");
	login_as("nonsense");
	fd = S(SYS_open, "/proc/self/sessionid", O_RDONLY);
	S(SYS_read, fd, buf, 1);
	shut(fd);
	run("login-child", creds, 5);
	become_user();
	login_as("1002");
	S(SYS_getpriority, 0, 0);
}

/*
 * Calls that do nothing, numbered, so that all-fields.rules can have a rule of
 * its own for each field and operator.
 */
#define FIRST_PROBE 1000
#define LAST_PROBE 1199
#define LAST_FILE_PROBE 1099

static void numbered(long nr)
{
	S(SYS_getpriority, nr, 0x1234, -1, 0x100000010);
}

static void probes(long who)
{
	static const unsigned int groups[] = { OTHER_GROUP, 3000 };
	long i;

	switch (who) {
	case 0:
		break;
	case 1:
		be(LOGGED_IN);
		break;
	case 2:
		be(SUDO);
		S(SYS_personality, 8);
		break;
	case 3:
		/* all ids different, with all rights */
		login_as("1000");
		S(SYS_prctl, PR_SET_SECUREBITS, 4);
		S(SYS_setgroups, 2, groups);
		S(SYS_setresgid, 2001, 2002, 2003);
		S(SYS_setfsgid, 2004);
		S(SYS_setresuid, 1001, USER, 1002);
		S(SYS_setfsuid, 1003);
		break;
	}
	for (i = 900; i < 910; i++)
		numbered(i);
	for (i = FIRST_PROBE; i <= LAST_PROBE; i++)
		numbered(i);
	for (i = 1990; i < 1998; i++)
		numbered(i);
}

static void file_probes(long who)
{
	static const char *const file[] = {
		"plain/f1", "owned/user", "owned/group", "first", "fifo",
		"plain", "plain/link",
	};
	static char buf[512];
	size_t i;
	int flags;
	long nr;

	be(who);
	for (nr = FIRST_PROBE; nr <= LAST_FILE_PROBE; nr++) {
		for (i = 0; i < ARRAY_SIZE(file); i++) {
			flags = i == 6 ? AT_SYMLINK_NOFOLLOW : 0;
			S(SYS_statx, AT_FDCWD, path(file[i], ""), flags, nr,
			  buf);
		}
		S(SYS_statx, AT_FDCWD, "/dev/null", 0, nr, buf);
	}
}

/* Files that never rules are about. */
static void never(long who)
{
	static const char *const file[] = { "older", "newer", "sub/f" };
	size_t i;

	be(who);
	for (i = 0; i < ARRAY_SIZE(file); i++) {
		shut(S(SYS_open, path("never", file[i]), O_RDONLY));
		shut(S(SYS_open, path("never", file[i]), O_RDWR));
		S(SYS_truncate, path("never", file[i]), 905);
		S(SYS_truncate, path("never", file[i]), 5);
		S(SYS_chmod, path("never", file[i]), 0644);
	}
}

static void persona(long arg)
{
	(void)arg;
	S(SYS_personality, 0xffffffff);
	S(SYS_personality, 8);
	S(SYS_getpriority, 0, 0);
	shut(S(SYS_open, path("plain", "f1"), O_RDONLY));
	S(SYS_personality, 0x0400000);
	S(SYS_getpriority, 0, 0);
	S(SYS_personality, 0);
}

/* Programs */

static char *envp[] = { NULL };
static char leaf_arg[80] = "--leaf=";
static char *leaf_argv[] = { "prog", leaf_arg, "with space", "plain", NULL };

static void exec_path(const char *file)
{
	S(SYS_execve, file, leaf_argv, envp);
}

static void exec_one(long which)
{
	static char long_arg[9000];
	static char *long_argv[] = { "prog", leaf_arg, long_arg, NULL };
	long fd;

	switch (which) {
	case 0:
		exec_path(path("bin", "prog"));
		break;
	case 1:
		exec_path(path("bin", "link"));
		break;
	case 2:
		exec_path(path("bin", "copy"));
		break;
	case 3:
		exec_path(path("bin", "script"));
		break;
	case 4:
		fd = S(SYS_open, path("bin", "prog"), O_PATH | O_CLOEXEC);
		S(SYS_execveat, fd, "", leaf_argv, envp, AT_EMPTY_PATH);
		break;
	case 5:
		fd = S(SYS_open, path("bin", ""), O_PATH | O_CLOEXEC);
		S(SYS_execveat, fd, "prog", leaf_argv, envp, 0);
		break;
	case 6:
		memset(long_arg, 'x', sizeof(long_arg) - 1);
		long_arg[100] = ' ';
		S(SYS_execve, path("bin", "prog"), long_argv, envp);
		break;
	case 7:
		be(LOGGED_IN);
		exec_path(path("bin", "setuid"));
		break;
	case 8:
		be(PLAIN_USER);
		exec_path(path("bin", "filecap"));
		break;
	case 9:
		be(LOGGED_IN);
		exec_path(path("bin", "prog"));
		break;
	case 10:
		be(LOGGED_IN);
		exec_path(path("priv", "prog"));
		exec_path(path("bin", "noexec"));
		exec_path(path("tree", "f1"));
		exec_path(path("bin", "missing"));
		exec_path(path("bin", "garbage"));
		exec_path(path("bin", "prog/under"));
		exec_path(path("bin", ""));
		S(SYS_execve, 0, 0, 0);
		S(SYS_execve, path("bin", "prog"), 8, 0);
		break;
	case 11:
		exec_path(path("bin", "w32"));
		break;
	case 12:
		be(LOGGED_IN);
		exec_path(path("bin", "w32"));
		break;
	case 13:
		exec_path(path("goneexe", "prog"));
		break;
	}
}

/* What the program does that is run through execve. */
static void leaf(void)
{
	S(SYS_getpid);
	S(SYS_getuid);
	S(SYS_getpriority, 0, 0);
	shut(S(SYS_open, path("plain", "f1"), O_RDONLY));
	shut(S(SYS_open, path("watched", "f2"), O_RDWR));
	S(SYS_unlink, path("plain", "missing"));
	S(SYS_exit_group, 0);
}

static void programs(void)
{
	static const char *const name[] = {
		"x-prog", "x-link", "x-copy", "x-script", "x-at-fd",
		"x-at-dir", "x-long", "x-setuid", "x-filecap", "x-user",
		"x-fails", "x-b32", "x-b32-user",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(name); i++)
		run(name[i], exec_one, i);
}

/* Sockets */

static const struct linger linger = { 1, 0 };
static const int one = 1;

/*
 * Even on loopback data may take its time, another processor's. So wait for
 * it, but not for ever for what does not come.
 */
static void patient(long fd)
{
	static const struct timeval limit = { 20, 0 };

	S(SYS_setsockopt, fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
}

static void inet(int family, const void *addr, const void *from, int len)
{
	static char buf[64];
	long l, c, a;

	l = S(SYS_socket, family, SOCK_STREAM, 0);
	patient(l);
	S(SYS_setsockopt, l, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	S(SYS_bind, l, addr, len);
	S(SYS_listen, l, 2);
	c = S(SYS_socket, family, SOCK_STREAM, 0);
	/* accept makes a record of the peer's address, so that must be fixed */
	S(SYS_bind, c, from, len);
	S(SYS_connect, c, addr, len);
	a = S(SYS_accept4, l, buf, &(socklen_t){ sizeof(buf) }, SOCK_CLOEXEC);
	patient(a);
	S(SYS_sendto, c, "hello", 5, 0, 0, 0);
	S(SYS_recvfrom, a, buf, sizeof(buf), 0, 0, 0);
	S(SYS_setsockopt, a, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	S(SYS_setsockopt, c, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	S(SYS_getsockname, l, buf, &(socklen_t){ sizeof(buf) });
	shut(a);
	shut(c);
	shut(l);
	c = S(SYS_socket, family, SOCK_STREAM, 0);
	S(SYS_connect, c, addr, len);
	S(SYS_connect, c, addr, 1);
	S(SYS_connect, c, 8, len);
	shut(c);
}

static void net(long who)
{
	static const struct sockaddr_in in = {
		.sin_family = AF_INET,
		.sin_port = 0x740e,
		.sin_addr.s_addr = 0x0100007f,
	};
	static const struct sockaddr_in from = {
		.sin_family = AF_INET,
		.sin_port = 0x770e,
		.sin_addr.s_addr = 0x0100007f,
	};
	static const struct sockaddr_in6 from6 = {
		.sin6_family = AF_INET6,
		.sin6_port = 0x770e,
		.sin6_addr.s6_addr[15] = 1,
	};
	static const struct sockaddr_in low = {
		.sin_family = AF_INET,
		.sin_port = 0x5500,
		.sin_addr.s_addr = 0x0100007f,
	};
	static const struct sockaddr_in6 in6 = {
		.sin6_family = AF_INET6,
		.sin6_port = 0x740e,
		.sin6_addr.s6_addr[15] = 1,
	};
	static struct sockaddr_un un = { .sun_family = AF_UNIX };
	static struct sockaddr_un abstract = {
		.sun_family = AF_UNIX,
		.sun_path = "\0afp-workload",
	};
	static struct iovec iov = { "datagram", 8 };
	static struct msghdr m = {
		.msg_name = (void *)&in,
		.msg_namelen = sizeof(in),
		.msg_iov = &iov,
		.msg_iovlen = 1,
	};
	static struct ifreq ifr = { .ifr_name = "lo" };
	static int pair[2];
	static char buf[64];
	long a, b, c;

	be(who);
	inet(AF_INET, &in, &from, sizeof(in));
	inet(AF_INET6, &in6, &from6, sizeof(in6));

	a = S(SYS_socket, AF_INET, SOCK_DGRAM, 0);
	patient(a);
	S(SYS_bind, a, &in, sizeof(in));
	b = S(SYS_socket, AF_INET, SOCK_DGRAM, 0);
	S(SYS_sendto, b, "datagram", 8, 0, &in, sizeof(in));
	S(SYS_recvfrom, a, buf, sizeof(buf), 0, 0, 0);
	S(SYS_sendmsg, b, &m, 0);
	S(SYS_recvfrom, a, buf, sizeof(buf), 0, 0, 0);
	shut(b);
	shut(a);
	a = S(SYS_socket, AF_INET, SOCK_DGRAM, 0);
	S(SYS_bind, a, &low, sizeof(low));
	/* sets off ANOM_PROMISCUOUS, which no rule asks for */
	S(SYS_ioctl, a, SIOCGIFFLAGS, &ifr);
	ifr.ifr_flags |= IFF_PROMISC;
	S(SYS_ioctl, a, SIOCSIFFLAGS, &ifr);
	ifr.ifr_flags &= ~IFF_PROMISC;
	S(SYS_ioctl, a, SIOCSIFFLAGS, &ifr);
	shut(a);

	strcpy(un.sun_path, path("plain", "sock"));
	a = S(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
	patient(a);
	S(SYS_bind, a, &un, sizeof(un));
	S(SYS_listen, a, 1);
	b = S(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
	S(SYS_connect, b, &un, sizeof(un));
	c = S(SYS_accept, a, 0, 0);
	S(SYS_sendto, b, "x", 1, 0, 0, 0);
	shut(c);
	shut(b);
	shut(a);
	S(SYS_unlink, un.sun_path);
	a = S(SYS_socket, AF_UNIX, SOCK_DGRAM, 0);
	S(SYS_connect, a, &un, sizeof(un));
	S(SYS_bind, a, &abstract, 2 + 13);
	shut(a);

	S(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
	S(SYS_write, pair[0], "x", 1);
	S(SYS_read, pair[1], buf, 1);
	shut(pair[0]);
	shut(pair[1]);
	S(SYS_pipe, pair);
	shut(pair[0]);
	S(SYS_write, pair[1], "x", 0);
	shut(pair[1]);
	S(SYS_pipe2, pair, O_CLOEXEC);
	shut(pair[0]);
	shut(pair[1]);
	S(SYS_socket, 99, 0, 0);
	S(SYS_bind, 77, &in, sizeof(in));
}

/* System V IPC and message queues */

/* Make the next id of a kind the same in each run. */
static void next_id(const char *file)
{
	long fd = S(SYS_open, file, O_WRONLY);

	S(SYS_write, fd, "7000", 4);
	shut(fd);
}

static void ipc(long who)
{
	static struct {
		long type;
		char text[8];
	} m = { 1, "message" };
	static struct shmid_ds shm;
	static struct semid_ds sem;
	static struct msqid_ds queue;
	static struct sembuf up = { 0, 1, 0 };
	long id, at;

	if (who == ROOT) {
		next_id("/proc/sys/kernel/shm_next_id");
		id = S(SYS_shmget, 0x6166, 4096, IPC_CREAT | IPC_EXCL | 0600);
		at = S(SYS_shmat, id, 0, 0);
		S(SYS_shmdt, at);
		S(SYS_shmctl, id, IPC_STAT, &shm);
		shm.shm_perm.mode = 0640;
		S(SYS_shmctl, id, IPC_SET, &shm);
		next_id("/proc/sys/kernel/sem_next_id");
		id = S(SYS_semget, 0x6166, 1, IPC_CREAT | IPC_EXCL | 0600);
		S(SYS_semop, id, &up, 1);
		S(SYS_semctl, id, 0, SETVAL, 5);
		S(SYS_semctl, id, 0, IPC_STAT, &sem);
		sem.sem_perm.uid = USER;
		S(SYS_semctl, id, 0, IPC_SET, &sem);
		next_id("/proc/sys/kernel/msg_next_id");
		id = S(SYS_msgget, 0x6166, IPC_CREAT | IPC_EXCL | 0600);
		S(SYS_msgsnd, id, &m, 8, 0);
		S(SYS_msgrcv, id, &m, 8, 0, IPC_NOWAIT);
		S(SYS_msgctl, id, IPC_STAT, &queue);
		queue.msg_perm.mode = 0666;
		S(SYS_msgctl, id, IPC_SET, &queue);
		run("ipc-user", ipc, LOGGED_IN);
		S(SYS_shmctl, 7000, IPC_RMID, 0);
		S(SYS_semctl, 7000, 0, IPC_RMID, 0);
		S(SYS_msgctl, 7000, IPC_RMID, 0);
		return;
	}
	be(who);
	S(SYS_shmget, 0x6166, 4096, 0600);
	S(SYS_shmat, 7000, 0, 0);
	S(SYS_shmctl, 7000, IPC_SET, &shm);
	S(SYS_semget, 0x6166, 1, 0600);
	S(SYS_semctl, 7000, 0, IPC_SET, &sem);
	S(SYS_msgget, 0x6166, 0600);
	S(SYS_msgctl, 7000, IPC_SET, &queue);
	S(SYS_msgctl, 7000, IPC_RMID, 0);
}

static void mq(long arg)
{
	static struct mq_attr attr = { .mq_maxmsg = 2, .mq_msgsize = 16 };
	static struct sigevent ev = { .sigev_notify = SIGEV_NONE };
	static char buf[16];
	long q;

	(void)arg;
	q = S(SYS_mq_open, "afp-queue", O_CREAT | O_EXCL | O_RDWR, 0600,
	      &attr);
	S(SYS_mq_timedsend, q, "text", 4, 1, 0);
	S(SYS_mq_notify, q, &ev);
	S(SYS_mq_getsetattr, q, &attr, 0);
	S(SYS_mq_timedreceive, q, buf, sizeof(buf), 0, 0);
	shut(q);
	shut(S(SYS_mq_open, "afp-queue", O_CREAT | O_EXCL | O_RDWR, 0600, 0));
	shut(S(SYS_mq_open, "afp-none", O_RDONLY, 0, 0));
	S(SYS_mq_unlink, "afp-queue");
	S(SYS_mq_unlink, "afp-queue");
}

/* Time */

static void times(long who)
{
	static const struct timespec then = { 100, 0 };
	static const struct itimerspec later = { .it_value = { 1000, 0 } };
	static struct timex t;
	static struct timespec now;
	static int timer;
	long tick, fd;

	be(who);
	S(SYS_clock_settime, CLOCK_MONOTONIC, &then);
	S(SYS_clock_settime, CLOCK_BOOTTIME, 8);
	if (who != ROOT)
		S(SYS_clock_settime, CLOCK_REALTIME, &then);
	S(SYS_settimeofday, 8, 0);
	S(SYS_adjtimex, &t);
	tick = t.tick;
	memset(&t, 0, sizeof(t));
	t.modes = ADJ_TICK;
	t.tick = tick + 1;
	S(SYS_adjtimex, &t);
	memset(&t, 0, sizeof(t));
	t.modes = ADJ_TICK;
	t.tick = tick;
	S(SYS_clock_adjtime, CLOCK_REALTIME, &t);
	S(SYS_timer_create, CLOCK_MONOTONIC, 0, &timer);
	S(SYS_timer_settime, timer, 0, &later, 0);
	S(SYS_timer_delete, timer);
	fd = S(SYS_timerfd_create, CLOCK_MONOTONIC, 0);
	S(SYS_timerfd_settime, fd, 0, &later, 0);
	shut(fd);
	S(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	S(SYS_gettimeofday, &now, 0);
	S(SYS_time, 8);
}

/* Mounts, modules and the rest of what only root may */

static void mounts(long who)
{
	be(who);
	S(SYS_mount, "afp", path("mnt", ""), "tmpfs", 0, "size=1m");
	shut(S(SYS_open, path("mnt", "file"), O_CREAT | O_RDWR, 0600));
	S(SYS_mkdir, path("mnt", "dir"), 0700);
	S(SYS_mount, path("mnt", ""), path("mnt2", ""), 0, MS_BIND, 0);
	shut(S(SYS_open, path("mnt2", "file"), O_RDONLY));
	S(SYS_mount, "none", path("mnt", ""), 0, MS_REMOUNT | MS_RDONLY, 0);
	shut(S(SYS_open, path("mnt", "file"), O_RDWR));
	S(SYS_umount2, path("mnt2", ""), 0);
	S(SYS_umount2, path("mnt", ""), 0);
	S(SYS_umount2, path("mnt", ""), 0);
	S(SYS_mount, "none", path("missing", ""), "tmpfs", 0, 0);
	S(SYS_mount, "none", path("mnt", ""), "nosuchfs", 0, 0);
}

static void modules(long who)
{
	long fd;

	be(who);
	S(SYS_init_module, "bad!", 4, "");
	fd = S(SYS_open, path("bin", "garbage"), O_RDONLY);
	S(SYS_finit_module, fd, "", 0);
	shut(fd);
	S(SYS_delete_module, "afp_no_such_module", O_NONBLOCK);
}

static void system_calls(long who)
{
	static struct {
		struct file_handle h;
		char rest[MAX_HANDLE_SZ];
	} handle;
	static const struct rlimit none = { 0, 0 };
	static char buf[512];
	static int mount_id;
	long fd;

	be(who);
	S(SYS_uname, buf);
	S(SYS_sethostname, "guest", 5);
	S(SYS_setdomainname, "test", 4);
	S(SYS_swapon, path("plain", "f1"), 0);
	S(SYS_swapoff, path("plain", "f1"));
	S(SYS_acct, path("missing", ""));
	S(SYS_quotactl, 0, 0, 0, 0);
	S(SYS_reboot, 1, 2, 3, 0);
	S(SYS_kexec_load, 0, 99, 0, 0);
	S(SYS_setns, 77, 0);
	S(SYS_unshare, CLONE_FS);
	S(SYS_setpriority, 0, 0, 1);
	S(SYS_setrlimit, RLIMIT_CORE, &none);
	S(SYS_prlimit64, 0, RLIMIT_CORE, 0, buf);
	S(SYS_umask, 022);
	S(SYS_sysinfo, buf);
	S(SYS_sched_yield);
	S(SYS_getrandom, buf, 8, 0);
	S(SYS_iopl, 4);
	S(SYS_ioperm, 0x10000, 1, 1);
	S(SYS_pivot_root, path("missing", ""), path("missing", ""));
	S(SYS_inotify_add_watch, 77, path("plain", ""), 0);
	handle.h.handle_bytes = MAX_HANDLE_SZ;
	S(SYS_name_to_handle_at, AT_FDCWD, path("plain", "f1"), &handle,
	  &mount_id, 0);
	fd = S(SYS_open, top, O_RDONLY);
	shut(S(SYS_open_by_handle_at, fd, &handle, O_RDONLY));
	shut(fd);
	S(SYS_chdir, path("missing", ""));
	S(SYS_chdir, path("priv", ""));
	S(SYS_chroot, path("tree", ""));
	shut(S(SYS_open, "/f1", O_RDWR));
	shut(S(SYS_open, "f1", O_RDONLY));
	S(SYS_chroot, "/missing");
}

static void memory(long who)
{
	static char buf[16];
	long fd, at;

	be(who);
	fd = S(SYS_open, path("plain", "f1"), O_RDWR);
	at = S(SYS_mmap, 0, 4096, PROT_READ, MAP_SHARED, fd, 0);
	S(SYS_mprotect, at, 4096, PROT_READ | PROT_EXEC);
	at = S(SYS_mremap, at, 4096, 8192, MREMAP_MAYMOVE, 0);
	S(SYS_munmap, at, 8192);
	at = S(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	       MAP_PRIVATE, fd, 0);
	S(SYS_munmap, at, 4096);
	shut(fd);
	S(SYS_mmap, 0, 4096, PROT_READ, MAP_SHARED, 77, 0);
	at = S(SYS_mmap, 0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	       0);
	S(SYS_munmap, at, 4096);
	S(SYS_brk, 0);
	fd = S(SYS_memfd_create, "afp", 0);
	S(SYS_write, fd, "memory", 6);
	shut(fd);
	S(SYS_mincore, 1, 0, buf);
}

/* Numbers no rule was made for */

static void numbers(long who)
{
	static const unsigned int x32 = 0x40000000;
	static const int bad[] = {
		-1, 336, 423, 470, 512, 547, 600, 1023, 1024, 2031, 2032, 2047,
		2048, 2049, 4095, 4096, 5000, 65535, 65536, 0x7fffffff,
	};
	static char buf[512];
	size_t i;

	be(who);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		S(bad[i], 1, 2, 3, 4);
	S(x32 | SYS_getpid);
	S(x32 | SYS_open, path("watched", "f1"), O_RDWR);
	S(x32 | SYS_mkdir, path("plain", "x32"), 0700);
	S(x32 | 520, path("bin", "prog"), 0, 0);
	S(x32 | 600);
	S(x32 | 2048);
	S(-2L);
	S(0x80000000L);
	/* the upper half of the register does not count */
	S(0x100000000L | SYS_getpriority);

	/* the 32-bit entry, from a 64-bit program */
	I80(20);
	I80(24);
	I80(5, path("plain", "f1"), O_RDONLY);
	I80(5, path("watched", "f1"), O_RDWR);
	I80(295, AT_FDCWD, path("watched", "f2"), O_WRONLY);
	I80(39, path("plain", "b32"), 0755);
	I80(40, path("plain", "b32"));
	I80(10, path("plain", "missing"));
	I80(15, path("watched", "f1"), 0644);
	I80(11, path("bin", "missing"), 0, 0);
	I80(195, path("tree", "f1"), buf);
	I80(96, 0, 0);
	I80(-1);
	I80(600);
	I80(2047);
	I80(2048);
	I80(0x40000014);
}

/* Signals */

static int pipefd[2];

static void on_signal(int sig)
{
	(void)sig;
	S(SYS_write, pipefd[1], "s", 1);
}

static void on_sigsys(int sig)
{
	(void)sig;
	S(SYS_getpriority, 0, 0);
}

/* The kernel's own layout, with a way back that needs no libc. */
struct kernel_sigaction {
	void (*handler)(int sig);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask;
};

void sig_return(void);
asm(".text\n"
    ".type sig_return, @function\n"
    "sig_return:\n"
	NATIVE_SIGRETURN
    ".size sig_return, . - sig_return\n");

static void handle(int sig, void (*fn)(int), unsigned long flags)
{
	static struct kernel_sigaction act;

	act.handler = fn;
	act.flags = flags | 0x04000000;
	act.restorer = sig_return;
	S(SYS_rt_sigaction, sig, &act, 0, 8);
}

static void sleeper(long how)
{
	static const struct timespec forever = { 1000, 0 };
	static const struct rlimit none = { 0, 0 };
	static char buf[4];

	switch (how) {
	case 0:
		for (;;)
			S(SYS_pause);
	case 1:
		S(SYS_open, path("fifo", ""), O_RDONLY);
		break;
	case 2:
		S(SYS_pipe, pipefd);
		S(SYS_read, pipefd[0], buf, 1);
		break;
	case 3:
		be(LOGGED_IN);
		S(SYS_openat, AT_FDCWD, path("fifo", ""), O_WRONLY);
		break;
	case 4:
		S(SYS_setrlimit, RLIMIT_CORE, &none);
		S(SYS_nanosleep, &forever, 0);
		break;
	}
}

static void killed(const char *name, long how, int sig)
{
	long pid = start(name, sleeper, how);

	until_asleep(pid);
	S(SYS_kill, pid, sig);
	reap(pid);
}

static void signals(long who)
{
	long pid;

	be(who);
	pid = start("sig-target", sleeper, 0);
	until_asleep(pid);
	S(SYS_kill, pid, 0);
	S(SYS_kill, pid, 65);
	S(SYS_kill, 1, 0);
	S(SYS_tkill, pid, SIGCONT);
	S(SYS_tgkill, pid, pid, SIGURG);
	until_asleep(pid);
	/* not allowed once the uid has changed: the memory is not dumpable */
	if (!S(SYS_ptrace, PTRACE_ATTACH, pid, 0, 0))
		reap(pid);
	S(SYS_ptrace, PTRACE_PEEKDATA, pid, 0x400000, data);
	S(SYS_ptrace, PTRACE_DETACH, pid, 0, 0);
	until_asleep(pid);
	S(SYS_ptrace, PTRACE_PEEKDATA, pid, 0, 0);
	S(SYS_kill, pid, SIGTERM);
	reap(pid);
	S(SYS_wait4, -1, &status, 0, 0);
	killed("kill-pause", 0, SIGKILL);
	killed("kill-open", 1, SIGKILL);
	killed("kill-read", 2, SIGTERM);
	killed("kill-open-user", 3, SIGKILL);
	killed("kill-nanosleep", 4, SIGSEGV);
}

static void interrupted(long flags)
{
	static const struct timespec forever = { 1000, 0 };
	static char buf[4];
	long self = R(SYS_getpid), q;

	S(SYS_pipe, pipefd);
	handle(SIGUSR1, on_signal, flags);
	q = quiet(self, SIGUSR1);
	S(SYS_read, pipefd[0], buf, 1);
	reap(q);
	q = quiet(self, SIGUSR1);
	S(SYS_nanosleep, &forever, 0);
	reap(q);
	q = quiet(self, SIGUSR1);
	S(SYS_openat, AT_FDCWD, path("fifo", ""),
	  flags ? O_RDONLY | O_NONBLOCK : O_RDONLY);
	if (flags)
		S(SYS_pause);
	reap(q);
	q = quiet(self, SIGUSR1);
	S(SYS_pause);
	reap(q);
}

static void seccomp(long action)
{
	static struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdir, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	static struct sock_fprog prog = { ARRAY_SIZE(code), code };
	static const struct rlimit none = { 0, 0 };

	code[3].k = action;
	S(SYS_setrlimit, RLIMIT_CORE, &none);
	handle(SIGSYS, on_sigsys, 0);
	S(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1);
	S(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_LOG,
	  &prog);
	S(SYS_getpid);
	shut(S(SYS_open, path("watched", "f1"), O_RDWR));
	S(SYS_mkdir, path("plain", "seccomp"), 0700);
	S(SYS_rmdir, path("plain", "seccomp"));
	S(SYS_getppid);
	shut(S(SYS_open, path("watched", "f1"), O_RDWR));
}

static void crash(long arg)
{
	static const struct rlimit none = { 0, 0 };

	(void)arg;
	S(SYS_setrlimit, RLIMIT_CORE, &none);
	__builtin_trap();
}

/* Other ways to make a task */

static void forks(long arg)
{
	static struct clone_args args = { .exit_signal = SIGCHLD };
	struct tasklog *log;
	long pid;

	(void)arg;
	log = new_log("by-vfork");
	pid = raw(SYS_vfork, 0, 0, 0, 0, 0, 0);
	if (!pid) {
		/* shares our memory: no S(), which counts in our own log */
		T(log, SYS_prctl, PR_SET_NAME, "by-vfork");
		T(log, SYS_execve, path("bin", "missing"), leaf_argv, envp);
		T(log, SYS_execve, path("bin", "prog"), leaf_argv, envp);
		R(SYS_exit_group, 1);
	}
	note(cur, SYS_vfork, pid);
	reap(pid);
	log = new_log("by-clone3");
	pid = R(SYS_clone3, &args, sizeof(args));
	if (!pid) {
		named("by-clone3", log);
		shut(S(SYS_open, path("watched", "f1"), O_RDONLY));
		S(SYS_exit_group, 3);
	}
	note(cur, SYS_clone3, pid);
	reap(pid);
	log = new_log("by-clone");
	pid = R(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		named("by-clone", log);
		shut(S(SYS_open, path("plain", "f1"), O_RDONLY));
		S(SYS_exit, 4);
	}
	note(cur, SYS_clone, pid);
	reap(pid);
	S(SYS_clone, CLONE_THREAD, 0, 0, 0, 0);
	S(SYS_clone3, &args, 1);
}

#define NR_THREADS 4
#define THREAD (CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | \
		CLONE_SYSVSEM | CLONE_CHILD_CLEARTID | CLONE_PARENT_SETTID)

static struct thread {
	struct tasklog *log;
	volatile int tid;
	int exec;
	char stack[16384] __attribute__((aligned(64)));
} threads[NR_THREADS];

static void thread_main(void *arg)
{
	struct thread *t = arg;
	struct tasklog *log = t->log;
	static char buf[NR_THREADS][512];
	static char f1[64], f2[64], missing[64];
	long fd;
	int i;

	/* all write the same */
	strcpy(f1, top);
	strcat(f1, "/watched/f1");
	strcpy(f2, top);
	strcat(f2, "/plain/f2");
	strcpy(missing, top);
	strcat(missing, "/tree/missing");
	T(log, SYS_prctl, PR_SET_NAME, log->name);
	for (i = 0; i < 6; i++) {
		fd = T(log, SYS_open, f1, i & 1 ? O_RDWR : O_RDONLY);
		T(log, SYS_close, fd);
		T(log, SYS_getpriority, 0, 0);
		T(log, SYS_stat, f2, buf[t - threads]);
		T(log, SYS_unlink, missing);
		T(log, SYS_chmod, f2, 0644);
		T(log, SYS_gettid);
	}
	if (!t->exec)
		return;
	fd = quiet_in(log, R(SYS_getpid), 0);
	T(log, SYS_wait4, fd, 0, 0, 0);
	T(log, SYS_execve, path("bin", "prog"), leaf_argv, envp);
}

static void thread_start(struct thread *t, const char *name, long flags)
{
	t->log = new_log(name);
	t->tid = 0;
	note(cur, SYS_clone,
	     raw_thread(THREAD | flags, t->stack + sizeof(t->stack),
			(int *)&t->tid, (int *)&t->tid, thread_main, t));
}

/*
 * Without a call, as the number of futex calls would depend on timing. The
 * kernel clears tid after the thread's last record is written.
 */
static void thread_join(struct thread *t)
{
	while (t->tid)
		asm volatile(NATIVE_PAUSE);
}

static const char *const thread_name[NR_THREADS] = {
	"thread-0", "thread-1", "thread-2", "thread-3",
};

static void threads_in_turn(long arg)
{
	int i;

	(void)arg;
	for (i = 0; i < NR_THREADS; i++) {
		thread_start(&threads[i], thread_name[i], CLONE_FILES);
		thread_join(&threads[i]);
	}
}

/* Each with its own files, so that the numbers of open files are fixed. */
static void threads_together(long arg)
{
	int i;

	(void)arg;
	for (i = 0; i < NR_THREADS; i++)
		thread_start(&threads[i], thread_name[i], 0);
	for (i = 0; i < NR_THREADS; i++)
		thread_join(&threads[i]);
}

/* A thread execs while the first thread sleeps: it takes over the pid. */
static void exec_in_thread(long arg)
{
	static char buf[4];

	(void)arg;
	S(SYS_pipe2, pipefd, O_CLOEXEC);
	threads[0].exec = 1;
	thread_start(&threads[0], "thread-exec", 0);
	S(SYS_read, pipefd[0], buf, 1);
}

#define NR_STORM 12

static void storm_child(long nr)
{
	static char buf[512];
	int i;

	be(nr & 3);
	for (i = 0; i < 5; i++) {
		shut(S(SYS_open, path("watched", "f1"), O_RDONLY));
		shut(S(SYS_open, path("tree", "f2"), O_WRONLY));
		shut(S(SYS_open, path("priv", "secret"), O_RDONLY));
		S(SYS_getpriority, 0, 0);
		S(SYS_stat, path("plain", "f1"), buf);
		S(SYS_unlink, path("plain", "missing"));
		S(SYS_rename, path("tree", "missing"), path("tree", "none"));
		S(SYS_chmod, path("plain", "f1"), 0644);
		S(SYS_execve, path("bin", "noexec"), leaf_argv, envp);
	}
	if (nr % 3 == 0)
		exec_path(path("bin", "prog"));
}

static void storm(long arg)
{
	static char name[NR_STORM][16];
	long pid[NR_STORM];
	int i;

	(void)arg;
	for (i = 0; i < NR_STORM; i++) {
		sprintf(name[i], "storm-%02d", i);
		pid[i] = start(name[i], storm_child, i);
	}
	for (i = 0; i < NR_STORM; i++)
		reap(pid[i]);
}

/* io_uring, one operation at a time */

static void uring_op(long ring, char *sq, const struct io_uring_params *p,
		     struct io_uring_sqe *sqe, const struct io_uring_sqe *op)
{
	unsigned int *tail = (void *)(sq + p->sq_off.tail);
	unsigned int *array = (void *)(sq + p->sq_off.array);
	unsigned int *head = (void *)(sq + p->cq_off.head);
	const struct io_uring_cqe *cqe = (void *)(sq + p->cq_off.cqes);
	unsigned int cq_mask = *(unsigned int *)(sq + p->cq_off.ring_mask);

	*sqe = *op;
	array[*tail & *(unsigned int *)(sq + p->sq_off.ring_mask)] = 0;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	S(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, 0, 0);
	note(cur, -4, cqe[*head & cq_mask].res);
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
}

static void uring_rule(long ctl, int type)
{
	struct audit_rule_data *r;

	r = rule_new(AUDIT_FILTER_URING_EXIT, AUDIT_ALWAYS);
	rule_call(r, IORING_OP_OPENAT);
	rule_num(r, AUDIT_SUCCESS, AUDIT_EQUAL, 1);
	rule_str(r, AUDIT_FILTERKEY, "mid-uring");
	rule_send(ctl, type);
}

static void uring(long who)
{
	static struct io_uring_params p;
	static struct io_uring_sqe op;
	static char buf[512];
	long ring, sq, sqe, ctl;
	int fd, i;

	be(who);
	ring = S(SYS_io_uring_setup, 4, &p);
	if (ring < 0 || !(p.features & IORING_FEAT_SINGLE_MMAP))
		return;
	/* not every auditctl can make such rules */
	ctl = audit_socket();
	uring_rule(ctl, AUDIT_ADD_RULE);
	sq = S(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE,
	       MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQ_RING);
	sqe = S(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQES);
	for (i = 0; i < 5; i++) {
		static const char *const name[] = {
			"watched", "plain", "tree", "priv", "plain",
		};

		memset(&op, 0, sizeof(op));
		op.opcode = IORING_OP_OPENAT;
		op.fd = AT_FDCWD;
		op.addr = (long)path(name[i], i == 3 ? "secret" : "f1");
		op.open_flags = i & 1 ? O_RDONLY : O_RDWR;
		uring_op(ring, (char *)sq, &p, (void *)sqe, &op);
		fd = cur->entry[cur->nr - 1].ret;
		if (fd < 0)
			continue;
		memset(&op, 0, sizeof(op));
		op.opcode = IORING_OP_READ;
		op.fd = fd;
		op.addr = (long)buf;
		op.len = 8;
		uring_op(ring, (char *)sq, &p, (void *)sqe, &op);
		memset(&op, 0, sizeof(op));
		op.opcode = IORING_OP_CLOSE;
		op.fd = fd;
		uring_op(ring, (char *)sq, &p, (void *)sqe, &op);
		S(SYS_getpriority, 0, 0);
		shut(S(SYS_open, path(name[i], "f1"), O_RDONLY));
	}
	uring_rule(ctl, AUDIT_DEL_RULE);
	shut(ctl);
	S(SYS_munmap, sqe, 4096);
	S(SYS_munmap, sq, 4096);
	shut(ring);
}

/* Rules that come and go */

static void probe(void)
{
	S(SYS_getpriority, 2, 0);
	shut(S(SYS_open, path("plain", "late"), O_WRONLY));
	shut(S(SYS_open, path("plain/sub", "f1"), O_RDONLY));
	S(SYS_chmod, path("plain/sub", "f1"), 0644);
}

static void rules(long who)
{
	struct audit_rule_data *r;
	long fd;

	be(who);
	fd = audit_socket();
	audit_user(fd, "afp-user-message");
	probe();

	/* a message that no rule asks for, and its SYSCALL record */
	r = rule_new(AUDIT_FILTER_EXIT, AUDIT_ALWAYS);
	rule_call(r, SYS_getpriority);
	rule_num(r, AUDIT_ARCH, AUDIT_EQUAL, NATIVE_ARCH);
	rule_num(r, AUDIT_ARG0, AUDIT_EQUAL, 2);
	rule_str(r, AUDIT_FILTERKEY, "mid-call");
	rule_send(fd, AUDIT_ADD_RULE);
	probe();
	rule_send(fd, AUDIT_ADD_RULE);
	rule_send(fd, AUDIT_DEL_RULE);
	probe();
	rule_send(fd, AUDIT_DEL_RULE);

	/* a watch that comes late */
	r = rule_new(AUDIT_FILTER_EXIT, AUDIT_ALWAYS);
	rule_all(r);
	rule_str(r, AUDIT_WATCH, path("plain", "late"));
	rule_num(r, AUDIT_PERM, AUDIT_EQUAL, AUDIT_PERM_WRITE);
	rule_str(r, AUDIT_FILTERKEY, "mid-watch");
	rule_send(fd, AUDIT_ADD_RULE);
	probe();
	rule_send(fd, AUDIT_DEL_RULE);
	probe();

	/* and a tree */
	r = rule_new(AUDIT_FILTER_EXIT | AUDIT_FILTER_PREPEND, AUDIT_ALWAYS);
	rule_all(r);
	rule_str(r, AUDIT_DIR, path("plain/sub", ""));
	rule_num(r, AUDIT_PERM, AUDIT_EQUAL, AUDIT_PERM_ATTR);
	rule_str(r, AUDIT_FILTERKEY, "mid-tree");
	rule_send(fd, AUDIT_ADD_RULE);
	probe();
	rule_send(fd, AUDIT_DEL_RULE);
	probe();

	/* a never that hides, at the head of the list */
	r = rule_new(AUDIT_FILTER_EXIT | AUDIT_FILTER_PREPEND, AUDIT_NEVER);
	rule_all(r);
	rule_str(r, AUDIT_FILTERKEY, "mid-never");
	rule_send(fd, AUDIT_ADD_RULE);
	probe();
	rule_send(fd, AUDIT_DEL_RULE);
	probe();

	/* what the kernel refuses */
	r = rule_new(AUDIT_FILTER_EXIT, AUDIT_ALWAYS);
	rule_all(r);
	rule_num(r, 99, AUDIT_EQUAL, 1);
	rule_send(fd, AUDIT_ADD_RULE);
	r = rule_new(AUDIT_FILTER_EXIT, AUDIT_ALWAYS);
	rule_all(r);
	rule_str(r, AUDIT_WATCH, path("missing/dir", "file"));
	rule_send(fd, AUDIT_ADD_RULE);
	audit_send(fd, AUDIT_TRIM, 0);

	/* with audit switched off nothing is written */
	audit_set(fd, AUDIT_STATUS_ENABLED, 0);
	probe();
	shut(S(SYS_open, path("watched", "f1"), O_RDWR));
	audit_set(fd, AUDIT_STATUS_ENABLED, 1);
	probe();
	shut(S(SYS_open, path("watched", "f1"), O_RDWR));
	shut(fd);
}

/* Watched things that vanish or are replaced while rules look at them */

static void vanish(long arg)
{
	static char buf[16];
	long fd, fd2;

	(void)arg;
	/* a watched file, open and with its directory in use */
	fd = S(SYS_open, path("gone", "f"), O_RDWR);
	fd2 = S(SYS_open, path("gone", ""), O_RDONLY);
	S(SYS_fchdir, fd2);
	S(SYS_unlink, "f");
	S(SYS_write, fd, "x", 1);
	shut(S(SYS_open, "f", O_CREAT | O_RDWR, 0600));
	shut(S(SYS_open, "f", O_RDONLY));
	S(SYS_rename, "f", "g");
	shut(S(SYS_open, "g", O_RDONLY));
	S(SYS_rename, "g", "f");
	shut(S(SYS_open, "f", O_RDONLY));
	S(SYS_unlink, "f");
	S(SYS_rmdir, path("gone", ""));
	S(SYS_getcwd, buf, sizeof(buf));
	shut(S(SYS_open, "f", O_CREAT | O_RDWR, 0600));
	S(SYS_chdir, "/");
	shut(fd2);
	shut(fd);
	S(SYS_mkdir, path("gone", ""), 0755);
	shut(S(SYS_open, path("gone", "f"), O_CREAT | O_RDWR, 0600));
	S(SYS_unlink, path("gone", "f"));
	S(SYS_rmdir, path("gone", ""));

	/* a watched tree */
	fd = S(SYS_open, path("gonetree/sub", "f"), O_RDONLY);
	S(SYS_unlink, path("gonetree/sub", "f"));
	S(SYS_rmdir, path("gonetree/sub", ""));
	S(SYS_rmdir, path("gonetree", ""));
	shut(fd);
	S(SYS_mkdir, path("gonetree", ""), 0755);
	S(SYS_rmdir, path("gonetree", ""));

	/* the directory of a program that a rule names */
	run("x-gone", exec_one, 13);
	S(SYS_unlink, path("goneexe", "prog"));
	S(SYS_rmdir, path("goneexe", ""));
}

static void swap_exec(long arg)
{
	(void)arg;
	exec_path(path("swap", "prog"));
}

static void swap(long arg)
{
	int i;

	(void)arg;
	for (i = 0; i < 2; i++) {
		shut(S(SYS_open, path("swap", "f"), O_RDWR));
		shut(S(SYS_open, path("swap", "tmp"), O_CREAT | O_WRONLY,
		       0600));
		S(SYS_rename, path("swap", "tmp"), path("swap", "f"));
		shut(S(SYS_open, path("swap", "f"), O_RDWR));
		S(SYS_rename, path("swap", "f"), path("swap", "old"));
		shut(S(SYS_open, path("swap", "f"), O_RDWR));
		shut(S(SYS_open, path("swap", "old"), O_RDWR));
		S(SYS_rename, path("swap", "old"), path("swap", "f"));
	}
	S(SYS_link, path("swap", "f"), path("swap", "hard"));
	S(SYS_unlink, path("swap", "f"));
	shut(S(SYS_open, path("swap", "hard"), O_RDWR));
	S(SYS_symlink, "hard", path("swap", "f"));
	shut(S(SYS_open, path("swap", "f"), O_RDWR));

	run("x-swap-old", swap_exec, 0);
	S(SYS_rename, path("swap", "prog.new"), path("swap", "prog"));
	run("x-swap-new", swap_exec, 0);
	S(SYS_rename, path("swap", "prog"), path("swap", "prog.old"));
	S(SYS_rename, path("swap", "prog.old"), path("swap", "prog"));
	run("x-swap-back", swap_exec, 0);
}

/* The whole */

static void everything(void)
{
	run("files-root", files, ROOT);
	run("files-user", files, PLAIN_USER);
	run("files-login", files, LOGGED_IN);
	run("files-sudo", files, SUDO);
	run("creds-setuid", creds, 0);
	run("creds-setreuid", creds, 1);
	run("creds-setresuid", creds, 2);
	run("creds-gid", creds, 3);
	run("creds-fsuid", creds, 4);
	run("creds-user", creds, 5);
	run("caps-root", caps, ROOT);
	run("caps-user", caps, LOGGED_IN);
	run("login", login, 0);
	run("persona", persona, 0);
	run("probes-root", probes, 0);
	run("probes-login", probes, 1);
	run("probes-pers", probes, 2);
	run("probes-mixed", probes, 3);
	run("stat-root", file_probes, ROOT);
	run("stat-login", file_probes, LOGGED_IN);
	run("never-root", never, ROOT);
	run("never-login", never, LOGGED_IN);
	programs();
	run("net-root", net, ROOT);
	run("net-login", net, LOGGED_IN);
	run("ipc-root", ipc, ROOT);
	run("mq", mq, 0);
	run("times-root", times, ROOT);
	run("times-login", times, LOGGED_IN);
	run("mounts-root", mounts, ROOT);
	run("mounts-sudo", mounts, SUDO);
	run("mounts-login", mounts, LOGGED_IN);
	run("modules-root", modules, ROOT);
	run("modules-login", modules, LOGGED_IN);
	run("system-root", system_calls, ROOT);
	run("system-login", system_calls, LOGGED_IN);
	run("memory-root", memory, ROOT);
	run("memory-login", memory, LOGGED_IN);
	run("numbers-root", numbers, ROOT);
	run("numbers-login", numbers, LOGGED_IN);
	run("signals-root", signals, ROOT);
	run("signals-login", signals, LOGGED_IN);
	run("interrupt", interrupted, 0);
	run("restart", interrupted, SA_RESTART);
	run("seccomp-errno", seccomp, SECCOMP_RET_ERRNO | EPERM);
	run("seccomp-trap", seccomp, SECCOMP_RET_TRAP);
	run("seccomp-log", seccomp, SECCOMP_RET_LOG);
	run("seccomp-kill", seccomp, SECCOMP_RET_KILL_PROCESS);
	run("seccomp-thread", seccomp, SECCOMP_RET_KILL_THREAD);
	run("crash", crash, 0);
	run("forks", forks, 0);
	run("threads-turn", threads_in_turn, 0);
	run("threads-all", threads_together, 0);
	run("thread-leader", exec_in_thread, 0);
	run("storm", storm, 0);
	run("uring-root", uring, ROOT);
	run("uring-login", uring, LOGGED_IN);
	run("rules-root", rules, ROOT);
	run("rules-user", rules, PLAIN_USER);
	run("swap", swap, 0);
	run("vanish", vanish, 0);
	run("after-user", files, PLAIN_USER);
	run("after-login", files, LOGGED_IN);
}

static int returns_pid(int call)
{
	switch (call) {
	case SYS_fork:
	case SYS_vfork:
	case SYS_clone:
	case SYS_clone3:
	case SYS_wait4:
	case SYS_getpid:
	case SYS_gettid:
	case SYS_getppid:
	case SYS_getpgid:
	case SYS_getsid:
	case SYS_setsid:
	case INT80 + 20:
		return 1;
	}
	return 0;
}

static void print_logs(void)
{
	int i, j;

	for (i = 0; i < logs->nr; i++) {
		const struct tasklog *log = &logs->log[i];

		if (log->nr == LOG_SIZE)
			printf("%s: log full\n", log->name);
		for (j = 0; j < log->nr; j++) {
			int call = log->entry[j].call;
			long ret = log->entry[j].ret;

			if (ret > 0 && returns_pid(call))
				printf("%s: %d = pid\n", log->name, call);
			else
				printf("%s: %d = %ld\n", log->name, call,
				       ret);
		}
	}
}

/* Laying out DIR */

static void fail(const char *what)
{
	fprintf(stderr, "workload: %s: %m\n", what);
	exit(1);
}

static void make_file(const char *name, const void *text, size_t len, int mode)
{
	int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0600);

	if (fd < 0 || write(fd, text, len) != (ssize_t)len ||
	    fchmod(fd, mode) || close(fd))
		fail(name);
}

static void make_dir(const char *name, int mode)
{
	if (mkdir(name, 0700) || chmod(name, mode))
		fail(name);
}

static void copy_file(const char *from, const char *to)
{
	static char buf[1 << 16];
	int in = open(from, O_RDONLY);
	int out = open(to, O_CREAT | O_EXCL | O_WRONLY, 0755);
	ssize_t n;

	if (in < 0)
		fail(from);
	if (out < 0)
		fail(to);
	while ((n = read(in, buf, sizeof(buf))) > 0)
		if (write(out, buf, n) != n)
			fail(to);
	if (n || fchmod(out, 0755) || close(out))
		fail(to);
	close(in);
}

static void set(const char *name, const char *value)
{
	int fd = open(name, O_WRONLY);

	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		fail(name);
	close(fd);
}

static void prepare(void)
{
	static const struct {
		unsigned int magic_etc, permitted, inheritable, rest[2];
	} cap = { 0x02000001, 1u << CAP_NET_RAW, 0, { 0, 0 } };
	static const char *const etc[] = {
		"/etc/passwd", "/etc/shadow", "/etc/group", "/etc/hosts",
	};
	static struct ifreq ifr = { .ifr_name = "lo" };
	static char self[128], w32[160], script[256];
	size_t i;
	ssize_t n;
	int fd;

	umask(0);
	/* the first inode of a new tmpfs: all-fields.rules knows its number */
	make_file(path("", "first"), "first", 5, 0644);
	for (i = 0; i < ARRAY_SIZE(dirs); i++) {
		make_dir(path(dirs[i], ""), i ? 0777 : 0755);
		make_file(path(dirs[i], "f1"), "f1", 2, 0644);
		make_file(path(dirs[i], "f2"), "f2", 2, 0644);
		make_dir(path(dirs[i], "sub"), 0755);
		make_file(path(dirs[i], "sub/f1"), "f1", 2, 0644);
		if (symlink("f1", path(dirs[i], "link")) ||
		    symlink("nowhere", path(dirs[i], "dangling")))
			fail(dirs[i]);
	}
	make_file(path("plain", "late"), "late", 4, 0644);
	make_dir(path("priv", ""), 0700);
	make_file(path("priv", "secret"), "secret", 6, 0600);
	make_dir(path("owned", ""), 0755);
	make_file(path("owned", "user"), "user", 4, 0644);
	make_file(path("owned", "group"), "group", 5, 0644);
	if (chown(path("owned", "user"), USER, GROUP) ||
	    chown(path("owned", "group"), 0, OTHER_GROUP) ||
	    mkfifo(path("fifo", ""), 0666))
		fail("owned");
	make_dir(path("never", ""), 0755);
	make_file(path("never", "older"), "older", 5, 0644);
	make_file(path("never", "newer"), "newer", 5, 0644);
	make_dir(path("never/sub", ""), 0755);
	make_file(path("never/sub", "f"), "f", 1, 0644);
	make_dir(path("mnt", ""), 0755);
	make_dir(path("mnt2", ""), 0755);
	make_dir(path("gone", ""), 0755);
	make_file(path("gone", "f"), "f", 1, 0644);
	make_dir(path("gonetree", ""), 0755);
	make_dir(path("gonetree/sub", ""), 0755);
	make_file(path("gonetree/sub", "f"), "f", 1, 0644);

	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n < 0)
		fail("/proc/self/exe");
	strcpy(w32, self);
	if (NATIVE_INT80)
		strcpy(strrchr(w32, '/') + 1, "workload32");
	make_dir(path("bin", ""), 0755);
	copy_file(self, path("bin", "prog"));
	/* libc's start of such programs has garbage in its arguments */
	copy_file(w32, path("bin", "setuid"));
	copy_file(w32, path("bin", "filecap"));
	copy_file(self, path("priv", "prog"));
	make_dir(path("swap", ""), 0755);
	make_file(path("swap", "f"), "f", 1, 0644);
	copy_file(self, path("swap", "prog"));
	copy_file(self, path("swap", "prog.new"));
	make_dir(path("goneexe", ""), 0755);
	copy_file(self, path("goneexe", "prog"));
	copy_file(self, path("bin", "copy"));
	copy_file(w32, path("bin", "w32"));
	make_file(path("bin", "noexec"), "x", 1, 0644);
	make_file(path("bin", "garbage"), "garbage", 7, 0755);
	sprintf(script, "#!%s --leaf=%s\n", path("bin", "prog"), top);
	make_file(path("bin", "script"), script, strlen(script), 0755);
	if (symlink("prog", path("bin", "link")) ||
	    chmod(path("bin", "setuid"), 04755) ||
	    syscall(SYS_setxattr, path("bin", "filecap"),
		    "security.capability", &cap, 20, 0))
		fail("bin");

	for (i = 0; i < ARRAY_SIZE(etc); i++) {
		fd = open(etc[i], O_CREAT | O_RDWR, 0644);
		if (fd < 0 || fchmod(fd, i == 1 ? 0600 : 0644))
			fail(etc[i]);
		close(fd);
	}
	/* links that are not followed or made leave a record of their own */
	set("/proc/sys/fs/protected_hardlinks", "1");
	set("/proc/sys/fs/protected_symlinks", "1");
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (ioctl(fd, SIOCGIFFLAGS, &ifr))
		fail("lo");
	ifr.ifr_flags |= IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &ifr))
		fail("lo");
	close(fd);
}

int main(int argc, char **argv)
{
	long fd;

	if (argc > 1 && !strncmp(argv[1], leaf_arg, strlen(leaf_arg))) {
		snprintf(top, sizeof(top), "%s", argv[1] + strlen(leaf_arg));
		leaf();
	}
	if (argc == 3 && !strcmp(argv[1], "--prepare")) {
		snprintf(top, sizeof(top), "%s", argv[2]);
		prepare();
		return 0;
	}
	if (argc != 2 || argv[1][0] != '/' || strlen(argv[1]) >= sizeof(top)) {
		fprintf(stderr, "usage: workload [--prepare] DIR\n");
		return 2;
	}
	/* the addresses of arguments must not depend on who calls us */
	if (environ[0]) {
		execve("/proc/self/exe", argv, envp);
		fail("/proc/self/exe");
	}
	/* no call should block for ever, but a change to this file may */
	alarm(120);
	strcpy(top, argv[1]);
	strcat(leaf_arg, top);
	logs = mmap(NULL, sizeof(*logs), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (logs == MAP_FAILED)
		fail("mmap");
	cur = new_log("workload");
	S(SYS_prctl, PR_SET_NAME, "workload");
	S(SYS_chdir, "/");
	S(SYS_umask, 022);
	fd = audit_socket();
	audit_user(fd, "afp-begin");
	everything();
	audit_user(fd, "afp-end");
	shut(fd);
	print_logs();
	return 0;
}
