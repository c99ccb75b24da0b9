/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the tables of a policy are: for compile.c and decide.c alone.
 */
#ifndef AFP_POLICY_TABLES_H
#define AFP_POLICY_TABLES_H

#include "audit_fastpath/policy.h"

static inline void *afp_table(const struct afp_policy *policy, __u32 at)
{
	return (char *)policy + at;
}

static inline struct afp_row *afp_rows(const struct afp_policy *policy)
{
	return afp_table(policy, policy->rows_at);
}

static inline __u16 *afp_index(const struct afp_policy *policy)
{
	return afp_table(policy, policy->index_at);
}

static inline struct afp_group *afp_groups(const struct afp_policy *policy)
{
	return afp_table(policy, policy->groups_at);
}

static inline struct afp_test *afp_tests(const struct afp_policy *policy)
{
	return afp_table(policy, policy->tests_at);
}

/*
 * The kernel compares 32 bits, unsigned: audit_comparator(). An operator
 * that is not in the table holds, as everything in doubt.
 */
static inline int afp_compare(__u32 left, __u32 op, __u32 right)
{
	switch (op) {
	case AFP_OP_EQ:
		return left == right;
	case AFP_OP_NE:
		return left != right;
	case AFP_OP_MASK:
		return (left & right) != 0;
	case AFP_OP_TEST:
		return (left & right) == right;
	case AFP_OP_LT:
		return left < right;
	case AFP_OP_GT:
		return left > right;
	case AFP_OP_LE:
		return left <= right;
	case AFP_OP_GE:
		return left >= right;
	default:
		return 1;
	}
}

/* Does a test of one value hold for this one? */
static inline int afp_value_holds(const struct afp_test *test, __u32 value)
{
	switch (test->kind) {
	case AFP_T_RANGE:
		return value - test->lo <= test->span;
	case AFP_T_NONE:
		return 0;
	case AFP_T_MASK:
		return (value & test->lo) != 0;
	case AFP_T_BITS:
		return (value & test->lo) == test->lo;
	default:
		return 1;
	}
}

#endif /* AFP_POLICY_TABLES_H */
