// SPDX-License-Identifier: GPL-2.0-only
/*
 * Audit records of what is done to this module.
 */
#include <linux/audit.h>
#include <linux/gfp.h>

#include "kernel/fault.h"
#include "observe/events.h"

/**
 * afp_event - leave an audit record of a load, an unload or a change
 * @op: what was done: a word
 * @from: what it was before
 * @to: what it is now, or would be
 * @done: whether it was done; if not it was refused
 *
 * One CONFIG_CHANGE record that says who did it. It has no context, so it
 * does not make a SYSCALL record of the call that it is logged from.
 *
 * Context: process context, may sleep for the backlog.
 */
void afp_event(const char *op, const char *from, const char *to, bool done)
{
	struct audit_buffer *ab;

	if (audit_enabled == AUDIT_OFF || afp_fault("record of", op))
		return;
	ab = audit_log_start(NULL, GFP_KERNEL, AUDIT_CONFIG_CHANGE);
	if (!ab)
		return;
	audit_log_format(ab, "op=audit_fastpath_%s old=%s new=%s", op, from,
			 to);
	audit_log_task_info(ab);
	audit_log_format(ab, " res=%d", done);
	audit_log_end(ab);
}
