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

/*
 * What is not a range. Inlined where calls end: that is where time counts.
 */
static inline __attribute__((always_inline)) int
afp_test_holds(const struct afp_test *test, const struct afp_call *call)
{
	__u32 value = call->v[test->a];

	switch (test->kind) {
	case AFP_T_VALUES:
		return afp_compare(value, test->span, call->v[test->lo]);
	case AFP_T_GROUP_EQ:
		return value == test->lo || afp_in_groups(call, test->lo);
	case AFP_T_GROUP_NE:
		return value != test->lo && !afp_in_groups(call, test->lo);
	default:
		return afp_value_holds(test, value);
	}
}

/* May a rule of a group match? @test is the first of its tests. */
static inline int afp_group_matches(const struct afp_test *test,
				    const struct afp_call *call)
{
	for (;;) {
		int holds;

		if (test->kind == AFP_T_RANGE)
			holds = call->v[test->a] - test->lo <= test->span;
		else if (test->kind != AFP_T_MATCH)
			holds = afp_test_holds(test, call);
		else
			return 1;
		if (holds) {
			test++;
			continue;
		}
		if (!test->next)
			return 0;
		test = (const void *)((const char *)test + test->next);
	}
}

enum afp_answer afp_decide_row(const struct afp_policy *policy, __u32 row,
			       const struct afp_call *call)
{
	const struct afp_group *groups = afp_groups(policy);
	const struct afp_row *r = &afp_rows(policy)[row];
	const __u16 *index = afp_index(policy) + r->groups.first;
	const __u16 *end = index + r->groups.count;

	for (; index != end; index++)
		if (afp_group_matches(afp_table(policy,
						groups[*index].tests_at),
				      call))
			return AFP_WALK_RULE;
	return AFP_SKIP;
}

/* What of a call is known when it begins. */
#define AFP_KNOWN_TASK \
	(AFP_NEEDS_CRED | AFP_NEEDS(AFP_V_AUID) | \
	 AFP_NEEDS(AFP_V_AUID_SET) | AFP_NEEDS(AFP_V_SESSIONID) | \
	 AFP_NEEDS(AFP_V_PERS))
#define AFP_KNOWN_CALL \
	(AFP_NEEDS(AFP_V_PID) | AFP_NEEDS(AFP_V_A0) | AFP_NEEDS(AFP_V_A1) | \
	 AFP_NEEDS(AFP_V_A2) | AFP_NEEDS(AFP_V_A3))

static int afp_test_known(const struct afp_test *test, __u32 known)
{
	if (!(known >> (test->a % 32) & 1))
		return 0;
	return test->kind != AFP_T_VALUES || known >> (test->lo % 32) & 1;
}

/* May a rule of a group match, whatever is not known? */
static int afp_group_may_match(const struct afp_test *test,
			       const struct afp_call *call, __u32 known)
{
	for (;;) {
		if (test->kind == AFP_T_MATCH || test->a == AFP_V_INODES)
			return 1;
		if (!afp_test_known(test, known) ||
		    afp_test_holds(test, call)) {
			test++;
			continue;
		}
		if (!test->next)
			return 0;
		test = (const void *)((const char *)test + test->next);
	}
}

enum afp_answer afp_decide_early(const struct afp_policy *policy, __u32 pair,
				 const struct afp_call *call)
{
	const struct afp_group *groups = afp_groups(policy);
	const __u16 *index, *end;
	__u32 early = policy->early[pair], known = AFP_KNOWN_CALL;
	__u32 class, row;

	if (early & AFP_EARLY_NEVER)
		return AFP_WALK_RULE;
	if (!(early & AFP_EARLY_ALTERS))
		known |= AFP_KNOWN_TASK;
	for (class = 0; class < AFP_CLASSES; class++) {
		if (!(early & AFP_EARLY_ALTERS) &&
		    !(class & AFP_CLASS_AUID) != !call->v[AFP_V_AUID_SET])
			continue;
		row = afp_policy_row(policy, pair, class, call->v[AFP_V_A1],
				     call->v[AFP_V_A2]);
		if (row == AFP_ROW_NONE)
			continue;
		if (row == AFP_ROW_LIMIT)
			return AFP_WALK_LIMIT;
		index = afp_index(policy) + afp_rows(policy)[row].groups.first;
		end = index + afp_rows(policy)[row].groups.count;
		for (; index != end; index++)
			if (afp_group_may_match(afp_table(policy,
							  groups[*index].tests_at),
						call, known))
				return AFP_WALK_RULE;
	}
	return AFP_SKIP;
}

enum afp_answer afp_decide(const struct afp_policy *policy,
			   const struct afp_call *call)
{
	enum afp_answer answer;
	__u32 pair, class, row;

	answer = afp_policy_pair(policy, call->arch, call->nr, &pair);
	if (answer != AFP_SKIP)
		return answer;
	class = afp_call_class(call);
	if (!afp_policy_named(policy, pair, class & AFP_CLASS_AUID,
			      class & AFP_CLASS_OBJECTS))
		return AFP_SKIP;
	row = afp_policy_row(policy, pair, class, call->v[AFP_V_A1],
			     call->v[AFP_V_A2]);
	if (row == AFP_ROW_NONE)
		return AFP_SKIP;
	if (row == AFP_ROW_LIMIT)
		return AFP_WALK_LIMIT;
	return afp_decide_row(policy, row, call);
}
