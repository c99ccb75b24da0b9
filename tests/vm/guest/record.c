// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: record [-t SECONDS] OUT
 *        record --mark [TEXT]
 *
 * Write every audit record to OUT, a line each, as it comes from the audit
 * multicast group; "type=SYSCALL msg=audit(...): ...", as auditd would. Stops
 * with status 0 at the user message "afp-end", which --mark sends (or TEXT).
 * Status 1: a record was lost (overrun), or no end came in SECONDS (120).
 *
 * OUT.ready appears when recording has begun and the rules are as they were.
 *
 * The task that records has no audit context, so nothing it does makes a
 * record: it is forked while a rule "task,never" stands.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define END_TEXT "msg='afp-end'"
#define RECEIVE_BUFFER (192 << 20)

static const struct {
	int type;
	const char *name;
} types[] = {
	{ AUDIT_USER, "USER" },
	{ AUDIT_LOGIN, "LOGIN" },
	{ AUDIT_SYSCALL, "SYSCALL" },
	{ AUDIT_PATH, "PATH" },
	{ AUDIT_IPC, "IPC" },
	{ AUDIT_SOCKETCALL, "SOCKETCALL" },
	{ AUDIT_CONFIG_CHANGE, "CONFIG_CHANGE" },
	{ AUDIT_SOCKADDR, "SOCKADDR" },
	{ AUDIT_CWD, "CWD" },
	{ AUDIT_EXECVE, "EXECVE" },
	{ AUDIT_IPC_SET_PERM, "IPC_SET_PERM" },
	{ AUDIT_MQ_OPEN, "MQ_OPEN" },
	{ AUDIT_MQ_SENDRECV, "MQ_SENDRECV" },
	{ AUDIT_MQ_NOTIFY, "MQ_NOTIFY" },
	{ AUDIT_MQ_GETSETATTR, "MQ_GETSETATTR" },
	{ AUDIT_KERNEL_OTHER, "KERNEL_OTHER" },
	{ AUDIT_FD_PAIR, "FD_PAIR" },
	{ AUDIT_OBJ_PID, "OBJ_PID" },
	{ AUDIT_EOE, "EOE" },
	{ AUDIT_BPRM_FCAPS, "BPRM_FCAPS" },
	{ AUDIT_CAPSET, "CAPSET" },
	{ AUDIT_MMAP, "MMAP" },
	{ AUDIT_NETFILTER_CFG, "NETFILTER_CFG" },
	{ AUDIT_SECCOMP, "SECCOMP" },
	{ AUDIT_PROCTITLE, "PROCTITLE" },
	{ AUDIT_FEATURE_CHANGE, "FEATURE_CHANGE" },
	{ AUDIT_KERN_MODULE, "KERN_MODULE" },
	{ 1331, "FANOTIFY" },
	{ 1332, "TIME_INJOFFSET" },
	{ 1333, "TIME_ADJNTPVAL" },
	{ 1334, "BPF" },
	{ 1335, "EVENT_LISTENER" },
	{ 1336, "URINGOP" },
	{ 1337, "OPENAT2" },
	{ 1400, "AVC" },
	{ AUDIT_ANOM_PROMISCUOUS, "ANOM_PROMISCUOUS" },
	{ AUDIT_ANOM_ABEND, "ANOM_ABEND" },
	{ AUDIT_ANOM_LINK, "ANOM_LINK" },
};

static void fail(const char *what)
{
	fprintf(stderr, "record: %s: %m\n", what);
	exit(1);
}

static int audit_open(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_AUDIT);

	if (fd < 0)
		fail("audit socket");
	return fd;
}

/* Send one message and return the kernel's answer: 0 or a negative errno. */
static int audit_request(int fd, int type, const void *payload, size_t len)
{
	static const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	static struct {
		struct nlmsghdr h;
		char payload[4096];
	} msg;
	struct {
		struct nlmsghdr h;
		struct nlmsgerr e;
		char rest[4096];
	} ack;

	memcpy(msg.payload, payload, len);
	msg.h.nlmsg_type = type;
	msg.h.nlmsg_len = NLMSG_LENGTH(len);
	msg.h.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	if (sendto(fd, &msg, msg.h.nlmsg_len, 0, (void *)&kernel,
		   sizeof(kernel)) < 0)
		return -errno;
	do {
		if (recv(fd, &ack, sizeof(ack), 0) < 0)
			return -errno;
	} while (ack.h.nlmsg_type != NLMSG_ERROR);
	return ack.e.error;
}

