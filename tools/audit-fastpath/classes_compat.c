// SPDX-License-Identifier: GPL-2.0-only
/* clang-format off: the numbers have to come first. */
#ifdef __x86_64__
#include <asm/unistd_32.h>
#include "classes_table.h"
/* clang-format on */

void classes_compat(enum classes_kernel kernel, __u8 *kind, __u8 *perm)
{
	classes_of_abi(kernel, kind, perm);
}
#else
#include <string.h>

#include "classes.h"

/* The C library has no numbers of it. */
void classes_compat(enum classes_kernel kernel, __u8 *kind, __u8 *perm)
{
	(void)kernel;
	memset(kind, AFP_KIND_UNSURE, AFP_NR_MAX);
	memset(perm, 0, AFP_NR_MAX);
}
#endif
