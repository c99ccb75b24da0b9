// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decide whether a rule may match a finished system call.
 *
 * Pure and bounded: no lock, no allocation, no kernel. Runs in the module, in
 * the unit tests and in the command line tool.
 */
#include "tables.h"

/* groups_search(): a binary search, so that it finds what the kernel finds. */
static int afp_in_groups(const struct afp_call *call, __u32 gid)
{
	__u32 left = 0, right = call->group_count;

	while (left < right) {
		__u32 mid = left + (right - left) / 2;

		if (gid > call->groups[mid])
			left = mid + 1;
		else if (gid < call->groups[mid])
			right = mid;
		else
			return 1;
	}
	return 0;
}

/* gid and egid look at the supplementary groups too, for = and != alone. */
static int afp_group_holds(const struct afp_test *test,
			   const struct afp_call *call)
{
	int holds = afp_compare(call->v[test->a], test->op, test->val);

	if (test->op == AFP_OP_EQ)
		return holds || afp_in_groups(call, test->val);
	if (test->op == AFP_OP_NE)
		return holds && !afp_in_groups(call, test->val);
	return holds;
}

static int afp_test_holds(const struct afp_test *test,
			  const struct afp_call *call)
{
	switch (test->kind) {
	case AFP_T_VALUE:
		return afp_compare(call->v[test->a], test->op, test->val);
	case AFP_T_VALUES:
		return afp_compare(call->v[test->a], test->op,
				   call->v[test->val]);
	case AFP_T_GROUP:
		return afp_group_holds(test, call);
	case AFP_T_NAMES:
		return call->names;
	case AFP_T_OBJECTS:
		return call->names || call->ipc;
	case AFP_T_TREES:
		return call->trees;
	default:
		return 1;
	}
}

enum afp_answer afp_decide_row(const struct afp_policy *policy, __u32 row,
			       const struct afp_call *call)
{
	const struct afp_group *groups = afp_groups(policy);
	const struct afp_span *spans = afp_spans(policy);
	const struct afp_test *tests = afp_tests(policy);
	const struct afp_row *r = &afp_rows(policy)[row];
	const __u16 *index = afp_index(policy) + r->groups.first;
	__u32 i, j, k;

	for (i = 0; i < r->groups.count; i++) {
		const struct afp_group *g = &groups[index[i]];

		if (g->place == AFP_PLACE_INODE && !call->inodes)
			continue;
		for (j = 0; j < g->rules.count; j++) {
			struct afp_span s = spans[g->rules.first + j];

			for (k = 0; k < s.count; k++)
				if (!afp_test_holds(&tests[s.first + k], call))
					break;
			if (k == s.count)
				return AFP_WALK_RULE;
		}
	}
	return AFP_SKIP;
}

enum afp_answer afp_decide(const struct afp_policy *policy,
			   const struct afp_call *call)
{
	enum afp_answer answer;
	__u32 pair, class, row;

	answer = afp_policy_look(policy, call->arch, call->nr, &pair);
	if (answer != AFP_WALK_RULE)
		return answer;
	class = afp_call_class(call);
	if (!afp_policy_class(policy, pair, class))
		return AFP_SKIP;
	row = afp_policy_row(policy, pair, class, call->v[AFP_V_A1],
			     call->v[AFP_V_A2]);
	if (row == AFP_ROW_NONE)
		return AFP_SKIP;
	if (row == AFP_ROW_LIMIT)
		return AFP_WALK_LIMIT;
	return afp_decide_row(policy, row, call);
}
