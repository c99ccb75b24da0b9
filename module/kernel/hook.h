/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_KERNEL_HOOK_H
#define AFP_KERNEL_HOOK_H

#include "kernel/compat.h"

/**
 * struct afp_hook - one callback at the entry of some kernel functions
 * @ops: what ftrace knows of it; func and flags are set by the owner
 * @functions: their names
 * @count: number of @functions
 * @installed: between afp_hook_install() and afp_hook_remove()
 */
struct afp_hook {
	struct ftrace_ops ops;
	const char * const *functions;
	int count;
	bool installed;
};

int afp_hook_install(struct afp_hook *hook, const char **refused);
void afp_hook_remove(struct afp_hook *hook);

#endif /* AFP_KERNEL_HOOK_H */
