/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Direct calls from __audit_syscall_exit(): one for each of the layouts that
 * path/exit.c is compiled for.
 */
#include "kernel/offsets.h"
#include "kernel/trampoline_x86.S"

#define AFP_UNUSED_DUMMY	1		/* two u32: dummy, context */
#define AFP_SYSCALL_DUMMY	0x100000001

/*
 * Levels collect and entry: the end of calls that were skipped when they began,
 * without a call. What afp_not_entered() and afp_end_dummy() do, and why, for
 * the layouts that are known since 5.16; whatever is left goes there.
 *
 * @killed: offset of killed_trees
 */
.macro AFP_QUICK name:req killed:req
	AFP_CONTEXT %rax
	testq	%rax, %rax
	jz	.Ldecide_\name
	cmpq	$AFP_UNUSED_DUMMY, AFP_DUMMY_AT(%rax)
	jne	.Lentered_\name
	cmpq	$0, afp_live_policy(%rip)
	je	.Ldecide_\name
	AFP_BACK \name
.Lentered_\name:
	movabsq	$AFP_SYSCALL_DUMMY, %rcx
	cmpq	%rcx, AFP_DUMMY_AT(%rax)
	jne	.Ldecide_\name
	cmpq	$0, afp_live_policy(%rip)
	je	.Ldecide_\name
	leaq	\killed(%rax), %rcx
	cmpq	%rcx, \killed(%rax)
	jne	.Ldecide_\name
	movl	$0, AFP_CONTEXT_AT(%rax)
	/* An interrupt may have made a record: then the kernel resets it. */
	cmpl	$0, AFP_DUMMY_AT(%rax)
	je	.Lthrough_\name
	AFP_BACK \name
.endm

.macro AFP_QUICK_6_1 name:req
	AFP_QUICK \name, AFP_KILLED_6_1
.endm

.macro AFP_QUICK_7_2 name:req
	AFP_QUICK \name, AFP_KILLED_7_2
.endm

AFP_TRAMPOLINE afp_tramp_5_10 afp_direct_5_10 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_6_1 afp_direct_6_1 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_7_2 afp_direct_7_2 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_any afp_direct_any 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_5_10_check afp_direct_5_10_check 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_6_1_check afp_direct_6_1_check 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_7_2_check afp_direct_7_2_check 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_any_check afp_direct_any_check 2 afp_reset_by_kernel
AFP_TRAMPOLINE afp_tramp_6_1_quick afp_direct_6_1 2 afp_reset_by_kernel AFP_QUICK_6_1
AFP_TRAMPOLINE afp_tramp_7_2_quick afp_direct_7_2 2 afp_reset_by_kernel AFP_QUICK_7_2
