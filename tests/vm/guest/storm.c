// SPDX-License-Identifier: GPL-2.0-only
/*
 * storm SECONDS [DIRECTORY]: tasks that are born and end in all ways at once, each
 * with calls that a rule asks for.
 *
 * Two rules stand all the time: openat() with a large a3, which is an id, and the
 * operation openat of io_uring on DIRECTORY/ring, where the kernel has a list for
 * these. At the same time, over and over: a burst of children that make a call and
 * end; a task that is killed while it sleeps inside of a call; a process that ends
 * while all its threads make calls; a task that a seccomp filter kills after its
 * call; operations of io_uring, made by the task and by a worker of its.
 *
 * Each call that has returned, or sleeps, has to be recorded, once; one that its
 * task may not have come to, once at most; each operation, and each task that was
 * killed by its filter. Prints what it found; exit status 0 if that is so.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

#ifndef AUDIT_FILTER_URING_EXIT
#define AUDIT_FILTER_URING_EXIT 0x07
#endif
#define URINGOP		1336	/* the type of their records */

#define MAX_CALLS	1000000
#define ID_BASE		0x40000000	/* a3 of a call is this and its id */
#define CHILDREN	40
#define THREADS		3

enum { NOT_MADE, BEGUN, DONE };

/* Shared by all tasks. */
static struct shared {
	atomic_long next;
	atomic_int stop;
	atomic_long operations, killed;
	atomic_uchar state[MAX_CALLS];
} *all;

static unsigned char seen[MAX_CALLS];
static long operations_seen, killed_seen;
static char ring_path[200], fifo_path[200];

/* A new id; -1 when there is none left. */
static long new_id(void)
{
	long id = atomic_fetch_add(&all->next, 1);

	if (id >= MAX_CALLS) {
		atomic_store(&all->stop, 1);
		return -1;
	}
	return id;
}

static int call_on(const char *path, long id)
{
	int fd;

	if (id < 0)
		return -1;
	atomic_store(&all->state[id], BEGUN);
	fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY, ID_BASE + id);
	atomic_store(&all->state[id], DONE);
	return fd;
}

static void call(void)
{
	call_on("/nowhere/at/all", new_id());
}

static void reap(pid_t pid)
{
	if (pid < 0 || waitpid(pid, NULL, 0) != pid) {
		perror("storm: wait");
		exit(1);
	}
}

static bool going(void)
{
	return !atomic_load(&all->stop);
}

static void burst(void)
{
	pid_t pids[CHILDREN];
	int i;

	while (going()) {
		for (i = 0; i < CHILDREN; i++) {
			pids[i] = fork();
			if (!pids[i]) {
				call();
				_exit(0);
			}
		}
		for (i = 0; i < CHILDREN; i++)
			reap(pids[i]);
	}
}

/* Is the task inside of an openat(), asleep? */
static bool sleeps_inside(pid_t pid)
{
	char path[64], text[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (!fgets(text, sizeof(text), file))
		text[0] = 0;
	fclose(file);
	return text[0] >= '0' && text[0] <= '9' && atoi(text) == SYS_openat;
}

/* Nobody opens the other end. */
static void killed_inside(void)
{
	while (going()) {
		long id = new_id();
		pid_t pid;

		if (id < 0)
			return;
		pid = fork();
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			call_on(fifo_path, id);
			_exit(0);
		}
		while (!sleeps_inside(pid))
			usleep(500);
		kill(pid, SIGKILL);
		reap(pid);
		/* It was inside. */
		atomic_store(&all->state[id], DONE);
	}
}

static void *calls(void *arg)
{
	for (;;)
		call();
	return arg;
}

static void exits_amid(void)
{
	while (going()) {
		pid_t pid = fork();
		pthread_t thread;
		int i;

		if (!pid) {
			for (i = 0; i < THREADS; i++)
				if (pthread_create(&thread, NULL, calls, NULL))
					_exit(1);
			usleep(3000);
			_exit(0);
		}
		reap(pid);
	}
}

/* getpriority() ends the thread, as Chrome's sandbox does with what it forbids. */
static void put_filter(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpriority, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_THREAD),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {
		.len = sizeof(filter) / sizeof(filter[0]), .filter = filter,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog)) {
		perror("storm: seccomp");
		_exit(1);
	}
}

