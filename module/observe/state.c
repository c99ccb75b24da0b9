// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the module is doing and why, for people to read.
 */
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "observe/state.h"

static DEFINE_SPINLOCK(afp_state_lock);
static enum afp_state afp_now = AFP_WAITING;
static char afp_why[AFP_REASON_MAX] = "loading";
static enum afp_backend afp_hooked;

static const char * const afp_state_names[] = {
	[AFP_WAITING] = "waiting",
	[AFP_ACTIVE] = "active",
	[AFP_IDLE] = "idle",
	[AFP_TRIPPED] = "tripped",
	[AFP_PASSIVE] = "passive",
};

/**
 * afp_state_name - a state's name in sysfs
 * @state: the state
 *
 * Context: any.
 */
const char *afp_state_name(enum afp_state state)
{
	return afp_state_names[state];
}

/**
 * afp_state - the state at this moment
 *
 * Context: any.
 */
enum afp_state afp_state(void)
{
	return READ_ONCE(afp_now);
}

/**
 * afp_reason - why the state is what it is
 * @reason: AFP_REASON_MAX bytes for the sentence
 *
 * Context: process context.
 */
void afp_reason(char *reason)
{
	spin_lock(&afp_state_lock);
	strscpy(reason, afp_why, AFP_REASON_MAX);
	spin_unlock(&afp_state_lock);
}

/**
 * afp_state_set - enter a state
 * @state: the state
 * @fmt: why, one sentence in the manner of printf
 *
 * A change is logged, once. Passive is final: nothing leaves it.
 *
 * Context: process context.
 */
void afp_state_set(enum afp_state state, const char *fmt, ...)
{
	char why[AFP_REASON_MAX];
	bool changed;
	va_list args;

	va_start(args, fmt);
	vscnprintf(why, sizeof(why), fmt, args);
	va_end(args);

	spin_lock(&afp_state_lock);
	changed = afp_now != AFP_PASSIVE &&
		  (afp_now != state || strcmp(why, afp_why));
	if (changed) {
		WRITE_ONCE(afp_now, state);
		strscpy(afp_why, why, sizeof(afp_why));
	}
	spin_unlock(&afp_state_lock);

	if (changed && state == AFP_TRIPPED)
		pr_err("audit_fastpath: tripped: %s\n", why);
	else if (changed && state == AFP_PASSIVE)
		pr_warn("audit_fastpath: passive: %s\n", why);
	else if (changed)
		pr_info("audit_fastpath: %s: %s\n", afp_state_name(state), why);
}

/**
 * afp_backend_set - note how the end of system calls is hooked
 * @backend: AFP_BACKEND_AUTO if it is not
 *
 * Context: any.
 */
void afp_backend_set(enum afp_backend backend)
{
	WRITE_ONCE(afp_hooked, backend);
}

/**
 * afp_backend - what afp_backend_set() noted last
 *
 * Context: any.
 */
enum afp_backend afp_backend(void)
{
	return READ_ONCE(afp_hooked);
}
