// SPDX-License-Identifier: GPL-2.0-only
/*
 * audit_cmd_mutex, through the kernel's own functions.
 *
 * The mutex is static and its owner is recorded beside it, so that records
 * logged while it is held do not wait for the backlog. audit_ctl_lock() does
 * both.
 */
#include <linux/static_call.h>

#include "kernel/locks.h"
#include "kernel/symbols.h"

static void afp_no_lock(void)
{
}

DEFINE_STATIC_CALL(afp_ctl_lock, afp_no_lock);
DEFINE_STATIC_CALL(afp_ctl_unlock, afp_no_lock);

/**
 * afp_locks_init - find the functions that take and drop audit_cmd_mutex
 * @missing: set to the name of the first that is not there
 *
 * Context: process context, sleeps. After afp_symbols_init().
 *
 * Return: 0 or -ENOENT.
 */
int __init afp_locks_init(const char **missing)
{
	unsigned long lock, unlock;

	*missing = "audit_ctl_lock";
	lock = afp_symbol(*missing);
	if (!lock)
		return -ENOENT;
	*missing = "audit_ctl_unlock";
	unlock = afp_symbol(*missing);
	if (!unlock)
		return -ENOENT;
	static_call_update(afp_ctl_lock, (typeof(afp_no_lock) *)lock);
	static_call_update(afp_ctl_unlock, (typeof(afp_no_lock) *)unlock);
	*missing = NULL;
	return 0;
}

/**
 * afp_audit_lock - keep every audit netlink message out
 *
 * Takes audit_cmd_mutex. audit_receive() holds it around each message, so no
 * rule is being added while it is held. audit_filter_mutex nests inside, as
 * in audit_kill_trees().
 *
 * Context: process context, sleeps.
 */
void afp_audit_lock(void)
{
	static_call(afp_ctl_lock)();
}

/**
 * afp_audit_unlock - undo afp_audit_lock()
 *
 * Context: process context.
 */
void afp_audit_unlock(void)
{
	static_call(afp_ctl_unlock)();
}
