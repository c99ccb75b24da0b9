/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of verify: who calls, what is called with which values, and rules
 * that are made of the same values, so that most of them match a call or just
 * miss it.
 */
#ifndef AFP_GUEST_VERIFY_H
#define AFP_GUEST_VERIFY_H

#include <linux/audit.h>
#include <stdint.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define PICK(rng, table) ((table)[rng_below(rng, ARRAY_SIZE(table))])

#define MAX_RULES	60
#define UNSET		4294967295u

#ifndef AUDIT_FILTER_URING_EXIT
#define AUDIT_FILTER_URING_EXIT 0x07
#endif

/* splitmix64: any seed is a good one. */
struct rng {
	uint64_t state;
};

static inline uint32_t rng_next(struct rng *rng)
{
	uint64_t z = rng->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return (z ^ z >> 31) >> 16;
}

static inline uint32_t rng_below(struct rng *rng, uint32_t n)
{
	return rng_next(rng) % n;
}

/* Once in @n. */
static inline int rng_one_in(struct rng *rng, uint32_t n)
{
	return !rng_below(rng, n);
}

static inline struct rng rng_seeded(uint64_t seed, uint64_t a, uint64_t b)
{
	struct rng rng = { seed * 1000003 + a * 8191 + b };

	rng_next(&rng);
	return rng;
}

/* An identity that a caller has for all its life. */
struct who {
	uint32_t uid[4];	/* real, effective, saved, file system */
	uint32_t gid[4];
	uint32_t auid;
	uint32_t groups;	/* number of supplementary groups */
	uint32_t group[40];
};

#define CALLERS		8
extern const struct who identities[CALLERS];

/* What is known of a caller once it runs. */
struct caller {
	uint32_t pid;
	uint32_t session;
};

/* One call that may be made, as rules see it. */
struct model {
	const struct who *who;
	const struct caller *caller;
	int compat;
	int nr;
	uint32_t arg[4];
	uint32_t personality;
	long result;
	const char *path;
};

void calls_init(const char *dir);
void calls_restore(void);
void calls_model(struct rng *rng, struct model *model);
void calls_make(struct rng *rng, long count, int quiet);
void calls_become(const struct who *who);
const char *calls_path(struct rng *rng);

/* A rule as the kernel takes it. */
struct rule {
	struct audit_rule_data data;
	char buf[1024];
};

/**
 * rules_make - make the rules of one set
 * @seed: the run's
 * @set: number of the set
 * @callers: who will call
 * @dir: directory of the other workload, whose files may be watched too
 * @rules: filled in, room for MAX_RULES
 *
 * Return: number of rules.
 */
int rules_make(uint64_t seed, unsigned int set, const struct caller *callers,
	       const char *dir, struct rule *rules);

#endif /* AFP_GUEST_VERIFY_H */
