/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the loaded module shows: its files in sysfs and debugfs.
 */
#ifndef AFP_TOOL_MODULE_H
#define AFP_TOOL_MODULE_H

#include <json-c/json.h>

/* The reasons to walk, as in stats/walked_*. */
#define MODULE_REASONS	9
extern const char *const module_reasons[MODULE_REASONS];

struct module_stats {
	unsigned long long calls;
	unsigned long long skipped;
	unsigned long long walked;
	unsigned long long reasons[MODULE_REASONS];
	unsigned long long checked;
	unsigned long long mismatches;
};

int module_loaded(void);

/* Is it passive or tripped? Then its exit code, or EXIT_FINE; EXIT_NOT_LOADED. */
int module_exit_code(void);

/* A file below /sys/kernel/audit_fastpath, to be freed; NULL if it cannot be read. */
char *module_file(const char *name);
long long module_number(const char *name);

/* A parameter, to be freed, or NULL. */
char *module_parameter(const char *name);

/* The version of the loaded module, to be freed, or NULL. */
char *module_version(void);

/* Return: 0, or -1 if the module is not loaded. */
int module_stats(struct module_stats *stats);

/* "audit_fastpath is not loaded", and what to do; returns EXIT_NOT_LOADED. */
int complain_not_loaded(void);

#endif /* AFP_TOOL_MODULE_H */