static void filtered(void)
{
	while (going()) {
		pid_t pid = fork();
		int status;

		if (!pid) {
			put_filter();
			call();
			syscall(SYS_getpriority, 0, 0);
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid ||
		    !WIFSIGNALED(status)) {
			fprintf(stderr, "storm: a filter kills nobody\n");
			exit(1);
		}
		atomic_fetch_add(&all->killed, 1);
	}
}

static struct io_uring_params params;
static int ring = -1;

/* A ring; whether there is one, and a list of rules for it. */
static bool make_ring(void)
{
	ring = syscall(SYS_io_uring_setup, 4, &params);
	return ring >= 0 && params.features & IORING_FEAT_SINGLE_MMAP;
}

static void operations(void)
{
	struct io_uring_sqe *sqe;
	struct io_uring_cqe *cqe;
	unsigned int flags = 0;
	char *sq;

	/* Its own: a ring of another process is not run for this one. */
	if (!make_ring())
		return;
	sq = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQ_RING);
	sqe = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQES);
	if (sq == MAP_FAILED || sqe == MAP_FAILED) {
		perror("storm: io_uring");
		exit(1);
	}
	cqe = (void *)(sq + params.cq_off.cqes);
	while (going()) {
		unsigned int *tail = (void *)(sq + params.sq_off.tail);
		unsigned int *array = (void *)(sq + params.sq_off.array);
		unsigned int *head = (void *)(sq + params.cq_off.head);
		unsigned int mask =
			*(unsigned int *)(sq + params.sq_off.ring_mask);
		unsigned int cq_mask =
			*(unsigned int *)(sq + params.cq_off.ring_mask);
		int fd;

		memset(sqe, 0, sizeof(*sqe));
		sqe->opcode = IORING_OP_OPENAT;
		sqe->fd = AT_FDCWD;
		sqe->addr = (unsigned long)ring_path;
		sqe->open_flags = O_RDONLY;
		sqe->flags = flags;
		array[*tail & mask] = 0;
		__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
		if (syscall(SYS_io_uring_enter, ring, 1, 1,
			    IORING_ENTER_GETEVENTS, NULL, 0) != 1) {
			perror("storm: io_uring_enter");
			exit(1);
		}
		fd = cqe[*head & cq_mask].res;
		__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
		if (fd < 0) {
			fprintf(stderr, "storm: %s: %s\n", ring_path,
				strerror(-fd));
			exit(1);
		}
		close(fd);
		atomic_fetch_add(&all->operations, 1);
		flags ^= IOSQE_ASYNC;
		usleep(500);
	}
}

static void *reader(void *arg)
{
	const char *text;
	char number[32];
	int type;

	snprintf(number, sizeof(number), " syscall=%d ", (int)SYS_openat);
	while ((type = next_record(&text)) >= 0) {
		unsigned long id;

		if (type == URINGOP && strstr(text, "key=\"storm\"")) {
			operations_seen++;
		} else if (type == AUDIT_SECCOMP &&
			   strstr(text, "comm=\"storm\"")) {
			killed_seen++;
		} else if (type == AUDIT_SYSCALL && strstr(text, number) &&
			   strstr(text, "key=\"storm\"")) {
			id = strtoul(strstr(text, " a3=") + 4, NULL, 16) -
			     ID_BASE;
			if (id < MAX_CALLS && seen[id] < 255)
				seen[id]++;
		}
	}
	return arg;
}

static void field(struct audit_rule_data **rule, const char *text, int list)
{
	char copy[300];		/* the library writes into it */

	snprintf(copy, sizeof(copy), "%s", text);
	if (audit_rule_fieldpair_data(rule, copy, list)) {
		fprintf(stderr, "storm: no rule with %s\n", text);
		exit(1);
	}
}

static struct audit_rule_data *calls_rule(void)
{
	struct audit_rule_data *rule = calloc(1, sizeof(*rule) + 256);
	char text[32];

	if (!rule || audit_rule_syscallbyname_data(rule, "openat")) {
		fprintf(stderr, "storm: no rule about openat\n");
		exit(1);
	}
	snprintf(text, sizeof(text), "a3>=%d", ID_BASE);
	field(&rule, text, AUDIT_FILTER_EXIT);
	field(&rule, "key=storm", AUDIT_FILTER_EXIT);
	return rule;
}

