/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_RULES_ACCOUNTING_H
#define AFP_RULES_ACCOUNTING_H

#include <linux/types.h>

/**
 * struct afp_accounting_info - the kernel's counts of rules, and what they should be
 * @kernel_rules: audit_n_rules, at this moment
 * @actual_rules: the rules that it should count, at the last look
 * @kernel_signals: audit_signals, at this moment; 0 if that cannot be found
 * @actual_signals: the rules that it should count, at the last look
 * @stale: how many of both were too many at the last look and are so still
 * @repaired: how many were taken off since the module was loaded
 */
struct afp_accounting_info {
	int kernel_rules;
	int actual_rules;
	int kernel_signals;
	int actual_signals;
	u32 stale;
	u32 repaired;
};

void afp_accounting_info(struct afp_accounting_info *info);
bool afp_accounting_repair(bool on);
void afp_account(void);

#endif /* AFP_RULES_ACCOUNTING_H */
