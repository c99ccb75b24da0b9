// SPDX-License-Identifier: GPL-2.0-only
/* clang-format off: the numbers have to come first. */
#include <asm/unistd_64.h>
#include "classes_table.h"
/* clang-format on */

#include <linux/audit.h>
#include <string.h>

void classes_native(__u8 *kind, __u8 *perm)
{
	classes_of_abi(kind, perm);
}

void classes_x86(struct afp_classes *classes)
{
	memset(classes, 0, sizeof(*classes));
	classes->arch[AFP_ABI_NATIVE] = AUDIT_ARCH_X86_64;
	classes->arch[AFP_ABI_COMPAT] = AUDIT_ARCH_I386;
	/* x86-64 left a gap so that later numbers could be those of i386. */
	for (__u32 nr = 0; nr <= __NR_removexattrat; nr++)
		classes->exists[nr] = nr <= __NR_rseq ||
				      nr >= __NR_pidfd_send_signal;
	classes_native(classes->kind[AFP_ABI_NATIVE],
		       classes->perm[AFP_ABI_NATIVE]);
	classes_compat(classes->kind[AFP_ABI_COMPAT],
		       classes->perm[AFP_ABI_COMPAT]);
}
