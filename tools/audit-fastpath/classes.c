// SPDX-License-Identifier: GPL-2.0-only
/* clang-format off: the numbers have to come first. */
#ifdef __x86_64__
#include <asm/unistd_64.h>
#else
#include <asm/unistd.h>
#endif
#include "classes_table.h"
/* clang-format on */

#include <linux/audit.h>
#include <string.h>

#ifdef __x86_64__
#define NATIVE_ARCH	AUDIT_ARCH_X86_64
#define COMPAT_ARCH	AUDIT_ARCH_I386
/*
 * A gap, so that later numbers could be those of i386. It is being filled from its
 * beginning: uretprobe, uprobe.
 */
#define GAP_FIRST(kernel)	(335U + ((kernel) >= CLASSES_6_12) + ((kernel) >= CLASSES_7_3))
#define GAP_LAST	(__NR_pidfd_send_signal - 1)

/* Numbers of which nothing is left. */
static const __u16 gone_calls[] = {
	__NR_uselib, __NR__sysctl, __NR_create_module, __NR_get_kernel_syms,
	__NR_query_module, __NR_nfsservctl, __NR_getpmsg, __NR_putpmsg, __NR_afs_syscall,
	__NR_tuxcall, __NR_security, __NR_set_thread_area, __NR_get_thread_area,
	__NR_epoll_ctl_old, __NR_epoll_wait_old, __NR_vserver,
};
#elif defined(__aarch64__)
#define NATIVE_ARCH	AUDIT_ARCH_AARCH64
#define COMPAT_ARCH	AUDIT_ARCH_ARM
#define GAP_FIRST(kernel)	(__NR_kexec_file_load + 1U)
#define GAP_LAST	(__NR_pidfd_send_signal - 1)

/* 244 to 259 are for calls of one architecture; this one has none. */
static const __u16 gone_calls[] = {
	__NR_nfsservctl, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257,
	258, 259,
};
#else
#error "the module knows x86-64 and arm64 alone, and so does this"
#endif

static const struct {
	unsigned int major, minor;
	const char *name;
} kernels[] = {
	/* From the first version with its audit code on. */
	[CLASSES_5_10] = { 0, 0, "5.10" },
	[CLASSES_6_1] = { 5, 16, "6.1" },
	[CLASSES_6_12] = { 6, 12, "6.12" },
	[CLASSES_7_3] = { 7, 2, "7.3" },
};

enum classes_kernel classes_kernel_of(unsigned int major, unsigned int minor)
{
	enum classes_kernel kernel = CLASSES_KERNELS - 1;

	while (kernel && (major < kernels[kernel].major ||
			  (major == kernels[kernel].major && minor < kernels[kernel].minor)))
		kernel--;
	return kernel;
}

const char *classes_kernel_name(enum classes_kernel kernel)
{
	return kernels[kernel].name;
}

void classes_native(enum classes_kernel kernel, __u8 *kind, __u8 *perm)
{
	classes_of_abi(kernel, kind, perm);
}

void classes_fill(enum classes_kernel kernel, struct afp_classes *classes)
{
	__u32 nr;

	memset(classes, 0, sizeof(*classes));
	classes->arch[AFP_ABI_NATIVE] = NATIVE_ARCH;
	classes->arch[AFP_ABI_COMPAT] = COMPAT_ARCH;
	for (nr = 0; nr <= last_call[kernel]; nr++)
		classes->exists[nr] = nr < GAP_FIRST(kernel) || nr > GAP_LAST;
	for (nr = 0; nr < sizeof(gone_calls) / sizeof(*gone_calls); nr++)
		classes->exists[gone_calls[nr]] = 0;
	/* Since 6.7. */
	if (kernel >= CLASSES_6_12)
		classes->exists[__NR_lookup_dcookie] = 0;
	classes_native(kernel, classes->kind[AFP_ABI_NATIVE],
		       classes->perm[AFP_ABI_NATIVE]);
	classes_compat(kernel, classes->kind[AFP_ABI_COMPAT],
		       classes->perm[AFP_ABI_COMPAT]);
}
