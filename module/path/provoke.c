// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is rare or must never happen, on demand: for tests, in debug builds.
 */
#include <linux/audit.h>
#include <linux/bottom_half.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/moduleparam.h>

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

static bool afp_waiting;
module_param_named(waiting, afp_waiting, bool, 0400);
MODULE_PARM_DESC(waiting, "a call is waiting because of slow (debug builds)");

static int afp_interrupt = -1;
module_param_named(interrupt, afp_interrupt, int, 0600);
MODULE_PARM_DESC(interrupt, "a softirq makes a record between check and filter of this number (debug builds)");

static bool afp_late;
module_param_named(late, afp_late, bool, 0600);
MODULE_PARM_DESC(late, "look at the hooks half a second after it was asked for (debug builds)");

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
	int i;

	if ((int)nr == READ_ONCE(afp_slow)) {
		WRITE_ONCE(afp_waiting, true);
		/* Not for ever, and without sleeping: see afp_policy_live(). */
		for (i = 0; i < 20000 && (int)nr == READ_ONCE(afp_slow); i++)
			mdelay(1);
		WRITE_ONCE(afp_waiting, false);
	}
	if ((int)nr == READ_ONCE(afp_interrupt))
		afp_make_record();
}
