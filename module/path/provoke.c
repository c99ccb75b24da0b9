// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is rare or must never happen, on demand: for tests, in debug builds.
 */
#include <linux/audit.h>
#include <linux/bottom_half.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "audit_fastpath/policy.h"
#include "path/provoke.h"

static int afp_blind = -1;
module_param_named(blind, afp_blind, int, 0600);
MODULE_PARM_DESC(blind, "decide to skip calls of this number, whatever the rules say (debug builds)");

static int afp_blind_early = -1;
module_param_named(blind_early, afp_blind_early, int, 0600);
MODULE_PARM_DESC(blind_early, "decide to skip calls of this number when they begin, whatever the rules say (debug builds)");

static int afp_slow = -1;
module_param_named(slow, afp_slow, int, 0600);
MODULE_PARM_DESC(slow, "wait between check and filter of this number, until this is written again (debug builds)");

#define AFP_SLOW_MS	20000	/* at most */
static bool afp_waiting;
module_param_named(waiting, afp_waiting, bool, 0400);
MODULE_PARM_DESC(waiting, "a call is waiting because of slow (debug builds)");

static int afp_interrupt = -1;
module_param_named(interrupt, afp_interrupt, int, 0600);
MODULE_PARM_DESC(interrupt, "a softirq makes a record between check and filter of this number (debug builds)");

static bool afp_late;
module_param_named(late, afp_late, bool, 0600);
MODULE_PARM_DESC(late, "look at the hooks half a second after it was asked for (debug builds)");

/*
 * "COUNT DIR": the call that writes this makes so many files in debugfs, each a
 * parent and a child without a name, and between them files in DIR, which have
 * names, and removes those of debugfs again.
 */
static int afp_many_set(const char *val, const struct kernel_param *kp)
{
	struct dentry *dir, *sub;
	char path[64], top[40];
	int count, i;

	if (sscanf(val, "%d %39s", &count, top) != 2 || count < 0 || count > 10000)
		return -EINVAL;
	dir = debugfs_create_dir("audit_fastpath_many", NULL);
	sub = dir;
	for (i = 0; i < count; i++) {
		struct file *file;

		snprintf(path, sizeof(path), "%s/%d", top, i);
		debugfs_create_bool(strrchr(path, '/') + 1, 0400, sub,
				    &afp_late);
		if (i % 19 == 18)
			sub = debugfs_create_dir("sub", sub);
		if (i % 7 && i % 11)
			continue;
		file = filp_open(path, O_CREAT | O_RDWR, 0600);
		if (!IS_ERR(file))
			filp_close(file, NULL);
	}
	debugfs_remove_recursive(dir);
	return 0;
}

static const struct kernel_param_ops afp_many_ops = {
	.set = afp_many_set,
};
module_param_cb(many_names, &afp_many_ops, NULL, 0200);
MODULE_PARM_DESC(many_names, "COUNT DIR: collect names with and without (debug builds)");

/*
 * Mistakes for the sanitizers to report, one each time that this is written: a test
 * of the tests. None of them does harm where nothing looks for it.
 */
static DEFINE_MUTEX(afp_plant_one);
static DEFINE_MUTEX(afp_plant_two);
static DEFINE_SPINLOCK(afp_plant_spin);
static unsigned long afp_plant_count;

static void afp_plant_free(void)
{
	u32 *freed = kmalloc(sizeof(*freed), GFP_KERNEL);

	kfree(freed);
	/* As if the compiler did not know. */
	OPTIMIZER_HIDE_VAR(freed);
	if (freed && READ_ONCE(*freed) == 1)
		pr_info("audit_fastpath: freed memory holds 1\n");
}

static void afp_plant_sleep(void)
{
	spin_lock(&afp_plant_spin);
	might_sleep();
	spin_unlock(&afp_plant_spin);
}

/* A size that nobody else asks for, so that the report can be told from others. */
static void afp_plant_leak(void)
{
	void *lost = kmalloc(20000, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(lost);
}

static void afp_plant_lock(void)
{
	mutex_lock(&afp_plant_one);
	mutex_lock(&afp_plant_two);
	mutex_unlock(&afp_plant_two);
	mutex_unlock(&afp_plant_one);
	mutex_lock(&afp_plant_two);
	mutex_lock(&afp_plant_one);
	mutex_unlock(&afp_plant_one);
	mutex_unlock(&afp_plant_two);
}

/* For two who write it at a time. */
static noinline void afp_plant_race(void)
{
	int i;

	for (i = 0; i < 100000; i++) {
		afp_plant_count++;
		barrier();
	}
}

static const struct {
	const char *name;
	void (*plant)(void);
} afp_plants[] = {
	{ "free", afp_plant_free },
	{ "sleep", afp_plant_sleep },
	{ "leak", afp_plant_leak },
	{ "lock", afp_plant_lock },
	{ "race", afp_plant_race },
};

static int afp_plant_set(const char *val, const struct kernel_param *kp)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(afp_plants); i++) {
		if (!sysfs_streq(val, afp_plants[i].name))
			continue;
		/* Not with the lock of all parameters held: two may race. */
		kernel_param_unlock(THIS_MODULE);
		afp_plants[i].plant();
		kernel_param_lock(THIS_MODULE);
		return 0;
	}
	return -EINVAL;
}

static const struct kernel_param_ops afp_plant_ops = {
	.set = afp_plant_set,
};
module_param_cb(plant, &afp_plant_ops, NULL, 0200);
MODULE_PARM_DESC(plant, "make a mistake: free, sleep, leak, lock, race (debug builds)");

unsigned long afp_provoke_late(void)
{
	return READ_ONCE(afp_late) ? HZ / 2 : 0;
}

bool afp_provoke_blind(u32 nr)
{
	return (int)nr == READ_ONCE(afp_blind);
}

bool afp_provoke_blind_early(u32 nr, u32 *pair)
{
	if ((int)nr != READ_ONCE(afp_blind_early))
		return false;
	*pair = afp_pair(AFP_ABI_NATIVE, nr);
	return true;
}

/* As an LSM does that denies something in a softirq, in this task's context. */
static void afp_make_record(void)
{
	local_bh_disable();
	audit_log(audit_context(), GFP_ATOMIC, AUDIT_KERNEL_OTHER,
		  "op=audit_fastpath_test in=softirq");
	local_bh_enable();
}

void afp_provoke_check(u32 nr)
{
	ktime_t until;

	if ((int)nr == READ_ONCE(afp_slow)) {
		WRITE_ONCE(afp_waiting, true);
		/*
		 * Not for ever, and without sleeping: see afp_policy_live(). Not
		 * by mdelay(): what a virtual machine took for a millisecond when
		 * it booted may be much less.
		 */
		until = ktime_add_ms(ktime_get(), AFP_SLOW_MS);
		while ((int)nr == READ_ONCE(afp_slow) &&
		       ktime_before(ktime_get(), until))
			cpu_relax();
		WRITE_ONCE(afp_waiting, false);
	}
	if ((int)nr == READ_ONCE(afp_interrupt))
		afp_make_record();
}
