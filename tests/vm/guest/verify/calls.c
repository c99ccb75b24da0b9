// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random system calls that harm nobody: most do nothing or fail, the others
 * work on a few files of their own directory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <netinet/in.h>
#include <unistd.h>

#include "../native.h"
#include "verify.h"

#ifndef SYS_openat2
#define SYS_openat2 437
#endif

const struct who identities[CALLERS] = {
	{ .auid = UNSET },
	{ .auid = 1000 },
	{ .uid = { 1000, 1000, 1000, 1000 }, .gid = { 1000, 1000, 1000, 1000 },
	  .auid = 1000, .groups = 2, .group = { 2000, 3000 } },
	{ .uid = { 1001, 1001, 1001, 1001 }, .gid = { 100, 101, 102, 103 },
	  .auid = 1001 },
	{ .uid = { 1001, 1000, 1002, 1003 }, .gid = { 2001, 2002, 2003, 2004 },
	  .auid = 1000, .groups = 3, .group = { 1000, 2000, 4000000000u } },
	{ .uid = { 1, 2, 3, 4 }, .gid = { 1, 2, 3, 4 }, .auid = UNSET },
	{ .uid = { 65534, 65534, 65534, 65534 },
	  .gid = { 65534, 1000, 999, 998 }, .auid = UNSET, .groups = 33,
	  .group = { 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33,
		     35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61,
		     63, 1000, 2000, 65533 } },
	{ .uid = { 4294967294u, 2147483648u, 2147483647, 4294967294u },
	  .gid = { 4294967294u, 2147483648u, 2147483647, 999 },
	  .auid = 4294967294u, .groups = 1, .group = { 2147483648u } },
};

/* What an argument is. */
enum kind {
	NIL, PROBE, SMALL, ANY, BUF, LEN, FD, CWD, FLAGS, MODE, AMODE,
	PATH,		/* to be looked at */
	ITEM,		/* of our directory: to be changed */
	LEAF,		/* of these: to be made, moved, removed */
	SUB,		/* a directory: to be made and removed */
	PROG,		/* nothing that can be executed */
	HOW, HOWLEN, ID, PID, FAMILY, TYPE, ADDR, ADDRLEN, NAME,
	SUBCALL, SUBARGS, PERSONA, NOID, REGULAR, TIME, GETNAME,
};

enum what {
	PLAIN,
	OPENS,		/* returns a descriptor */
	FORKS,
	NUMBER,		/* any number that is no call, ours or a later one's */
};

