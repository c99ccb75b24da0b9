/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What x86-64 kernels say of their syscall numbers: a fixture. The module asks
 * the running kernel instead.
 */
#ifndef AFP_TEST_CLASSES_H
#define AFP_TEST_CLASSES_H

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
 * classes_x86 - fill in the table for x86-64 with 32-bit emulation
 * @kernel: as it is there
 * @classes: the table
 */
void classes_x86(enum classes_kernel kernel, struct afp_classes *classes);

/* One ABI each: the two lists of numbers cannot be in one file. */
void classes_native(enum classes_kernel kernel, __u8 *kind, __u8 *perm);
void classes_compat(enum classes_kernel kernel, __u8 *kind, __u8 *perm);

#endif /* AFP_TEST_CLASSES_H */
