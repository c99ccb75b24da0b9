// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: elapsed PROGRAM [ARGUMENT]...
 *
 * Run a program, its standard output to /dev/null, and print how many nanoseconds
 * passed until it ended. Status 1 if it could not be run or failed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct timespec from, to;
	int status, null;
	pid_t pid;

	if (argc < 2) {
		fprintf(stderr, "usage: elapsed PROGRAM [ARGUMENT]...\n");
		return 2;
	}
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null < 0) {
		perror("elapsed: /dev/null");
		return 1;
	}
	clock_gettime(CLOCK_MONOTONIC, &from);
	pid = fork();
	if (pid < 0) {
		perror("elapsed: fork");
		return 1;
	}
	if (!pid) {
		dup2(null, 1);
		execv(argv[1], argv + 1);
		fprintf(stderr, "elapsed: %s: %s\n", argv[1], strerror(errno));
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid) {
		perror("elapsed: waitpid");
		return 1;
	}
	clock_gettime(CLOCK_MONOTONIC, &to);
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "elapsed: %s failed (%#x)\n", argv[1], status);
		return 1;
	}
	printf("%lld\n", (to.tv_sec - from.tv_sec) * 1000000000LL +
			 (to.tv_nsec - from.tv_nsec));
	return 0;
}
