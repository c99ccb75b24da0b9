// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of decisions: one for each answer and system call, kept per CPU so
 * that counting costs two instructions and no shared cache line.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/gfp.h>

#include "kernel/fault.h"
#include "observe/counters.h"

/* For each answer AFP_COUNTS counters per CPU, by afp_pair(). */
unsigned long __percpu *afp_counts[AFP_ANSWERS] __read_mostly;

DEFINE_PER_CPU(unsigned long, afp_checks_done);
DEFINE_PER_CPU(unsigned long, afp_names_seen);
DEFINE_PER_CPU(unsigned long, afp_names_spliced);
atomic64_t afp_checks_wrong = ATOMIC64_INIT(0);

/* Flags of tasks that were cleared, and set again: see path/idle.c. */
atomic64_t afp_tasks_detached = ATOMIC64_INIT(0);
atomic64_t afp_tasks_attached = ATOMIC64_INIT(0);

static u64 afp_sum(const unsigned long __percpu *counter)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(counter, cpu));
	return sum;
}

/**
 * afp_checked - number of decisions that were compared with the kernel's
 *
 * Context: any. Not a snapshot: other CPUs count on.
 */
u64 afp_checked(void)
{
	return afp_sum(&afp_checks_done);
}

/**
 * afp_mismatches - number of these that were wrong
 *
 * Context: any.
 */
u64 afp_mismatches(void)
{
	return atomic64_read(&afp_checks_wrong);
}

/**
 * afp_names_calls - how often a list of many names was to be looked through
 *
 * Context: any. Not a snapshot.
 */
u64 afp_names_calls(void)
{
	return afp_sum(&afp_names_seen);
}

/**
 * afp_names_count - how often it was shortened for that
 *
 * Context: any. Not a snapshot.
 */
u64 afp_names_count(void)
{
	return afp_sum(&afp_names_spliced);
}

/**
 * afp_counted_call - how often an answer was given for one system call
 * @answer: the answer
 * @pair: the call's afp_pair(), or AFP_PAIR_NONE for calls that have none
 *
 * Context: any. Not a snapshot: other CPUs count on.
 */
u64 afp_counted_call(enum afp_answer answer, u32 pair)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(afp_counts[answer] + pair, cpu));
	return sum;
}

/**
 * afp_counted - how often an answer was given
 * @answer: the answer
 *
 * Context: any. Not a snapshot.
 */
u64 afp_counted(enum afp_answer answer)
{
	u64 sum = 0;
	u32 pair;

	for (pair = 0; pair < AFP_COUNTS; pair++)
		sum += afp_counted_call(answer, pair);
	return sum;
}

/**
 * afp_walk_name - a reason to walk, as it is named in sysfs after "walked_"
 * @answer: the reason; AFP_SKIP is none
 *
 * Context: any.
 */
const char *afp_walk_name(enum afp_answer answer)
{
	static const char * const names[AFP_ANSWERS] = {
		[AFP_SKIP] = "-",
		[AFP_WALK_RULE] = "rule",
		[AFP_WALK_ABI] = "abi",
		[AFP_WALK_NUMBER] = "number",
		[AFP_WALK_LIMIT] = "limit",
		[AFP_WALK_POLICY] = "policy",
		[AFP_WALK_STATE] = "state",
		[AFP_WALK_FORCED] = "forced",
		[AFP_WALK_TREES] = "trees",
		[AFP_WALK_CHECK] = "check",
	};

	return names[answer];
}

/**
 * afp_counters_init - get memory for the counters
 *
 * Context: process context, sleeps.
 *
 * Return: 0 or -ENOMEM; nothing stays then.
 */
int afp_counters_init(void)
{
	int i;

	for (i = 0; i < AFP_ANSWERS; i++) {
		if (!afp_fault("counters of", afp_walk_name(i)))
			afp_counts[i] = __alloc_percpu(AFP_COUNTS *
						       sizeof(unsigned long),
						       sizeof(unsigned long));
		if (!afp_counts[i]) {
			afp_counters_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

/**
 * afp_counters_exit - free them
 *
 * Context: process context, sleeps. After the hooks are gone.
 */
void afp_counters_exit(void)
{
	int i;

	for (i = 0; i < AFP_ANSWERS; i++) {
		free_percpu(afp_counts[i]);
		afp_counts[i] = NULL;
	}
}
