// SPDX-License-Identifier: GPL-2.0-only
/*
 * Audit rules of the user ABI as the policy engine takes them; see ruleset.h.
 */
#include <stdlib.h>
#include <string.h>

#include "ruleset.h"
#include "util.h"

#ifndef AUDIT_FILTER_URING_EXIT
#define AUDIT_FILTER_URING_EXIT	7
#endif

enum rule_place rule_place(const struct audit_rule_data *data)
{
	unsigned int i;

	if (data->flags != AUDIT_FILTER_EXIT && data->flags != AUDIT_FILTER_URING_EXIT)
		return RULE_ELSEWHERE;
	for (i = 0; i < data->field_count; i++)
		if (data->fields[i] == AUDIT_WATCH ||
		    (data->fields[i] == AUDIT_INODE && data->fieldflags[i] == AUDIT_EQUAL))
			return RULE_INODE;
	return data->flags == AUDIT_FILTER_EXIT ? RULE_EXIT : RULE_ELSEWHERE;
}

static enum afp_op op_of(unsigned int flags)
{
	switch (flags & AUDIT_OPERATORS) {
	case AUDIT_EQUAL:
		return AFP_OP_EQ;
	case AUDIT_NOT_EQUAL:
		return AFP_OP_NE;
	case AUDIT_BIT_MASK:
		return AFP_OP_MASK;
	case AUDIT_BIT_TEST:
		return AFP_OP_TEST;
	case AUDIT_LESS_THAN:
		return AFP_OP_LT;
	case AUDIT_GREATER_THAN:
		return AFP_OP_GT;
	case AUDIT_LESS_THAN_OR_EQUAL:
		return AFP_OP_LE;
	case AUDIT_GREATER_THAN_OR_EQUAL:
		return AFP_OP_GE;
	default:
		return AFP_OPS;		/* may match */
	}
}

struct afp_field rule_field(const struct audit_rule_data *data, unsigned int i)
{
	struct afp_field field = {
		.type = data->fields[i],
		.op = op_of(data->fieldflags[i]),
		.val = data->values[i],
	};

	/* An old way to write it, that the kernel takes for the other. */
	if (field.type == AFP_F_LOGINUID && field.val == (__u32)-1) {
		field.type = AFP_F_LOGINUID_SET;
		field.val = 0;
	}
	return field;
}

void ruleset_build(struct ruleset *set, const struct rulefile *rf)
{
	unsigned int i, f, used = 0, fields = 0;

	memset(set, 0, sizeof(*set));
	for (i = 0; i < rf->count; i++)
		fields += rf->rules[i].data->field_count;
	set->rules = xalloc((rf->count + 1) * sizeof(*set->rules));
	set->from = xalloc((rf->count + 1) * sizeof(*set->from));
	set->fields = xalloc((fields + 1) * sizeof(*set->fields));
	for (i = 0; i < rf->count; i++) {
		const struct audit_rule_data *data = rf->rules[i].data;
		struct afp_rule *rule = &set->rules[set->count];
		enum rule_place place = rule_place(data);

		set->uring |= data->flags == AUDIT_FILTER_URING_EXIT;
		if (place == RULE_ELSEWHERE)
			continue;
		rule->fields = &set->fields[used];
		rule->field_count = data->field_count;
		rule->place = place == RULE_INODE ? AFP_PLACE_INODE : AFP_PLACE_EXIT;
		rule->always = data->action == AUDIT_ALWAYS;
		memcpy(rule->mask, data->mask, sizeof(rule->mask));
		for (f = 0; f < data->field_count; f++)
			set->fields[used++] = rule_field(data, f);
		set->from[set->count++] = i;
	}
}

void ruleset_free(struct ruleset *set)
{
	free(set->rules);
	free(set->from);
	free(set->fields);
	memset(set, 0, sizeof(*set));
}
