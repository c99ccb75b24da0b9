// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/audit_fastpath: one value a file, all of them read-only. Each
 * has an entry in docs/ABI/.
 */
#include <linux/kobject.h>
#include <linux/sysfs.h>

#include "kernel/fault.h"
#include "observe/counters.h"
#include "observe/holders.h"
#include "observe/state.h"
#include "observe/sysfs.h"
#include "rules/accounting.h"
#include "rules/snapshot.h"

#define AFP_SHOW(name) \
	static ssize_t name##_show(struct kobject *kobj, \
				   struct kobj_attribute *attr, char *buf)
#define AFP_ATTR(name) \
	static struct kobj_attribute afp_attr_##name = \
		__ATTR(name, 0444, name##_show, NULL)

AFP_SHOW(state)
{
	return sysfs_emit(buf, "%s\n", afp_state_name(afp_state()));
}
AFP_ATTR(state);

AFP_SHOW(reason)
{
	char reason[AFP_REASON_MAX];

	afp_reason(reason);
	return sysfs_emit(buf, "%s\n", reason);
}
AFP_ATTR(reason);

AFP_SHOW(backend)
{
	static const char * const names[] = AFP_BACKEND_NAMES;
	enum afp_backend backend = afp_backend();

	return sysfs_emit(buf, "%s\n", backend == AFP_BACKEND_AUTO ?
			  "none" : names[backend]);
}
AFP_ATTR(backend);

AFP_SHOW(holders)
{
	return afp_holders_show(buf, PAGE_SIZE);
}
AFP_ATTR(holders);

static struct attribute *afp_top_attrs[] = {
	&afp_attr_state.attr,
	&afp_attr_reason.attr,
	&afp_attr_backend.attr,
	&afp_attr_holders.attr,
	NULL
};

static const struct attribute_group afp_top_group = {
	.attrs = afp_top_attrs,
};

/* A member of what @about() copies into a struct of that name. */
#define AFP_INFO_ATTR(about, field, format) \
	AFP_SHOW(field) \
	{ \
		struct about info; \
\
		about(&info); \
		return sysfs_emit(buf, format "\n", info.field); \
	} \
	AFP_ATTR(field)

AFP_INFO_ATTR(afp_policy_info, generation, "%u");
AFP_INFO_ATTR(afp_policy_info, rules, "%u");
AFP_INFO_ATTR(afp_policy_info, syscalls_total, "%u");
AFP_INFO_ATTR(afp_policy_info, syscalls_skippable, "%u");
AFP_INFO_ATTR(afp_policy_info, syscalls_skippable_user, "%u");
AFP_INFO_ATTR(afp_policy_info, build_ns, "%llu");

static struct attribute *afp_policy_attrs[] = {
	&afp_attr_generation.attr,
	&afp_attr_rules.attr,
	&afp_attr_syscalls_total.attr,
	&afp_attr_syscalls_skippable.attr,
	&afp_attr_syscalls_skippable_user.attr,
	&afp_attr_build_ns.attr,
	NULL
};

static const struct attribute_group afp_policy_group = {
	.name = "policy",
	.attrs = afp_policy_attrs,
};

AFP_INFO_ATTR(afp_accounting_info, kernel_rules, "%d");
AFP_INFO_ATTR(afp_accounting_info, actual_rules, "%d");
AFP_INFO_ATTR(afp_accounting_info, kernel_signals, "%d");
AFP_INFO_ATTR(afp_accounting_info, actual_signals, "%d");
AFP_INFO_ATTR(afp_accounting_info, stale, "%u");
AFP_INFO_ATTR(afp_accounting_info, repaired, "%u");

static struct attribute *afp_accounting_attrs[] = {
	&afp_attr_kernel_rules.attr,
	&afp_attr_actual_rules.attr,
	&afp_attr_kernel_signals.attr,
	&afp_attr_actual_signals.attr,
	&afp_attr_stale.attr,
	&afp_attr_repaired.attr,
	NULL
};

static const struct attribute_group afp_accounting_group = {
	.name = "accounting",
	.attrs = afp_accounting_attrs,
};

static u64 afp_counted_from(enum afp_answer first)
{
	u64 sum = 0;
	int i;

	for (i = first; i < AFP_ANSWERS; i++)
		sum += afp_counted(i);
	return sum;
}

#define AFP_STATS_ATTR(name, value) \
	AFP_SHOW(name) \
	{ \
		return sysfs_emit(buf, "%llu\n", value); \
	} \
	AFP_ATTR(name)

AFP_STATS_ATTR(calls, afp_counted_from(AFP_SKIP));
AFP_STATS_ATTR(skipped, afp_counted(AFP_SKIP));
AFP_STATS_ATTR(walked, afp_counted_from(AFP_SKIP + 1));
AFP_STATS_ATTR(detached, (u64)atomic64_read(&afp_tasks_detached));
AFP_STATS_ATTR(attached, (u64)atomic64_read(&afp_tasks_attached));
#define AFP_WALK_ATTR(reason, name) \
	AFP_STATS_ATTR(walked_##name, afp_counted(reason))

AFP_WALK_ATTR(AFP_WALK_RULE, rule);
AFP_WALK_ATTR(AFP_WALK_ABI, abi);
AFP_WALK_ATTR(AFP_WALK_NUMBER, number);
AFP_WALK_ATTR(AFP_WALK_LIMIT, limit);
AFP_WALK_ATTR(AFP_WALK_POLICY, policy);
AFP_WALK_ATTR(AFP_WALK_STATE, state);
AFP_WALK_ATTR(AFP_WALK_FORCED, forced);
AFP_WALK_ATTR(AFP_WALK_TREES, trees);
AFP_WALK_ATTR(AFP_WALK_CHECK, check);

AFP_STATS_ATTR(names_calls, afp_names_calls());
AFP_STATS_ATTR(names_spliced, afp_names_count());

static struct attribute *afp_stats_attrs[] = {
	&afp_attr_calls.attr,
	&afp_attr_skipped.attr,
	&afp_attr_walked.attr,
	&afp_attr_walked_rule.attr,
	&afp_attr_walked_abi.attr,
	&afp_attr_walked_number.attr,
	&afp_attr_walked_limit.attr,
	&afp_attr_walked_policy.attr,
	&afp_attr_walked_state.attr,
	&afp_attr_walked_forced.attr,
	&afp_attr_walked_trees.attr,
	&afp_attr_walked_check.attr,
	&afp_attr_detached.attr,
	&afp_attr_attached.attr,
	&afp_attr_names_calls.attr,
	&afp_attr_names_spliced.attr,
	NULL
};

static const struct attribute_group afp_stats_group = {
	.name = "stats",
	.attrs = afp_stats_attrs,
};

AFP_STATS_ATTR(checked, afp_checked());
AFP_STATS_ATTR(mismatches, afp_mismatches());

static struct attribute *afp_selfcheck_attrs[] = {
	&afp_attr_checked.attr,
	&afp_attr_mismatches.attr,
	NULL
};

static const struct attribute_group afp_selfcheck_group = {
	.name = "selfcheck",
	.attrs = afp_selfcheck_attrs,
};

static const struct attribute_group *afp_groups[] = {
	&afp_top_group,
	&afp_policy_group,
	&afp_accounting_group,
	&afp_stats_group,
	&afp_selfcheck_group,
	NULL
};

static struct kobject *afp_kobject;

/**
 * afp_sysfs_init - create /sys/kernel/audit_fastpath
 *
 * Context: process context, sleeps.
 *
 * Return: 0, -ENOMEM, or what sysfs_create_groups() says; nothing stays then.
 */
int afp_sysfs_init(void)
{
	int err;

	if (afp_fault("directory in", "sysfs"))
		return -ENOMEM;
	afp_kobject = kobject_create_and_add("audit_fastpath", kernel_kobj);
	if (!afp_kobject)
		return -ENOMEM;
	err = afp_fault("files in", "sysfs") ?
	      -EIO : sysfs_create_groups(afp_kobject, afp_groups);
	if (err)
		kobject_put(afp_kobject);
	return err;
}

/**
 * afp_sysfs_exit - remove it again
 *
 * Context: process context, sleeps until no file is being read.
 */
void afp_sysfs_exit(void)
{
	sysfs_remove_groups(afp_kobject, afp_groups);
	kobject_put(afp_kobject);
}
