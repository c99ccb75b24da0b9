// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the module would make of rules; see analysis.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "analysis.h"
#include "util.h"

#ifndef AUDIT_FILTER_URING_EXIT
#define AUDIT_FILTER_URING_EXIT	7
#endif

#define UNSET	((__u32)-1)

const char *const task_names[TASK_KINDS] = { "daemon", "root", "user", "admin" };
const char *const outlook_names[] = { "skips", "decides", "walks" };

static const struct afp_task tasks[TASK_KINDS] = {
	[TASK_DAEMON] = { 998, UNSET, UNSET },
	[TASK_ROOT] = { 0, UNSET, UNSET },
	[TASK_USER] = { 1000, 1000, 1 },
	[TASK_ADMIN] = { 0, 1000, 1 },
};

int kernel_of(const char *version, enum classes_kernel *kernel)
{
	unsigned int major, minor;
	struct utsname name;

	if (!version) {
		if (uname(&name))
			return -1;
		version = name.release;
	}
	if (sscanf(version, "%u.%u", &major, &minor) != 2)
		return -1;
	*kernel = classes_kernel_of(major, minor);
	return 0;
}

static const char *name_of(unsigned int nr, int machine)
{
	const char *name = audit_syscall_to_name(nr, machine);
	static char number[16];

	if (name)
		return name;
	snprintf(number, sizeof(number), "%u", nr);
	return number;
}

const char *call_name(unsigned int nr)
{
	return name_of(nr, audit_detect_machine());
}

const char *call_name_compat(unsigned int nr)
{
	switch (audit_detect_machine()) {
	case MACH_86_64:
		return name_of(nr, MACH_X86);
	case MACH_AARCH64:
		return name_of(nr, MACH_ARM);
	default:
		return name_of(nr, -1);
	}
}

static void __attribute__((format(printf, 5, 6)))
warn(struct analysis *a, const char *id, int grave, int rule, const char *format, ...)
{
	struct warning *warning;
	unsigned int at;
	va_list args;

	a->warnings = xresize(a->warnings, (a->warning_count + 1) * sizeof(*a->warnings));
	for (at = a->warning_count; grave && at && !a->warnings[at - 1].grave; at--)
		a->warnings[at] = a->warnings[at - 1];
	a->warning_count++;
	warning = &a->warnings[at];
	warning->id = id;
	warning->grave = grave;
	warning->rule = rule;
	va_start(args, format);
	if (vasprintf(&warning->text, format, args) < 0)
		abort();
	va_end(args);
}

/* Does a rule without other conditions than message types hold for this one? */
static int drops(const struct audit_rule_data *data, unsigned int type)
{
	unsigned int i, value;
	int holds;

	for (i = 0; i < data->field_count; i++) {
		if (data->fields[i] == AUDIT_FILTERKEY)
			continue;
		if (data->fields[i] != AUDIT_MSGTYPE)
			return 0;
		value = data->values[i];
		switch (data->fieldflags[i] & AUDIT_OPERATORS) {
		case AUDIT_EQUAL:
			holds = type == value;
			break;
		case AUDIT_NOT_EQUAL:
			holds = type != value;
			break;
		case AUDIT_LESS_THAN:
			holds = type < value;
			break;
		case AUDIT_LESS_THAN_OR_EQUAL:
			holds = type <= value;
			break;
		case AUDIT_GREATER_THAN:
			holds = type > value;
			break;
		case AUDIT_GREATER_THAN_OR_EQUAL:
			holds = type >= value;
			break;
		default:
			holds = 0;
		}
		if (!holds)
			return 0;
	}
	return 1;
}

static void warn_of_rule(struct analysis *a, int i)
{
	static const unsigned int all[] = {
		AUDIT_SYSCALL, AUDIT_PATH, AUDIT_CWD, AUDIT_EXECVE, AUDIT_PROCTITLE,
	};
	const struct audit_rule_data *data = a->rf->rules[i].data;
	unsigned int dropped = 0, k;

	if (data->flags == AUDIT_FILTER_TASK && data->action == AUDIT_NEVER) {
		if (!data->field_count)
			warn(a, "task-never", 1, i,
			     "no task that starts after it is audited: no rule on system calls or files records anything of it; remove it");
		else
			warn(a, "task-never-some", 0, i,
			     "no rule on system calls or files records anything of the tasks that it names");
	}
	if (data->flags == AUDIT_FILTER_EXCLUDE) {
		for (k = 0; k < sizeof(all) / sizeof(*all); k++)
			dropped += drops(data, all[k]);
		if (dropped == k)
			warn(a, "exclude-all", 1, i,
			     "drops all records of system calls and files; remove it");
		else if (drops(data, AUDIT_SYSCALL))
			warn(a, "exclude-syscall", 1, i,
			     "drops all SYSCALL records: who did what, and by which rule; remove it");
	}
	if (a->rf->rules[i].no_arch)
		warn(a, "no-arch", 0, i,
		     "names system calls without arch: in 32-bit programs the numbers are those of other calls; write -F arch=b64, and a second rule with b32");
}

