/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From bytes, random or a fuzzer's, to rule lists and calls: shaped so that
 * calls often match or just miss a rule.
 */
#ifndef AFP_TEST_GENERATE_H
#define AFP_TEST_GENERATE_H

#include <stddef.h>

#include "engine.h"

#define GEN_RULES	24

/* Bytes that are left; when none are, every choice is the first one. */
struct input {
	const __u8 *at;
	const __u8 *end;
};

/**
 * struct scenario - a rule list and the classes it is compiled for
 * @rules: the rules
 * @count: number of @rules
 * @loadable: kernels of these years load every rule
 * @decidable: the engine is told everything the fields look at, there is no
 *	"never" and no rule of the inode hash: it can be exact
 * @classes: those of some x86 kernel, or with kinds and classes at random
 */
struct scenario {
	struct ref_rule rules[GEN_RULES];
	__u32 count;
	int loadable;
	int decidable;
	struct afp_classes classes;
};

/* Set what a field of type @type compares, so far as it is one value. */
void call_set(struct ref_call *call, __u32 type, __u32 val);

void generate_rules(struct input *in, struct scenario *s);

/* A call, often after the model of one of the rules. */
void generate_call(struct input *in, const struct scenario *s,
		   struct ref_call *call);

/* The same call, but for what the engine is not told. */
void generate_hidden(struct input *in, struct ref_call *call);

/*
 * Can the engine decide perm= of this number from what it is told? Not of
 * socketcall, nor of more calls that open than it has room for.
 */
int perm_exact(const struct afp_classes *classes, __u32 abi, __u32 nr);

/* May the engine be expected to be exact for this call? */
int scenario_exact(const struct scenario *s, const struct ref_call *call);

/**
 * scenario_check - engine_check(), and exact where it can be
 * @e: the engine, built for @s
 * @s: the rule list
 * @call: the call
 *
 * Return: NULL, or what is wrong.
 */
const char *scenario_check(struct engine *e, const struct scenario *s,
			   const struct ref_call *call);

/* Look for a smaller list that is still wrong, and print it. Changes @s. */
void scenario_report(struct scenario *s, const struct ref_call *call);

/* Print rules and a call as TAP comments. */
void scenario_print(const struct ref_rule *rules, __u32 count,
		    const struct ref_call *call);

#endif /* AFP_TEST_GENERATE_H */
