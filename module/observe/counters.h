/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_OBSERVE_COUNTERS_H
#define AFP_OBSERVE_COUNTERS_H

#include <linux/atomic.h>
#include <linux/percpu.h>

#include "audit_fastpath/policy.h"

#define AFP_PAIR_NONE	AFP_PAIRS	/* an unknown ABI or number */
#define AFP_COUNTS	(AFP_PAIRS + 1)

extern unsigned long __percpu *afp_counts[AFP_ANSWERS];

/**
 * afp_count - count one decision
 * @answer: what was decided
 * @pair: the call's afp_pair(), or AFP_PAIR_NONE
 *
 * Context: any; safe against preemption and interrupts.
 */
static __always_inline void afp_count(enum afp_answer answer, u32 pair)
{
	this_cpu_inc(afp_counts[answer][pair]);
}

DECLARE_PER_CPU(unsigned long, afp_checks_done);
DECLARE_PER_CPU(unsigned long, afp_names_seen);
DECLARE_PER_CPU(unsigned long, afp_names_spliced);
extern atomic64_t afp_checks_wrong;
extern atomic64_t afp_tasks_detached;
extern atomic64_t afp_tasks_attached;

/* A decision was compared with what the kernel did. Context: any. */
static inline void afp_count_checked(void)
{
	this_cpu_inc(afp_checks_done);
}

/* It was wrong. Context: any. */
static inline void afp_count_mismatch(void)
{
	atomic64_inc(&afp_checks_wrong);
}

u64 afp_checked(void);
u64 afp_mismatches(void);
u64 afp_names_calls(void);
u64 afp_names_count(void);
u64 afp_counted_call(enum afp_answer answer, u32 pair);
u64 afp_counted(enum afp_answer answer);
const char *afp_walk_name(enum afp_answer answer);
int afp_counters_init(void);
void afp_counters_exit(void);

#endif /* AFP_OBSERVE_COUNTERS_H */
