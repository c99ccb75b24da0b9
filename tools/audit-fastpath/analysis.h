/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module would make of rules: the policy engine's answers about each system
 * call and each rule, without module or kernel.
 */
#ifndef AFP_TOOL_ANALYSIS_H
#define AFP_TOOL_ANALYSIS_H

#include "classes.h"
#include "ruleset.h"

/* Who makes the calls. */
enum task_kind {
	TASK_DAEMON,	/* unprivileged, auid unset */
	TASK_ROOT,	/* root, auid unset: services, mostly */
	TASK_USER,	/* unprivileged, logged in */
	TASK_ADMIN,	/* root by sudo: logged in */
	TASK_KINDS
};

extern const char *const task_names[TASK_KINDS];
extern const char *const outlook_names[];

/* What is to be said of the rules as a whole. */
struct warning {
	const char *id;		/* for programs, documented */
	int grave;		/* nothing is recorded as it was meant */
	int rule;		/* index in what was read, or -1 */
	char *text;
};

/**
 * struct obstacle - a rule that keeps calls from being skipped
 * @rule: index in what was read
 * @outlook: by task and afp_pair(): enum afp_outlook, were it the only rule
 * @in_way: native calls that it does not let all be skipped, by task
 * @walks: of these, those that all walk
 * @alone: of @in_way, those that no other rule stands in the way of
 */
struct obstacle {
	unsigned int rule;
	__u8 outlook[TASK_KINDS][AFP_PAIRS];
	unsigned int in_way[TASK_KINDS];
	unsigned int walks[TASK_KINDS];
	unsigned int alone[TASK_KINDS];
};

/**
 * struct analysis - the answers
 * @rf: the rules
 * @kernel: as which kernel
 * @classes: what that says of its numbers
 * @set: the rules that are followed
 * @too_many: more rules than a policy is compiled from: all walks
 * @limited: a limit of the policy was reached: some calls walk for it
 * @outlook: by task and afp_pair(): enum afp_outlook
 * @counts: native calls by task and outlook
 * @total: native calls that there are
 * @policy_size: bytes
 * @obstacles: the rules of @set that stand in the way, worst first
 * @obstacle_count: number of @obstacles
 * @warnings: grave ones first
 * @warning_count: number of @warnings
 */
struct analysis {
	const struct rulefile *rf;
	enum classes_kernel kernel;
	struct afp_classes classes;
	struct ruleset set;
	int too_many;
	int limited;
	__u8 outlook[TASK_KINDS][AFP_PAIRS];
	unsigned int counts[TASK_KINDS][3];
	unsigned int total;
	unsigned int policy_size;
	struct obstacle *obstacles;
	unsigned int obstacle_count;
	struct warning *warnings;
	unsigned int warning_count;
};

/**
 * analysis_make - compile the rules, and each for itself, and ask
 * @a: where to; analysis_free() frees it
 * @rf: the rules; have to live as long
 * @kernel: as which kernel
 *
 * Takes about a millisecond a rule.
 */
void analysis_make(struct analysis *a, const struct rulefile *rf, enum classes_kernel kernel);

void analysis_free(struct analysis *a);

/* The name of a native system call, or its number; the buffer is reused. */
const char *call_name(unsigned int nr);

/* Of the other table. */
const char *call_name_compat(unsigned int nr);

/**
 * kernel_of - as which kernel
 * @version: "6.1", "6.1.0-57-amd64", or NULL: the running one
 * @kernel: set to it
 *
 * Return: 0, or -1 if that is no version.
 */
int kernel_of(const char *version, enum classes_kernel *kernel);

#endif /* AFP_TOOL_ANALYSIS_H */
