// SPDX-License-Identifier: GPL-2.0-only
#include <linux/audit.h>
#include <linux/net.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "reference.h"

#define MAX_FAMILY	46	/* AF_MAX */

static __u32 dev_major(__u32 dev)
{
	return dev >> 20;
}

static __u32 dev_minor(__u32 dev)
{
	return dev & 0xfffff;
}

static int compare(__u32 left, __u32 op, __u32 right)
{
	switch (op) {
	case Audit_equal:
		return left == right;
	case Audit_not_equal:
		return left != right;
	case Audit_bitmask:
		return !!(left & right);
	case Audit_bittest:
		return (left & right) == right;
	case Audit_lt:
		return left < right;
	case Audit_gt:
		return left > right;
	case Audit_le:
		return left <= right;
	case Audit_ge:
		return left >= right;
	}
	return 0;
}

/* Ids have no bit operators. */
static int compare_id(__u32 left, __u32 op, __u32 right)
{
	if (op == Audit_bitmask || op == Audit_bittest)
		return 0;
	return compare(left, op, right);
}

static int oracle(const struct ref_call *call, const struct afp_field *f)
{
	__u32 hash = (f->type * 31 + f->op) * 2654435761u ^ f->val;

	if (call->oracle == 0 || call->oracle == ~0u)
		return call->oracle != 0;
	return (hash ^ call->oracle) * 2246822519u >> 31;
}

static int in_groups(const struct ref_call *call, __u32 gid)
{
	for (__u32 i = 0; i < call->group_count; i++)
		if (call->groups[i] == gid)
			return 1;
	return 0;
}

/* gid and egid, unlike the other two. */
static int compare_with_groups(const struct ref_call *call, __u32 left,
			       const struct afp_field *f)
{
	int result = compare_id(left, f->op, f->val);

	if (f->op == Audit_equal)
		return result || in_groups(call, f->val);
	if (f->op == Audit_not_equal)
		return result && !in_groups(call, f->val);
	return result;
}

static __u32 access_mode(__u32 flags)
{
	switch (flags & 3) {
	case 0:
		return AUDIT_PERM_READ;
	case 1:
		return AUDIT_PERM_WRITE;
	default:
		return AUDIT_PERM_READ | AUDIT_PERM_WRITE;
	}
}

static int match_perm(const struct afp_classes *classes,
		      const struct ref_call *call, const struct afp_field *f)
{
	enum afp_abi abi = AFP_ABI_NATIVE;
	__u32 nr = call->nr;

	if (nr >= AFP_NR_MAX)
		return 0;
	if (classes->arch[AFP_ABI_COMPAT] &&
	    call->arch == classes->arch[AFP_ABI_COMPAT])
		abi = AFP_ABI_COMPAT;
	switch (classes->kind[abi][nr]) {
	case AFP_KIND_NUMBER:
		return !!(f->val & classes->perm[abi][nr] & ~AUDIT_PERM_EXEC);
	case AFP_KIND_OPEN:
		return !!(f->val & access_mode(call->arg[1]));
	case AFP_KIND_OPENAT:
		return !!(f->val & access_mode(call->arg[2]));
	case AFP_KIND_SOCKETCALL:
		return (f->val & AUDIT_PERM_WRITE) && call->arg[0] == SYS_BIND;
	case AFP_KIND_EXEC:
		return !!(f->val & AUDIT_PERM_EXEC);
	case AFP_KIND_UNSURE:
		return !!(f->val & access_mode(call->openat2));
	default:
		return oracle(call, f);
	}
}

/* One number of one name against a field of the names family. */
static int name_holds(const struct ref_name *n, const struct afp_field *f)
{
	switch (f->type) {
	case AUDIT_DEVMAJOR:
		return compare(dev_major(n->dev), f->op, f->val) ||
		       compare(dev_major(n->rdev), f->op, f->val);
	case AUDIT_DEVMINOR:
		return compare(dev_minor(n->dev), f->op, f->val) ||
		       compare(dev_minor(n->rdev), f->op, f->val);
	case AUDIT_INODE:
		return compare((__u32)n->ino, f->op, f->val);
	case AUDIT_OBJ_UID:
		return compare_id(n->uid, f->op, f->val);
	case AUDIT_OBJ_GID:
		return compare_id(n->gid, f->op, f->val);
	}
	return 0;
}

