/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Offsets in struct audit_context, of the layouts that are known, for assembly as
 * well.
 */
#ifndef AFP_KERNEL_OFFSETS_H
#define AFP_KERNEL_OFFSETS_H

#define AFP_DUMMY_AT		0	/* u32, of all of them */
#define AFP_CONTEXT_AT		4	/* u32, of all of them */
#define AFP_KILLED_6_1		848
#define AFP_KILLED_7_2		992

#endif /* AFP_KERNEL_OFFSETS_H */