static const struct call {
	short nr, nr32;		/* -1: there is none */
	unsigned short weight;
	unsigned char what;
	unsigned char arg[4];
} calls[] = {
	{ SYS_getpriority, 96, 300, PLAIN, { PROBE, SMALL, ANY, ANY } },
	{ SYS_setpriority, 97, 60, PLAIN, { PROBE, SMALL, ANY, ANY } },
	{ SYS_getpid, 20, 120, PLAIN, { ANY, SMALL, SMALL, ANY } },
	{ SYS_getuid, 24, 40, PLAIN, { SMALL, ANY, ANY, SMALL } },
	{ SYS_geteuid, 49, 20, PLAIN, { 0 } },
	{ SYS_getgid, 47, 20, PLAIN, { 0 } },
	{ SYS_getppid, 64, 6, PLAIN, { 0 } },
	{ SYS_gettid, 224, 6, PLAIN, { 0 } },
	{ SYS_sched_yield, 158, 2, PLAIN, { 0 } },
	{ SYS_umask, 60, 6, PLAIN, { NIL, ANY } },
	{ SYS_uname, 122, 6, PLAIN, { BUF } },
	{ SYS_times, 43, 6, PLAIN, { BUF } },
	{ SYS_alarm, 27, 4, PLAIN, { NIL, ANY, ANY, ANY } },
	{ SYS_getrusage, 77, 4, PLAIN, { PROBE, BUF } },
	{ SYS_clock_gettime, 265, 4, PLAIN, { SMALL, BUF } },
	{ SYS_nanosleep, 162, 2, PLAIN, { TIME, NIL } },
	{ SYS_getcwd, 183, 4, PLAIN, { BUF, LEN } },
	{ SYS_brk, 45, 4, PLAIN, { NIL } },
	{ SYS_prctl, 172, 6, PLAIN, { GETNAME, BUF } },
	{ SYS_personality, 136, 6, PLAIN, { PERSONA } },
	{ SYS_kill, 37, 8, PLAIN, { PID, NIL } },
	{ SYS_ptrace, 26, 4, PLAIN, { PROBE, NIL, NIL, NIL } },
	{ SYS_setresuid, 208, 6, PLAIN, { NOID, NOID, NOID } },
	{ SYS_setresgid, 210, 6, PLAIN, { NOID, NOID, NOID } },
	{ SYS_setuid, 213, 6, PLAIN, { NOID } },
	{ SYS_setgid, 214, 6, PLAIN, { NOID } },
	{ SYS_capset, 185, 4, PLAIN, { SMALL, SMALL } },
	{ SYS_adjtimex, 124, 2, PLAIN, { SMALL } },
	{ SYS_sethostname, 74, 2, PLAIN, { SMALL, SMALL } },
	{ SYS_delete_module, 129, 2, PLAIN, { SMALL, NIL } },
	{ SYS_init_module, 128, 2, PLAIN, { SMALL, NIL, NIL } },
	{ SYS_bpf, 357, 4, PLAIN, { PROBE, SMALL, NIL } },
	{ SYS_msgget, -1, 4, PLAIN, { PROBE, NIL } },
	{ SYS_msgctl, -1, 4, PLAIN, { PROBE, NIL, BUF } },
	{ -1, 117, 4, PLAIN, { PROBE, SMALL } },

	{ SYS_read, 3, 30, PLAIN, { FD, BUF, LEN } },
	{ SYS_write, 4, 30, PLAIN, { FD, BUF, LEN } },
	{ SYS_lseek, 19, 10, PLAIN, { FD, SMALL, NIL } },
	{ SYS_fstat, 108, 6, PLAIN, { FD, BUF } },
	{ SYS_fsync, 118, 4, PLAIN, { FD } },
	{ SYS_ftruncate, 93, 4, PLAIN, { FD, LEN } },
	{ SYS_fchmod, 94, 4, PLAIN, { FD, MODE } },
	{ SYS_dup, 41, 4, OPENS, { FD } },
	{ SYS_close, 6, 8, PLAIN, { PROBE } },

	{ SYS_open, 5, 24, OPENS, { PATH, FLAGS, MODE } },
	{ SYS_openat, 295, 30, OPENS, { CWD, PATH, FLAGS, MODE } },
	{ SYS_openat2, 437, 8, OPENS, { CWD, PATH, HOW, HOWLEN } },
	{ SYS_creat, 8, 4, OPENS, { LEAF, MODE } },
	{ SYS_stat, 106, 8, PLAIN, { PATH, BUF } },
	{ SYS_lstat, 107, 4, PLAIN, { PATH, BUF } },
	{ SYS_newfstatat, 300, 6, PLAIN, { CWD, PATH, BUF, NIL } },
	{ SYS_statx, 383, 6, PLAIN, { CWD, PATH, NIL, PROBE } },
	{ SYS_access, 33, 6, PLAIN, { PATH, AMODE } },
	{ SYS_faccessat, 307, 4, PLAIN, { CWD, PATH, AMODE } },
	{ SYS_readlink, 85, 4, PLAIN, { PATH, BUF, LEN } },
	{ SYS_chmod, 15, 6, PLAIN, { ITEM, MODE } },
	{ SYS_fchmodat, 306, 4, PLAIN, { CWD, ITEM, MODE } },
	{ SYS_chown, 212, 3, PLAIN, { ITEM, ID, ID } },
	{ SYS_lchown, 198, 2, PLAIN, { ITEM, ID, ID } },
	{ SYS_fchownat, 298, 2, PLAIN, { CWD, ITEM, ID, ID } },
	{ SYS_truncate, 92, 4, PLAIN, { ITEM, LEN } },
	{ SYS_setxattr, 226, 2, PLAIN, { ITEM, NAME, BUF, SMALL } },
	{ SYS_getxattr, 229, 2, PLAIN, { PATH, NAME, BUF, LEN } },
	{ SYS_removexattr, 235, 2, PLAIN, { ITEM, NAME } },
	{ SYS_unlink, 10, 4, PLAIN, { LEAF } },
	{ SYS_unlinkat, 301, 3, PLAIN, { CWD, LEAF, NIL } },
	{ SYS_rename, 38, 3, PLAIN, { LEAF, LEAF } },
	{ SYS_renameat, 302, 2, PLAIN, { CWD, LEAF, CWD, LEAF } },
	{ SYS_link, 9, 3, PLAIN, { LEAF, LEAF } },
	{ SYS_symlink, 83, 2, PLAIN, { LEAF, LEAF } },
	{ SYS_mknod, 14, 2, PLAIN, { LEAF, REGULAR } },
	{ SYS_mkdir, 39, 4, PLAIN, { SUB, MODE } },
	{ SYS_rmdir, 40, 3, PLAIN, { SUB } },
	{ SYS_chdir, 12, 2, PLAIN, { PROG } },
	{ SYS_execve, 11, 4, PLAIN, { PROG, NIL, NIL } },
	{ SYS_execveat, 358, 2, PLAIN, { CWD, PROG, NIL, NIL } },

	{ SYS_socket, 359, 6, OPENS, { FAMILY, TYPE, NIL } },
	{ SYS_bind, 361, 6, PLAIN, { FD, ADDR, ADDRLEN } },
	{ SYS_connect, 362, 6, PLAIN, { FD, ADDR, ADDRLEN } },
	{ -1, 102, 6, PLAIN, { SUBCALL, SUBARGS } },

	{ SYS_fork, 2, 2, FORKS, { 0 } },
	{ -1, -1, 160, NUMBER, { PROBE, SMALL, ANY, ANY } },
};

