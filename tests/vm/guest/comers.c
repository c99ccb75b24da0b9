// SPDX-License-Identifier: GPL-2.0-only
/*
 * comers SECONDS FILE CGROUP: add and remove a rule, again and again, three times at
 * least, with tasks of all kinds about.
 *
 * Each round adds a rule, and as soon as the kernel has acknowledged it a task of
 * each kind makes the call that it names: one that loops, one that was just
 * forked, one that runs a new program in a child of vfork(), a new thread, one
 * under a seccomp filter that another thread put on it, one that is traced, one
 * that sat in a read() since before the rule, one that uses io_uring, one that has
 * its threads run new programs, one after the other, and one in CGROUP, which was
 * frozen before the rule came and is thawed after. All have to be recorded, each
 * once. Then the rule goes. Meanwhile tasks are born and end, and filters come on.
 *
 * Every third round waits until FILE, a number, grows: until tasks were detached.
 * Prints what it found; exit status 0 if all were recorded and FILE grew.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

enum kind { LOOPS, FORKED, VFORKED, THREAD, FILTERED, TRACED, BLOCKED, URING,
	    HOPS, FROZEN, KINDS };
static const char * const kind_names[] = {
	"that loops", "just forked", "of vfork", "that is a new thread",
	"under seccomp", "that is traced", "out of a read", "with io_uring",
	"whose threads run new programs", "out of a frozen cgroup",
};
#define MAX_ROUNDS	100000
#define ROUNDS_MIN	3

/* Shared by all tasks. */
static struct shared {
	atomic_long round;
	atomic_long done[KINDS];
	atomic_int stop;
} *all;

static unsigned char seen[MAX_ROUNDS][KINDS];
static char *self;
static const char *cgroup;
static int pipe_fds[2];
static int all_fd;		/* what all is in */

static long id_of(long round, enum kind kind)
{
	return round * KINDS + kind;
}

static void call(long round, enum kind kind)
{
	syscall(CALL, WHICH, id_of(round, kind));
}

/* Wait for a round that was not yet done; meanwhile do what the kind does. */
static long next_round(enum kind kind, void (*meanwhile)(void))
{
	struct timespec ts = { .tv_nsec = 300000 };

	while (!atomic_load(&all->stop)) {
		long round = atomic_load(&all->round);

		if (round != atomic_load(&all->done[kind]))
			return round;
		if (meanwhile)
			meanwhile();
		nanosleep(&ts, NULL);
	}
	return -1;
}

static void done(long round, enum kind kind)
{
	atomic_store(&all->done[kind], round);
}

static void short_calls(void)
{
	syscall(SYS_getpid);
	syscall(SYS_getuid);
}

static void wait_child(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
		fprintf(stderr, "comers: a child failed\n");
		exit(1);
	}
}

static void fork_and_end(void)
{
	pid_t pid = fork();

	if (!pid) {
		short_calls();
		_exit(0);
	}
	wait_child(pid);
}

static void loops(void)
{
	long round;

	while ((round = next_round(LOOPS, short_calls)) >= 0) {
		call(round, LOOPS);
		done(round, LOOPS);
	}
}

static void forked(void)
{
	long round;

	while ((round = next_round(FORKED, fork_and_end)) >= 0) {
		pid_t pid = fork();

		if (!pid) {
			call(round, FORKED);
			_exit(0);
		}
		wait_child(pid);
		done(round, FORKED);
	}
}

static void vforked(void)
{
	long round;

	while ((round = next_round(VFORKED, NULL)) >= 0) {
		char text[32];
		pid_t pid;

		snprintf(text, sizeof(text), "%ld", id_of(round, VFORKED));
		pid = vfork();
		if (!pid) {
			execl(self, self, "--call", text, NULL);
			_exit(1);
		}
		wait_child(pid);
		done(round, VFORKED);
	}
}

static void *one_call(void *arg)
{
	if (arg)
		call(*(long *)arg, THREAD);
	return NULL;
}

static void thread_and_end(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, one_call, NULL))
		pthread_join(thread, NULL);
}

