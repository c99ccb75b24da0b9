// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: verify SEED FIRST SETS CALLS WORKLOAD
 *
 * Install one random rule set after the other and let tasks of many
 * identities make random calls under it, CALLS of them for each set; under
 * every WORKLOADth set (0: none) the workload of the equality test runs too.
 * Half of the time the calls have begun when the rules come, and the rules of
 * the set before are still there. The module counts and compares.
 *
 * The sets are numbers FIRST to FIRST + SETS - 1 of SEED: a set is the same
 * whichever is the first. Uses /vf and /eq. A line for each set, the last one
 * is the total. Stops at the first set after which the module is not active
 * or has found a mismatch; status 1 then, 3 if something else is wrong.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "verify.h"

#define SYSFS		"/sys/kernel/audit_fastpath/"
#define CALLS_DIR	"/vf"
#define WORKLOAD_DIR	"/eq"
#define PATIENCE	30	/* seconds, for the module to follow */

struct command {
	unsigned int set;
	long calls;
	int quiet;
};

struct counts {
	long long checked, mismatches, skipped, walked, recorded;
	long long no_policy, forced;
};

/* A set that is installed, and what the kernel said of each rule. */
struct set {
	unsigned int number;
	int count, refused, counted;
	struct rule rules[MAX_RULES + 1];
	int installed[MAX_RULES + 1];
};

static uint64_t seed;
static struct caller callers[CALLERS];
static int command_fd[CALLERS], answer_fd, audit_fd;

static void die(const char *what)
{
	fprintf(stderr, "verify: %s: %m\n", what);
	exit(3);
}

/* --- what the module says --- */

static int read_text(const char *name, char *text, size_t size)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, text, size - 1);
	close(fd);
	if (n < 0)
		return -1;
	text[n] = 0;
	text[strcspn(text, "\n")] = 0;
	return 0;
}

static long long number(const char *name)
{
	char text[32];

	if (read_text(name, text, sizeof(text)))
		die(name);
	return atoll(text);
}

static int is_active(void)
{
	char text[32];

	if (read_text(SYSFS "state", text, sizeof(text)))
		die("state");
	return !strcmp(text, "active");
}

/* How often the kernel has written a record of a call, if it is probed. */
static long long recorded(void)
{
	FILE *file = fopen("/sys/kernel/tracing/kprobe_profile", "re");
	long long hits = 0;

	if (!file)
		return 0;
	if (fscanf(file, " afp_recorded %lld", &hits) != 1)
		hits = 0;
	fclose(file);
	return hits;
}

static struct counts count(void)
{
	return (struct counts){
		.checked = number(SYSFS "selfcheck/checked"),
		.mismatches = number(SYSFS "selfcheck/mismatches"),
		.skipped = number(SYSFS "stats/skipped"),
		.walked = number(SYSFS "stats/walked"),
		.no_policy = number(SYSFS "stats/walked_policy"),
		.forced = number(SYSFS "stats/walked_forced"),
		.recorded = recorded(),
	};
}

static struct counts between(const struct counts *from,
			     const struct counts *to)
{
	return (struct counts){
		.checked = to->checked - from->checked,
		.mismatches = to->mismatches - from->mismatches,
		.skipped = to->skipped - from->skipped,
		.walked = to->walked - from->walked,
		.no_policy = to->no_policy - from->no_policy,
		.forced = to->forced - from->forced,
		.recorded = to->recorded - from->recorded,
	};
}

/* --- rules --- */

/* Return: 0 or a negative errno, the kernel's answer. */
static int request(int type, const struct rule *rule)
{
	static const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	static struct {
		struct nlmsghdr h;
		struct rule rule;
	} msg;
	static struct {
		struct nlmsghdr h;
		struct nlmsgerr e;
		char rest[4096];
	} ack;
	size_t len = sizeof(rule->data) + rule->data.buflen;

	memcpy(&msg.rule, rule, len);
	if (type == AUDIT_DEL_RULE)
		msg.rule.data.flags &= ~AUDIT_FILTER_PREPEND;
	msg.h.nlmsg_type = type;
	msg.h.nlmsg_len = NLMSG_LENGTH(len);
	msg.h.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	msg.h.nlmsg_seq++;
	if (sendto(audit_fd, &msg, msg.h.nlmsg_len, 0, (void *)&kernel,
		   sizeof(kernel)) < 0)
		die("audit request");
	do {
		if (recv(audit_fd, &ack, sizeof(ack), 0) < 0)
			die("audit answer");
	} while (ack.h.nlmsg_type != NLMSG_ERROR ||
		 ack.h.nlmsg_seq != msg.h.nlmsg_seq);
	return ack.e.error;
}