/* A given name alone, or any name of the call. */
static int match_names(const struct ref_call *call,
		       const struct ref_name *name, const struct afp_field *f)
{
	if (name)
		return name_holds(name, f);
	for (__u32 i = 0; i < call->name_count; i++)
		if (name_holds(&call->names[i], f))
			return 1;
	return 0;
}

static int match_filetype(const struct ref_call *call, __u32 type)
{
	for (__u32 i = 0; i < call->name_count; i++)
		if (call->names[i].ino != REF_INO_UNSET &&
		    (call->names[i].mode & S_IFMT) == (type & 0xffff))
			return 1;
	return 0;
}

/* A credential against the owner of a given name, and then of all names. */
static int match_owner(const struct ref_call *call,
		       const struct ref_name *name, __u32 id, __u32 op,
		       int group)
{
	if (name && compare_id(id, op, group ? name->gid : name->uid))
		return 1;
	for (__u32 i = 0; i < call->name_count; i++)
		if (compare_id(id, op, group ? call->names[i].gid :
					       call->names[i].uid))
			return 1;
	return 0;
}

#define CRED(name) offsetof(struct ref_call, name)

static const struct {
	size_t left, right;	/* right 0: an object's user; 1: its group */
} compares[] = {
	[AUDIT_COMPARE_UID_TO_OBJ_UID] = { CRED(uid), 0 },
	[AUDIT_COMPARE_GID_TO_OBJ_GID] = { CRED(gid), 1 },
	[AUDIT_COMPARE_EUID_TO_OBJ_UID] = { CRED(euid), 0 },
	[AUDIT_COMPARE_EGID_TO_OBJ_GID] = { CRED(egid), 1 },
	[AUDIT_COMPARE_AUID_TO_OBJ_UID] = { CRED(auid), 0 },
	[AUDIT_COMPARE_SUID_TO_OBJ_UID] = { CRED(suid), 0 },
	[AUDIT_COMPARE_SGID_TO_OBJ_GID] = { CRED(sgid), 1 },
	[AUDIT_COMPARE_FSUID_TO_OBJ_UID] = { CRED(fsuid), 0 },
	[AUDIT_COMPARE_FSGID_TO_OBJ_GID] = { CRED(fsgid), 1 },
	[AUDIT_COMPARE_UID_TO_AUID] = { CRED(uid), CRED(auid) },
	[AUDIT_COMPARE_UID_TO_EUID] = { CRED(uid), CRED(euid) },
	[AUDIT_COMPARE_UID_TO_FSUID] = { CRED(uid), CRED(fsuid) },
	[AUDIT_COMPARE_UID_TO_SUID] = { CRED(uid), CRED(suid) },
	[AUDIT_COMPARE_AUID_TO_FSUID] = { CRED(auid), CRED(fsuid) },
	[AUDIT_COMPARE_AUID_TO_SUID] = { CRED(auid), CRED(suid) },
	[AUDIT_COMPARE_AUID_TO_EUID] = { CRED(auid), CRED(euid) },
	[AUDIT_COMPARE_EUID_TO_SUID] = { CRED(euid), CRED(suid) },
	[AUDIT_COMPARE_EUID_TO_FSUID] = { CRED(euid), CRED(fsuid) },
	[AUDIT_COMPARE_SUID_TO_FSUID] = { CRED(suid), CRED(fsuid) },
	[AUDIT_COMPARE_GID_TO_EGID] = { CRED(gid), CRED(egid) },
	[AUDIT_COMPARE_GID_TO_FSGID] = { CRED(gid), CRED(fsgid) },
	[AUDIT_COMPARE_GID_TO_SGID] = { CRED(gid), CRED(sgid) },
	[AUDIT_COMPARE_EGID_TO_FSGID] = { CRED(egid), CRED(fsgid) },
	[AUDIT_COMPARE_EGID_TO_SGID] = { CRED(egid), CRED(sgid) },
	[AUDIT_COMPARE_SGID_TO_FSGID] = { CRED(sgid), CRED(fsgid) },
};

