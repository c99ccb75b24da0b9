// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the loaded module shows; see module.h and docs/ABI/.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "audit_fastpath/names.h"
#include "module.h"
#include "util.h"

const char *const module_reasons[MODULE_REASONS] = {
	"rule", "abi", "number", "limit", "policy", "state", "forced", "trees", "check",
};

int module_loaded(void)
{
	return file_exists(AFP_SYSFS "/state");
}

char *module_file(const char *name)
{
	char *path = xformat(AFP_SYSFS "/%s", name), *text = read_file(path);

	free(path);
	return text;
}

long long module_number(const char *name)
{
	char *path = xformat(AFP_SYSFS "/%s", name);
	long long number = read_number(path, 0);

	free(path);
	return number;
}

char *module_parameter(const char *name)
{
	char *path = xformat(AFP_PARAMETERS "/%s", name), *text = read_file(path);

	free(path);
	return text;
}

char *module_version(void)
{
	return read_file("/sys/module/audit_fastpath/version");
}

int module_exit_code(void)
{
	char *state = module_file("state");
	int code = EXIT_FINE;

	if (!state)
		return EXIT_NOT_LOADED;
	if (!strcmp(state, "passive") || !strcmp(state, "tripped"))
		code = EXIT_NOT_WORKING;
	free(state);
	return code;
}

int module_stats(struct module_stats *stats)
{
	unsigned int i;
	char *name;

	if (!module_loaded())
		return -1;
	stats->calls = module_number("stats/calls");
	stats->skipped = module_number("stats/skipped");
	stats->walked = module_number("stats/walked");
	for (i = 0; i < MODULE_REASONS; i++) {
		name = xformat("stats/walked_%s", module_reasons[i]);
		stats->reasons[i] = module_number(name);
		free(name);
	}
	stats->checked = module_number("selfcheck/checked");
	stats->mismatches = module_number("selfcheck/mismatches");
	return 0;
}

int complain_not_loaded(void)
{
	complain("the module audit_fastpath is not loaded; load it with: modprobe audit_fastpath (audit-fastpath doctor says what keeps it)");
	return EXIT_NOT_LOADED;
}
