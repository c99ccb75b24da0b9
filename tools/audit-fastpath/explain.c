// SPDX-License-Identifier: GPL-2.0-only
/*
 * audit-fastpath explain: each rule, where it sits, and what it costs.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "rulesource.h"
#include "ruletext.h"
#include "util.h"

#define NAMES_SHOWN	8

/* Tests that cost next to nothing: known when the call begins or ends. */
static const char *cheap_test(unsigned int type)
{
	switch (type) {
	case AFP_F_ARCH:
	case AFP_F_PERM:
	case AFP_F_PID:
	case AFP_F_UID:
	case AFP_F_EUID:
	case AFP_F_SUID:
	case AFP_F_FSUID:
	case AFP_F_GID:
	case AFP_F_EGID:
	case AFP_F_SGID:
	case AFP_F_FSGID:
	case AFP_F_LOGINUID:
	case AFP_F_LOGINUID_SET:
	case AFP_F_SESSIONID:
	case AFP_F_PERS:
	case AFP_F_EXIT:
	case AFP_F_SUCCESS:
	case AFP_F_ARG0:
	case AFP_F_ARG1:
	case AFP_F_ARG2:
	case AFP_F_ARG3:
		return audit_field_to_name(type == AFP_F_LOGINUID_SET ? AFP_F_LOGINUID : type);
	case AFP_F_WATCH:
	case AFP_F_DIR:
	case AFP_F_INODE:
	case AFP_F_DEVMAJOR:
	case AFP_F_DEVMINOR:
	case AFP_F_OBJ_UID:
	case AFP_F_OBJ_GID:
		return "names";
	default:
		return NULL;
	}
}

/* In which numbers of a table it stands: those that are no calls do not count. */
static unsigned int effective(const struct analysis *a, const struct audit_rule_data *data,
			      enum afp_abi abi)
{
	unsigned int nr, i, count = 0;

	for (i = 0; i < data->field_count; i++) {
		const struct afp_field field = rule_field(data, i);

		if (field.type == AFP_F_ARCH && field.op == AFP_OP_EQ &&
		    field.val != a->classes.arch[abi])
			return 0;
	}
	for (nr = 0; nr < AFP_NR_MAX; nr++)
		count += (abi == AFP_ABI_COMPAT || a->classes.exists[nr]) &&
			 (data->mask[nr / 32] >> (nr % 32) & 1);
	return count;
}

static const char *place_name(const struct audit_rule_data *data)
{
	switch (rule_place(data)) {
	case RULE_EXIT:
		return "exit list";
	case RULE_INODE:
		return "inode hash";
	default:
		return ruletext_list(data);
	}
}

static const char *cost_of(const struct audit_rule_data *data)
{
	switch (rule_place(data)) {
	case RULE_EXIT:
		return "each audited call pays for it; with the module only calls that it may match";
	case RULE_INODE:
		return "a call pays for it if it has a name in its hash bucket";
	default:
		return "no system call's exit pays for it";
	}
}

static struct json_object *tests_json(const struct audit_rule_data *data)
{
	struct json_object *list = json_object_new_array();
	unsigned int i, k;

	for (i = 0; i < data->field_count; i++) {
		const char *test = cheap_test(rule_field(data, i).type);
		int known = !test;

		for (k = 0; k < json_object_array_length(list) && !known; k++)
			known = !strcmp(json_object_get_string(json_object_array_get_idx(list, k)),
					test);
		if (!known)
			json_object_array_add(list, json_object_new_string(test));
	}
	return list;
}

static const struct obstacle *obstacle_of(const struct analysis *a, unsigned int rule)
{
	unsigned int i;

	for (i = 0; i < a->obstacle_count; i++)
		if (a->obstacles[i].rule == rule)
			return &a->obstacles[i];
	return NULL;
}

static struct json_object *explain_json(const struct analysis *a, unsigned int rule)
{
	const struct audit_rule_data *data = a->rf->rules[rule].data;
	const struct obstacle *o = obstacle_of(a, rule);
	struct json_object *one = rule_json(a->rf, rule), *list, *in_way;
	unsigned int task, nr;

	json_put_text(one, "place", place_name(data));
	json_put_text(one, "cost", cost_of(data));
	json_put_number(one, "syscalls", effective(a, data, AFP_ABI_NATIVE));
	json_put_number(one, "numbers_32bit", effective(a, data, AFP_ABI_COMPAT));
	json_object_object_add(one, "cheap_tests", tests_json(data));
	in_way = json_object_new_object();
	for (task = 0; task < TASK_KINDS; task++) {
		list = json_object_new_array();
		for (nr = 0; o && nr < AFP_NR_MAX; nr++)
			if (a->classes.exists[nr] && o->outlook[task][nr] != AFP_OUTLOOK_SKIPS)
				json_object_array_add(list, json_object_new_string(call_name(nr)));
		json_object_object_add(in_way, task_names[task], list);
	}
	json_object_object_add(one, "in_way", in_way);
	return one;
}

