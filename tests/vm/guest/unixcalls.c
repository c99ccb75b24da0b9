// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: unixcalls [SAMPLES [LOOPS]]
 *
 * Make the calls that the system call test of UnixBench makes, close(dup(0)),
 * getpid(), getuid(), umask(), over and over, and print the nanoseconds that all
 * of them take together: the least of the samples.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

int main(int argc, char **argv)
{
	long samples = argc > 1 ? atol(argv[1]) : 41;
	long loops = argc > 2 ? atol(argv[2]) : 200, i;
	long long least = 0;

	if (samples < 1 || loops < 1 || argc > 3) {
		fprintf(stderr, "usage: unixcalls [SAMPLES [LOOPS]]\n");
		return 2;
	}
	while (samples--) {
		long long from = now(), took;

		for (i = 0; i < loops; i++) {
			int fd = dup(0);

			if (fd < 0 || close(fd)) {
				perror("unixcalls: dup");
				return 1;
			}
			syscall(SYS_getpid);
			syscall(SYS_getuid);
			umask(022);
		}
		took = now() - from;
		if (!least || took < least)
			least = took;
	}
	printf("%lld\n", least / loops);
	return 0;
}
