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
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/workqueue.h>

#include "kernel/layout.h"
#include "observe/events.h"
#include "observe/state.h"
#include "path/control.h"
#include "path/exit.h"
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
static enum afp_level afp_level = AFP_LEVEL_FILTER;
static bool afp_following;

static const char * const afp_level_names[] = AFP_LEVEL_NAMES;

static void afp_control_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(afp_work, afp_control_work);

/* After each build. Not here and now: we may be waited for with the lock. */
static void afp_on_build(void)
{
	mod_delayed_work(system_long_wq, &afp_work, 0);
}

static void afp_unhook(void)
{
	/* Decisions first: they need what following the rules provides. */
	afp_exit_disarm();
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

/* Make the hooks fit the level, the rules and the layout. Lock held. */
static void afp_reconcile(void)
{
	const char *refused;
	int err;

	if (afp_state() == AFP_PASSIVE)
		return;
	if (afp_level == AFP_LEVEL_OFF) {
		afp_unhook();
		afp_state_set(AFP_IDLE, "level is off");
		return;
	}
	if (!afp_following) {
		err = afp_follow_start(afp_on_build, &refused);
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
		afp_exit_disarm();
		afp_state_set(AFP_IDLE, "no rule that the kernel counts");
		return;
	}
	err = afp_exit_arm(&refused);
	if (err) {
		afp_refused(refused, err);
		return;
	}
	if (afp_layout_proof() == AFP_PROOF_HOLDS)
		afp_state_set(AFP_ACTIVE, "deciding at the exit of system calls");
	else
		afp_state_set(AFP_WAITING,
			      "no audited system call seen yet to prove the layout");
}

static void afp_control_work(struct work_struct *work)
{
	/* Who has it may be stuck for ever, see afp_hook_remove(). */
	if (!mutex_trylock(&afp_control_lock)) {
		queue_delayed_work(system_long_wq, &afp_work, AFP_SOON);
		return;
	}
	if (afp_phase == AFP_PHASE_READY)
		afp_reconcile();
	mutex_unlock(&afp_control_lock);
}

/**
 * afp_control_level_now - the level that is set
 *
 * Context: any.
 */
enum afp_level afp_control_level_now(void)
{
	return READ_ONCE(afp_level);
}

/**
 * afp_control_level - set the level
 * @level: the level
 *
 * While the module is being loaded it is only stored. Afterwards it takes
 * effect before this returns and leaves an audit record.
 *
 * Context: process context, sleeps.
 *
 * Return: 0; -EINTR; -EPERM without CAP_AUDIT_CONTROL, or while the audit
 * configuration is locked; -ENODEV while the module is being unloaded.
 */
int afp_control_level(enum afp_level level)
{
	enum afp_level old;
	bool changed;
	int err = 0;

	if (mutex_lock_interruptible(&afp_control_lock))
		return -EINTR;
	old = afp_level;
	switch (afp_phase) {
	case AFP_PHASE_LOADING:
		WRITE_ONCE(afp_level, level);
		break;
	case AFP_PHASE_READY:
		if (!capable(CAP_AUDIT_CONTROL)) {
			err = -EPERM;
		} else if (audit_enabled == AUDIT_LOCKED) {
			pr_warn("audit_fastpath: level stays %s: the audit configuration is locked until the next boot\n",
				afp_level_names[old]);
			err = -EPERM;
		} else {
			WRITE_ONCE(afp_level, level);
			afp_reconcile();
		}
		break;
	case AFP_PHASE_DYING:
		err = -ENODEV;
		break;
	}
	changed = !err && afp_phase == AFP_PHASE_READY;
	mutex_unlock(&afp_control_lock);
	/* Not under the lock: a record may wait for the backlog. */
	if (changed)
		afp_event("level", afp_level_names[old],
			  afp_level_names[level]);
	return err;
}

/**
 * afp_control_init - hook what the level asks for
 *
 * If that cannot be done the state is passive and nothing is hooked.
 *
 * Context: process context, sleeps.
 *
 * Return: 0.
 */
int afp_control_init(void)
{
	mutex_lock(&afp_control_lock);
	afp_phase = AFP_PHASE_READY;
	/* Nothing above filter may begin while audit is locked. */
	if (audit_enabled == AUDIT_LOCKED && afp_level > AFP_LEVEL_FILTER)
		WRITE_ONCE(afp_level, AFP_LEVEL_FILTER);
	afp_reconcile();
	mutex_unlock(&afp_control_lock);
	afp_event("load", "none", afp_level_names[afp_control_level_now()]);
	return 0;
}

/**
 * afp_control_exit - unhook everything, refuse parameters from now on
 *
 * Context: process context, sleeps.
 */
void afp_control_exit(void)
{
	mutex_lock(&afp_control_lock);
	afp_phase = AFP_PHASE_DYING;
	afp_unhook();
	mutex_unlock(&afp_control_lock);
	afp_event("unload", afp_level_names[afp_level], "none");
	/* Nothing queues it any more but itself, and it sees the phase. */
	cancel_delayed_work_sync(&afp_work);
}
