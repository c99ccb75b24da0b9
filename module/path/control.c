// SPDX-License-Identifier: GPL-2.0-only
/*
 * Level and state: which hooks stand at this moment, and why.
 *
 * afp_reconcile() is the one place that installs or removes hooks. It is
 * called when anything that it looks at may have changed.
 */
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/random.h>
#include <linux/workqueue.h>

#include "kernel/layout.h"
#include "observe/events.h"
#include "observe/state.h"
#include "path/check.h"
#include "path/control.h"
#include "path/entry.h"
#include "path/exit.h"
#include "path/idle.h"
#include "path/names.h"
#include "path/provoke.h"
#include "rules/accounting.h"
#include "rules/follow.h"

#define AFP_SOON	msecs_to_jiffies(100)	/* when the lock is taken */
#define AFP_AGAIN	msecs_to_jiffies(1000)	/* when hooks were refused */

enum afp_phase {
	AFP_PHASE_LOADING,	/* parameters are only stored */
	AFP_PHASE_READY,
	AFP_PHASE_DYING,	/* parameters are refused */
};

/*
 * Protects all below. The kernel shows parameters in sysfs before init has
 * begun and after exit has ended, hence the phase. Taken outside of every
 * other lock of ours and of the kernel's audit code.
 */
static DEFINE_MUTEX(afp_control_lock);
static enum afp_phase afp_phase = AFP_PHASE_LOADING;
static u32 afp_settings[AFP_SETTINGS] = {
	[AFP_SETTING_LEVEL] = AFP_LEVEL_FILTER,
	[AFP_SETTING_REPAIR] = true,
	[AFP_SETTING_NAMES] = 1,
};
static bool afp_following;
static bool afp_again;		/* try a direct call that was refused again */

static void afp_control_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(afp_work, afp_control_work);

/**
 * afp_control_kick - look again at what should be hooked
 *
 * Soon, and not here: the caller may be waited for with the lock held.
 *
 * Context: any, also with preemption off. Only from hooks and from what they
 * queue: nothing may call this any more when the hooks are gone.
 */
void afp_control_kick(void)
{
	mod_delayed_work(system_long_wq, &afp_work, afp_provoke_late());
}

static void afp_unhook(void)
{
	/*
	 * Decisions first: they need what following the rules provides. Those
	 * at the entry before those at the exit, which end what they began.
	 */
	afp_names_disarm();
	afp_entry_disarm();
	afp_exit_disarm();
	afp_idle_disarm();
	if (afp_following)
		afp_follow_stop();
	afp_following = false;
}

static void afp_refused(const char *function, int err)
{
	afp_unhook();
	if (err == -EAGAIN || err == -ENOMEM) {
		afp_state_set(AFP_WAITING,
			      "hooks are refused for now (error %d), to be tried again",
			      err);
		queue_delayed_work(system_long_wq, &afp_work, AFP_AGAIN);
	} else if (function)
		afp_state_set(AFP_PASSIVE, "cannot hook %s (error %d)%s",
			      function, err, err == -EBUSY ?
			      ": a livepatch or another redirection owns it" :
			      "");
	else
		afp_state_set(AFP_PASSIVE, "ftrace refuses hooks (error %d)%s",
			      err, err == -EBUSY ?
			      ": kernel.ftrace_enabled is 0, or a livepatch owns a function" :
			      "");
}

/* A decision was wrong. */
static void afp_say_tripped(const struct afp_mismatch *m)
{
	afp_state_set(AFP_TRIPPED,
		      "would have lost a record of system call %d (arch %#x) with %u rules; please report it; write level to go on",
		      m->nr, m->arch, m->rules);
}

/*
 * Everything stands. @err, @refused: what afp_entry_arm() said. Calls are
 * decided at their exit in any case.
 */
static void afp_say_active(u32 level, int err, const char *refused)
{
	static const char * const levels[] = AFP_LEVEL_NAMES;

	if (level == AFP_LEVEL_VERIFY)
		afp_state_set(AFP_ACTIVE,
			      "checking decisions at the exit of system calls");
	else if (level == AFP_LEVEL_FILTER)
		afp_state_set(AFP_ACTIVE,
			      "deciding at the exit of system calls");
	else if (!err)
		afp_state_set(AFP_ACTIVE,
			      "deciding at the entry of system calls, what is left at the exit");
	else if (err == -EOPNOTSUPP)
		afp_state_set(AFP_ACTIVE,
			      "deciding at the exit of system calls: this kernel has no level %s",
			      levels[level]);
	else
		afp_state_set(AFP_ACTIVE,
			      "deciding at the exit of system calls: %s is not to be hooked for level %s (error %d)",
			      refused ?: "ftrace", levels[level], err);
}

