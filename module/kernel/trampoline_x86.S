/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The trampoline of a direct call: what stands between a kernel function and
 * the C function that decides whether it runs. A macro, for other .S files.
 */
#include <linux/linkage.h>
#include <linux/version.h>

#include <asm/asm-offsets.h>
#include <asm/frame.h>
#include <asm/nospec-branch.h>
#include <asm/percpu.h>
#include <asm/unwind_hints.h>

/* Not in SYM_FUNC_START() any more in 7.x; twice does no harm. */
#ifndef ENDBR
#define ENDBR
#endif
/* An assembler's macro since 6.2. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define CALL_DEPTH_ACCOUNT
#endif

/* Since 6.2 it was in a struct, until 6.15. */
#ifdef X86_current_task
#define AFP_CURRENT	PER_CPU_VAR(pcpu_hot + X86_current_task)
#else
#define AFP_CURRENT	PER_CPU_VAR(current_task)
#endif

/* The current task's audit context. @reg: where it goes. */
.macro AFP_CONTEXT reg:req
	movq	AFP_CURRENT, \reg
	movq	afp_task_context(\reg), \reg
.endm

/*
 * From a @quick of an AFP_TRAMPOLINE to the caller of the kernel's function. The
 * dropped address is made to lead back here, see below.
 */
.macro AFP_BACK name:req
	leaq	.Lreturn_\name(%rip), %rcx
	movq	%rcx, (%rsp)
	CALL_DEPTH_ACCOUNT
	RET
.endm

/*
 * AFP_TRAMPOLINE - hook a kernel function that returns nothing
 * @name: of the trampoline
 * @decide: a C function that is handed the two arguments, or the address where
 *	the five are, one after the other, and returns a long: 0 to go on into
 *	the kernel's function, 1 to return to its caller, or else a kernel
 *	address with which to go to @instead in its place
 * @args: how many arguments the kernel's function has, 2 or 5
 * @instead: name of a static call, if @decide may ask for it
 *
 * Called at the first instruction of the kernel's function, which has called
 * nothing yet: the stack is that of its caller, and a return address into the
 * function. Of the registers only the arguments matter. The branch to @instead
 * is direct, for IBT: the kernel patches the address into it.
 *
 * @quick: the name of a macro that is handed @name and comes before all of that:
 *	code that ends with AFP_BACK @name to return to the function's caller,
 *	jumps to .Lthrough_@name to go on into the function, or to .Ldecide_@name;
 *	it may use %rax and %rcx, and of two arguments neither is there
 *
 * A return address that is dropped stays in the CPU's return stack, and every
 * return that follows is mispredicted. So it is not dropped but made to lead
 * back here: that is one misprediction, as with a callback that redirects, and
 * all after it are right, also for call depth tracking.
 */
.macro AFP_TRAMPOLINE name:req decide:req args:req instead quick
SYM_FUNC_START(\name)
	ENDBR
.ifnb \quick
	\quick \name
.Ldecide_\name:
.endif
	FRAME_BEGIN
.if \args > 2
	pushq	%r8
	pushq	%rcx
	pushq	%rdx
.endif
	pushq	%rsi
	pushq	%rdi
.if \args > 2
	movq	%rsp, %rdi
.endif
	call	\decide
	testq	%rax, %rax
	jz	.Lon_\name
	addq	$(8 * \args), %rsp
	FRAME_END
	leaq	.Lback_\name(%rip), %rcx
	movq	%rcx, (%rsp)
	CALL_DEPTH_ACCOUNT
	RET
.Lback_\name:
	UNWIND_HINT_FUNC
.ifnb \instead
	testq	%rax, %rax
	js	.Linstead_\name
.Lreturn_\name:
	RET
.Linstead_\name:
	movq	%rax, %rdi
	jmp	__SCT__\instead
.else
.Lreturn_\name:
	RET
.endif
.Lon_\name:
	popq	%rdi
	popq	%rsi
.if \args > 2
	popq	%rdx
	popq	%rcx
	popq	%r8
.endif
	FRAME_END
.Lthrough_\name:
	CALL_DEPTH_ACCOUNT
	RET
SYM_FUNC_END(\name)
.ifnb \instead
/* Objtool looks for the key of a static call where that is. */
.pushsection .discard.addressable, "aw"
	.quad	__SCK__\instead
.popsection
.endif
.endm

/*
 * AFP_TRAMPOLINE_AROUND - do something before and after a kernel function
 * @name: of the trampoline
 * @before: a C function without arguments that returns a pointer: NULL to go
 *	on into the kernel's function, and that is all
 * @after: a C function that is handed what @before returned, when the kernel's
 *	function has returned
 *
 * For a function of three arguments that returns nothing, hooked as with
 * AFP_TRAMPOLINE. In between a frame of ours is on the stack, and the kernel's
 * function may sleep: the module must not go meanwhile.
 *
 * The function is run past its call site by returning into it: no call through
 * a pointer, which IBT would object to. Below the address is pushed one that
 * leads back here, by a call, so that returns and calls stay even in number for
 * the CPU's return stack: two mispredictions, and all after them is right.
 */
.macro AFP_TRAMPOLINE_AROUND name:req before:req after:req
/* The stack: back into the trampoline, the pointer, the function's address. */
SYM_FUNC_START_LOCAL(\name\()_run)
	pushq	16(%rsp)
	UNWIND_HINT_FUNC
	CALL_DEPTH_ACCOUNT
	RET
SYM_FUNC_END(\name\()_run)

SYM_FUNC_START(\name)
	ENDBR
	FRAME_BEGIN
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	call	\before
	popq	%rdi
	popq	%rsi
	popq	%rdx
	FRAME_END
	testq	%rax, %rax
	jnz	.Laround_\name
	CALL_DEPTH_ACCOUNT
	RET
.Laround_\name:
	pushq	%rax
	call	\name\()_run
	popq	%rdi
	FRAME_BEGIN
	call	\after
	FRAME_END
	/* Over the function's address, to its caller. */
	addq	$8, %rsp
	UNWIND_HINT_FUNC
	RET
SYM_FUNC_END(\name)
.endm
