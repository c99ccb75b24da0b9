// SPDX-License-Identifier: GPL-2.0-only
/*
 * What there is to know of struct audit_context to begin a call without the
 * kernel's function.
 */
#include <linux/time64.h>

#include "kernel/begin.h"

struct afp_begin afp_begin __read_mostly;

/**
 * afp_begin_init - read the offsets from the kernel's BTF
 * @btf: an opened blob
 *
 * If anything is not as expected they stay 0 and are those of no kernel that
 * is known: the kernel's own function begins each call.
 *
 * Context: process context. After afp_symbols_init().
 */
void __init afp_begin_init(const struct afp_btf *btf)
{
	struct afp_begin b = { .clears = !afp_symbols.reset_context };
	const struct afp_member context[] = {
		{ "stamp.ctime", "ctime", &b.ctime, sizeof(struct timespec64) },
		{ "ppid", NULL, &b.ppid, sizeof(pid_t) },
	};
	const struct afp_member conn[] = {
		{ "pid", NULL, &b.auditd_pid, sizeof(void *) },
	};
	const char *missing;

	if (!afp_layout_read(btf, "audit_context", context,
			     ARRAY_SIZE(context), &missing) &&
	    !afp_layout_read(btf, "auditd_connection", conn, ARRAY_SIZE(conn),
			     &missing) &&
	    b.auditd_pid == offsetof(struct afp_auditd, pid))
		afp_begin = b;
}
