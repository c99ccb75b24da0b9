/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine under test, held to its interface: exact memory, no bytes left
 * over from before, nothing written but what it may write; and every answer
 * compared with the reference.
 */
#ifndef AFP_TEST_ENGINE_H
#define AFP_TEST_ENGINE_H

#include "reference.h"

/**
 * struct engine - a compiled rule list
 * @rules: the rules
 * @count: number of @rules
 * @classes: what they were compiled for
 * @policy: the policy, in memory of exactly policy->size bytes
 * @twin: the same, compiled into memory that held something else
 * @differs: offset of a byte that the two do not have in common, or 0
 * @answer: of the last engine_check()
 * @early: what was decided when it began
 * @record: what the reference says of the same call
 */
struct engine {
	const struct ref_rule *rules;
	__u32 count;
	const struct afp_classes *classes;
	struct afp_policy *policy;
	struct afp_policy *twin;
	__u32 differs;
	enum afp_answer answer;
	enum afp_answer early;
	int record;
};

/**
 * engine_build - compile, twice
 * @e: the engine; what it held before is freed
 * @rules: must outlive @e
 * @count: number of @rules
 * @classes: must outlive @e
 *
 * Return: NULL, or what is wrong. engine_free() is needed in any case.
 */
const char *engine_build(struct engine *e, const struct ref_rule *rules,
			 __u32 count, const struct afp_classes *classes);

/**
 * engine_check - decide a call and compare with the reference
 * @e: the engine
 * @call: the call
 *
 * Return: NULL, or what is wrong: a lost record above all.
 */
const char *engine_check(struct engine *e, const struct ref_call *call);

void engine_free(struct engine *e);

#endif /* AFP_TEST_ENGINE_H */