/* By hand: not every version of the library knows the list. */
static struct audit_rule_data *ring_rule(void)
{
	static const char key[] = "storm";
	struct audit_rule_data *rule = calloc(1, sizeof(*rule) + 256);

	if (!rule)
		exit(1);
	rule->mask[AUDIT_WORD(IORING_OP_OPENAT)] |=
		AUDIT_BIT(IORING_OP_OPENAT);
	rule->fields[0] = AUDIT_FILTERKEY;
	rule->fieldflags[0] = AUDIT_EQUAL;
	rule->values[0] = sizeof(key) - 1;
	rule->field_count = 1;
	rule->buflen = sizeof(key) - 1;
	memcpy(rule->buf, key, sizeof(key) - 1);
	return rule;
}

int main(int argc, char **argv)
{
	static void (*const tasks[])(void) = {
		burst, killed_inside, exits_amid, filtered, operations,
	};
	static const size_t count = sizeof(tasks) / sizeof(tasks[0]);
	const char *directory = argc == 3 ? argv[2] : "/tmp";
	struct audit_rule_data *rule, *uring_rule;
	bool with_ring, failed = false;
	long id, last, bad = 0;
	int fd = audit_open();
	pthread_t thread;
	pid_t pids[5];
	size_t i;

	if (argc < 2 || argc > 3 || fd < 0 || atol(argv[1]) < 1) {
		fprintf(stderr, "usage: storm SECONDS [DIRECTORY], as root\n");
		return 2;
	}
	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	snprintf(fifo_path, sizeof(fifo_path), "%s/fifo", directory);
	snprintf(ring_path, sizeof(ring_path), "%s/ring", directory);
	unlink(fifo_path);
	if (all == MAP_FAILED || mkfifo(fifo_path, 0600) ||
	    close(open(ring_path, O_CREAT | O_WRONLY, 0600))) {
		perror("storm");
		return 1;
	}
	open_log("storm");
	pthread_create(&thread, NULL, reader, NULL);
	rule = calls_rule();
	add_rule(fd, rule, "storm");
	uring_rule = ring_rule();
	with_ring = make_ring() &&
		    audit_add_rule_data(fd, uring_rule, AUDIT_FILTER_URING_EXIT,
					AUDIT_ALWAYS) > 0;
	for (i = 0; i < count; i++) {
		pids[i] = fork();
		if (pids[i])
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		tasks[i]();
		_exit(0);
	}
	sleep(atol(argv[1]));
	atomic_store(&all->stop, 1);
	for (i = 0; i < count; i++) {
		int status;

		if (waitpid(pids[i], &status, 0) != pids[i] || status)
			failed = true;
	}
	delete_rule(fd, rule, "storm");
	if (with_ring)
		audit_delete_rule_data(fd, uring_rule, AUDIT_FILTER_URING_EXIT,
				       AUDIT_ALWAYS);
	end_log(fd);
	pthread_join(thread, NULL);

	last = atomic_load(&all->next);
	if (last > MAX_CALLS)
		last = MAX_CALLS;
	for (id = 0; id < last; id++) {
		int state = atomic_load(&all->state[id]);

		/* One that was begun may not have come to be one. */
		if (state == DONE ? seen[id] == 1 :
		    seen[id] <= (state == BEGUN ? 1 : 0))
			continue;
		if (bad++ < 10)
			printf("call %ld (%s): %u records\n", id,
			       state == DONE ? "done" : "not", seen[id]);
	}
	if (with_ring && operations_seen != atomic_load(&all->operations))
		bad++;
	if (killed_seen != atomic_load(&all->killed))
		bad++;
	printf("%ld calls, %ld of %ld operations, %ld of %ld killed by a filter, %ld wrong, %ld overruns\n",
	       last, operations_seen, with_ring ? atomic_load(&all->operations) : 0,
	       killed_seen, atomic_load(&all->killed), bad, atomic_load(&lost));
	return bad || failed || atomic_load(&lost) || last < 100 ||
	       !killed_seen || (with_ring && !operations_seen);
}