static void find_warnings(struct analysis *a)
{
	const struct rulefile *rf = a->rf;
	unsigned int i;

	for (i = 0; i < rf->count; i++)
		warn_of_rule(a, i);
	if (!rf->enabled)
		warn(a, "audit-off", 1, -1, "-e 0 switches audit off: nothing is recorded");
	if (rf->lock_file)
		warn(a, "after-lock", 1, -1,
		     "%s:%u: -e 2 locks the rules, and those that follow are refused; put it last",
		     rf->lock_file, rf->lock_line);
	if (a->too_many)
		warn(a, "limit", 0, -1,
		     "%u rules are more than a policy holds (%u): every call walks them all",
		     a->set.count, AFP_RULES_MAX);
	else if (a->limited)
		warn(a, "limit", 0, -1,
		     "a limit of the policy is reached: some calls walk all rules");
	if (a->set.uring)
		warn(a, "io_uring", 0, -1,
		     "with a rule on the list io_uring levels collect and entry act as filter");
}

static void ask(const struct afp_policy *policy, const struct afp_classes *classes,
		__u8 outlook[TASK_KINDS][AFP_PAIRS])
{
	__u32 pair, task;

	for (task = 0; task < TASK_KINDS; task++)
		for (pair = 0; pair < AFP_PAIRS; pair++)
			if (pair >= AFP_NR_MAX || classes->exists[pair])
				outlook[task][pair] =
					afp_policy_outlook(policy, pair, &tasks[task]);
}

/* Among rules of which each stands in the way: the one that does so for most calls. */
static int worse(const void *one, const void *other)
{
	const struct obstacle *a = one, *b = other;
	unsigned int weight[2][3] = {};
	int task, i;

	for (task = 0; task < TASK_KINDS; task++) {
		weight[0][0] += a->in_way[task];
		weight[0][1] += a->walks[task];
		weight[0][2] += a->alone[task];
		weight[1][0] += b->in_way[task];
		weight[1][1] += b->walks[task];
		weight[1][2] += b->alone[task];
	}
	for (i = 0; i < 3; i++)
		if (weight[0][i] != weight[1][i])
			return weight[0][i] < weight[1][i] ? 1 : -1;
	return a->rule < b->rule ? -1 : a->rule > b->rule;
}

/* How many rules stand in the way of each call, and then: who does so alone. */
static void count_obstacles(struct analysis *a)
{
	unsigned int task, nr, i;

	for (task = 0; task < TASK_KINDS; task++)
		for (nr = 0; nr < AFP_NR_MAX; nr++) {
			struct obstacle *last = NULL;
			unsigned int many = 0;

			if (!a->classes.exists[nr])
				continue;
			for (i = 0; i < a->obstacle_count; i++) {
				struct obstacle *o = &a->obstacles[i];

				if (o->outlook[task][nr] == AFP_OUTLOOK_SKIPS)
					continue;
				many++;
				last = o;
				o->in_way[task]++;
				o->walks[task] += o->outlook[task][nr] == AFP_OUTLOOK_WALKS;
			}
			if (many == 1)
				last->alone[task]++;
		}
}

static void find_obstacles(struct analysis *a, struct afp_policy *policy, void *scratch)
{
	struct obstacle *o;
	unsigned int i, pair, task, any;

	a->obstacles = xalloc((a->set.count + 1) * sizeof(*a->obstacles));
	for (i = 0; i < a->set.count; i++) {
		if (!a->set.rules[i].always)
			continue;
		if (afp_compile(&a->set.rules[i], 1, &a->classes, policy, scratch))
			abort();
		o = &a->obstacles[a->obstacle_count];
		memset(o, 0, sizeof(*o));
		o->rule = a->set.from[i];
		ask(policy, &a->classes, o->outlook);
		for (task = 0, any = 0; task < TASK_KINDS; task++)
			for (pair = 0; pair < AFP_PAIRS; pair++)
				any |= o->outlook[task][pair];
		a->obstacle_count += !!any;
	}
	count_obstacles(a);
	qsort(a->obstacles, a->obstacle_count, sizeof(*a->obstacles), worse);
}

void analysis_make(struct analysis *a, const struct rulefile *rf, enum classes_kernel kernel)
{
	struct afp_policy *policy;
	unsigned int task, nr, count;
	void *scratch;

	memset(a, 0, sizeof(*a));
	a->rf = rf;
	a->kernel = kernel;
	classes_fill(kernel, &a->classes);
	ruleset_build(&a->set, rf);
	a->too_many = a->set.count > AFP_RULES_MAX;
	count = a->too_many ? 1 : a->set.count + 1;
	policy = xalloc(afp_policy_size(count));
	scratch = xalloc(afp_scratch_size(count));

	if (a->too_many) {
		memset(a->outlook, AFP_OUTLOOK_WALKS, sizeof(a->outlook));
	} else {
		if (afp_compile(a->set.rules, a->set.count, &a->classes, policy, scratch))
			abort();
		a->limited = policy->limited;
		a->policy_size = policy->size;
		ask(policy, &a->classes, a->outlook);
	}
	for (nr = 0; nr < AFP_NR_MAX; nr++) {
		if (!a->classes.exists[nr])
			continue;
		a->total++;
		for (task = 0; task < TASK_KINDS; task++)
			a->counts[task][a->outlook[task][nr]]++;
	}
	find_obstacles(a, policy, scratch);
	find_warnings(a);
	free(scratch);
	free(policy);
}

void analysis_free(struct analysis *a)
{
	while (a->warning_count)
		free(a->warnings[--a->warning_count].text);
	free(a->warnings);
	free(a->obstacles);
	ruleset_free(&a->set);
	memset(a, 0, sizeof(*a));
}
