// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's own counts of rules.
 *
 * audit_n_rules says whether a call is audited at all, and audit_signals whether
 * targets of signals are collected. A rule that goes without a netlink message,
 * with its watched file, its tree or its mount, is not taken off: the counts are
 * too high until the next boot, and with no rule left each call is audited in
 * vain. Here they are compared with the rules that are there, and lowered.
 *
 * Never below the truth, or calls would go unaudited. Never raised: a count that is
 * too low is what the stock kernel goes by as well.
 */
#include <linux/audit.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/spinlock.h>

#include "kernel/classes.h"
#include "kernel/layout.h"
#include "kernel/symbols.h"
#include "rules/accounting.h"
#include "rules/snapshot.h"

static bool afp_repair;

/* Has a lock of its own, so that it can be shown while audit is busy. */
static struct afp_accounting_info afp_last_look;
static DEFINE_SPINLOCK(afp_last_look_lock);

/**
 * afp_accounting_repair - whether counts that are too high are lowered
 * @on: whether
 *
 * What is too high at this moment is lowered by the next afp_account().
 *
 * Context: any.
 *
 * Return: whether it was switched on by this.
 */
bool afp_accounting_repair(bool on)
{
	return !xchg(&afp_repair, on) && on;
}

/**
 * afp_accounting_info - copy what is known of the counts
 * @info: where to
 *
 * Context: process context.
 */
void afp_accounting_info(struct afp_accounting_info *info)
{
	spin_lock(&afp_last_look_lock);
	*info = afp_last_look;
	spin_unlock(&afp_last_look_lock);
	/* Neither is known where the module is passive for want of them. */
	info->kernel_rules = afp_symbols.n_rules ?
			     READ_ONCE(*afp_symbols.n_rules) : 0;
	info->kernel_signals = afp_symbols.signals ?
			       READ_ONCE(*afp_symbols.signals) : 0;
}

/* As audit_add_rule() counts, whatever list of rules they are on. */
static void afp_count_list(const struct list_head *head, int *rules,
			   int *signals)
{
	const struct list_head *node;

	for (node = head->next; node != head; node = node->next) {
		const struct audit_krule *rule = afp_entry_rule(node);

		switch (rule->listnr) {
		case AUDIT_FILTER_USER:
		case AUDIT_FILTER_EXCLUDE:
		case AUDIT_FILTER_FS:
			break;
		default:
			++*rules;
		}
		if (afp_rule_signals(rule))
			++*signals;
	}
}

/* Return: by how much a count is too high, after lowering it if that is wanted. */
static u32 afp_lower(int *count, int actual, const char *name, u32 *repaired)
{
	int is = READ_ONCE(*count);

	if (is <= actual)
		return 0;
	if (!READ_ONCE(afp_repair))
		return is - actual;
	/*
	 * The kernel changes it under audit_filter_mutex only, and reads it
	 * without a lock.
	 */
	WRITE_ONCE(*count, actual);
	pr_info("audit_fastpath: %s was %d and is %d now: rules went with their files and were not taken off\n",
		name, is, actual);
	*repaired += is - actual;
	return 0;
}

/**
 * afp_account - compare the kernel's counts with its rules, and lower them
 *
 * Semantics: audit_add_rule() and audit_del_rule(), which count; see there what
 * is counted, and audit_match_signal().
 *
 * Context: process context, with audit_cmd_mutex and audit_filter_mutex held. The
 * first keeps an addition out, which drops the second between the rule and its
 * count, the second everything that removes, or moves, a rule.
 */
void afp_account(void)
{
	int rules = 0, signals = 0, i;
	u32 stale, repaired = 0;

	for (i = 0; i < AUDIT_NR_FILTERS; i++)
		afp_count_list(&afp_symbols.filter_list[i], &rules, &signals);
	for (i = 0; i < AFP_INODE_BUCKETS; i++)
		afp_count_list(&afp_symbols.inode_hash[i], &rules, &signals);
	stale = afp_lower(afp_symbols.n_rules, rules, "audit_n_rules",
			  &repaired);
	if (afp_symbols.signals)
		stale += afp_lower(afp_symbols.signals, signals,
				   "audit_signals", &repaired);

	spin_lock(&afp_last_look_lock);
	afp_last_look.actual_rules = rules;
	afp_last_look.actual_signals = signals;
	afp_last_look.stale = stale;
	afp_last_look.repaired += repaired;
	spin_unlock(&afp_last_look_lock);
}
