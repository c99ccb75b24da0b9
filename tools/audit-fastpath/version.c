// SPDX-License-Identifier: GPL-2.0-only
/*
 * audit-fastpath version: of the tool, and of the module that is loaded.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_fastpath/version.h"
#include "commands.h"
#include "module.h"
#include "rulesource.h"
#include "util.h"

int command_version(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{}
	};
	struct json_object *root;
	char *loaded = NULL;
	int c, json = 0;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 'j':
			json = 1;
			break;
		case 'h':
			return command_help("version");
		default:
			return usage_error("version does not know that option");
		}
	if (optind < argc)
		return usage_error("version takes no argument, not '%s'", argv[optind]);
	loaded = module_version();
	if (json) {
		root = json_new("version");
		json_put_text(root, "version", AFP_VERSION);
		json_put_text(root, "module", loaded);
		json_print(root);
	} else {
		puts("audit-fastpath " AFP_VERSION);
		if (loaded)
			printf("module %s%s\n", loaded, strcmp(loaded, AFP_VERSION) ?
			       ", another version: reload it" : "");
		else
			puts("module not loaded");
	}
	free(loaded);
	return EXIT_FINE;
}
