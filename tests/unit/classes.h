/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an x86-64 kernel up to 7.1 says of its syscall numbers: a fixture. The
 * module asks the running kernel instead.
 */
#ifndef AFP_TEST_CLASSES_H
#define AFP_TEST_CLASSES_H

#include "audit_fastpath/policy.h"

/** classes_x86 - fill in the table for x86-64 with 32-bit emulation */
void classes_x86(struct afp_classes *classes);

/* One ABI each: the two lists of numbers cannot be in one file. */
void classes_native(__u8 *kind, __u8 *perm);
void classes_compat(__u8 *kind, __u8 *perm);

#endif /* AFP_TEST_CLASSES_H */