/* Each call as often as it weighs. */
static unsigned char table[2048];
static unsigned int table_size;

#define PATHS	24
static char paths[PATHS][64];
static int path_count, first_leaf, first_sub, leaf_end;
static char progs[3][64];
static char buf[4096];
static int held[4] = { -1, -1, -1, -1 };
static const struct timespec no_time;
static const char xattr_name[] = "user.afp";
/* Of the socketcalls: no such type, no such descriptor, no such address. */
static uint32_t sub_args[3][3] = { { AF_INET, 99 }, { 77 }, { UNSET, 8, 1 } };

static struct {
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
	struct sockaddr strange;
} addrs;
static struct open_how hows[4] = {
	{ .flags = O_RDONLY }, { .flags = O_RDWR },
	{ .flags = O_CREAT | O_WRONLY, .mode = 0600 },
	{ .flags = O_RDONLY, .mode = 0600 },	/* refused */
};

static void add_path(const char *dir, const char *name)
{
	if (path_count == PATHS)
		exit(3);
	snprintf(paths[path_count++], sizeof(paths[0]), "%s%s", dir, name);
}

void calls_init(const char *dir)
{
	static const char *const look[] = {
		"", "/a", "/b", "/priv", "/priv/secret", "/missing/x",
		"/a/link",
	};
	static const char *const leaf[] = {
		"/a/f1", "/a/f2", "/a/new", "/b/f1", "/b/new", "/gone/f",
		"/b/moved",
	};
	static const char *const sub[] = { "/gone", "/a/sub", "/b/sub" };
	unsigned int i, j;

	add_path("", "/dev/null");
	add_path("", "/etc/hosts");
	for (i = 0; i < ARRAY_SIZE(look); i++)
		add_path(dir, look[i]);
	first_leaf = path_count;
	for (i = 0; i < ARRAY_SIZE(leaf); i++)
		add_path(dir, leaf[i]);
	leaf_end = path_count;
	first_sub = path_count;
	for (i = 0; i < ARRAY_SIZE(sub); i++)
		add_path(dir, sub[i]);
	snprintf(progs[0], sizeof(progs[0]), "%s/a/f1", dir);
	snprintf(progs[1], sizeof(progs[1]), "%s/missing/prog", dir);
	snprintf(progs[2], sizeof(progs[2]), "%s/priv/secret", dir);

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		for (j = 0; j < calls[i].weight; j++)
			table[table_size++] = i;

	addrs.in.sin_family = AF_INET;
	addrs.in.sin_port = 0x760e;
	addrs.in.sin_addr.s_addr = 0x0100007f;
	addrs.in6.sin6_family = AF_INET6;
	addrs.in6.sin6_port = 0x760e;
	addrs.in6.sin6_addr.s6_addr[15] = 1;
	addrs.un.sun_family = AF_UNIX;
	snprintf(addrs.un.sun_path, sizeof(addrs.un.sun_path), "%s/b/sock",
		 dir);
	addrs.strange.sa_family = 4;
	sub_args[1][1] = (unsigned long)&addrs.in;
	sub_args[1][2] = sizeof(addrs.in);
}

