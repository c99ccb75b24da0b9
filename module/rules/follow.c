// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follow the rules as they change.
 *
 * An added rule withdraws the policy at once and has a new one built a little
 * later; a burst of rules is one burst of work. A rule that goes needs no
 * haste: until the next build its calls are walked in vain.
 */
#include <linux/jiffies.h>
#include <linux/printk.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "kernel/hook.h"
#include "kernel/symbols.h"
#include "rules/follow.h"
#include "rules/snapshot.h"

#define AFP_DEBOUNCE	msecs_to_jiffies(50)	/* of quiet before a build */
#define AFP_MAX_WAIT	msecs_to_jiffies(1000)	/* though it is not quiet */
#define AFP_SECOND_LOOK	msecs_to_jiffies(1000)	/* after a removal */
#define AFP_THIRD_LOOK	msecs_to_jiffies(30000)	/* if that was too early */
#define AFP_BUSY	msecs_to_jiffies(100)	/* rules are being changed */
#define AFP_RETRY	msecs_to_jiffies(5000)	/* after a lack of memory */

static void (*afp_built)(void);
static void (*afp_changing)(void);

static void afp_follow_work(struct work_struct *work);
static void afp_second_look(struct work_struct *work);
static DECLARE_DELAYED_WORK(afp_build_work, afp_follow_work);
static DECLARE_DELAYED_WORK(afp_second_work, afp_second_look);
static DECLARE_DELAYED_WORK(afp_third_work, afp_second_look);

/* When the change that a build waits for began, and when it was last seen. */
static DEFINE_RAW_SPINLOCK(afp_pending_lock);
static unsigned long afp_first, afp_last;
static bool afp_pending;
static bool afp_removed;

/* Set when nothing may be queued any more. Pairs with the cancels that follow. */
static bool afp_stopping;

/* Whether no policy is to be built. */
static bool afp_held;

#define AFP_MOVING	msecs_to_jiffies(1000)	/* after a rule has moved */

/* When a rule was last seen to go or to move without a message. */
static unsigned long afp_moved;

static void afp_queue(struct delayed_work *work, unsigned long delay)
{
	if (!READ_ONCE(afp_stopping))
		queue_delayed_work(system_long_wq, work, delay);
}

/* In callbacks, with preemption off: a raw lock, and nothing that sleeps. */
static void afp_rules_changed(bool removed)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&afp_pending_lock, flags);
	afp_last = jiffies;
	if (!afp_pending)
		afp_first = afp_last;
	afp_pending = true;
	afp_removed |= removed;
	raw_spin_unlock_irqrestore(&afp_pending_lock, flags);
	/* Does nothing if it is queued: the work looks at afp_last itself. */
	afp_queue(&afp_build_work, AFP_DEBOUNCE);
}

/*
 * audit_rule_change() comes first. In the others rules go, or are replaced by
 * a copy, without a netlink message.
 */
static struct afp_target afp_followed[] = {
	{ "audit_rule_change" },
	{ "audit_del_rule" },
	{ "audit_update_watch" },
	{ "audit_watch_handle_event" },
	{ "kill_rules" },
	{ "audit_update_lsm_rules" },
	{ "audit_mark_handle_event" },
};

/* One hook for all: each one that is removed waits for a grace period. */
static void afp_on_event(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *ops, struct afp_ftrace_regs *regs)
{
	bool change = afp_is_entry(ip, &afp_followed[0]);

	/* Also for a removal: it is one function, and this costs nothing. */
	if (change) {
		afp_withdraw();
		afp_changing();
	} else {
		WRITE_ONCE(afp_moved, jiffies);
	}
	afp_rules_changed(!change);
}

static struct afp_hook afp_follow_hook = {
	.callback = afp_on_event,
	.flags = AFP_FTRACE_PROTECTED,
	.targets = afp_followed,
	.count = ARRAY_SIZE(afp_followed),
};

/* Wait for quiet, but not for ever. Return: jiffies still to wait, or 0. */
static unsigned long afp_still_to_wait(bool *removed)
{
	unsigned long flags, now, until, wait = 0;

	raw_spin_lock_irqsave(&afp_pending_lock, flags);
	now = jiffies;
	until = afp_last + AFP_DEBOUNCE;
	if (time_after(until, afp_first + AFP_MAX_WAIT))
		until = afp_first + AFP_MAX_WAIT;
	if (afp_pending && time_before(now, until)) {
		wait = until - now;
	} else {
		*removed = afp_removed;
		afp_pending = false;
		afp_removed = false;
	}
	raw_spin_unlock_irqrestore(&afp_pending_lock, flags);
	return wait;
}

static void afp_build_and_tell(void)
{
	int err;

	/* Pairs with the cancels that follow where it is set. */
	if (READ_ONCE(afp_held))
		return;
	err = afp_build();
	if (err == -E2BIG)
		pr_warn_ratelimited("audit_fastpath: more than %d rules: every call is walked; load fewer rules\n",
				    AFP_RULES_MAX);
	else if (err == -ENOMEM)
		pr_warn_ratelimited("audit_fastpath: no memory to compile the rules, to be tried again; until then calls are walked if rules were added\n");
	if (err && err != -E2BIG)
		afp_queue(&afp_build_work,
			  err == -EAGAIN ? AFP_BUSY : AFP_RETRY);
	afp_built();
}

