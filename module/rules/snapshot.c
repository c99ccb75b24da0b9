// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copy the kernel's rules, compile them, publish the policy.
 *
 * Rules are added by audit_rule_change() alone, under audit_cmd_mutex; its
 * callback in follow.c withdraws the policy before the rule can be seen. A
 * build holds that mutex from the first look at the rules until the policy is
 * published. So no rule can be added between the two, and a policy that is
 * live has every rule the kernel has. It may have rules that are gone: the
 * kernel drops some without that mutex, which costs time and no record.
 */
#include <linux/audit.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "kernel/classes.h"
#include "kernel/compat.h"
#include "kernel/fault.h"
#include "kernel/layout.h"
#include "kernel/locks.h"
#include "kernel/symbols.h"
#include "rules/accounting.h"
#include "rules/snapshot.h"

/* A policy and what its owner needs to free it. */
struct afp_owned {
	struct list_head retired;
	struct afp_policy policy;
};

/* Read by decisions without a lock, see afp_policy_live(). */
struct afp_policy *afp_live_policy __read_mostly;

/*
 * The newest policy, and whether rules were added since it was built. Both
 * protected by audit_cmd_mutex: audit_rule_change() runs under it.
 */
static struct afp_owned *afp_newest;
static bool afp_outdated;

/* Has a lock of its own, so that it can be shown while audit is busy. */
static struct afp_policy_info afp_info;
static DEFINE_SPINLOCK(afp_info_lock);

static LIST_HEAD(afp_retired);
static DEFINE_SPINLOCK(afp_retired_lock);

static void afp_reap(struct work_struct *work);
static DECLARE_WORK(afp_reap_work, afp_reap);

#ifdef AFP_DEBUG
static int afp_fail_memory;
module_param_named(fail_memory, afp_fail_memory, int, 0600);
MODULE_PARM_DESC(fail_memory, "make this allocation of each build fail, -1: every one (debug builds)");
static unsigned int afp_memory_failures;
module_param_named(memory_failures, afp_memory_failures, uint, 0400);
MODULE_PARM_DESC(memory_failures, "how often that was done (debug builds)");

/* Allocations of the build that is under way. */
static int afp_allocations;

static bool afp_memory_fails(void)
{
	int which = READ_ONCE(afp_fail_memory);

	if (++afp_allocations != which && which >= 0)
		return false;
	afp_memory_failures++;
	return true;
}

static void afp_memory_start(void)
{
	afp_allocations = 0;
}
#else
static bool afp_memory_fails(void)
{
	return false;
}

static void afp_memory_start(void)
{
}
#endif

/* Memory for a build, under audit_cmd_mutex; kvfree() frees it. */
static void *afp_build_alloc(size_t size)
{
	return afp_memory_fails() || afp_fault("memory for", "a policy") ?
	       NULL : kvmalloc(size, GFP_KERNEL);
}

/**
 * afp_policy_info - copy what is known of the newest policy
 * @info: where to
 *
 * Context: process context.
 */
void afp_policy_info(struct afp_policy_info *info)
{
	spin_lock(&afp_info_lock);
	*info = afp_info;
	spin_unlock(&afp_info_lock);
}

/**
 * afp_withdraw - have every decision walk until the next build
 *
 * Context: any, also with preemption off; under audit_cmd_mutex, or with no
 * build possible. Calls that have already read the policy go by it; the rule
 * that is about to be added cannot be seen by them.
 */
void afp_withdraw(void)
{
	/*
	 * Ordered before the publication of the rule by list_add_rcu(), which
	 * releases: who knows of the rule knows of this.
	 */
	WRITE_ONCE(afp_live_policy, NULL);
	afp_outdated = true;
}

static void afp_free_list(struct list_head *list)
{
	struct afp_owned *owned, *next;

	list_for_each_entry_safe(owned, next, list, retired)
		kvfree(owned);
}

/* Free what no decision can be reading any more. */
static void afp_reap(struct work_struct *work)
{
	LIST_HEAD(list);

	spin_lock(&afp_retired_lock);
	list_splice_init(&afp_retired, &list);
	spin_unlock(&afp_retired_lock);
	if (list_empty(&list))
		return;
	/* Pairs with afp_policy_live(): its readers do not sleep. */
	synchronize_rcu_tasks();
	afp_free_list(&list);
}