/* Lay out the directory, or what callers took away of it. */
void calls_restore(void)
{
	static const char *const dirs[] = {
		"", "/a", "/b", "/gone", "/a/sub", "/b/sub", "/priv",
	};
	static const char *const files[] = {
		"/a/f1", "/a/f2", "/b/f1", "/gone/f", "/priv/secret",
	};
	const char *dir = paths[2];
	char name[80];
	unsigned int i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(dirs); i++) {
		snprintf(name, sizeof(name), "%s%s", dir, dirs[i]);
		mkdir(name, 0777);
		chmod(name, strcmp(dirs[i], "/priv") ? 0777 : 0700);
	}
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(name, sizeof(name), "%s%s", dir, files[i]);
		fd = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
		if (fd >= 0)
			close(fd);
	}
	snprintf(name, sizeof(name), "%s/a/link", dir);
	if (symlink("f1", name) && errno != EEXIST)
		exit(3);
}

const char *calls_path(struct rng *rng)
{
	return paths[rng_below(rng, path_count)];
}

static unsigned long between(struct rng *rng, int from, int to)
{
	return (unsigned long)paths[from + rng_below(rng, to - from)];
}

static unsigned long argument(struct rng *rng, enum kind kind)
{
	static const uint32_t any[] = {
		0, 1, 2, 3, 1000, 0x7fffffff, 0x80000000, 0xfffffffe, UNSET,
	};
	static const int flags[] = {
		O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_RDWR, O_CREAT | O_RDWR,
		O_CREAT | O_EXCL | O_WRONLY, O_RDONLY | O_TRUNC, O_PATH,
		O_DIRECTORY, O_WRONLY | O_APPEND, O_RDONLY | O_CLOEXEC,
	};
	static const int modes[] = { 0644, 0600, 0666, 0, 04644 };
	static const uint32_t ids[] = { UNSET, 0, 1000, 1001, 2000, 65534 };
	static const int families[] = {
		AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, 99,
	};
	static const int types[] = {
		SOCK_STREAM | SOCK_NONBLOCK, SOCK_DGRAM | SOCK_NONBLOCK,
		SOCK_RAW | SOCK_NONBLOCK,
	};
	static const void *const addr[] = {
		&addrs.in, &addrs.in6, &addrs.un, &addrs.strange, (void *)8,
	};
	static const int personas[] = {
		-1, 0, 8, ADDR_COMPAT_LAYOUT, ADDR_COMPAT_LAYOUT | 8,
	};

	switch (kind) {
	case NIL:
		return 0;
	case PROBE:
		return 900 + rng_below(rng, 16);
	case SMALL:
		return rng_below(rng, 8);
	case ANY:
		return PICK(rng, any) | (unsigned long)rng_below(rng, 2) << 32;
	case BUF:
		return rng_one_in(rng, 8) ? 8 : (unsigned long)buf;
	case LEN:
		return 1 + rng_below(rng, 16);
	case FD:
		return rng_one_in(rng, 3) ? 77 : (long)PICK(rng, held);
	case CWD:
		return rng_one_in(rng, 16) ? 77 : AT_FDCWD;
	case FLAGS:
		return PICK(rng, flags);
	case MODE:
		return PICK(rng, modes);
	case AMODE:
		return rng_below(rng, 8);
	case PATH:
		return between(rng, 0, path_count);
	case ITEM:
		return between(rng, first_leaf, path_count);
	case LEAF:
		return between(rng, first_leaf, leaf_end);
	case SUB:
		return between(rng, first_sub, path_count);
	case PROG:
		return (unsigned long)PICK(rng, progs);
	case HOW:
		return (unsigned long)&PICK(rng, hows);
	case HOWLEN:
		return rng_one_in(rng, 4) ? 4 : sizeof(hows[0]);
	case ID:
		return PICK(rng, ids);
	case PID:
		return rng_below(rng, 3);
	case FAMILY:
		return PICK(rng, families);
	case TYPE:
		return PICK(rng, types);
	case ADDR:
		return (unsigned long)PICK(rng, addr);
	case ADDRLEN:
		return rng_one_in(rng, 8) ? 1 : sizeof(addrs.in6);
	case NAME:
		return (unsigned long)xattr_name;
	case SUBCALL:
		return rng_below(rng, 4) + (rng_one_in(rng, 8) ? 90 : 0);
	case SUBARGS:
		return (unsigned long)PICK(rng, sub_args);
	case PERSONA:
		return PICK(rng, personas);
	case NOID:
		return UNSET;
	case REGULAR:
		return S_IFREG | PICK(rng, modes);
	case TIME:
		return (unsigned long)&no_time;
	case GETNAME:
		return PR_GET_NAME;
	default:
		return 0;
	}
}