/* No rule is counted. */
static void afp_reconcile_idle(void)
{
	const char *refused;
	int err;

	if (afp_settings[AFP_SETTING_IDLE] != AFP_IDLE_DETACH) {
		afp_idle_disarm();
		return;
	}
	err = afp_idle_arm(&refused);
	if (!err)
		afp_state_set(AFP_IDLE,
			      "no rule that the kernel counts: tasks are detached");
	else
		afp_state_set(AFP_IDLE,
			      "no rule that the kernel counts; tasks are not detached: %s cannot be hooked (error %d)",
			      refused ?: "ftrace", err);
}

/*
 * What is hooked stays hooked until the next boot, and nothing more can be. Only decisions
 * can be taken back. Lock held.
 */
static void afp_reconcile_dead(void)
{
	struct afp_mismatch mismatch;

	if (afp_check_tripped(&mismatch)) {
		afp_follow_hold(true);
		afp_say_tripped(&mismatch);
	} else if (afp_settings[AFP_SETTING_LEVEL] == AFP_LEVEL_OFF) {
		afp_follow_hold(true);
		afp_state_set(AFP_IDLE,
			      "level is off, but hooks stay: ftrace was shut down by a fault of its own; reboot to mend that");
	} else if (afp_exit_backend() == AFP_BACKEND_AUTO ||
		   afp_layout_proof() != AFP_PROOF_HOLDS) {
		afp_follow_hold(true);
		afp_state_set(AFP_IDLE,
			      "nothing is decided: ftrace was shut down by a fault of its own; reboot to mend that");
	} else {
		afp_follow_hold(false);
		afp_state_set(AFP_ACTIVE,
			      "deciding, with hooks that stay as they are: ftrace was shut down by a fault of its own; reboot to mend that");
	}
}

/* Make the hooks fit the level, the rules and the layout. Lock held. */
static void afp_reconcile(void)
{
	u32 level = afp_settings[AFP_SETTING_LEVEL];
	u32 every = afp_settings[AFP_SETTING_SAMPLE];
	struct afp_mismatch mismatch;
	const char *refused;
	int err;

	if (afp_state() == AFP_PASSIVE)
		return;
	if (afp_following && afp_follow_dead()) {
		afp_reconcile_dead();
		return;
	}
	if (afp_check_tripped(&mismatch)) {
		afp_unhook();
		afp_say_tripped(&mismatch);
		return;
	}
	if (level == AFP_LEVEL_OFF) {
		afp_unhook();
		afp_state_set(AFP_IDLE, "level is off");
		return;
	}
	/* What is wrong already is mended by a build; the first comes below. */
	if (afp_accounting_repair(afp_settings[AFP_SETTING_REPAIR]) &&
	    afp_following)
		afp_follow_build();
	if (!afp_following) {
		err = afp_follow_start(afp_control_kick, afp_idle_attach,
				       &refused);
		if (err) {
			afp_refused(refused, err);
			return;
		}
		afp_following = true;
	}
	if (afp_layout_proof() == AFP_PROOF_FAILED) {
		afp_unhook();
		afp_state_set(AFP_PASSIVE,
			      "audit_context is not laid out as the kernel's BTF says");
		return;
	}
	/*
	 * If a rule comes after this look, its callback has a policy built,
	 * and that brings us here again.
	 */
	if (!afp_rules_exist()) {
		/* First, so that "active" is never said of what is not. */
		afp_state_set(AFP_IDLE, "no rule that the kernel counts");
		afp_names_disarm();
		afp_entry_disarm();
		afp_exit_disarm();
		afp_reconcile_idle();
		return;
	}
	afp_idle_disarm();
	if (level == AFP_LEVEL_VERIFY)
		every = 1;
	/* What ends a check has to stand before one begins. */
	err = every ? afp_check_arm(every, get_random_u32(), &refused) : 0;
	if (err && level == AFP_LEVEL_VERIFY) {
		afp_entry_disarm();
		afp_exit_disarm();
		afp_state_set(AFP_IDLE,
			      "decisions cannot be checked: %s cannot be hooked (error %d)",
			      refused ?: "ftrace", err);
		return;
	}
	if (err) {
		pr_warn("audit_fastpath: no decision is checked: %s cannot be hooked (error %d)\n",
			refused ?: "ftrace", err);
		every = 0;
	}
	/* Who leaves calls to the kernel to be checked needs its check hook. */
	if (!every)
		afp_entry_uncheck();
	err = afp_exit_arm(level, every, afp_settings[AFP_SETTING_BACKEND],
			   afp_again, &refused);
	if (err) {
		afp_refused(refused, err);
		return;
	}
	err = afp_entry_arm(level, every, afp_settings[AFP_SETTING_BACKEND],
			    afp_again, &refused);
	/* Only a direct call can stand around a function. */
	if (!afp_settings[AFP_SETTING_NAMES] ||
	    afp_settings[AFP_SETTING_BACKEND] == AFP_BACKEND_FTRACE)
		afp_names_disarm();
	else if (afp_layout_proof() == AFP_PROOF_HOLDS)
		afp_names_arm(afp_again);
	if (afp_layout_proof() == AFP_PROOF_HOLDS)
		afp_say_active(level, err, refused);
	else
		afp_state_set(AFP_WAITING,
			      "no audited system call seen yet to prove the layout");
}

