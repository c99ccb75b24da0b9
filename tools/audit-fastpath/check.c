// SPDX-License-Identifier: GPL-2.0-only
/*
 * audit-fastpath check: what the module would do with rules.
 */
#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "rulesource.h"
#include "ruletext.h"
#include "util.h"

#define OBSTACLES_SHOWN	10
#define NAMES_SHOWN	6

struct options {
	int ignore;
	int loaded;
	int all;
	int json;
	const char *version;
	char *calls;		/* --syscall */
	int fail_warnings;
	int fail_limit;
	int fail_fewer[TASK_KINDS];	/* 0: not asked for */
	__u8 chosen[AFP_NR_MAX];
};

static int parse_fail_on(struct options *o, char *words)
{
	char *word, *save, *end;
	unsigned int task;

	for (word = strtok_r(words, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		size_t size = strcspn(word, "=");
		long number;

		if (!strcmp(word, "warnings")) {
			o->fail_warnings = 1;
			continue;
		}
		if (!strcmp(word, "limit")) {
			o->fail_limit = 1;
			continue;
		}
		for (task = 0; task < TASK_KINDS; task++)
			if (strlen(task_names[task]) == size &&
			    !strncmp(word, task_names[task], size))
				break;
		if (task == TASK_KINDS || word[size] != '=')
			return usage_error("--fail-on: '%s' is no condition; use warnings, limit, or daemon=N, root=N, user=N, admin=N",
					   word);
		number = strtol(word + size + 1, &end, 10);
		if (!isdigit(word[size + 1]) || *end || number < 1 || number > AFP_NR_MAX)
			return usage_error("--fail-on: '%s' needs a number of system calls, 1 to %u",
					   word, AFP_NR_MAX);
		o->fail_fewer[task] = number;
	}
	return 0;
}

static int parse_calls(struct options *o)
{
	char *word, *save, *end;

	for (word = strtok_r(o->calls, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		long nr = audit_name_to_syscall(word, audit_detect_machine());

		if (nr < 0 && isdigit(*word)) {
			nr = strtol(word, &end, 10);
			if (*end)
				nr = -1;
		}
		if (nr < 0 || nr >= AFP_NR_MAX)
			return usage_error("--syscall: '%s' is no system call of this machine; write a name or a number",
					   word);
		o->chosen[nr] = 1;
	}
	return 0;
}

static int parse(struct options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{ "ignore", no_argument, NULL, 'i' },
		{ "loaded", no_argument, NULL, 'l' },
		{ "kernel", required_argument, NULL, 'k' },
		{ "syscall", required_argument, NULL, 's' },
		{ "all", no_argument, NULL, 'a' },
		{ "fail-on", required_argument, NULL, 'f' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{}
	};
	int c, status;

	memset(o, 0, sizeof(*o));
	while ((c = getopt_long(argc, argv, "ih", options, NULL)) != -1)
		switch (c) {
		case 'i':
			o->ignore = 1;
			break;
		case 'l':
			o->loaded = 1;
			break;
		case 'k':
			o->version = optarg;
			break;
		case 's':
			o->calls = optarg;
			status = parse_calls(o);
			if (status)
				return status;
			break;
		case 'a':
			o->all = 1;
			break;
		case 'f':
			status = parse_fail_on(o, optarg);
			if (status)
				return status;
			break;
		case 'j':
			o->json = 1;
			break;
		case 'h':
			exit(command_help("check"));
		default:
			return usage_error("check does not know that option");
		}
	if (o->loaded && optind < argc)
		return usage_error("check takes files or --loaded, not both");
	if (!o->loaded && optind == argc)
		return usage_error("check needs rule files, or --loaded; try /etc/audit/rules.d");
	return 0;
}

/* Is this call to be shown? Those that all tasks skip tell nothing. */
static int shown(const struct analysis *a, const struct options *o, unsigned int nr)
{
	unsigned int task;

	if (o->calls)
		return o->chosen[nr];
	if (!a->classes.exists[nr])
		return 0;
	for (task = 0; task < TASK_KINDS; task++)
		if (a->outlook[task][nr] != AFP_OUTLOOK_SKIPS)
			return 1;
	return o->all;
}

static void print_counts(const struct analysis *a)
{
	unsigned int task;

	printf("%u rules, as on kernel %s: of %u system calls\n\n", a->rf->count,
	       classes_kernel_name(a->kernel), a->total);
	printf("%s%-28s %8s %8s %8s%s\n", colour("bold"), "for a task that is", "skips",
	       "decides", "walks", colour("end"));
	for (task = 0; task < TASK_KINDS; task++) {
		static const char *const whose[] = {
			[TASK_DAEMON] = "daemon (not root)",
			[TASK_ROOT] = "root (a service)",
			[TASK_USER] = "user (logged in)",
			[TASK_ADMIN] = "admin (root by sudo)",
		};

		printf("%-28s %8u %8u %8u\n", whose[task], a->counts[task][AFP_OUTLOOK_SKIPS],
		       a->counts[task][AFP_OUTLOOK_DECIDES], a->counts[task][AFP_OUTLOOK_WALKS]);
	}
	puts("\nskips: never filtered. decides: as arguments, result and files are. walks: always filtered.");
}

/* For any task. */
static int in_way_of(const struct obstacle *o, unsigned int nr)
{
	unsigned int task;

	for (task = 0; task < TASK_KINDS; task++)
		if (o->outlook[task][nr] != AFP_OUTLOOK_SKIPS)
			return 1;
	return 0;
}

static void print_obstacle(const struct analysis *a, const struct obstacle *o)
{
	char *where = rule_where(a->rf, o->rule), *text = ruletext(a->rf->rules[o->rule].data);
	unsigned int nr, count = 0;

	printf("%s#%u %s%s  in the way of %u calls of a daemon, %u of a user; alone of %u and %u\n",
	       colour("bold"), o->rule + 1, where, colour("end"), o->in_way[TASK_DAEMON],
	       o->in_way[TASK_USER], o->alone[TASK_DAEMON], o->alone[TASK_USER]);
	printf("    %s\n", text);
	for (nr = 0; nr < AFP_NR_MAX; nr++) {
		if (!a->classes.exists[nr] || !in_way_of(o, nr))
			continue;
		if (count < NAMES_SHOWN)
			printf("%s%s", count ? " " : "    ", call_name(nr));
		count++;
	}
	if (count > NAMES_SHOWN)
		printf(" and %u more", count - NAMES_SHOWN);
	puts(count ? "" : "    32-bit calls alone");
	free(where);
	free(text);
}

static void print_calls(const struct analysis *a, const struct options *o)
{
	unsigned int nr, i, task, many, lines = 0;

	for (nr = 0; nr < AFP_NR_MAX; nr++) {
		if (!shown(a, o, nr))
			continue;
		if (!lines++)
			printf("\n%s%-24s %-8s %-8s %-8s %-8s  rules in the way%s\n",
			       colour("bold"), "system call", "daemon", "root", "user", "admin",
			       colour("end"));
		printf("%-24s", call_name(nr));
		if (!a->classes.exists[nr]) {
			puts(" is no system call of this kernel");
			continue;
		}
		for (task = 0; task < TASK_KINDS; task++)
			printf(" %-8s", outlook_names[a->outlook[task][nr]]);
		for (i = 0, many = 0; i < a->obstacle_count; i++) {
			if (!in_way_of(&a->obstacles[i], nr))
				continue;
			if (many++ < NAMES_SHOWN)
				printf("%s#%u", many == 1 ? "  " : " ", a->obstacles[i].rule + 1);
		}
		if (many > NAMES_SHOWN)
			printf(" and %u more", many - NAMES_SHOWN);
		putchar('\n');
	}
}

static void print_people(const struct analysis *a, const struct options *o)
{
	unsigned int i;

	print_warnings(a);
	print_counts(a);
	print_calls(a, o);
	if (o->calls)
		return;
	if (a->obstacle_count)
		printf("\nRules in the way, worst first:\n");
	for (i = 0; i < a->obstacle_count && (i < OBSTACLES_SHOWN || o->all); i++)
		print_obstacle(a, &a->obstacles[i]);
	if (i < a->obstacle_count)
		printf("and %u more; --all shows them\n", a->obstacle_count - i);
}

static struct json_object *by_task(const unsigned int *numbers)
{
	struct json_object *object = json_object_new_object();
	unsigned int task;

	for (task = 0; task < TASK_KINDS; task++)
		json_put_number(object, task_names[task], numbers[task]);
	return object;
}

static void print_json(const struct analysis *a, const struct options *o,
		       struct json_object *failed)
{
	struct json_object *root = json_new("check"), *list, *one, *tasks, *rules;
	unsigned int task, nr, i;

	json_put_text(root, "kernel", classes_kernel_name(a->kernel));
	json_put_number(root, "rules", a->rf->count);
	json_put_number(root, "syscalls_total", a->total);
	json_put_bool(root, "limited", a->limited || a->too_many);
	json_put_number(root, "policy_bytes", a->policy_size);
	json_object_object_add(root, "errors", rule_errors_json(a->rf));
	json_object_object_add(root, "warnings", warnings_json(a));
	json_object_object_add(root, "failed", failed);

	tasks = json_object_new_object();
	for (task = 0; task < TASK_KINDS; task++) {
		one = json_object_new_object();
		for (i = 0; i <= AFP_OUTLOOK_WALKS; i++)
			json_put_number(one, outlook_names[i], a->counts[task][i]);
		json_object_object_add(tasks, task_names[task], one);
	}
	json_object_object_add(root, "tasks", tasks);

	list = json_object_new_array();
	for (nr = 0; nr < AFP_NR_MAX; nr++) {
		if (!shown(a, o, nr))
			continue;
		one = json_object_new_object();
		json_put_text(one, "name", call_name(nr));
		json_put_number(one, "nr", nr);
		for (task = 0; task < TASK_KINDS; task++)
			json_put_text(one, task_names[task], outlook_names[a->outlook[task][nr]]);
		rules = json_object_new_array();
		for (i = 0; i < a->obstacle_count; i++) {
			if (in_way_of(&a->obstacles[i], nr))
				json_object_array_add(rules, json_object_new_int64(
							      a->obstacles[i].rule + 1));
		}
		json_object_object_add(one, "rules", rules);
		json_object_array_add(list, one);
	}
	json_object_object_add(root, "syscalls", list);

	list = json_object_new_array();
	for (i = 0; i < a->obstacle_count; i++) {
		one = rule_json(a->rf, a->obstacles[i].rule);
		json_object_object_add(one, "in_way", by_task(a->obstacles[i].in_way));
		json_object_object_add(one, "walks", by_task(a->obstacles[i].walks));
		json_object_object_add(one, "alone", by_task(a->obstacles[i].alone));
		json_object_array_add(list, one);
	}
	json_object_object_add(root, "obstacles", list);
	json_print(root);
}

/* Add what --fail-on names and is so to @failed. */
static int judge(const struct analysis *a, const struct options *o, struct json_object *failed)
{
	unsigned int task;
	char *text;

	if (o->fail_warnings && a->warning_count)
		json_object_array_add(failed, json_object_new_string("warnings"));
	if (o->fail_limit && (a->limited || a->too_many))
		json_object_array_add(failed, json_object_new_string("limit"));
	for (task = 0; task < TASK_KINDS; task++) {
		if (a->counts[task][AFP_OUTLOOK_SKIPS] >= (unsigned int)o->fail_fewer[task])
			continue;
		text = xformat("%s=%d", task_names[task], o->fail_fewer[task]);
		json_object_array_add(failed, json_object_new_string(text));
		if (!o->json)
			complain("--fail-on=%s: %u system calls are skipped", text,
				 a->counts[task][AFP_OUTLOOK_SKIPS]);
		free(text);
	}
	return json_object_array_length(failed) ? EXIT_ERROR : EXIT_FINE;
}

int command_check(int argc, char **argv)
{
	struct json_object *failed;
	enum classes_kernel kernel;
	static struct analysis a;
	struct rulefile rf;
	struct options o;
	int status = parse(&o, argc, argv), i;

	if (status)
		return status;
	if (kernel_of(o.version, &kernel))
		return usage_error("--kernel: '%s' is no kernel version; write one such as 6.1",
				   o.version ? o.version : "the running one");
	rulefile_init(&rf);
	if (o.loaded && loaded_rules(&rf)) {
		rulefile_free(&rf);
		return EXIT_ERROR;
	}
	for (i = optind; i < argc; i++)
		rulefile_read(&rf, argv[i]);
	if (rf.error_count && (!o.json || !o.ignore))
		print_rule_errors(&rf);
	if (rf.error_count && !o.ignore) {
		complain("auditctl would refuse %u of it; with -i the rest is analysed",
			 rf.error_count);
		rulefile_free(&rf);
		return EXIT_ERROR;
	}
	analysis_make(&a, &rf, kernel);
	failed = json_object_new_array();
	status = judge(&a, &o, failed);
	if (o.json) {
		print_json(&a, &o, failed);
	} else {
		print_people(&a, &o);
		json_object_put(failed);
	}
	analysis_free(&a);
	rulefile_free(&rf);
	return status;
}
