/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_KERNEL_HOOK_H
#define AFP_KERNEL_HOOK_H

#include "kernel/compat.h"

/**
 * struct afp_hook - one callback at the entry of some kernel functions
 * @callback: called in the context of the function, before it
 * @flags: AFP_FTRACE_*
 * @functions: names of the functions
 * @count: number of @functions
 * @ops: what ftrace knows of it, private to hook.c
 * @installed: between afp_hook_install() and afp_hook_remove()
 */
struct afp_hook {
	ftrace_func_t callback;
	unsigned long flags;
	const char * const *functions;
	int count;
	struct ftrace_ops ops;
	bool installed;
};

int afp_hook_install(struct afp_hook *hook, const char **refused);
void afp_hook_remove(struct afp_hook *hook);

#endif /* AFP_KERNEL_HOOK_H */
