// SPDX-License-Identifier: GPL-2.0-only
/*
 * mounts DIRECTORY FIRST COUNT: make directories mFIRST... in a directory and
 * mount a tmpfs on each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
	char path[4096];
	long i, first;

	if (argc != 4) {
		fprintf(stderr, "usage: mounts DIRECTORY FIRST COUNT\n");
		return 2;
	}
	first = atol(argv[2]);
	for (i = first; i < first + atol(argv[3]); i++) {
		snprintf(path, sizeof(path), "%s/m%ld", argv[1], i);
		if (mkdir(path, 0755) ||
		    mount("tmpfs", path, "tmpfs", 0, "size=4k")) {
			perror(path);
			return 1;
		}
	}
	return 0;
}