static void afp_follow_work(struct work_struct *work)
{
	bool removed = false;
	unsigned long wait = afp_still_to_wait(&removed);

	if (wait) {
		afp_queue(&afp_build_work, wait);
		return;
	}
	/*
	 * The callback came before the rule was gone. Look again later, so
	 * that no policy keeps a dead rule, and no count.
	 */
	if (removed) {
		afp_queue(&afp_second_work, AFP_SECOND_LOOK);
		afp_queue(&afp_third_work, AFP_THIRD_LOOK);
	}
	afp_build_and_tell();
}

static void afp_second_look(struct work_struct *work)
{
	afp_build_and_tell();
}

/**
 * afp_follow_build - have the policy built soon
 *
 * For a change that no rule made: the layout has been proved, the level was
 * raised.
 *
 * Context: any, also with preemption off.
 */
void afp_follow_build(void)
{
	if (!READ_ONCE(afp_stopping))
		mod_delayed_work(system_long_wq, &afp_build_work, 0);
}

/**
 * afp_follow_moving - may watches be moving at this time?
 *
 * The callback comes before the move, which may have to wait for a lock.
 *
 * Context: any.
 */
bool afp_follow_moving(void)
{
	return time_before(jiffies, READ_ONCE(afp_moved) + AFP_MOVING);
}

/**
 * afp_rules_exist - is there any rule that the kernel counts?
 *
 * The kernel's own number: with none of them system calls run with a dummy
 * context and cost nothing that could be saved.
 *
 * Context: any.
 */
bool afp_rules_exist(void)
{
	return READ_ONCE(*afp_symbols.n_rules) != 0;
}

/**
 * afp_follow_start - begin to follow the rules, build the first policy
 * @built: called in process context after each build
 * @changing: called with audit_cmd_mutex held before a rule is added or deleted by
 *	a message; must not sleep
 * @refused: set to the function that could not be hooked, or NULL
 *
 * Callbacks first, then the build. It takes audit_cmd_mutex, so a change that
 * was past its entry before the callbacks stood is over when it copies the
 * rules.
 *
 * Context: process context, sleeps.
 *
 * Return: 0, or what afp_hook_install() says; nothing stays behind then.
 */
int afp_follow_start(void (*built)(void), void (*changing)(void),
		     const char **refused)
{
	int err;

	afp_built = built;
	afp_changing = changing;
	afp_pending = false;
	afp_removed = false;
	afp_moved = jiffies - AFP_MOVING;
	WRITE_ONCE(afp_stopping, false);
	WRITE_ONCE(afp_held, false);
	err = afp_hook_install(&afp_follow_hook, refused);
	if (err)
		return err;
	afp_build_and_tell();
	return 0;
}

/* A build that is under way is over afterwards; later ones may be queued. */
static void afp_follow_cancel(void)
{
	cancel_delayed_work_sync(&afp_build_work);
	cancel_delayed_work_sync(&afp_second_work);
	cancel_delayed_work_sync(&afp_third_work);
	/* Either of the last two may have queued it. */
	cancel_delayed_work_sync(&afp_build_work);
}

/**
 * afp_follow_dead - can the rules not be left alone any more?
 *
 * Context: process context, sleeps. Between afp_follow_start() and afp_follow_stop().
 *
 * Return: true if ftrace is dead, see afp_ftrace_dead().
 */
bool afp_follow_dead(void)
{
	return afp_ftrace_dead(&afp_followed[0]);
}

/**
 * afp_follow_hold - have no policy, or have one again
 * @hold: whether there is to be none: then every call is walked from now on,
 *	whatever hooks stand
 *
 * Context: process context, sleeps. Between afp_follow_start() and afp_follow_stop().
 */
void afp_follow_hold(bool hold)
{
	if (hold == READ_ONCE(afp_held))
		return;
	WRITE_ONCE(afp_held, hold);
	if (!hold) {
		afp_follow_build();
		return;
	}
	afp_follow_cancel();
	afp_withdraw();
}

/**
 * afp_follow_stop - stop following the rules
 *
 * Context: process context, sleeps. After the decision hooks are gone.
 */
void afp_follow_stop(void)
{
	/* First, while changes are still seen: nothing decides from now on. */
	afp_withdraw();
	/* No callback runs after this, so nothing queues work any more. */
	afp_hook_remove(&afp_follow_hook);
	/*
	 * Each may queue the other. One that looked at the flag before it was
	 * set is waited for, and what it queued is cancelled after it.
	 */
	WRITE_ONCE(afp_stopping, true);
	afp_follow_cancel();
	/* Once more: a build may have been under way. */
	afp_withdraw();
}
