/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Direct calls from __audit_syscall_entry(): for each of the layouts that
 * path/entry.c is compiled for, one for each level.
 */
#include "kernel/trampoline_x86.S"

.macro AFP_ENTRY layout:req
AFP_TRAMPOLINE afp_tramp_enter_\layout\()_filter afp_enter_\layout\()_filter 5
AFP_TRAMPOLINE afp_tramp_enter_\layout\()_collect afp_enter_\layout\()_collect 5
AFP_TRAMPOLINE afp_tramp_enter_\layout\()_entry afp_enter_\layout\()_entry 5
AFP_TRAMPOLINE afp_tramp_enter_\layout\()_check afp_enter_\layout\()_check 5
.endm

AFP_ENTRY 5_10
AFP_ENTRY 6_1
AFP_ENTRY 7_2