/* Numbers that are no call on any kernel of these years. */
static int no_call(struct rng *rng)
{
	static const int numbers[] = {
		-1, 400, 600, 1023, 1024, 2015, 2031, 2032, 2047, 2048, 5000,
		0x40000000 | 39, 0x40000000 | 2, INT_MIN | 39,
	};

	if (rng_one_in(rng, 4))
		return PICK(rng, numbers);
	return rng_one_in(rng, 8) ? 600 + rng_below(rng, 1432) :
				    480 + rng_below(rng, 32);
}

static const struct call *choose(struct rng *rng, int *compat)
{
	const struct call *call;

	do {
		call = &calls[table[rng_below(rng, table_size)]];
		*compat = rng_one_in(rng, 4) && NATIVE_INT80;
	} while (call->what != NUMBER && (*compat ? call->nr32 : call->nr) < 0);
	return call;
}

static const char *path_of(unsigned long arg)
{
	if (arg >= (unsigned long)paths && arg < (unsigned long)(paths + PATHS))
		return (const char *)arg;
	return NULL;
}

void calls_model(struct rng *rng, struct model *m)
{
	/* -38 is ENOSYS, which has no other use. */
	static const long results[] = {
		0, 0, 0, 1, 3, 4, 5, 16, -EPERM, -ENOENT, -ESRCH, -EBADF,
		-EACCES, -EFAULT, -EEXIST, -ENOTDIR, -EISDIR, -EINVAL, -38,
		-ENOEXEC, -ENOTSOCK, 20,
	};
	static const uint32_t personas[] = {
		0, 8, ADDR_COMPAT_LAYOUT, ADDR_COMPAT_LAYOUT | 8,
	};
	const struct call *call = choose(rng, &m->compat);
	unsigned int i;

	m->path = NULL;
	m->nr = m->compat ? call->nr32 : call->nr;
	if (call->what == NUMBER)
		m->nr = no_call(rng);
	for (i = 0; i < 4; i++) {
		unsigned long arg = argument(rng, call->arg[i]);

		m->arg[i] = arg;
		if (path_of(arg))
			m->path = path_of(arg);
	}
	if (!m->path && rng_one_in(rng, 2))
		m->path = calls_path(rng);
	m->result = PICK(rng, results);
	m->personality = PICK(rng, personas);
}

