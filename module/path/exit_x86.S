/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Direct calls from __audit_syscall_exit(): one for each of the layouts that
 * path/exit.c is compiled for.
 */
#include "kernel/trampoline_x86.S"

AFP_TRAMPOLINE afp_tramp_5_10 afp_direct_5_10 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_6_1 afp_direct_6_1 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_7_2 afp_direct_7_2 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_any afp_direct_any 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_5_10_check afp_direct_5_10_check 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_6_1_check afp_direct_6_1_check 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_7_2_check afp_direct_7_2_check 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_any_check afp_direct_any_check 2 afp_reset_by_kernel