/* The same. Return: whether that found the fuse blown. Lock held. */
static bool afp_reconcile_trips(void)
{
	bool before = afp_state() == AFP_TRIPPED;

	afp_reconcile();
	afp_backend_set(afp_exit_backend());
	return !before && afp_state() == AFP_TRIPPED;
}

static void afp_trip_event(void)
{
	afp_event("fuse", "whole", "tripped", true);
}

static void afp_control_work(struct work_struct *work)
{
	bool tripped = false;

	/* Who has it may be stuck for ever, see afp_hook_stuck(). */
	if (!mutex_trylock(&afp_control_lock)) {
		queue_delayed_work(system_long_wq, &afp_work, AFP_SOON);
		return;
	}
	if (afp_phase == AFP_PHASE_READY)
		tripped = afp_reconcile_trips();
	mutex_unlock(&afp_control_lock);
	/* Not under the lock: a record may wait for the backlog. */
	if (tripped)
		afp_trip_event();
}

/* A setting's name and value, as in audit records and messages. */
static const char *afp_setting_text(enum afp_setting setting, u32 value,
				    char *text, size_t size)
{
	static const char * const levels[] = AFP_LEVEL_NAMES;
	static const char * const backends[] = AFP_BACKEND_NAMES;
	static const char * const idles[] = AFP_IDLE_NAMES;

	if (setting == AFP_SETTING_LEVEL)
		return levels[value];
	if (setting == AFP_SETTING_BACKEND)
		return backends[value];
	if (setting == AFP_SETTING_IDLE)
		return idles[value];
	scnprintf(text, size, "%u", value);
	return text;
}

static const char * const afp_setting_names[AFP_SETTINGS] = {
	[AFP_SETTING_LEVEL] = "level",
	[AFP_SETTING_SAMPLE] = "sample",
	[AFP_SETTING_BACKEND] = "backend",
	[AFP_SETTING_REPAIR] = "repair",
	[AFP_SETTING_IDLE] = "idle",
	[AFP_SETTING_NAMES] = "names",
};

static void afp_setting_event(enum afp_setting setting, u32 from, u32 to,
			      bool done)
{
	char old[16], new[16];

	afp_event(afp_setting_names[setting],
		  afp_setting_text(setting, from, old, sizeof(old)),
		  afp_setting_text(setting, to, new, sizeof(new)), done);
}

/**
 * afp_control_get - what is set
 * @setting: of what
 *
 * Context: any.
 */
u32 afp_control_get(enum afp_setting setting)
{
	return READ_ONCE(afp_settings[setting]);
}

/*
 * May the caller change a setting? Lock held.
 *
 * Return: 0; -EPERM; -ENODEV; -EROFS while the audit configuration is locked.
 */
static int afp_control_permitted(enum afp_setting setting)
{
	char text[16];

	switch (afp_phase) {
	case AFP_PHASE_LOADING:
		return 0;
	case AFP_PHASE_DYING:
		return -ENODEV;
	case AFP_PHASE_READY:
		break;
	}
	if (!capable(CAP_AUDIT_CONTROL))
		return -EPERM;
	if (audit_enabled != AUDIT_LOCKED)
		return 0;
	pr_warn("audit_fastpath: %s stays %s: the audit configuration is locked until the next boot\n",
		afp_setting_names[setting],
		afp_setting_text(setting, afp_settings[setting], text,
				 sizeof(text)));
	return -EROFS;
}

