// SPDX-License-Identifier: GPL-2.0-only
/* clang-format off: the numbers have to come first. */
#include <asm/unistd_32.h>
#include "classes_table.h"
/* clang-format on */

void classes_compat(enum classes_kernel kernel, __u8 *kind, __u8 *perm)
{
	classes_of_abi(kernel, kind, perm);
}
