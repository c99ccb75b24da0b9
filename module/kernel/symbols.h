/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_KERNEL_SYMBOLS_H
#define AFP_KERNEL_SYMBOLS_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

/**
 * struct afp_symbols - what of the kernel's audit code is used and not exported
 * @filter_list: audit_filter_list, one list a filter
 * @inode_hash: audit_inode_hash
 * @filter_mutex: audit_filter_mutex
 * @n_rules: audit_n_rules
 * @signals: audit_signals, NULL if it cannot be found
 * @auditd_conn: auditd_conn, NULL if it cannot be found
 * @reset_context: audit_reset_context(), 0 where there is none to redirect to
 * @btf: the kernel's own type information
 * @btf_size: its size in bytes
 *
 * Written once by afp_symbols_init(), read only afterwards.
 */
struct afp_symbols {
	struct list_head *filter_list;
	struct list_head *inode_hash;
	struct mutex *filter_mutex;
	int *n_rules;
	int *signals;
	void **auditd_conn;
	unsigned long reset_context;
	const void *btf;
	size_t btf_size;
};

extern struct afp_symbols afp_symbols;

int afp_symbols_init(const char **missing);
unsigned long afp_symbol(const char *name);

#endif /* AFP_KERNEL_SYMBOLS_H */
