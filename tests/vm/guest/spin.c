// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: spin MILLISECONDS
 *        spin -l CALLS
 *
 * One thread on each processor, kept there, that makes system calls. They begin
 * together. The first form: getpid for so long; prints how many calls a second
 * all of them made. The second: each makes exactly so many calls of
 * sched_get_priority_max, which next to nothing else makes; prints nothing.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MOST 64

static pthread_barrier_t barrier;
static volatile int stop;
static unsigned long exactly;

static struct spinner {
	pthread_t thread;
	int cpu, failed;
	unsigned long calls;
} __attribute__((aligned(128))) spinners[MOST];

static void *spin(void *arg)
{
	struct spinner *me = arg;
	unsigned long calls = 0;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(me->cpu, &set);
	me->failed = sched_setaffinity(0, sizeof(set), &set);
	pthread_barrier_wait(&barrier);
	if (exactly)
		for (; calls < exactly; calls++)
			syscall(SYS_sched_get_priority_max, SCHED_FIFO);
	else
		for (; !stop; calls++)
			syscall(SYS_getpid);
	me->calls = calls;
	return NULL;
}

int main(int argc, char **argv)
{
	long ms = 0, cpus = sysconf(_SC_NPROCESSORS_ONLN), i;
	struct timespec from, to, left;
	unsigned long calls = 0;
	double seconds;

	if (argc == 3 && !strcmp(argv[1], "-l"))
		exactly = strtoul(argv[2], NULL, 10);
	else if (argc == 2)
		ms = atol(argv[1]);
	if ((ms <= 0 && !exactly) || cpus < 1 || cpus > MOST) {
		fprintf(stderr, "usage: spin MILLISECONDS | spin -l CALLS\n");
		return 2;
	}
	pthread_barrier_init(&barrier, NULL, cpus + 1);
	for (i = 0; i < cpus; i++) {
		spinners[i].cpu = i;
		if (pthread_create(&spinners[i].thread, NULL, spin,
				   &spinners[i])) {
			perror("spin: thread");
			return 1;
		}
	}
	pthread_barrier_wait(&barrier);
	clock_gettime(CLOCK_MONOTONIC, &from);
	left.tv_sec = ms / 1000;
	left.tv_nsec = ms % 1000 * 1000000;
	if (ms)
		while (nanosleep(&left, &left))
			;
	stop = 1;
	clock_gettime(CLOCK_MONOTONIC, &to);
	for (i = 0; i < cpus; i++) {
		pthread_join(spinners[i].thread, NULL);
		if (spinners[i].failed) {
			fprintf(stderr, "spin: cannot stay on CPU %ld\n", i);
			return 1;
		}
		calls += spinners[i].calls;
	}
	seconds = (to.tv_sec - from.tv_sec) +
		  (to.tv_nsec - from.tv_nsec) / 1e9;
	if (ms)
		printf("%.0f\n", calls / seconds);
	return 0;
}
