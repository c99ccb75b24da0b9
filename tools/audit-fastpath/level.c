// SPDX-License-Identifier: GPL-2.0-only
/*
 * audit-fastpath level: show or set what may be skipped.
 */
#include <errno.h>
#include <getopt.h>
#include <libaudit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit_fastpath/names.h"
#include "commands.h"
#include "module.h"
#include "rulesource.h"
#include "util.h"

static int known_level(const char *level)
{
	static const char *const names[] = AFP_LEVEL_NAMES;
	unsigned int i;

	for (i = 0; i < AFP_LEVELS; i++)
		if (!strcmp(level, names[i]))
			return 1;
	return 0;
}

static int set_level(const char *level)
{
	int err;

	if (!known_level(level))
		return usage_error("'%s' is no level; use off, verify, filter, collect or entry",
				   level);
	if (!module_loaded())
		return complain_not_loaded();
	if (!write_file(AFP_PARAMETERS "/level", level))
		return EXIT_FINE;
	err = errno;
	if (err == EACCES || (err == EPERM && geteuid()))
		complain("the level can be set by root alone (CAP_AUDIT_CONTROL); use sudo");
	else if (err == EPERM)
		complain("the level cannot be set: the audit configuration is locked (auditctl -e 2) until the next boot");
	else
		complain("the level cannot be set: %s", strerror(err));
	return EXIT_ERROR;
}

int command_level(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{}
	};
	struct json_object *root;
	char *level, *reason;
	int c, json = 0, status;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 'j':
			json = 1;
			break;
		case 'h':
			return command_help("level");
		default:
			return usage_error("level does not know that option");
		}
	if (argc - optind > 1)
		return usage_error("level takes one level, not '%s' as well", argv[optind + 1]);
	if (optind < argc) {
		status = set_level(argv[optind]);
		if (status)
			return status;
	}
	level = module_parameter("level");
	if (!level)
		return complain_not_loaded();
	reason = module_file("reason");
	if (json) {
		root = json_new("level");
		json_put_text(root, "level", level);
		json_put_text(root, "reason", reason);
		json_print(root);
	} else {
		puts(level);
	}
	free(reason);
	free(level);
	return module_exit_code();
}
