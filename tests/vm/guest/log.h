/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What programs share that have calls recorded and read the records: calls of
 * getpriority(WHICH, id), and a rule that names them.
 */
#ifndef GUEST_LOG_H
#define GUEST_LOG_H

#include <errno.h>
#include <libaudit.h>
#include <linux/netlink.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define READLOG		1	/* AUDIT_NLGRP_READLOG */
#define CALL		SYS_getpriority	/* what the rule names; a1 is the id */
#define WHICH		99	/* nothing that getpriority() knows */

static int log_fd;
static atomic_long lost;

static inline void open_log(const char *name)
{
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK };
	int group = READLOG, size = 64 << 20;

	log_fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_AUDIT);
	if (log_fd < 0 || bind(log_fd, (void *)&addr, sizeof(addr)) ||
	    setsockopt(log_fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group,
		       sizeof(group)) ||
	    setsockopt(log_fd, SOL_SOCKET, SO_RCVBUFFORCE, &size,
		       sizeof(size))) {
		fprintf(stderr, "%s: audit log: %s\n", name, strerror(errno));
		exit(1);
	}
}

/* The next record's type, and what it says; -1 at the one that end_log() makes. */
static inline int next_record(const char **text)
{
	static char buf[16384];
	struct nlmsghdr *h = (void *)buf;
	char own[32];

	snprintf(own, sizeof(own), " pid=%d ", getpid());
	for (;;) {
		ssize_t n = recv(log_fd, buf, sizeof(buf) - 1, 0);

		if (n < 0) {
			if (errno == ENOBUFS)
				atomic_fetch_add(&lost, 1);
			continue;
		}
		buf[n] = 0;
		*text = NLMSG_DATA(h);
		if (!strstr(*text, "log-end") || !strstr(*text, own))
			return h->nlmsg_type;
		return -1;
	}
}

/* The id in the next SYSCALL record of the call; -1 at the end. */
static inline long next_id(void)
{
	const char *text, *a1;
	char call[32];
	int type;

	snprintf(call, sizeof(call), " syscall=%d ", CALL);
	while ((type = next_record(&text)) >= 0) {
		a1 = strstr(text, " a1=");
		if (type == AUDIT_SYSCALL && strstr(text, call) && a1)
			return strtoul(a1 + 4, NULL, 16);
	}
	return -1;
}

static inline void end_log(int fd)
{
	audit_log_user_message(fd, AUDIT_USER, "log-end", NULL, NULL, NULL, 1);
}

static inline struct audit_rule_data *make_rule(const char *name)
{
	struct audit_rule_data *rule = calloc(1, sizeof(*rule) + 256);
	char field[] = "a0=99";	/* the library writes into it */

	if (!rule || audit_rule_syscallbyname_data(rule, "getpriority") ||
	    audit_rule_fieldpair_data(&rule, field, AUDIT_FILTER_EXIT)) {
		fprintf(stderr, "%s: cannot make a rule\n", name);
		exit(1);
	}
	return rule;
}

static inline void add_rule(int fd, struct audit_rule_data *rule, const char *name)
{
	if (audit_add_rule_data(fd, rule, AUDIT_FILTER_EXIT, AUDIT_ALWAYS) > 0)
		return;
	fprintf(stderr, "%s: add rule: %s\n", name, strerror(errno));
	exit(1);
}

static inline void delete_rule(int fd, struct audit_rule_data *rule, const char *name)
{
	if (audit_delete_rule_data(fd, rule, AUDIT_FILTER_EXIT,
				   AUDIT_ALWAYS) > 0)
		return;
	fprintf(stderr, "%s: delete rule: %s\n", name, strerror(errno));
	exit(1);
}

#endif /* GUEST_LOG_H */