static void threads(void)
{
	long round;

	while ((round = next_round(THREAD, thread_and_end)) >= 0) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, one_call, &round))
			exit(1);
		pthread_join(thread, NULL);
		done(round, THREAD);
	}
}

/* A filter that allows all, on each thread of the process. */
static void put_filter(void)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K,
					    SECCOMP_RET_ALLOW);
	struct sock_fprog prog = { .len = 1, .filter = &allow };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		    SECCOMP_FILTER_FLAG_TSYNC, &prog)) {
		perror("comers: seccomp");
		exit(1);
	}
}

static void *filters_come(void *arg)
{
	long round = 0;

	/* The kernel keeps all of them, and runs each one: not too many. */
	while (!atomic_load(&all->stop) && round < 60) {
		long now = atomic_load(&all->round);

		if (now / 4 != round) {
			round = now / 4;
			put_filter();
		}
		usleep(700);
	}
	return arg;
}

static void filtered(void)
{
	pthread_t thread;
	long round;

	if (pthread_create(&thread, NULL, filters_come, NULL))
		exit(1);
	while ((round = next_round(FILTERED, short_calls)) >= 0) {
		call(round, FILTERED);
		done(round, FILTERED);
	}
	pthread_join(thread, NULL);
}

static void traced(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		long round;

		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		while ((round = next_round(TRACED, short_calls)) >= 0) {
			call(round, TRACED);
			done(round, TRACED);
		}
		_exit(0);
	}
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
		ptrace(PTRACE_SYSCALL, pid, NULL, NULL);
}

static void blocked(void)
{
	char byte;

	while (read(pipe_fds[0], &byte, 1) == 1) {
		long round = atomic_load(&all->round);

		call(round, BLOCKED);
		done(round, BLOCKED);
	}
}

static int ring = -1;

static void enter_ring(void)
{
	if (ring >= 0)
		syscall(SYS_io_uring_enter, ring, 0, 0, 0, NULL, 0);
	short_calls();
}

static void uring(void)
{
	struct io_uring_params params = { 0 };
	long round;

	/* Where it is not allowed the task is as any other. */
	ring = syscall(SYS_io_uring_setup, 4, &params);
	while ((round = next_round(URING, enter_ring)) >= 0) {
		call(round, URING);
		done(round, URING);
	}
}

static void *hop(void *arg)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", all_fd);
	execl(self, self, "--hop", text, NULL);
	perror("comers: exec");
	exit(1);
	return arg;
}

/*
 * A thread that is not the first runs this program again: the others end, and it
 * takes the place and the id of the first.
 */
static void hops(void)
{
	long round = atomic_load(&all->round);
	pthread_t thread;

	if (atomic_load(&all->stop))
		exit(0);
	if (round != atomic_load(&all->done[HOPS])) {
		call(round, HOPS);
		done(round, HOPS);
	}
	if (pthread_create(&thread, NULL, hop, NULL))
		exit(1);
	for (;;)
		short_calls();
}

static void cgroup_write(const char *name, const char *text)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", cgroup, name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text)) {
		perror(path);
		exit(1);
	}
	close(fd);
}

static void frozen(void)
{
	long round;

	cgroup_write("cgroup.procs", "0");
	while ((round = next_round(FROZEN, short_calls)) >= 0) {
		call(round, FROZEN);
		done(round, FROZEN);
	}
}

static void freeze(void)
{
	char path[256], text[256] = "";
	int fd;

	cgroup_write("cgroup.freeze", "1");
	snprintf(path, sizeof(path), "%s/cgroup.events", cgroup);
	while (!strstr(text, "frozen 1")) {
		fd = open(path, O_RDONLY);
		if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0) {
			perror(path);
			exit(1);
		}
		close(fd);
	}
}

static void *reader(void *arg)
{
	long id;

	while ((id = next_id()) >= 0)
		if (id / KINDS < MAX_ROUNDS)
			seen[id / KINDS][id % KINDS]++;
	return arg;
}

