/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The direct call from __audit_inode_child().
 */
#include "kernel/trampoline_x86.S"

AFP_TRAMPOLINE_AROUND afp_tramp_names afp_names_before afp_names_after