static void afp_retire(struct afp_owned *owned)
{
	if (!owned)
		return;
	spin_lock(&afp_retired_lock);
	list_add(&owned->retired, &afp_retired);
	spin_unlock(&afp_retired_lock);
	queue_work(system_long_wq, &afp_reap_work);
}

/* The exit list, then the buckets of the inode hash. */
static const struct list_head *afp_list(int i)
{
	return i ? &afp_symbols.inode_hash[i - 1] :
		   &afp_symbols.filter_list[AUDIT_FILTER_EXIT];
}

static void afp_count_rules(u32 *rules, u32 *fields)
{
	const struct list_head *node, *head;
	int i;

	*rules = 0;
	*fields = 0;
	for (i = 0; i <= AFP_INODE_BUCKETS; i++) {
		head = afp_list(i);
		for (node = head->next; node != head; node = node->next) {
			++*rules;
			*fields += afp_entry_rule(node)->field_count;
		}
	}
}

static void afp_copy_rule(struct afp_rule *to, struct afp_field *fields,
			  const struct audit_krule *from, int place)
{
	u32 i;

	to->fields = fields;
	to->field_count = from->field_count;
	to->place = place;
	to->always = from->action == AUDIT_ALWAYS;
	memcpy(to->mask, from->mask, sizeof(to->mask));
	/*
	 * From the array only: arch_f and inode_f of a rule that the kernel
	 * has duplicated are lost, or point into freed memory. For strings
	 * the value is half a pointer, which no test looks at.
	 */
	for (i = 0; i < from->field_count; i++) {
		fields[i].type = from->fields[i].type;
		fields[i].op = from->fields[i].op;
		fields[i].val = from->fields[i].val;
	}
}

/*
 * Is there a rule about operations of io_uring? Under audit_filter_mutex. They
 * are filtered with the context of the call they are run in, which has to be
 * what it always is.
 */
static bool afp_uring_rules(void)
{
	const struct list_head *node, *head;
	int i;

	if (AFP_FILTER_URING < 0)
		return false;
	if (!list_empty(&afp_symbols.filter_list[AFP_FILTER_URING]))
		return true;
	for (i = 1; i <= AFP_INODE_BUCKETS; i++) {
		head = afp_list(i);
		for (node = head->next; node != head; node = node->next)
			if (afp_entry_rule(node)->listnr == AFP_FILTER_URING)
				return true;
	}
	return false;
}

/* Return: number of rules, or -EAGAIN if there are more than were counted. */
static int afp_copy_rules(struct afp_rule *rules, u32 max_rules,
			  struct afp_field *fields, u32 max_fields)
{
	const struct list_head *node, *head;
	u32 count = 0, used = 0;
	int i;

	for (i = 0; i <= AFP_INODE_BUCKETS; i++) {
		head = afp_list(i);
		for (node = head->next; node != head; node = node->next) {
			const struct audit_krule *rule = afp_entry_rule(node);

			if (count == max_rules ||
			    rule->field_count > max_fields - used)
				return -EAGAIN;
			afp_copy_rule(&rules[count++], &fields[used], rule,
				      i ? AFP_PLACE_INODE : AFP_PLACE_EXIT);
			used += rule->field_count;
		}
	}
	return count;
}

/* Compile into a block of just the size that the policy takes. */
static struct afp_owned *afp_compile_rules(const struct afp_rule *rules,
					   u32 count)
{
	struct afp_owned *big, *owned = NULL;
	size_t head = offsetof(struct afp_owned, policy);
	void *scratch;

	big = afp_build_alloc(head + afp_policy_size(count));
	scratch = afp_build_alloc(afp_scratch_size(count));
	if (big && scratch &&
	    !afp_compile(rules, count, &afp_classes, &big->policy, scratch)) {
		owned = afp_build_alloc(head + big->policy.size);
		/* The whole block: its tables are behind the structure. */
		if (owned)
			memcpy(owned, big, head + big->policy.size);
	}
	kvfree(scratch);
	kvfree(big);
	return owned;
}

