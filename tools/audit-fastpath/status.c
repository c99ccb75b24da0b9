// SPDX-License-Identifier: GPL-2.0-only
/*
 * audit-fastpath status: what the module does at this moment, on one screen.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit_fastpath/version.h"
#include "commands.h"
#include "module.h"
#include "rulesource.h"
#include "util.h"

static const char *const parameters[] = { "level", "idle", "repair", "names", "sample", "backend" };
#define PARAMETERS	(sizeof(parameters) / sizeof(*parameters))

static double percent(unsigned long long part, unsigned long long whole)
{
	return whole ? 100.0 * part / whole : 0;
}

static void put_file(struct json_object *object, const char *name, const char *file)
{
	char *text = module_file(file);

	json_put_text(object, name, text);
	free(text);
}

static struct json_object *numbers(const char *const *names, const char *folder)
{
	struct json_object *object = json_object_new_object();
	char *path;

	for (; *names; names++) {
		path = xformat("%s/%s", folder, *names);
		json_put_number(object, *names, module_number(path));
		free(path);
	}
	return object;
}

static void print_json(const struct analysis *a)
{
	static const char *const policy[] = {
		"generation", "rules", "syscalls_total", "syscalls_skippable",
		"syscalls_skippable_user", "build_ns", NULL
	};
	static const char *const accounting[] = {
		"kernel_rules", "actual_rules", "kernel_signals", "actual_signals", "stale",
		"repaired", NULL
	};
	struct json_object *root = json_new("status"), *object;
	int loaded = module_loaded();
	struct module_stats stats;
	unsigned int i;
	char *text;

	json_put_bool(root, "loaded", loaded);
	json_put_text(root, "tool_version", AFP_VERSION);
	json_object_object_add(root, "warnings",
			       a ? warnings_json(a) : json_object_new_array());
	json_put_bool(root, "rules_read", !!a);
	if (loaded && !module_stats(&stats)) {
		text = module_version();
		json_put_text(root, "version", text);
		free(text);
		put_file(root, "state", "state");
		put_file(root, "reason", "reason");
		put_file(root, "backend", "backend");
		object = json_object_new_object();
		for (i = 0; i < PARAMETERS; i++) {
			text = module_parameter(parameters[i]);
			json_put_text(object, parameters[i], text);
			free(text);
		}
		json_object_object_add(root, "parameters", object);
		json_object_object_add(root, "policy", numbers(policy, "policy"));
		json_object_object_add(root, "accounting", numbers(accounting, "accounting"));
		object = json_object_new_object();
		json_put_number(object, "calls", stats.calls);
		json_put_number(object, "skipped", stats.skipped);
		json_put_number(object, "walked", stats.walked);
		for (i = 0; i < MODULE_REASONS; i++) {
			text = xformat("walked_%s", module_reasons[i]);
			json_put_number(object, text, stats.reasons[i]);
			free(text);
		}
		json_object_object_add(root, "stats", object);
		object = json_object_new_object();
		json_put_number(object, "checked", stats.checked);
		json_put_number(object, "mismatches", stats.mismatches);
		json_object_object_add(root, "selfcheck", object);
	}
	json_print(root);
}

static void line(const char *name, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void line(const char *name, const char *format, ...)
{
	va_list args;

	printf("%-11s ", name);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

static void print_reasons(const struct module_stats *stats)
{
	unsigned int i, any = 0;

	for (i = 0; i < MODULE_REASONS; i++)
		if (stats->reasons[i])
			printf("%s%s %llu", any++ ? ", " : "            walked for: ",
			       module_reasons[i], stats->reasons[i]);
	if (any)
		putchar('\n');
}

static void print_people(const struct analysis *a)
{
	char *state = module_file("state"), *reason = module_file("reason");
	char *version = module_version(), *backend = module_file("backend");
	char *value[PARAMETERS], *holders = module_file("holders");
	struct module_stats stats;
	unsigned int i;

	for (i = 0; i < PARAMETERS; i++)
		value[i] = module_parameter(parameters[i]);
	module_stats(&stats);
	if (module_exit_code() == EXIT_NOT_WORKING)
		printf("%sWARNING:%s the module is %s: %s\n\n", colour("bad"), colour("end"), state,
		       reason ? reason : "no reason is given");
	if (a)
		print_warnings(a);
	line("module", "audit_fastpath %s%s", version ? version : "of unknown version",
	     version && strcmp(version, AFP_VERSION) ?
	     ", not the version of this tool (" AFP_VERSION ")" : "");
	line("state", "%s%s%s: %s", colour(module_exit_code() ? "bad" : "good"), state,
	     colour("end"), reason ? reason : "");
	line("backend", "%s", backend ? backend : "unknown");
	printf("%-11s", "parameters");
	for (i = 0; i < PARAMETERS; i++)
		printf(" %s=%s", parameters[i], value[i] ? value[i] : "?");
	putchar('\n');
	line("policy", "%lld rules; of %lld system calls skips %lld for a daemon, %lld for a user",
	     module_number("policy/rules"), module_number("policy/syscalls_total"),
	     module_number("policy/syscalls_skippable"),
	     module_number("policy/syscalls_skippable_user"));
	line("calls", "%llu seen, %llu skipped (%.1f %%), %llu walked", stats.calls, stats.skipped,
	     percent(stats.skipped, stats.calls), stats.walked);
	print_reasons(&stats);
	line("selfcheck", "%llu decisions checked, %llu mismatches", stats.checked,
	     stats.mismatches);
	line("accounting", "the kernel counts %lld rules, there are %lld; %lld were repaired",
	     module_number("accounting/kernel_rules"), module_number("accounting/actual_rules"),
	     module_number("accounting/repaired"));
	if (holders && *holders)
		line("holders", "these tasks keep the module from being unloaded: %s", holders);
	if (!a)
		puts("\nThe loaded rules were not looked at: that takes root (CAP_AUDIT_CONTROL).");
	for (i = 0; i < PARAMETERS; i++)
		free(value[i]);
	free(holders);
	free(backend);
	free(version);
	free(reason);
	free(state);
}

int command_status(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{}
	};
	enum classes_kernel kernel;
	static struct analysis a;
	struct rulefile rf;
	int c, json = 0, read = 0;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 'j':
			json = 1;
			break;
		case 'h':
			return command_help("status");
		default:
			return usage_error("status does not know that option");
		}
	if (optind < argc)
		return usage_error("status takes no argument, not '%s'", argv[optind]);
	rulefile_init(&rf);
	/* Rules can be read by root alone; without them the rest is shown. */
	if (!geteuid() && !secure_getenv("AUDIT_FASTPATH_ROOT") && !kernel_of(NULL, &kernel) && !loaded_rules(&rf)) {
		analysis_make(&a, &rf, kernel);
		read = 1;
	}
	if (json) {
		print_json(read ? &a : NULL);
	} else if (!module_loaded()) {
		if (read)
			print_warnings(&a);
		complain_not_loaded();
	} else {
		print_people(read ? &a : NULL);
	}
	if (read)
		analysis_free(&a);
	rulefile_free(&rf);
	return module_exit_code();
}