static long call64(long nr, const unsigned long *arg)
{
	return native_call(nr, arg[0], arg[1], arg[2], arg[3], (long)buf, 0);
}

static long call32(long nr, const unsigned long *arg)
{
	return native_int80(nr, arg[0], arg[1], arg[2], arg[3], (long)buf);
}

static void hold(struct rng *rng, long fd)
{
	int *slot = &PICK(rng, held);

	if (fd < 0)
		return;
	if (*slot >= 0)
		close(*slot);
	*slot = fd;
}

/* Does it make, move or remove files? Without what can be left out of it. */
static int changes_names(const struct call *call, unsigned long *arg)
{
	int i;

	for (i = 0; i < 4; i++) {
		switch (call->arg[i]) {
		case LEAF:
		case SUB:
		case HOW:
			return 1;
		case FLAGS:
			arg[i] &= ~(unsigned long)(O_CREAT | O_TMPFILE);
		}
	}
	return 0;
}

static void make_one(struct rng *rng, int quiet)
{
	unsigned long arg[4];
	const struct call *call;
	int compat, i;
	long nr, ret;

	call = choose(rng, &compat);
	for (i = 0; i < 4; i++)
		arg[i] = argument(rng, call->arg[i]);
	if (quiet && changes_names(call, arg))
		return;
	nr = compat ? call->nr32 : call->nr;
	if (call->what == NUMBER)
		nr = no_call(rng);
	/* Tasks are dear. */
	if (call->what == FORKS && !rng_one_in(rng, 8))
		return;
	ret = compat ? call32(nr, arg) : call64(nr, arg);
	if (call->what == OPENS)
		hold(rng, ret);
	if (call->what != FORKS)
		return;
	if (!ret) {
		call64(SYS_getpid, arg);
		_exit(0);
	}
	if (ret > 0)
		waitpid(ret, NULL, 0);
}

void calls_make(struct rng *rng, long count, int quiet)
{
	unsigned int i;

	while (count-- > 0)
		make_one(rng, quiet);
	personality(0);
	for (i = 0; i < ARRAY_SIZE(held); i++) {
		if (held[i] >= 0)
			close(held[i]);
		held[i] = -1;
	}
}

static void must(const char *what, int bad)
{
	if (!bad)
		return;
	perror(what);
	exit(3);
}

void calls_become(const struct who *who)
{
	char text[16];
	int fd, n;

	if (who->auid != UNSET) {
		fd = open("/proc/self/loginuid", O_WRONLY);
		n = snprintf(text, sizeof(text), "%u", who->auid);
		must("loginuid", fd < 0 || write(fd, text, n) != n);
		close(fd);
	}
	/* With the rights of root where the ids differ. */
	if (who->uid[0] != who->uid[3])
		must("securebits", prctl(PR_SET_SECUREBITS, 4));
	must("setgroups", syscall(SYS_setgroups, who->groups, who->group));
	must("setresgid", syscall(SYS_setresgid, who->gid[0], who->gid[1],
				  who->gid[2]));
	syscall(SYS_setfsgid, who->gid[3]);
	must("setresuid", syscall(SYS_setresuid, who->uid[0], who->uid[1],
				  who->uid[2]));
	syscall(SYS_setfsuid, who->uid[3]);
}
