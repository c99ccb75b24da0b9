// SPDX-License-Identifier: GPL-2.0-only
/*
 * daemon: be auditd for a moment.
 * daemon -s N: become auditd, call getpriority(77, N), and stay.
 * daemon -c N FILE: be no auditd, make a record of no rule, then calls that a
 *	call's context notes (a pipe, a connection), write "ready" at the beginning
 *	of FILE, wait without a call until that is no "r" any more, and call
 *	getpriority(77, N).
 *
 * Calls getpriority(77, N): 1 before it is auditd, 2 while it is, 3 from a
 * child of it then, 4 when it is none any more. auditd's own calls are never
 * recorded: of these only number 2 must not be. While it is auditd it also sets
 * the rate limit to none, which makes a record of its own: the call that this is
 * done by must not be recorded beside it.
 */
#include <errno.h>
#include <fcntl.h>
#include <libaudit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define WHICH	77	/* nothing that getpriority() knows: it fails */

static void call(long n)
{
	syscall(SYS_getpriority, WHICH, n);
}

static int be(int fd, unsigned int pid)
{
	int err = audit_set_pid(fd, pid, WAIT_YES);

	if (err <= 0)
		fprintf(stderr, "daemon: audit_set_pid: %d\n", err);
	return err <= 0;
}

/* Be auditd until a signal ends it: what is recorded is read, and dropped. */
static int stay(int fd, long n)
{
	char records[8192];

	if (be(fd, getpid()))
		return 1;
	call(n);
	while (read(fd, records, sizeof(records)) > 0 || errno == ENOBUFS)
		;
	perror("daemon: read");
	return 1;
}

/* All is done in one task, which lives through it. */
static int collect(int fd, long n, const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX, .sun_path = "/none" };
	int sock = socket(AF_UNIX, SOCK_STREAM, 0), fds[2];
	int file = open(path, O_RDWR | O_CREAT, 0600);
	volatile char *sign;

	if (audit_set_rate_limit(fd, 0) <= 0 || sock < 0) {
		fprintf(stderr, "daemon: no record can be made\n");
		return 1;
	}
	sign = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (file < 0 || ftruncate(file, 8) || sign == MAP_FAILED ||
	    pipe(fds) || !connect(sock, (void *)&to, sizeof(to))) {
		perror("daemon: calls");
		return 1;
	}
	memcpy((void *)sign, "ready\n", 6);
	while (*sign == 'r')
		;
	call(n);
	return 0;
}

int main(int argc, char **argv)
{
	int fd = audit_open(), bad;
	pid_t child;

	if (fd < 0) {
		perror("daemon: audit_open");
		return 1;
	}
	if (argc == 3 && !strcmp(argv[1], "-s"))
		return stay(fd, atol(argv[2]));
	if (argc == 4 && !strcmp(argv[1], "-c"))
		return collect(fd, atol(argv[2]), argv[3]);
	call(1);
	bad = be(fd, getpid());
	call(2);
	if (audit_set_rate_limit(fd, 0) <= 0) {
		fprintf(stderr, "daemon: the rate limit cannot be set\n");
		bad = 1;
	}
	child = fork();
	if (!child) {
		call(3);
		_exit(0);
	}
	if (child < 0 || waitpid(child, NULL, 0) < 0) {
		perror("daemon: child");
		bad = 1;
	}
	bad |= be(fd, 0);
	call(4);
	return bad;
}