/* Is it among those that a policy is made of? Others may share a bucket. */
static int is_counted(const struct rule *rule)
{
	uint32_t i, list = rule->data.flags & ~AUDIT_FILTER_PREPEND;

	if (list == AUDIT_FILTER_EXIT)
		return 1;
	for (i = 0; list == AUDIT_FILTER_URING_EXIT &&
	     i < rule->data.field_count; i++) {
		if (rule->data.fields[i] == AUDIT_WATCH)
			return 1;
		if (rule->data.fields[i] == AUDIT_INODE &&
		    rule->data.fieldflags[i] == AUDIT_EQUAL)
			return 1;
	}
	return 0;
}

/* A record that is not written is cheap; what filters do stays the same. */
static void exclude_calls(struct rule *rule)
{
	memset(rule, 0, sizeof(*rule));
	rule->data.flags = AUDIT_FILTER_EXCLUDE;
	rule->data.action = AUDIT_ALWAYS;
	rule->data.fields[0] = AUDIT_MSGTYPE;
	rule->data.fieldflags[0] = AUDIT_EQUAL;
	rule->data.values[0] = AUDIT_SYSCALL;
	rule->data.field_count = 1;
}

static void install(struct set *set)
{
	int i, err;

	set->refused = set->counted = 0;
	for (i = 0; i < set->count; i++) {
		err = request(AUDIT_ADD_RULE, &set->rules[i]);
		set->installed[i] = !err;
		set->refused += !!err;
		set->counted += !err && is_counted(&set->rules[i]);
	}
}

/* Some have gone with their directory. */
static void uninstall(struct set *set)
{
	int i, err;

	for (i = 0; i < set->count; i++) {
		if (!set->installed[i])
			continue;
		err = request(AUDIT_DEL_RULE, &set->rules[i]);
		if (!err || err == -ENOENT)
			continue;
		errno = -err;
		die("a rule cannot be deleted");
	}
	set->count = 0;
}

static void generate(struct set *set, unsigned int number)
{
	set->number = number;
	set->count = rules_make(seed, number, callers, WORKLOAD_DIR,
				set->rules);
	if (number % 8)
		exclude_calls(&set->rules[set->count++]);
}

/* Wait for the policy to be that of the set, which nobody changes now. */
static int followed(const struct set *set)
{
	static const struct timespec wait = { 0, 20000000 };
	time_t end = time(NULL) + PATIENCE;

	while (set->counted) {
		if (is_active() &&
		    number(SYSFS "policy/rules") == set->counted)
			return 1;
		if (time(NULL) > end)
			return 0;
		nanosleep(&wait, NULL);
	}
	return 1;
}

/* --- callers --- */