/**
 * afp_control_set - change a setting
 * @setting: which
 * @value: a valid value for it
 *
 * While the module is being loaded it is only stored. Afterwards it takes
 * effect before this returns and leaves an audit record. So does what is refused
 * because audit is locked, with res=0, as the kernel's own configuration. Writing the level
 * puts in a new fuse if the old one has tripped, and tries a direct call again
 * if that was refused.
 *
 * Context: process context, sleeps.
 *
 * Return: 0; -EINTR; -EPERM without CAP_AUDIT_CONTROL, or while the audit
 * configuration is locked; -ENODEV while the module is being unloaded.
 */
int afp_control_set(enum afp_setting setting, u32 value)
{
	bool changed, tripped = false;
	u32 old;
	int err;

	if (mutex_lock_interruptible(&afp_control_lock))
		return -EINTR;
	old = afp_settings[setting];
	err = afp_control_permitted(setting);
	if (!err)
		WRITE_ONCE(afp_settings[setting], value);
	changed = !err && afp_phase == AFP_PHASE_READY;
	if (changed) {
		/* A blown fuse that was not seen yet is seen first. */
		if (setting == AFP_SETTING_LEVEL && afp_state() == AFP_TRIPPED)
			afp_check_rearm();
		afp_again = setting == AFP_SETTING_LEVEL ||
			    setting == AFP_SETTING_NAMES;
		tripped = afp_reconcile_trips();
		afp_again = false;
	}
	mutex_unlock(&afp_control_lock);
	/* Not under the lock: a record may wait for the backlog. */
	if (tripped)
		afp_trip_event();
	if (changed || err == -EROFS)
		afp_setting_event(setting, old, value, changed);
	return err == -EROFS ? -EPERM : err;
}

/*
 * Nothing above filter, and no detaching, may begin while audit is locked. Lock
 * held.
 *
 * Return: whether the setting was another, then it is no more.
 */
static bool afp_control_clamp(enum afp_setting setting, u32 most)
{
	if (audit_enabled != AUDIT_LOCKED || afp_settings[setting] <= most)
		return false;
	WRITE_ONCE(afp_settings[setting], most);
	return true;
}

/**
 * afp_control_init - hook what the level asks for
 *
 * If that cannot be done the state is passive and nothing is hooked. What was asked
 * for and is refused because audit is locked leaves a record with res=0.
 *
 * Context: process context, sleeps.
 *
 * Return: 0.
 */
int afp_control_init(void)
{
	u32 level, idle;
	bool lower, keep;

	mutex_lock(&afp_control_lock);
	afp_phase = AFP_PHASE_READY;
	level = afp_settings[AFP_SETTING_LEVEL];
	idle = afp_settings[AFP_SETTING_IDLE];
	lower = afp_control_clamp(AFP_SETTING_LEVEL, AFP_LEVEL_FILTER);
	keep = afp_control_clamp(AFP_SETTING_IDLE, AFP_IDLE_KEEP);
	afp_reconcile();
	afp_backend_set(afp_exit_backend());
	mutex_unlock(&afp_control_lock);
	if (lower)
		afp_setting_event(AFP_SETTING_LEVEL, AFP_LEVEL_FILTER, level,
				  false);
	if (keep)
		afp_setting_event(AFP_SETTING_IDLE, AFP_IDLE_KEEP, idle, false);
	if (lower)
		level = AFP_LEVEL_FILTER;
	afp_event("load", "none",
		  afp_setting_text(AFP_SETTING_LEVEL, level, NULL, 0), true);
	return 0;
}

/**
 * afp_control_exit - unhook everything, refuse parameters from now on
 *
 * Context: process context, sleeps.
 */
void afp_control_exit(void)
{
	u32 level;

	mutex_lock(&afp_control_lock);
	afp_phase = AFP_PHASE_DYING;
	afp_unhook();
	level = afp_settings[AFP_SETTING_LEVEL];
	mutex_unlock(&afp_control_lock);
	afp_event("unload", afp_setting_text(AFP_SETTING_LEVEL, level, NULL, 0),
		  "none", true);
	afp_names_exit();
	/* Nothing queues it any more but itself, and it sees the phase. */
	cancel_delayed_work_sync(&afp_work);
}
