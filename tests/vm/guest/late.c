// SPDX-License-Identifier: GPL-2.0-only
/*
 * late [[-f FIFO] NAME]
 * late -r DIRECTORY: make calls that change what a rule asks of their own
 * task.
 *
 * Each is made by a child of its own, which begins as root without an audit
 * user id and is, when the call ends, what a rule asks for: user or group 1000
 * in one of its ids, or audit user id 1000. Without NAME prints their names,
 * each with what such a rule looks like:
 *
 *   setuid -S setuid -F uid=1000
 *
 * With NAME makes that call. Exit status 0 if the call succeeded. With FIFO it
 * makes FIFO.open, opens FIFO, reads a byte from it, and then makes the call, no
 * other in between. With DIRECTORY it removes that and sleeps: it makes no other
 * call, and does not end.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define ID	1000
#define KEEP	((uid_t)-1)

static int loginuid(void)
{
	return open("/proc/self/loginuid", O_WRONLY);
}

static struct iovec iov = { "1000", 4 };

static long do_setuid(void)
{
	return syscall(SYS_setuid, ID);
}

static long do_setgid(void)
{
	return syscall(SYS_setgid, ID);
}

static long do_setreuid(void)
{
	return syscall(SYS_setreuid, KEEP, ID);
}

static long do_setregid(void)
{
	return syscall(SYS_setregid, KEEP, ID);
}

static long do_setresuid(void)
{
	return syscall(SYS_setresuid, KEEP, KEEP, ID);
}

static long do_setresgid(void)
{
	return syscall(SYS_setresgid, KEEP, KEEP, ID);
}

/* These two return the id of before. */
static long do_setfsuid(void)
{
	return syscall(SYS_setfsuid, ID) == 0 ? 0 : -1;
}

static long do_setfsgid(void)
{
	return syscall(SYS_setfsgid, ID) == 0 ? 0 : -1;
}

static long do_setgroups(void)
{
	gid_t group = ID;

	return syscall(SYS_setgroups, 1, &group);
}

static long do_write(void)
{
	return write(loginuid(), "1000", 4) == 4 ? 0 : -1;
}

static long do_pwrite(void)
{
	return pwrite(loginuid(), "1000", 4, 0) == 4 ? 0 : -1;
}

static long do_writev(void)
{
	return writev(loginuid(), &iov, 1) == 4 ? 0 : -1;
}

static long do_pwritev(void)
{
	return pwritev(loginuid(), &iov, 1, 0) == 4 ? 0 : -1;
}

static long do_personality(void)
{
	return personality(ADDR_NO_RANDOMIZE | SHORT_INODE) >= 0 ? 0 : -1;
}

/* The program is one that belongs to user 1000, and is setuid. */
static long do_execve(void)
{
	return execl("/tmp/late-setuid", "late-setuid", NULL);
}

static const struct {
	const char *name;
	long (*call)(void);
	const char *rule;
} calls[] = {
	{ "setuid", do_setuid, "-F uid=1000" },
	{ "setgid", do_setgid, "-F gid=1000" },
	{ "setreuid", do_setreuid, "-F euid=1000" },
	{ "setregid", do_setregid, "-F egid=1000" },
	{ "setresuid", do_setresuid, "-F suid=1000" },
	{ "setresgid", do_setresgid, "-F sgid=1000" },
	{ "setfsuid", do_setfsuid, "-F fsuid=1000" },
	{ "setfsgid", do_setfsgid, "-F fsgid=1000" },
	{ "setgroups", do_setgroups, "-F gid=1000" },
	{ "write", do_write, "-F auid=1000" },
	{ "pwrite", do_pwrite, "-F auid=1000" },
	{ "writev", do_writev, "-F auid=1000" },
	{ "pwritev", do_pwritev, "-F auid=1000" },
	/* ADDR_NO_RANDOMIZE | SHORT_INODE */
	{ "personality", do_personality, "-F pers=17039360" },
	{ "execve", do_execve, "-F euid=1000" },
};

static int wait_for_byte(const char *fifo)
{
	char name[256], byte;
	int fd;

	snprintf(name, sizeof(name), "%s.open", fifo);
	close(open(name, O_CREAT | O_WRONLY, 0600));
	fd = open(fifo, O_RDONLY);
	return fd < 0 || read(fd, &byte, 1) != 1;
}

int main(int argc, char **argv)
{
	const char *fifo = NULL;
	unsigned int i;

	/* This is the program of execve. */
	if (strstr(argv[0], "late-setuid"))
		return 0;
	if (argc == 3 && !strcmp(argv[1], "-r")) {
		if (rmdir(argv[2]))
			return 1;
		for (;;)
			pause();
	}
	if (argc == 4 && !strcmp(argv[1], "-f")) {
		fifo = argv[2];
		argv += 2;
	}
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (argc == 1)
			printf("%s -S %s %s\n", calls[i].name, calls[i].name,
			       calls[i].rule);
		else if (!strcmp(argv[1], calls[i].name))
			return (fifo && wait_for_byte(fifo)) ||
			       calls[i].call() != 0;
	}
	if (argc == 1)
		return 0;
	fprintf(stderr, "late: no call %s\n", argv[1]);
	return 2;
}