static void serve(int who, int in, int out)
{
	struct command command;
	struct rng rng;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	calls_become(&identities[who]);
	/* A change of identity has taken that back. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (write(out, "", 1) == 1 &&
	       read(in, &command, sizeof(command)) == sizeof(command)) {
		rng = rng_seeded(seed, command.set, 16 + who);
		calls_make(&rng, command.calls, command.quiet);
	}
	exit(0);
}

static void wait_callers(void)
{
	char byte;
	int i;

	for (i = 0; i < CALLERS; i++)
		if (read(answer_fd, &byte, 1) != 1)
			die("a caller has died");
}

static void start_callers(void)
{
	int answers[2], commands[2], i;
	char name[64];

	if (pipe2(answers, O_CLOEXEC))
		die("pipe");
	for (i = 0; i < CALLERS; i++) {
		if (pipe2(commands, O_CLOEXEC))
			die("pipe");
		callers[i].pid = fork();
		if (!callers[i].pid)
			serve(i, commands[0], answers[1]);
		close(commands[0]);
		command_fd[i] = commands[1];
	}
	close(answers[1]);
	answer_fd = answers[0];
	wait_callers();
	for (i = 0; i < CALLERS; i++) {
		snprintf(name, sizeof(name), "/proc/%u/sessionid",
			 callers[i].pid);
		callers[i].session = number(name);
	}
}

static void tell_callers(unsigned int set, long calls, int quiet)
{
	struct command command = { set, calls / CALLERS, quiet };
	int i;

	for (i = 0; i < CALLERS; i++)
		if (write(command_fd[i], &command, sizeof(command)) !=
		    sizeof(command))
			die("a caller has died");
}

/* --- sets --- */

static void prepare_workload(void)
{
	umount2(WORKLOAD_DIR, 0);
	if (mount("equality", WORKLOAD_DIR, "tmpfs", 0, NULL))
		die(WORKLOAD_DIR);
	if (system("workload --prepare " WORKLOAD_DIR))
		die("workload --prepare");
}

static void run_workload(void)
{
	if (system("workload " WORKLOAD_DIR " >/dev/null"))
		die("workload");
}

static void print_counts(const struct counts *c, const char *more)
{
	long long calls = c->skipped + c->walked;

	printf("%lld checked, %lld mismatches, %lld calls, %.1f %% to skip, %.1f %% without a policy, %.1f %% forced, %lld recorded%s\n",
	       c->checked, c->mismatches, calls,
	       100. * c->checked / (calls + 1e-9),
	       100. * c->no_policy / (calls + 1e-9),
	       100. * c->forced / (calls + 1e-9), c->recorded, more);
	fflush(stdout);
}

static int run_set(struct set *set, struct set *before, long calls,
		   int workload)
{
	struct counts from, to, gone;
	/*
	 * While watches move, decisions about inodes are not compared: see that
	 * none does, and has for a while.
	 */
	static const struct timespec still = { 1, 200000000 };
	int early, quiet, good = 1;

	/* The files have to be there when they are to be watched. */
	calls_restore();
	if (workload)
		prepare_workload();
	generate(set, set->number);
	early = set->number % 2;
	quiet = !early && !workload && set->number % 4 == 2;
	from = count();
	if (early)
		tell_callers(set->number, calls, 0);
	else
		uninstall(before);
	install(set);
	uninstall(before);
	if (!early) {
		good = followed(set);
		if (quiet)
			nanosleep(&still, NULL);
		tell_callers(set->number, calls, quiet);
	}
	if (workload)
		run_workload();
	wait_callers();
	to = count();
	gone = between(&from, &to);
	printf("set %u: %d rules, %d refused: ", set->number, set->count,
	       set->refused);
	print_counts(&gone, quiet ? ", no watch moves" :
		     early ? ", rules came late" :
		     workload ? ", with the workload" : "");
	if (!good)
		printf("set %u: no policy of its %d rules in %d s\n",
		       set->number, set->counted, PATIENCE);
	return good && !to.mismatches;
}

int main(int argc, char **argv)
{
	static struct set sets[2];
	unsigned int first, i, n;
	struct counts from, to, gone;
	int every, good = 1, rules = 0, refused = 0;
	long calls;

	if (argc != 6) {
		fprintf(stderr,
			"usage: verify SEED FIRST SETS CALLS WORKLOAD\n");
		return 2;
	}
	seed = strtoull(argv[1], NULL, 0);
	first = atoi(argv[2]);
	n = atoi(argv[3]);
	calls = atol(argv[4]);
	every = atoi(argv[5]);

	signal(SIGPIPE, SIG_IGN);
	audit_fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_AUDIT);
	if (audit_fd < 0)
		die("audit socket");
	calls_init(CALLS_DIR);
	calls_restore();
	prepare_workload();
	start_callers();

	from = count();
	for (i = 0; good && i < n; i++) {
		struct set *set = &sets[i % 2];

		set->number = first + i;
		good = run_set(set, &sets[(i + 1) % 2], calls,
			       every && (first + i) % every == 0);
		rules += set->count;
		refused += set->refused;
	}
	to = count();
	gone = between(&from, &to);
	printf("total: %u sets, %d rules, %d refused: ", i, rules, refused);
	print_counts(&gone, "");
	/* Whoever looks for a mistake wants to see the rules. */
	if (good)
		uninstall(&sets[(i + 1) % 2]);
	return !good;
}
