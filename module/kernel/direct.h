/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_KERNEL_DIRECT_H
#define AFP_KERNEL_DIRECT_H

#include <linux/linkage.h>

#include "kernel/compat.h"
#include "kernel/hook.h"

#if defined(CONFIG_X86_64) && \
	defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) && \
	defined(CONFIG_HAVE_STATIC_CALL)
#define AFP_DIRECT	1
#else
#define AFP_DIRECT	0
#endif

/* A function that only a trampoline calls, by name: no landing pad for IBT. */
#ifdef __noendbr
#define afp_by_name	__noendbr
#else
#define afp_by_name
#endif

/**
 * struct afp_direct - a direct call at the entry of a kernel function
 * @target: the function
 * @trampoline: address of an AFP_TRAMPOLINE
 * @ops: what ftrace knows of it, private to direct.c
 * @installed: between afp_direct_install() and afp_direct_remove()
 */
struct afp_direct {
	struct afp_target *target;
	unsigned long trampoline;
	struct ftrace_ops ops;
	bool installed;
};

int afp_direct_install(struct afp_direct *direct);
void afp_direct_remove(struct afp_direct *direct);
void afp_direct_drain(void);

#endif /* AFP_KERNEL_DIRECT_H */
