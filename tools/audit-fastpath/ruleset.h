/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Audit rules of the user ABI as the policy engine takes them, as the kernel would
 * have made them.
 */
#ifndef AFP_TOOL_RULESET_H
#define AFP_TOOL_RULESET_H

#include "audit_fastpath/policy.h"
#include "rulefile.h"

/* Where the kernel keeps a rule. */
enum rule_place {
	RULE_EXIT,	/* the exit list: looked at in every audited call */
	RULE_INODE,	/* the inode hash: looked at for files in it */
	RULE_ELSEWHERE,	/* another list: in no system call's exit */
};

/**
 * struct ruleset - rules for afp_compile()
 * @rules: those that the module follows, in the order of the file
 * @from: index of each in what was read
 * @count: number of @rules
 * @uring: there is a rule on the list io_uring
 * @fields: memory that @rules point into
 */
struct ruleset {
	struct afp_rule *rules;
	unsigned int *from;
	unsigned int count;
	int uring;
	struct afp_field *fields;
};

/* Where a rule is kept. */
enum rule_place rule_place(const struct audit_rule_data *data);

/* The field with its type and value as the kernel keeps it: operator from flags. */
struct afp_field rule_field(const struct audit_rule_data *data, unsigned int i);

/**
 * ruleset_build - as the kernel keeps the rules, as the module copies them
 * @set: where to; ruleset_free() frees it
 * @rf: the rules
 *
 * Semantics: audit_data_to_entry() in kernel/auditfilter.c, and afp_copy_rule().
 */
void ruleset_build(struct ruleset *set, const struct rulefile *rf);

void ruleset_free(struct ruleset *set);

#endif /* AFP_TOOL_RULESET_H */