static __u32 cred(const struct ref_call *call, size_t offset)
{
	__u32 id;

	memcpy(&id, (const char *)call + offset, sizeof(id));
	return id;
}

static int match_compare(const struct ref_call *call,
			 const struct ref_name *name,
			 const struct afp_field *f)
{
	__u32 left;

	/* A code of a later kernel. */
	if (f->val < 1 || f->val > AUDIT_MAX_FIELD_COMPARE)
		return oracle(call, f);
	left = cred(call, compares[f->val].left);
	if (compares[f->val].right <= 1)
		return match_owner(call, name, left, f->op,
				   compares[f->val].right == 1);
	return compare_id(left, f->op, cred(call, compares[f->val].right));
}

static __u32 return_code(const struct ref_call *call)
{
	switch (call->code) {
	case -512:	/* ERESTARTSYS */
	case -513:	/* ERESTARTNOINTR */
	case -514:	/* ERESTARTNOHAND */
	case -516:	/* ERESTART_RESTARTBLOCK */
		return -4;
	}
	return call->code;
}

static int field_holds(const struct afp_classes *classes,
		       const struct ref_rule *rule, const struct afp_field *f,
		       const struct ref_call *call,
		       const struct ref_name *name)
{
	int result;

	/* An operator of a later kernel. */
	if (f->op >= Audit_bad)
		return oracle(call, f);

	switch (f->type) {
	case AUDIT_PID:
		return compare(call->pid, f->op, f->val);
	case AUDIT_PPID:
		return compare(call->ppid, f->op, f->val);
	case AUDIT_UID:
		return compare_id(call->uid, f->op, f->val);
	case AUDIT_EUID:
		return compare_id(call->euid, f->op, f->val);
	case AUDIT_SUID:
		return compare_id(call->suid, f->op, f->val);
	case AUDIT_FSUID:
		return compare_id(call->fsuid, f->op, f->val);
	case AUDIT_GID:
		return compare_with_groups(call, call->gid, f);
	case AUDIT_EGID:
		return compare_with_groups(call, call->egid, f);
	case AUDIT_SGID:
		return compare_id(call->sgid, f->op, f->val);
	case AUDIT_FSGID:
		return compare_id(call->fsgid, f->op, f->val);
	case AUDIT_LOGINUID:
		return compare_id(call->auid, f->op, f->val);
	case AUDIT_LOGINUID_SET:
		return compare(call->auid != ~0u, f->op, f->val);
	case AUDIT_SESSIONID:
		return compare(call->sessionid, f->op, f->val);
	case AUDIT_PERS:
		return compare(call->personality, f->op, f->val);
	case AUDIT_ARCH:
		return compare(call->arch, f->op, f->val);
	case AUDIT_EXIT:
		return compare(return_code(call), f->op, f->val);
	case AUDIT_SUCCESS:
		/* 1: success, 2: failure. */
		return compare(call->success ? 1 : 2, f->op, f->val ? 1 : 2);
	case AUDIT_ARG0:
	case AUDIT_ARG1:
	case AUDIT_ARG2:
	case AUDIT_ARG3:
		return compare((__u32)call->arg[f->type - AUDIT_ARG0], f->op,
			       f->val);
	case AUDIT_DEVMAJOR:
	case AUDIT_DEVMINOR:
	case AUDIT_INODE:
	case AUDIT_OBJ_UID:
	case AUDIT_OBJ_GID:
		return match_names(call, name, f);
	case AUDIT_WATCH:
		if (!name)
			return 0;
		result = rule->watch_ino != REF_INO_UNSET &&
			 rule->watch_ino == name->ino &&
			 rule->watch_dev == name->dev;
		return result != (f->op == Audit_not_equal);
	case AUDIT_DIR:
		result = rule->tree && call->trees >> (rule->tree % 32) & 1;
		return result != (f->op == Audit_not_equal);
	case AUDIT_EXE:
		result = call->exe && call->exe == f->val;
		return result != (f->op == Audit_not_equal);
	case AUDIT_PERM:
		return match_perm(classes, call, f) !=
		       (f->op == Audit_not_equal);
	case AUDIT_FILETYPE:
		return match_filetype(call, f->val) !=
		       (f->op == Audit_not_equal);
	case AUDIT_FIELD_COMPARE:
		return match_compare(call, name, f);
	case AUDIT_SADDR_FAM:
		return call->has_sockaddr &&
		       compare(call->family, f->op, f->val);
	case AUDIT_SUBJ_USER:
	case AUDIT_SUBJ_ROLE:
	case AUDIT_SUBJ_TYPE:
	case AUDIT_SUBJ_SEN:
	case AUDIT_SUBJ_CLR:
		return oracle(call, f);
	case AUDIT_OBJ_USER:
	case AUDIT_OBJ_ROLE:
	case AUDIT_OBJ_TYPE:
	case AUDIT_OBJ_LEV_LOW:
	case AUDIT_OBJ_LEV_HIGH:
		return (call->name_count || call->ipc) && oracle(call, f);
	case AUDIT_FILTERKEY:
		return 1;
	case AUDIT_MSGTYPE:
	case AUDIT_FSTYPE:
		return 0;
	default:
		/* A field of a later kernel. */
		return oracle(call, f);
	}
}

