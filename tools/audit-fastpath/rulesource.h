/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the commands that look at rules share: where rules come from.
 */
#ifndef AFP_TOOL_RULESOURCE_H
#define AFP_TOOL_RULESOURCE_H

#include <json-c/json.h>

#include "analysis.h"
#include "rulefile.h"

/**
 * loaded_rules - read the loaded rules by netlink
 * @rf: initialised; where to
 *
 * Return: 0, or -1 after a complaint.
 */
int loaded_rules(struct rulefile *rf);

/* Say on standard error what is wrong in rule files: FILE:LINE:COLUMN: error: ... */
void print_rule_errors(const struct rulefile *rf);

/* The same for --json. */
struct json_object *rule_errors_json(const struct rulefile *rf);

/* "file:line", or "rule N" of the loaded ones; to be freed. */
char *rule_where(const struct rulefile *rf, unsigned int rule);

/* The object of a rule in JSON: number, file, line, list, action, key, text. */
struct json_object *rule_json(const struct rulefile *rf, unsigned int rule);

struct json_object *warnings_json(const struct analysis *a);

/* Warnings for people, if there are any. */
void print_warnings(const struct analysis *a);

/* An object with schema_version and command, as all output of --json begins. */
struct json_object *json_new(const char *command);

/* Print it on one line, and free it. */
void json_print(struct json_object *object);

/* Short ways. */
void json_put_text(struct json_object *object, const char *name, const char *text);
void json_put_number(struct json_object *object, const char *name, long long number);
void json_put_bool(struct json_object *object, const char *name, int value);

#endif /* AFP_TOOL_RULESOURCE_H */
