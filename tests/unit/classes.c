// SPDX-License-Identifier: GPL-2.0-only
/* clang-format off: the numbers have to come first. */
#include <asm/unistd_64.h>
#include "classes_table.h"
/* clang-format on */

#include <linux/audit.h>
#include <string.h>

void classes_native(enum classes_kernel kernel, __u8 *kind, __u8 *perm)
{
	classes_of_abi(kernel, kind, perm);
}

void classes_x86(enum classes_kernel kernel, struct afp_classes *classes)
{
	memset(classes, 0, sizeof(*classes));
	classes->arch[AFP_ABI_NATIVE] = AUDIT_ARCH_X86_64;
	classes->arch[AFP_ABI_COMPAT] = AUDIT_ARCH_I386;
	/* x86-64 left a gap so that later numbers could be those of i386. */
	for (__u32 nr = 0; nr <= last_call[kernel]; nr++)
		classes->exists[nr] = nr <= __NR_rseq ||
				      nr >= __NR_pidfd_send_signal;
	classes_native(kernel, classes->kind[AFP_ABI_NATIVE],
		       classes->perm[AFP_ABI_NATIVE]);
	classes_compat(kernel, classes->kind[AFP_ABI_COMPAT],
		       classes->perm[AFP_ABI_COMPAT]);
}
