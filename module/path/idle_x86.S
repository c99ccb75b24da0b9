/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A direct call from __audit_syscall_entry() while tasks are detached.
 */
#include "kernel/trampoline_x86.S"

AFP_TRAMPOLINE afp_tramp_idle afp_idle_enter 5