/* Under audit_cmd_mutex. */
static void afp_replace(struct afp_owned *owned, u64 start)
{
	spin_lock(&afp_info_lock);
	owned->policy.generation = ++afp_info.generation;
	afp_info.rules = owned->policy.rules;
	afp_info.syscalls_total = owned->policy.syscalls_total;
	afp_info.syscalls_skippable = owned->policy.syscalls_skippable;
	afp_info.syscalls_skippable_user =
		owned->policy.syscalls_skippable_user;
	afp_info.build_ns = ktime_get_ns() - start;
	spin_unlock(&afp_info_lock);

	/* The old one goes out of sight first: what is retired is unlinked. */
	WRITE_ONCE(afp_live_policy, NULL);
	afp_retire(afp_newest);
	afp_newest = owned;
	afp_outdated = false;
}

/* Under audit_cmd_mutex. */
static int afp_build_locked(u64 start)
{
	u32 max_rules, max_fields;
	struct afp_field *fields;
	struct afp_owned *owned;
	struct afp_rule *rules;
	bool uring = false;
	int count;

	/*
	 * Never wait for this lock: who holds it may be waiting for auditd to
	 * take records, and auditd for the lock that is held here.
	 */
	if (!mutex_trylock(afp_symbols.filter_mutex))
		return -EAGAIN;
	afp_account();
	afp_count_rules(&max_rules, &max_fields);
	mutex_unlock(afp_symbols.filter_mutex);

	/* A rule does not change, so the same number is the same rules. */
	if (afp_newest && !afp_outdated &&
	    afp_newest->policy.rules == max_rules)
		return 0;
	if (max_rules > AFP_RULES_MAX)
		return -E2BIG;

	afp_memory_start();
	rules = afp_build_alloc(array_size(max_rules + 1, sizeof(*rules)));
	fields = afp_build_alloc(array_size(max_fields + 1, sizeof(*fields)));
	count = -ENOMEM;
	owned = NULL;
	if (rules && fields) {
		count = -EAGAIN;
		if (mutex_trylock(afp_symbols.filter_mutex)) {
			count = afp_copy_rules(rules, max_rules, fields,
					       max_fields);
			uring = afp_uring_rules();
			mutex_unlock(afp_symbols.filter_mutex);
		}
	}
	if (count >= 0)
		owned = afp_compile_rules(rules, count);
	if (owned && uring)
		memset(owned->policy.early, AFP_EARLY_NEVER | 3,
		       sizeof(owned->policy.early));
	if (owned)
		afp_replace(owned, start);
	else if (count >= 0)
		count = -ENOMEM;
	kvfree(fields);
	kvfree(rules);
	return count < 0 ? count : 0;
}

/**
 * afp_build - make the live policy that of the kernel's rules
 *
 * Compares the kernel's counts of rules with the rules, too, see afp_account().
 * Compiles nothing if the newest policy has as many rules as the kernel: none
 * was added, or it would be outdated, and none has gone. Nothing is live
 * before the layout has been proved.
 *
 * Context: process context, sleeps; takes audit_cmd_mutex, and inside it
 * audit_filter_mutex if it is free.
 *
 * Return: 0; -E2BIG above AFP_RULES_MAX rules; -EAGAIN if rules are being
 * changed, -ENOMEM: to be tried again. On an error the live policy stays as it is, which is
 * none if rules were added.
 */
int afp_build(void)
{
	u64 start = ktime_get_ns();
	int err;

	afp_audit_lock();
	err = afp_build_locked(start);
	/* Pairs with READ_ONCE() in afp_policy_live(). */
	if (!err && afp_layout_proof() == AFP_PROOF_HOLDS)
		smp_store_release(&afp_live_policy, &afp_newest->policy);
	afp_audit_unlock();
	return err;
}

/**
 * afp_snapshot_exit - free every policy
 *
 * Context: process context, sleeps. After the hooks are gone, so that nothing
 * reads or builds a policy.
 */
void afp_snapshot_exit(void)
{
	afp_withdraw();
	cancel_work_sync(&afp_reap_work);
	afp_free_list(&afp_retired);
	INIT_LIST_HEAD(&afp_retired);
	kvfree(afp_newest);
	afp_newest = NULL;
}