static long number_in(const char *path)
{
	FILE *file = fopen(path, "r");
	long n = -1;

	if (!file || fscanf(file, "%ld", &n) != 1) {
		perror(path);
		exit(1);
	}
	fclose(file);
	return n;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Return: whether a file's number grew; a kernel that is preempted takes long */
static bool grows(const char *path)
{
	long from = number_in(path);
	double end = now() + 40;

	while (number_in(path) == from) {
		if (now() > end)
			return false;
		usleep(2000);
	}
	return true;
}

/* The round is over when all have made their call. */
static void play(long round)
{
	double end = now() + 60;
	int kind;

	atomic_store(&all->round, round);
	cgroup_write("cgroup.freeze", "0");
	if (write(pipe_fds[1], "", 1) != 1)
		exit(1);
	for (kind = 0; kind < KINDS; kind++) {
		while (atomic_load(&all->done[kind]) != round) {
			if (now() > end) {
				printf("round %ld: the task %s does not come\n",
				       round, kind_names[kind]);
				exit(1);
			}
			usleep(200);
		}
	}
}

static void map_all(void)
{
	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE, MAP_SHARED,
		   all_fd, 0);
	if (all == MAP_FAILED) {
		perror("comers: mmap");
		exit(1);
	}
}

int main(int argc, char **argv)
{
	static void (*const tasks[KINDS])(void) = {
		loops, forked, vforked, threads, filtered, traced, blocked,
		uring, hops, frozen,
	};
	static const int wait_ms[] = { 0, 30, 60, 120, 300 };
	long round, bad = 0, rounds;
	struct audit_rule_data *rule;
	pid_t pids[KINDS], pid;
	pthread_t read_thread;
	int fd, kind, still = 0;
	const char *file;
	double end;

	if (argc == 3 && !strcmp(argv[1], "--call")) {
		syscall(CALL, WHICH, atol(argv[2]));
		return 0;
	}
	self = argv[0];
	if (!strchr(self, '/'))
		self = "/guest/comers";
	if (argc == 3 && !strcmp(argv[1], "--hop")) {
		all_fd = atoi(argv[2]);
		map_all();
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		hops();
	}
	fd = audit_open();
	if (argc != 4 || fd < 0) {
		fprintf(stderr, "usage: comers SECONDS FILE CGROUP, as root\n");
		return 2;
	}
	file = argv[2];
	cgroup = argv[3];
	end = now() + atol(argv[1]);
	all_fd = memfd_create("comers", 0);
	if (all_fd < 0 || ftruncate(all_fd, sizeof(*all)) || pipe(pipe_fds)) {
		perror("comers");
		return 1;
	}
	map_all();
	for (kind = 0; kind < KINDS; kind++) {
		pids[kind] = fork();
		if (pids[kind])
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(pipe_fds[1]);
		tasks[kind]();
		_exit(0);
	}
	open_log("comers");
	rule = make_rule("comers");
	pthread_create(&read_thread, NULL, reader, NULL);
	for (round = 1; (now() < end || round <= ROUNDS_MIN) &&
			round < MAX_ROUNDS - 1; round++) {
		if (round % 3 == 0)
			still += !grows(file);
		else
			usleep(1000 * wait_ms[round % (sizeof(wait_ms) /
						       sizeof(wait_ms[0]))]);
		freeze();
		add_rule(fd, rule, "comers");
		play(round);
		delete_rule(fd, rule, "comers");
	}
	rounds = round - 1;
	atomic_store(&all->stop, 1);
	close(pipe_fds[1]);
	while ((pid = wait(NULL)) > 0)
		;
	end_log(fd);
	pthread_join(read_thread, NULL);
	for (round = 1; round <= rounds; round++)
		for (kind = 0; kind < KINDS; kind++)
			if (seen[round][kind] != 1 && bad++ < 10)
				printf("round %ld: the call of a task %s: %d records\n",
				       round, kind_names[kind],
				       seen[round][kind]);
	printf("%ld rounds, %ld wrong, %ld overruns, %d without a task that was detached\n",
	       rounds, bad, atomic_load(&lost), still);
	return bad || atomic_load(&lost) || still;
}
