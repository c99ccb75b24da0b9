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
#include <errno.h>
#include <libaudit.h>
#include <linux/netlink.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define READLOG		1	/* AUDIT_NLGRP_READLOG */
#define CALL		SYS_getpriority	/* what the rule names; a1 is the id */
#define MAX_ROUNDS	100000

static atomic_long wanted = -1, done = -1;
static unsigned int seen[MAX_ROUNDS][3];
static atomic_int stop;
static int log_fd;
static atomic_long lost;

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
		syscall(CALL, 99, id);
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
	static char buf[16384];
	const char *call_text = arg;

	for (;;) {
		ssize_t n = recv(log_fd, buf, sizeof(buf) - 1, 0);
		struct nlmsghdr *h = (void *)buf;
		char *text, *a1;
		unsigned long id;

		if (n < 0) {
			if (errno == ENOBUFS)
				atomic_fetch_add(&lost, 1);
			continue;
		}
		buf[n] = 0;
		text = NLMSG_DATA(h);
		if (strstr(text, "churn-end"))
			return NULL;
		if (h->nlmsg_type != AUDIT_SYSCALL || !strstr(text, call_text))
			continue;
		a1 = strstr(text, " a1=");
		if (!a1)
			continue;
		id = strtoul(a1 + 4, NULL, 16);
		if (id / 4 < MAX_ROUNDS && id % 4 < 3)
			seen[id / 4][id % 4]++;
	}
}

static void open_log(void)
{
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK };
	int group = READLOG, size = 64 << 20;

	log_fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_AUDIT);
	if (log_fd < 0 || bind(log_fd, (void *)&addr, sizeof(addr)) ||
	    setsockopt(log_fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group,
		       sizeof(group)) ||
	    setsockopt(log_fd, SOL_SOCKET, SO_RCVBUFFORCE, &size,
		       sizeof(size))) {
		perror("churn: audit log");
		exit(1);
	}
}

static struct audit_rule_data *make_rule(void)
{
	struct audit_rule_data *rule = calloc(1, sizeof(*rule) + 256);
	char field[] = "a0=99";	/* the library writes into it */

	if (!rule || audit_rule_syscallbyname_data(rule, "getpriority") ||
	    audit_rule_fieldpair_data(&rule, field, AUDIT_FILTER_EXIT)) {
		fprintf(stderr, "churn: cannot make a rule\n");
		exit(1);
	}
	return rule;
}

int main(int argc, char **argv)
{
	/* Around the debounce of 50 ms, so that builds meet every phase. */
	static const int wait_ms[] = { 0, 20, 49, 55, 60, 70, 120, 200 };
	long rounds = argc > 1 ? atol(argv[1]) : 100, i, bad = 0;
	pthread_t call_thread, read_thread;
	struct audit_rule_data *rule;
	char text[32];
	int fd = audit_open();

	if (fd < 0 || rounds < 1 || rounds > MAX_ROUNDS) {
		fprintf(stderr, "usage: churn ROUNDS (1 to %d), as root\n",
			MAX_ROUNDS);
		return 2;
	}
	snprintf(text, sizeof(text), " syscall=%d ", CALL);
	open_log();
	rule = make_rule();
	pthread_create(&read_thread, NULL, reader, text);
	pthread_create(&call_thread, NULL, caller, NULL);
	for (i = 0; i < rounds; i++) {
		if (audit_add_rule_data(fd, rule, AUDIT_FILTER_EXIT,
					AUDIT_ALWAYS) <= 0) {
			perror("churn: add rule");
			return 1;
		}
		call(i * 4 + 0);
		usleep(1000 * wait_ms[i % (sizeof(wait_ms) /
					   sizeof(wait_ms[0]))]);
		call(i * 4 + 1);
		if (audit_delete_rule_data(fd, rule, AUDIT_FILTER_EXIT,
					   AUDIT_ALWAYS) <= 0) {
			perror("churn: delete rule");
			return 1;
		}
		call(i * 4 + 2);
		/* Let a policy without the rule be built now and then. */
		if (i % 3 == 0)
			usleep(1000 * wait_ms[(i / 3) % (sizeof(wait_ms) /
						sizeof(wait_ms[0]))]);
	}
	atomic_store(&stop, 1);
	pthread_join(call_thread, NULL);
	audit_log_user_message(fd, AUDIT_USER, "churn-end", NULL, NULL, NULL,
			       1);
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
