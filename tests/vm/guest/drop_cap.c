// SPDX-License-Identifier: GPL-2.0-only
/*
 * drop_cap NUMBER COMMAND [ARGUMENT]...: run a command that does not have a
 * capability, not even as root.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: drop_cap NUMBER COMMAND...\n");
		return 2;
	}
	if (prctl(PR_CAPBSET_DROP, atoi(argv[1]), 0, 0, 0)) {
		perror("drop_cap: PR_CAPBSET_DROP");
		return 1;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 1;
}
