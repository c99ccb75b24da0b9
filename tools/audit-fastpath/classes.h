/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What kernels of this machine's architecture say of their syscall numbers, without
 * asking one. The module asks the running kernel instead.
 */
#ifndef AFP_TOOL_CLASSES_H
#define AFP_TOOL_CLASSES_H

#include "audit_fastpath/policy.h"

/* Kernels that differ, oldest first. */
enum classes_kernel {
	CLASSES_5_10,
	CLASSES_6_1,
	CLASSES_6_12,
	CLASSES_7_3,
	CLASSES_KERNELS
};

/**
 * classes_fill - fill in the table, for a kernel with the 32-bit ABI as well
 * @kernel: as it is there
 * @classes: the table
 *
 * Of arm64's 32-bit ABI nothing is known but that it is there: what depends on its
 * numbers counts as in doubt.
 */
void classes_fill(enum classes_kernel kernel, struct afp_classes *classes);

/**
 * classes_kernel_of - which of them a kernel is like
 * @major: its version
 * @minor: the same
 *
 * Return: the newest whose audit code it has; what is newer than all of them is like the
 * newest, what is older than all like the oldest.
 */
enum classes_kernel classes_kernel_of(unsigned int major, unsigned int minor);

/* Its name, "6.1". */
const char *classes_kernel_name(enum classes_kernel kernel);

/* One ABI each: the two lists of numbers cannot be in one file. */
void classes_native(enum classes_kernel kernel, __u8 *kind, __u8 *perm);
void classes_compat(enum classes_kernel kernel, __u8 *kind, __u8 *perm);

#endif /* AFP_TOOL_CLASSES_H */
