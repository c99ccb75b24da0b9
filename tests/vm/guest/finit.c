// SPDX-License-Identifier: GPL-2.0-only
/*
 * finit [-n N] MODULE.ko [PARAMETERS]: load a module with one finit_module(),
 * where busybox makes two attempts.
 *
 * Prints the errno, 0 if it loaded. With -n the Nth allocation on the way
 * fails, as far as the other settings of fault injection let it, and how many
 * more it would have taken to get there is printed, too: 0 if it was reached.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void die(const char *what)
{
	perror(what);
	exit(1);
}

int main(int argc, char **argv)
{
	const char *nth = NULL;
	char left[16] = "";
	int module, fail = -1, err;

	if (argc > 2 && !strcmp(argv[1], "-n")) {
		nth = argv[2];
		argc -= 2;
		argv += 2;
	}
	if (argc < 2) {
		fprintf(stderr, "usage: finit [-n N] MODULE.ko [PARAMETERS]\n");
		return 2;
	}
	module = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (module < 0)
		die(argv[1]);
	if (nth) {
		fail = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
		if (fail < 0 || write(fail, nth, strlen(nth)) < 0)
			die("fail-nth");
	}
	err = syscall(SYS_finit_module, module, argc > 2 ? argv[2] : "", 0) ?
	      errno : 0;
	if (!nth) {
		printf("%d\n", err);
		return 0;
	}
	if (pread(fail, left, sizeof(left) - 1, 0) < 0 ||
	    pwrite(fail, "0", 1, 0) < 0)
		die("fail-nth");
	printf("%d %s", err, left);
	return 0;
}
