// SPDX-License-Identifier: GPL-2.0-only
/*
 * load TASKS: keep the system call path busy until killed.
 *
 * Each task makes short calls, calls that sleep, path calls, failing ones and
 * forks, so that at any moment some task is in any part of the path.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void short_calls(void)
{
	int i;

	for (i = 0; i < 50; i++) {
		syscall(SYS_getpid);
		syscall(SYS_getppid);
		syscall(-1);
		syscall(0x40000000 | SYS_getpid);
	}
}

static void path_calls(int n)
{
	char name[64];
	struct stat st;
	int fd;

	snprintf(name, sizeof(name), "/tmp/load.%d", n);
	fd = open(name, O_RDWR | O_CREAT, 0600);
	if (fd >= 0) {
		if (write(fd, name, sizeof(name)) < 0)
			exit(1);
		close(fd);
	}
	stat(name, &st);
	chmod(name, 0644);
	stat("/nowhere/at/all", &st);
	unlink(name);
}

static void sleeping_calls(void)
{
	struct timespec ts = { .tv_nsec = 200000 };
	int pair[2];
	struct pollfd p;

	nanosleep(&ts, NULL);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return;
	p.fd = pair[0];
	p.events = POLLIN;
	poll(&p, 1, 1);
	close(pair[0]);
	close(pair[1]);
}

static void fork_and_exit(void)
{
	pid_t pid = fork();

	if (!pid) {
		syscall(SYS_getuid);
		_exit(0);
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

int main(int argc, char **argv)
{
	int tasks = argc > 1 ? atoi(argv[1]) : 4, i, n;

	for (i = 0; i < tasks; i++) {
		if (fork())
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (n = 0;; n++) {
			short_calls();
			path_calls(i);
			sleeping_calls();
			if (!(n % 8))
				fork_and_exit();
		}
	}
	pause();
	return 0;
}
