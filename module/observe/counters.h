/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_OBSERVE_COUNTERS_H
#define AFP_OBSERVE_COUNTERS_H

#include <linux/percpu.h>

#include "audit_fastpath/policy.h"

/* One counter for each answer, by enum afp_answer, per CPU. */
struct afp_counters {
	unsigned long answer[AFP_ANSWERS];
};

DECLARE_PER_CPU(struct afp_counters, afp_counters);

/**
 * afp_count - count one decision
 * @answer: what was decided
 *
 * Context: any; one instruction, safe against preemption and interrupts.
 */
static __always_inline void afp_count(enum afp_answer answer)
{
	this_cpu_inc(afp_counters.answer[answer]);
}

u64 afp_counted(enum afp_answer answer);

#endif /* AFP_OBSERVE_COUNTERS_H */