static void task_never(int fd, int type, const char *what)
{
	struct audit_rule_data rule = {
		.flags = AUDIT_FILTER_TASK,
		.action = AUDIT_NEVER,
	};
	int err;

	memset(rule.mask, 0xff, sizeof(rule.mask));
	err = audit_request(fd, type, &rule, sizeof(rule));
	if (err) {
		errno = -err;
		fail(what);
	}
}

static void write_record(FILE *out, int type, const char *text, int len)
{
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (types[i].type == type) {
			fprintf(out, "type=%s msg=%.*s\n", types[i].name, len,
				text);
			return;
		}
	}
	fprintf(out, "type=UNKNOWN[%d] msg=%.*s\n", type, len, text);
}

static int record(int fd, FILE *out, int seconds)
{
	static struct {
		struct nlmsghdr h;
		char text[32768];
	} msg;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	time_t end = time(NULL) + seconds;
	int n;

	for (;;) {
		n = recv(fd, &msg, sizeof(msg) - 1, MSG_DONTWAIT);
		if (n < 0 && errno == EAGAIN) {
			if (time(NULL) >= end) {
				fprintf(stderr, "record: no end in %d s\n",
					seconds);
				return 1;
			}
			poll(&p, 1, 1000);
			continue;
		}
		if (n < 0) {
			/* ENOBUFS: the socket overran, records are gone */
			fprintf(stderr, "record: %m\n");
			return 1;
		}
		/* nlmsg_len is not to be trusted here, its length is */
		n -= NLMSG_HDRLEN;
		if (n < 0)
			continue;
		msg.text[n] = 0;
		write_record(out, msg.h.nlmsg_type, msg.text, n);
		if (msg.h.nlmsg_type == AUDIT_USER &&
		    strstr(msg.text, END_TEXT))
			return 0;
	}
}

static int run(const char *name, int seconds)
{
	static const int size = RECEIVE_BUFFER;
	static const struct sockaddr_nl group = {
		.nl_family = AF_NETLINK,
		.nl_groups = 1u << (AUDIT_NLGRP_READLOG - 1),
	};
	char ready[4096];
	int fd, ctl, status, sync[2];
	pid_t parent = getpid(), pid;
	FILE *out;

	prctl(PR_SET_NAME, "record");
	snprintf(ready, sizeof(ready), "%s.ready", name);
	unlink(ready);
	out = fopen(name, "we");
	if (!out)
		fail(name);
	setvbuf(out, NULL, _IOFBF, 1 << 20);
	if (pipe2(sync, O_CLOEXEC))
		fail("pipe");

	ctl = audit_open();
	task_never(ctl, AUDIT_ADD_RULE, "adding rule task,never");
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			exit(1);
		fd = audit_open();
		if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size,
			       sizeof(size)))
			fail("SO_RCVBUFFORCE");
		if (bind(fd, (const void *)&group, sizeof(group)))
			fail("audit multicast group");
		if (write(sync[1], "", 1) != 1)
			fail("pipe");
		close(sync[1]);
		status = record(fd, out, seconds);
		if (fclose(out))
			fail(name);
		exit(status);
	}
	task_never(ctl, AUDIT_DEL_RULE, "deleting rule task,never");
	if (pid < 0)
		fail("fork");
	close(ctl);
	close(sync[1]);
	if (read(sync[0], &status, 1) == 1)
		close(open(ready, O_CREAT | O_WRONLY, 0600));
	if (waitpid(pid, &status, 0) < 0)
		fail("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int mark(const char *text)
{
	int err = audit_request(audit_open(), AUDIT_USER, text,
				strlen(text) + 1);

	if (!err)
		return 0;
	errno = -err;
	fail("user message");
	return 1;
}

int main(int argc, char **argv)
{
	int seconds = 120;

	if (argc >= 2 && argc <= 3 && !strcmp(argv[1], "--mark"))
		return mark(argc == 3 ? argv[2] : "afp-end");
	if (argc == 4 && !strcmp(argv[1], "-t")) {
		seconds = atoi(argv[2]);
		argv += 2;
		argc -= 2;
	}
	if (argc == 2 && argv[1][0] != '-' && seconds > 0)
		return run(argv[1], seconds);
	fprintf(stderr,
		"usage: record [-t SECONDS] OUT\n"
		"       record --mark [TEXT]\n");
	return 2;
}
