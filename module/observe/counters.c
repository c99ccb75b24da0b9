// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of decisions, kept per CPU so that they cost one instruction.
 */
#include <linux/cpumask.h>

#include "observe/counters.h"

DEFINE_PER_CPU(struct afp_counters, afp_counters);

/**
 * afp_counted - how often an answer was given, on all CPUs
 * @answer: the answer
 *
 * Context: any. Not a snapshot: other CPUs count on.
 */
u64 afp_counted(enum afp_answer answer)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(afp_counters, cpu).answer[answer]);
	return sum;
}
