// SPDX-License-Identifier: GPL-2.0-only
/*
 * churn ROUNDS: add and remove a rule again and again, and count records.
 *
 * Each round adds a rule that matches one system call of a thread that runs
 * on another processor, has the call made as soon as the kernel has
 * acknowledged the rule, made again a while later when a policy with the rule
 * may have been built, and once more after the rule is gone. The first two
 * have to be recorded, each once, the third must not be. Prints what it
 * found; exit status 0 if that is so.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "log.h"

#define MAX_ROUNDS	100000

static atomic_long wanted = -1, done = -1;
static unsigned int seen[MAX_ROUNDS][3];
static atomic_int stop;

/* The caller: makes the call that it is told to, with its id in a1. */
static void *caller(void *arg)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &set);
	sched_setaffinity(0, sizeof(set), &set);
	while (!atomic_load(&stop)) {
		long id = atomic_load(&wanted);

		if (id == atomic_load(&done)) {
			sched_yield();
			continue;
		}
		syscall(CALL, WHICH, id);
		atomic_store(&done, id);
	}
	return arg;
}

static void call(long id)
{
	atomic_store(&wanted, id);
	while (atomic_load(&done) != id)
		sched_yield();
}

/* The reader: counts SYSCALL records of the calls, by their id. */
static void *reader(void *arg)
{
	long id;

	while ((id = next_id()) >= 0)
		if (id / 4 < MAX_ROUNDS && id % 4 < 3)
			seen[id / 4][id % 4]++;
	return arg;
}

int main(int argc, char **argv)
{
	/* Around the debounce of 50 ms, so that builds meet every phase. */
	static const int wait_ms[] = { 0, 20, 49, 55, 60, 70, 120, 200 };
	long rounds = argc > 1 ? atol(argv[1]) : 100, i, bad = 0;
	pthread_t call_thread, read_thread;
	struct audit_rule_data *rule;
	int fd = audit_open();

	if (fd < 0 || rounds < 1 || rounds > MAX_ROUNDS) {
		fprintf(stderr, "usage: churn ROUNDS (1 to %d), as root\n",
			MAX_ROUNDS);
		return 2;
	}
	open_log("churn");
	rule = make_rule("churn");
	pthread_create(&read_thread, NULL, reader, NULL);
	pthread_create(&call_thread, NULL, caller, NULL);
	for (i = 0; i < rounds; i++) {
		add_rule(fd, rule, "churn");
		call(i * 4 + 0);
		usleep(1000 * wait_ms[i % (sizeof(wait_ms) /
					   sizeof(wait_ms[0]))]);
		call(i * 4 + 1);
		delete_rule(fd, rule, "churn");
		call(i * 4 + 2);
		/* Let a policy without the rule be built now and then. */
		if (i % 3 == 0)
			usleep(1000 * wait_ms[(i / 3) % (sizeof(wait_ms) /
						sizeof(wait_ms[0]))]);
	}
	atomic_store(&stop, 1);
	pthread_join(call_thread, NULL);
	end_log(fd);
	pthread_join(read_thread, NULL);
	for (i = 0; i < rounds; i++) {
		if (seen[i][0] == 1 && seen[i][1] == 1 && !seen[i][2])
			continue;
		if (bad++ < 10)
			printf("round %ld: %u after the rule came, %u later, %u after it went\n",
			       i, seen[i][0], seen[i][1], seen[i][2]);
	}
	printf("%ld rounds, %ld wrong, %ld overruns\n", rounds, bad,
	       atomic_load(&lost));
	return bad || atomic_load(&lost);
}