static void print_words(struct json_object *list, unsigned int most, const char *none)
{
	unsigned int count = json_object_array_length(list), i;

	if (!count)
		fputs(none, stdout);
	for (i = 0; i < count && i < most; i++)
		printf("%s%s", i ? " " : "",
		       json_object_get_string(json_object_array_get_idx(list, i)));
	if (count > most)
		printf(" and %u more", count - most);
	putchar('\n');
}

static void print_rule(const struct analysis *a, unsigned int rule)
{
	struct json_object *one = explain_json(a, rule), *in_way, *list;
	char *where = rule_where(a->rf, rule);
	unsigned int task;

	printf("%s#%u %s%s  %s\n", colour("bold"), rule + 1, where, colour("end"),
	       json_object_get_string(json_object_object_get(one, "text")));
	printf("    %s: %s\n", json_object_get_string(json_object_object_get(one, "place")),
	       json_object_get_string(json_object_object_get(one, "cost")));
	if (rule_place(a->rf->rules[rule].data) != RULE_ELSEWHERE) {
		printf("    stands in %lld system calls and %lld numbers of 32-bit calls; cheap tests: ",
		       (long long)json_object_get_int64(json_object_object_get(one, "syscalls")),
		       (long long)json_object_get_int64(json_object_object_get(one,
									       "numbers_32bit")));
		print_words(json_object_object_get(one, "cheap_tests"), 20, "none");
		if (a->rf->rules[rule].data->action != AUDIT_ALWAYS)
			puts("    never asks for a record: stands in no call's way");
		in_way = json_object_object_get(one, "in_way");
		for (task = 0; task < TASK_KINDS &&
			       a->rf->rules[rule].data->action == AUDIT_ALWAYS; task++) {
			list = json_object_object_get(in_way, task_names[task]);
			printf("    in the way, %-6s ", task_names[task]);
			print_words(list, NAMES_SHOWN, "no call");
		}
	}
	json_object_put(one);
	free(where);
}

int command_explain(int argc, char **argv)
{
	static const struct option options[] = {
		{ "ignore", no_argument, NULL, 'i' },
		{ "loaded", no_argument, NULL, 'l' },
		{ "kernel", required_argument, NULL, 'k' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{}
	};
	struct json_object *root, *list;
	const char *version = NULL;
	enum classes_kernel kernel;
	static struct analysis a;
	struct rulefile rf;
	int c, file, json = 0, ignore = 0, loaded = 0;
	unsigned int i;

	while ((c = getopt_long(argc, argv, "ih", options, NULL)) != -1)
		switch (c) {
		case 'i':
			ignore = 1;
			break;
		case 'l':
			loaded = 1;
			break;
		case 'k':
			version = optarg;
			break;
		case 'j':
			json = 1;
			break;
		case 'h':
			return command_help("explain");
		default:
			return usage_error("explain does not know that option");
		}
	if (loaded && optind < argc)
		return usage_error("explain takes files or --loaded, not both");
	if (kernel_of(version, &kernel))
		return usage_error("--kernel: '%s' is no kernel version; write one such as 6.1",
				   version ? version : "the running one");
	rulefile_init(&rf);
	if (optind == argc && loaded_rules(&rf)) {
		rulefile_free(&rf);
		return EXIT_ERROR;
	}
	/* Reading rules moves optind. */
	for (file = optind; file < argc; file++)
		rulefile_read(&rf, argv[file]);
	if (rf.error_count && (!json || !ignore))
		print_rule_errors(&rf);
	if (rf.error_count && !ignore) {
		complain("auditctl would refuse %u of it; with -i the rest is explained",
			 rf.error_count);
		rulefile_free(&rf);
		return EXIT_ERROR;
	}
	analysis_make(&a, &rf, kernel);
	if (json) {
		root = json_new("explain");
		json_put_text(root, "kernel", classes_kernel_name(kernel));
		json_object_object_add(root, "errors", rule_errors_json(&rf));
		json_object_object_add(root, "warnings", warnings_json(&a));
		list = json_object_new_array();
		for (i = 0; i < rf.count; i++)
			json_object_array_add(list, explain_json(&a, i));
		json_object_object_add(root, "rules", list);
		json_print(root);
	} else {
		print_warnings(&a);
		for (i = 0; i < rf.count; i++)
			print_rule(&a, i);
		if (!rf.count)
			puts("No rules.");
	}
	analysis_free(&a);
	rulefile_free(&rf);
	return EXIT_FINE;
}