static int in_mask(const struct ref_rule *rule, __s32 nr)
{
	if (nr < 0 || nr / 32 >= AFP_MASK_WORDS)
		return 0;
	return rule->mask[nr / 32] >> (nr % 32) & 1;
}

/* What the two filters leave in the audit context. */
struct state {
	__u64 prio;
	int record;
};

static int filter_rule(const struct afp_classes *classes,
		       const struct ref_rule *rule,
		       const struct ref_call *call,
		       const struct ref_name *name, struct state *state)
{
	if (!in_mask(rule, call->nr) || rule->prio <= state->prio)
		return 0;
	for (__u32 i = 0; i < rule->field_count; i++)
		if (!field_holds(classes, rule, &rule->fields[i], call, name))
			return 0;
	state->prio = rule->prio;
	state->record = !!rule->always;
	return 1;
}

static __u32 bucket_of(const struct ref_name *name)
{
	return (__u32)name->ino % REF_BUCKETS;
}

static int filter_name(const struct ref_rule *rules, __u32 count,
		       const struct afp_classes *classes,
		       const struct ref_call *call,
		       const struct ref_name *name, struct state *state)
{
	for (__u32 i = 0; i < count; i++)
		if (rules[i].place == AFP_PLACE_INODE &&
		    rules[i].bucket == bucket_of(name) &&
		    filter_rule(classes, &rules[i], call, name, state))
			return 1;
	return 0;
}

int ref_record(const struct ref_rule *rules, __u32 count,
	       const struct afp_classes *classes, const struct ref_call *call)
{
	struct state state = { 0 };
	__u32 i;

	for (i = 0; i < count; i++)
		if (rules[i].place == AFP_PLACE_EXIT &&
		    filter_rule(classes, &rules[i], call, NULL, &state))
			break;
	for (i = 0; i < call->name_count; i++)
		if (filter_name(rules, count, classes, call, &call->names[i],
				&state))
			break;
	return state.record;
}

/* What the module finds when it looks into the buckets of the names. */
static int watched(const struct ref_rule *rule, __s32 nr,
		   const struct ref_name *name)
{
	__u32 i;

	if (rule->place != AFP_PLACE_INODE || !rule->always ||
	    rule->bucket != bucket_of(name) || !in_mask(rule, nr))
		return 0;
	for (i = 0; i < rule->field_count; i++) {
		const struct afp_field *f = &rule->fields[i];

		if (f->op != AFP_OP_EQ)
			continue;
		if ((f->type == AUDIT_INODE && f->val != (__u32)name->ino) ||
		    (f->type == AUDIT_WATCH && rule->watch_ino != name->ino))
			return 0;
	}
	return 1;
}

