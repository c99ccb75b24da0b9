// SPDX-License-Identifier: GPL-2.0-only
/*
 * audit-fastpath: load order and parameters, nothing else.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "audit_fastpath/names.h"
#include "audit_fastpath/version.h"
#include "kernel/fault.h"
#include "kernel/probe.h"
#include "observe/counters.h"
#include "observe/debugfs.h"
#include "observe/state.h"
#include "observe/sysfs.h"
#include "path/check.h"
#include "path/control.h"
#include "rules/snapshot.h"

MODULE_LICENSE("GPL");
MODULE_AUTHOR("audit-fastpath developers");
MODULE_DESCRIPTION("Skip the audit exit filter when no rule can match");
MODULE_VERSION(AFP_VERSION);

/* A parameter whose values are words, in the order of @names. */
#define AFP_WORD(name, setting, names, list, mode, desc) \
	static const char * const name##_names[] = names; \
\
	static int name##_set(const char *val, const struct kernel_param *kp) \
	{ \
		int word = __sysfs_match_string(name##_names, \
						ARRAY_SIZE(name##_names), \
						val); \
\
		if (word < 0) { \
			pr_err("audit_fastpath: " #name " is one of: " list "\n"); \
			return -EINVAL; \
		} \
		return afp_control_set(setting, word); \
	} \
\
	static int name##_get(char *buf, const struct kernel_param *kp) \
	{ \
		return sysfs_emit(buf, "%s\n", \
				  name##_names[afp_control_get(setting)]); \
	} \
\
	static const struct kernel_param_ops name##_ops = { \
		.set = name##_set, \
		.get = name##_get, \
	}; \
	module_param_cb(name, &name##_ops, NULL, mode); \
	MODULE_PARM_DESC(name, desc)

AFP_WORD(level, AFP_SETTING_LEVEL, AFP_LEVEL_NAMES,
	 "off verify filter collect entry", 0644,
	 "what may be skipped: off, verify, filter (default), collect, entry");
AFP_WORD(backend, AFP_SETTING_BACKEND, AFP_BACKEND_NAMES, "auto direct ftrace",
	 0444, "how to hook: auto (default), direct, ftrace");
AFP_WORD(idle, AFP_SETTING_IDLE, AFP_IDLE_NAMES, "keep detach", 0644,
	 "tasks while no rule is loaded: keep (default), detach");

static int sample_set(const char *val, const struct kernel_param *kp)
{
	u32 every;

	if (kstrtou32(val, 0, &every) || every > AFP_CHECK_MOST) {
		pr_err("audit_fastpath: sample is a number up to %u: of how many skips one is checked, 0 for none\n",
		       AFP_CHECK_MOST);
		return -EINVAL;
	}
	return afp_control_set(AFP_SETTING_SAMPLE, every);
}

static int sample_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%u\n", afp_control_get(AFP_SETTING_SAMPLE));
}

static const struct kernel_param_ops sample_ops = {
	.set = sample_set,
	.get = sample_get,
};
module_param_cb(sample, &sample_ops, NULL, 0644);
MODULE_PARM_DESC(sample, "check one of so many skips, 0 (default) for none");

/* A switch that is written as any parameter that is a bool. */
static int afp_switch_set(const char *val, const char *name,
			  enum afp_setting setting)
{
	bool on;

	if (kstrtobool(val, &on)) {
		pr_err("audit_fastpath: %s is one of: Y N\n", name);
		return -EINVAL;
	}
	return afp_control_set(setting, on);
}

#define AFP_SWITCH(name, setting, desc) \
	static int name##_set(const char *val, const struct kernel_param *kp) \
	{ \
		return afp_switch_set(val, #name, setting); \
	} \
\
	static int name##_get(char *buf, const struct kernel_param *kp) \
	{ \
		return sysfs_emit(buf, "%c\n", \
				  afp_control_get(setting) ? 'Y' : 'N'); \
	} \
\
	static const struct kernel_param_ops name##_ops = { \
		.set = name##_set, \
		.get = name##_get, \
	}; \
	module_param_cb(name, &name##_ops, NULL, 0644); \
	MODULE_PARM_DESC(name, desc)

AFP_SWITCH(repair, AFP_SETTING_REPAIR,
	   "lower the kernel's counts of rules when rules went with their files: Y (default), N");
AFP_SWITCH(names, AFP_SETTING_NAMES,
	   "pass by names that no file is compared with: Y (default), N");

/* Why the module is not loaded, if a step knows it in words. */
static char afp_refusal[AFP_REASON_MAX] __initdata;

static int __init afp_probe(void)
{
	char reason[AFP_REASON_MAX] = "";
	int err = afp_kernel_probe(reason, sizeof(reason));

	if (err == -ENODEV) {
		afp_state_set(AFP_PASSIVE, "%s", reason);
		return 0;
	}
	if (err)
		strscpy(afp_refusal, reason, sizeof(afp_refusal));
	return err;
}

/* Done from the first to the last, undone from the last to the first. */
static const struct afp_step {
	const char *name;
	int (*init)(void);
	void (*exit)(void);
} afp_steps[] = {
	{ "probe", afp_probe, afp_snapshot_exit },
	{ "counters", afp_counters_init, afp_counters_exit },
	{ "sysfs", afp_sysfs_init, afp_sysfs_exit },
	{ "debugfs", afp_debugfs_init, afp_debugfs_exit },
	{ "control", afp_control_init, afp_control_exit },
};

static void afp_undo(int steps)
{
	while (steps--)
		if (afp_steps[steps].exit)
			afp_steps[steps].exit();
}

static int __init afp_init(void)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(afp_steps); i++) {
		err = afp_fault("step", afp_steps[i].name) ?
		      -EIO : afp_steps[i].init();
		if (err) {
			if (!afp_refusal[0])
				scnprintf(afp_refusal, sizeof(afp_refusal),
					  "step %s failed (error %d)",
					  afp_steps[i].name, err);
			pr_err("audit_fastpath: not loaded: %s\n", afp_refusal);
			afp_undo(i);
			return err;
		}
	}
	return 0;
}

static void __exit afp_exit(void)
{
	afp_undo(ARRAY_SIZE(afp_steps));
}

module_init(afp_init);
module_exit(afp_exit);
