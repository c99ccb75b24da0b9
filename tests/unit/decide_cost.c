// SPDX-License-Identifier: GPL-2.0-only
/*
 * decide_cost CASE COUNT: call afp_decide() once, for an instruction counter
 * to watch. COUNT is the number of candidate rules: those that name the call
 * and have to be looked at.
 */
#include <linux/audit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_fastpath/policy.h"
#include "classes.h"

#define GETPID		39
#define OPENAT		257
#define MAX_RULES	1024

static struct afp_field fields[MAX_RULES][4];
static struct afp_rule rules[MAX_RULES];
static __u32 count;
static struct afp_classes classes;

/* A rule for one number, and for another so that no two masks are alike. */
static struct afp_rule *rule(__u32 nr, __u32 other)
{
	struct afp_rule *r = &rules[count];

	r->fields = fields[count++];
	r->place = AFP_PLACE_EXIT;
	r->always = 1;
	r->mask[nr / 32] |= 1u << nr % 32;
	r->mask[other / 32] |= 1u << other % 32;
	return r;
}

static void where(struct afp_rule *r, __u32 type, __u32 op, __u32 val)
{
	fields[r - rules][r->field_count++] = (struct afp_field){
		.type = type,
		.op = op,
		.val = val,
	};
}

/* Each rule alike: @tests conditions, of which only the last one fails. */
static void candidates(__u32 n, int masks, int tests, __u32 type)
{
	for (__u32 i = 0; i < n; i++) {
		struct afp_rule *r = rule(GETPID, masks ? 500 + i : GETPID);

		for (int j = 1; j < tests; j++)
			where(r, AUDIT_EUID, Audit_not_equal, 5000 + j);
		where(r, type, Audit_equal, 7000 + i);
	}
}

int main(int argc, char **argv)
{
	static __u32 groups[32];
	struct afp_call call = { .arch = AUDIT_ARCH_X86_64, .nr = GETPID };
	const char *name = argc > 1 ? argv[1] : "";
	__u32 n = argc > 2 ? atoi(argv[2]) : 0, i;
	struct afp_policy *policy;
	enum afp_answer answer;
	void *scratch;

	if (n > MAX_RULES)
		return 2;
	classes_fill(CLASSES_KERNELS - 1, &classes);
	for (i = 0; i < AFP_VALUES; i++)
		call.v[i] = 1000;
	call.v[AFP_V_AUID_SET] = 1;
	call.v[AFP_V_NAMES] = 0;
	call.v[AFP_V_OBJECTS] = 0;
	call.v[AFP_V_TREES] = 0;
	call.v[AFP_V_INODES] = 0;
	for (i = 0; i < 32; i++)
		groups[i] = 10 + i;
	if (!strcmp(name, "unnamed")) {
		/* Many rules, and none on this number. */
		for (i = 0; i < n; i++)
			rule(200 + i % 100, 300 + i / 100);
	} else if (!strcmp(name, "unnamed-b32")) {
		call.arch = AUDIT_ARCH_I386;
		for (i = 0; i < n; i++)
			rule(200 + i % 100, 300 + i / 100);
	} else if (!strcmp(name, "class")) {
		/* On this number, for those who have logged in. */
		for (i = 0; i < n; i++)
			where(rule(GETPID, 300 + i), AUDIT_LOGINUID_SET,
			      Audit_equal, 1);
		call.v[AFP_V_AUID] = ~0u;
		call.v[AFP_V_AUID_SET] = 0;
	} else if (!strcmp(name, "mode")) {
		/* On this number, for those who write. */
		call.nr = OPENAT;
		call.v[AFP_V_A2] = 0;
		for (i = 0; i < n; i++)
			where(rule(OPENAT, 400 + i), AUDIT_PERM, Audit_equal,
			      AUDIT_PERM_WRITE);
	} else if (!strcmp(name, "equal-masks")) {
		candidates(n, 0, 1, AUDIT_UID);
	} else if (!strcmp(name, "equal-masks-2")) {
		candidates(n, 0, 2, AUDIT_UID);
	} else if (!strcmp(name, "equal-masks-3")) {
		candidates(n, 0, 3, AUDIT_UID);
	} else if (!strcmp(name, "other-masks")) {
		candidates(n, 1, 1, AUDIT_UID);
	} else if (!strcmp(name, "other-masks-2")) {
		candidates(n, 1, 2, AUDIT_UID);
	} else if (!strcmp(name, "group")) {
		candidates(n, 0, 1, AUDIT_GID);
	} else if (!strcmp(name, "group-32")) {
		candidates(n, 0, 1, AUDIT_GID);
		call.groups = groups;
		call.group_count = 32;
	} else if (!strcmp(name, "group-masks")) {
		candidates(n, 1, 1, AUDIT_GID);
	} else if (!strcmp(name, "directory")) {
		for (i = 0; i < n; i++)
			where(rule(GETPID, 400 + i), AUDIT_DIR, Audit_equal, 0);
		call.v[AFP_V_NAMES] = 1;
	} else if (!strcmp(name, "watch")) {
		for (i = 0; i < n; i++)
			rule(GETPID, 400 + i)->place = AFP_PLACE_INODE;
		call.v[AFP_V_NAMES] = 1;
	} else {
		return 2;
	}
	policy = calloc(1, afp_policy_size(count));
	scratch = calloc(1, afp_scratch_size(count));
	if (!policy || !scratch ||
	    afp_compile(rules, count, &classes, policy, scratch))
		return 2;
	answer = afp_decide(policy, &call);
	free(policy);
	free(scratch);
	if (answer == AFP_SKIP)
		return 0;
	printf("%s %u: answer %u, not to skip\n", name, n, answer);
	return 1;
}
