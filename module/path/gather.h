/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the policy may ask about the current task.
 */
#ifndef AFP_PATH_GATHER_H
#define AFP_PATH_GATHER_H

#include <linux/audit.h>
#include <linux/cred.h>
#include <linux/sched.h>

#include "audit_fastpath/policy.h"

/* Supplementary groups are handed on as numbers. */
static_assert(sizeof(kgid_t) == sizeof(__u32));

/* What afp_gather_task() fills in. */
#define AFP_NEEDS_TASK \
	(AFP_NEEDS(AFP_V_PID) | AFP_NEEDS(AFP_V_AUID) | \
	 AFP_NEEDS(AFP_V_AUID_SET) | AFP_NEEDS(AFP_V_SESSIONID) | \
	 AFP_NEEDS(AFP_V_PERS))

static __always_inline bool afp_has_auid(void)
{
	return uid_valid(audit_get_loginuid(current));
}

/* Together all of AFP_NEEDS_CRED. */
#define AFP_NEEDS_UIDS \
	(AFP_NEEDS(AFP_V_UID) | AFP_NEEDS(AFP_V_EUID) | \
	 AFP_NEEDS(AFP_V_SUID) | AFP_NEEDS(AFP_V_FSUID))
#define AFP_NEEDS_GIDS \
	(AFP_NEEDS(AFP_V_GID) | AFP_NEEDS(AFP_V_EGID) | \
	 AFP_NEEDS(AFP_V_SGID) | AFP_NEEDS(AFP_V_FSGID))
static_assert((AFP_NEEDS_UIDS ^ AFP_NEEDS_GIDS) == AFP_NEEDS_CRED);

/* AFP_NEEDS_UIDS. */
static __always_inline void afp_gather_uids(struct afp_call *call)
{
	const struct cred *cred = current_cred();

	call->v[AFP_V_UID] = __kuid_val(cred->uid);
	call->v[AFP_V_EUID] = __kuid_val(cred->euid);
	call->v[AFP_V_SUID] = __kuid_val(cred->suid);
	call->v[AFP_V_FSUID] = __kuid_val(cred->fsuid);
}

/* AFP_NEEDS_GIDS, with the supplementary groups. @call points into them. */
static __always_inline void afp_gather_gids(struct afp_call *call)
{
	const struct cred *cred = current_cred();

	call->v[AFP_V_GID] = __kgid_val(cred->gid);
	call->v[AFP_V_EGID] = __kgid_val(cred->egid);
	call->v[AFP_V_SGID] = __kgid_val(cred->sgid);
	call->v[AFP_V_FSGID] = __kgid_val(cred->fsgid);
	call->groups = (const __u32 *)cred->group_info->gid;
	call->group_count = cred->group_info->ngroups;
}

static __always_inline void afp_gather_task(struct afp_call *call)
{
	const kuid_t auid = audit_get_loginuid(current);

	call->v[AFP_V_PID] = task_tgid_nr(current);
	call->v[AFP_V_AUID] = __kuid_val(auid);
	call->v[AFP_V_AUID_SET] = uid_valid(auid);
	call->v[AFP_V_SESSIONID] = audit_get_sessionid(current);
	call->v[AFP_V_PERS] = current->personality;
}

#endif /* AFP_PATH_GATHER_H */