void ref_visible(const struct ref_rule *rules, __u32 count,
		 const struct ref_call *call, struct afp_call *out)
{
	__u32 i, j;

	memset(out, 0, sizeof(*out));
	out->arch = call->arch;
	out->nr = call->nr;
	out->v[AFP_V_PID] = call->pid;
	out->v[AFP_V_UID] = call->uid;
	out->v[AFP_V_EUID] = call->euid;
	out->v[AFP_V_SUID] = call->suid;
	out->v[AFP_V_FSUID] = call->fsuid;
	out->v[AFP_V_GID] = call->gid;
	out->v[AFP_V_EGID] = call->egid;
	out->v[AFP_V_SGID] = call->sgid;
	out->v[AFP_V_FSGID] = call->fsgid;
	out->v[AFP_V_AUID] = call->auid;
	out->v[AFP_V_AUID_SET] = call->auid != ~0u;
	out->v[AFP_V_SESSIONID] = call->sessionid;
	out->v[AFP_V_PERS] = call->personality;
	out->v[AFP_V_EXIT] = afp_return_fixup(call->code);
	out->v[AFP_V_SUCCESS] = call->success ? AFP_RETURN_SUCCESS :
						AFP_RETURN_FAILURE;
	for (i = 0; i < 4; i++)
		out->v[AFP_V_A0 + i] = call->arg[i];
	out->groups = call->group_count ? call->groups : NULL;
	out->group_count = call->group_count;
	out->v[AFP_V_NAMES] = call->name_count != 0;
	out->v[AFP_V_OBJECTS] = call->name_count || call->ipc;
	out->v[AFP_V_TREES] = call->trees != 0;
	for (i = 0; i < call->name_count; i++)
		for (j = 0; j < count; j++)
			if (watched(&rules[j], call->nr, &call->names[i]))
				out->v[AFP_V_INODES] = 1;
}

/* Semantics: audit_field_valid() in kernel/auditfilter.c. */
int ref_loadable(const struct afp_field *f)
{
	int bits = f->op == Audit_bitmask || f->op == Audit_bittest;
	int equality = f->op == Audit_equal || f->op == Audit_not_equal;

	if (f->op >= Audit_bad)
		return 0;
	switch (f->type) {
	case AUDIT_ARG0:
	case AUDIT_ARG1:
	case AUDIT_ARG2:
	case AUDIT_ARG3:
	case AUDIT_PERS:
	case AUDIT_DEVMINOR:
		return 1;
	case AUDIT_UID:
	case AUDIT_EUID:
	case AUDIT_SUID:
	case AUDIT_FSUID:
	case AUDIT_GID:
	case AUDIT_EGID:
	case AUDIT_SGID:
	case AUDIT_FSGID:
	case AUDIT_OBJ_UID:
	case AUDIT_OBJ_GID:
	case AUDIT_LOGINUID:
		return !bits && f->val != ~0u;
	case AUDIT_PID:
	case AUDIT_PPID:
	case AUDIT_DEVMAJOR:
	case AUDIT_EXIT:
	case AUDIT_SUCCESS:
	case AUDIT_SESSIONID:
	case AUDIT_SUBJ_SEN:
	case AUDIT_SUBJ_CLR:
	case AUDIT_OBJ_LEV_LOW:
	case AUDIT_OBJ_LEV_HIGH:
		return !bits;
	case AUDIT_SADDR_FAM:
		return !bits && f->val < MAX_FAMILY;
	case AUDIT_INODE:
	case AUDIT_SUBJ_USER:
	case AUDIT_SUBJ_ROLE:
	case AUDIT_SUBJ_TYPE:
	case AUDIT_OBJ_USER:
	case AUDIT_OBJ_ROLE:
	case AUDIT_OBJ_TYPE:
	case AUDIT_FILTERKEY:
	case AUDIT_ARCH:
	case AUDIT_EXE:
		return equality;
	case AUDIT_WATCH:
	case AUDIT_DIR:
		return f->op == Audit_equal;
	case AUDIT_LOGINUID_SET:
		return equality && f->val <= 1;
	case AUDIT_PERM:
		return equality && f->val <= 15;
	case AUDIT_FILETYPE:
		return equality && !(f->val & ~S_IFMT);
	case AUDIT_FIELD_COMPARE:
		return equality && f->val <= AUDIT_MAX_FIELD_COMPARE;
	default:
		return 0;
	}
}
