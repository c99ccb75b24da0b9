// SPDX-License-Identifier: GPL-2.0-only
/*
 * Is this kernel one that can be worked with?
 */
#include <linux/kernel.h>

#include "kernel/classes.h"
#include "kernel/compat.h"
#include "kernel/fault.h"
#include "kernel/layout.h"
#include "kernel/locks.h"
#include "kernel/probe.h"
#include "kernel/symbols.h"

/**
 * afp_kernel_probe - find symbols, locks, classes and layout
 * @reason: set to a sentence on any error
 * @size: room at @reason
 *
 * Context: process context, sleeps.
 *
 * Return: 0; -EOPNOTSUPP if no audited system call can exist on this kernel,
 * and the module has no use; -ENOMEM if it may be there and there was no memory
 * to look; -ENODEV if the module can only be passive.
 */
int __init afp_kernel_probe(char *reason, size_t size)
{
	static const struct {
		const char *what;
		int (*init)(const char **missing);
	} parts[] __initconst = {
		{ "symbol", afp_symbols_init },
		{ "function", afp_locks_init },
		{ "function", afp_classes_init },
		{ "layout of", afp_layout_init },
	};
	const char *missing = NULL;
	int i, err;

	if (!IS_ENABLED(CONFIG_AUDITSYSCALL)) {
		scnprintf(reason, size,
			  "this kernel was built without system call auditing: there is nothing to make faster; it takes one with CONFIG_AUDITSYSCALL=y");
		return -EOPNOTSUPP;
	}
	if (!AFP_ARCH_SUPPORTED) {
		scnprintf(reason, size, "no backend for this architecture yet");
		return -ENODEV;
	}
	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		err = parts[i].init(&missing);
		if (!err)
			continue;
		if (err == -ENOMEM) {
			scnprintf(reason, size,
				  "out of memory while looking for %s %s",
				  parts[i].what, missing);
			return err;
		}
		scnprintf(reason, size, "%s %s is not as needed (error %d)",
			  parts[i].what, missing, err);
		/* Whatever it was: -EOPNOTSUPP of a part is none of ours. */
		return -ENODEV;
	}
	/* audit_init() has left them as they were. */
	if (!afp_symbols.inode_hash->next) {
		scnprintf(reason, size,
			  "the kernel was booted with audit=0: there can be no rule until it is booted without");
		return -ENODEV;
	}
	afp_fault_ftrace();
	return 0;
}
