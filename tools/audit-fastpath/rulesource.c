// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the commands that look at rules share; see rulesource.h.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ruletext.h"
#include "rulesource.h"
#include "util.h"

#define SCHEMA_VERSION	1
#define ANSWER_MS	5000

static int refused(const char *why)
{
	complain("the loaded rules cannot be read: %s%s", why,
		 geteuid() ? "; run it as root (CAP_AUDIT_CONTROL)" : "");
	return -1;
}

int loaded_rules(struct rulefile *rf)
{
	struct audit_reply reply;
	int fd, status = 1, got;

	if (secure_getenv("AUDIT_FASTPATH_ROOT"))
		return refused("AUDIT_FASTPATH_ROOT names another system");
	fd = audit_open();
	if (fd < 0)
		return refused(strerror(errno));
	got = audit_request_rules_list_data(fd);
	if (got <= 0) {
		audit_close(fd);
		return refused(strerror(got ? -got : EIO));
	}
	while (status > 0) {
		struct pollfd p = { .fd = fd, .events = POLLIN };

		if (poll(&p, 1, ANSWER_MS) <= 0) {
			status = refused("the kernel does not answer");
			break;
		}
		got = audit_get_reply(fd, &reply, GET_REPLY_NONBLOCKING, 0);
		if (got <= 0)
			continue;
		switch (reply.type) {
		case AUDIT_LIST_RULES:
			rulefile_add(rf, reply.ruledata);
			break;
		case NLMSG_DONE:
			status = 0;
			break;
		case NLMSG_ERROR:
			if (reply.error->error)
				status = refused(strerror(-reply.error->error));
			break;
		default:
			break;
		}
	}
	audit_close(fd);
	return status;
}

void print_rule_errors(const struct rulefile *rf)
{
	unsigned int i;

	fflush(stdout);
	for (i = 0; i < rf->error_count; i++) {
		const struct rule_error *e = &rf->errors[i];

		if (e->line)
			fprintf(stderr, "%s:%u:%u: error: %s\n", e->file, e->line, e->column,
				e->text);
		else
			fprintf(stderr, "%s: error: %s\n", e->file, e->text);
	}
}

void json_put_text(struct json_object *object, const char *name, const char *text)
{
	json_object_object_add(object, name, text ? json_object_new_string(text) : NULL);
}

void json_put_number(struct json_object *object, const char *name, long long number)
{
	json_object_object_add(object, name, json_object_new_int64(number));
}

void json_put_bool(struct json_object *object, const char *name, int value)
{
	json_object_object_add(object, name, json_object_new_boolean(value));
}

struct json_object *json_new(const char *command)
{
	struct json_object *object = json_object_new_object();

	json_put_number(object, "schema_version", SCHEMA_VERSION);
	json_put_text(object, "command", command);
	return object;
}

void json_print(struct json_object *object)
{
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
						    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
	fflush(stdout);
}

struct json_object *rule_errors_json(const struct rulefile *rf)
{
	struct json_object *list = json_object_new_array(), *one;
	unsigned int i;

	for (i = 0; i < rf->error_count; i++) {
		one = json_object_new_object();
		json_put_text(one, "file", rf->errors[i].file);
		json_put_number(one, "line", rf->errors[i].line);
		json_put_number(one, "column", rf->errors[i].column);
		json_put_text(one, "text", rf->errors[i].text);
		json_object_array_add(list, one);
	}
	return list;
}

char *rule_where(const struct rulefile *rf, unsigned int rule)
{
	if (rf->rules[rule].file)
		return xformat("%s:%u", rf->rules[rule].file, rf->rules[rule].line);
	return xformat("rule %u", rf->rules[rule].line);
}

struct json_object *rule_json(const struct rulefile *rf, unsigned int rule)
{
	const struct audit_rule_data *data = rf->rules[rule].data;
	struct json_object *one = json_object_new_object();
	char *text = ruletext(data), *key = ruletext_key(data);

	json_put_number(one, "number", rule + 1);
	json_put_text(one, "file", rf->rules[rule].file);
	json_put_number(one, "line", rf->rules[rule].line);
	json_put_text(one, "list", ruletext_list(data));
	json_put_text(one, "action", data->action == AUDIT_ALWAYS ? "always" : "never");
	json_put_text(one, "key", key);
	json_put_text(one, "text", text);
	free(text);
	free(key);
	return one;
}

struct json_object *warnings_json(const struct analysis *a)
{
	struct json_object *list = json_object_new_array(), *one;
	unsigned int i;

	for (i = 0; i < a->warning_count; i++) {
		one = json_object_new_object();
		json_put_text(one, "id", a->warnings[i].id);
		json_put_bool(one, "grave", a->warnings[i].grave);
		json_object_object_add(one, "rule", a->warnings[i].rule < 0 ? NULL :
				       rule_json(a->rf, a->warnings[i].rule));
		json_put_text(one, "text", a->warnings[i].text);
		json_object_array_add(list, one);
	}
	return list;
}

void print_warnings(const struct analysis *a)
{
	unsigned int i;
	char *where, *text;

	for (i = 0; i < a->warning_count; i++) {
		const struct warning *w = &a->warnings[i];

		printf("%s%s:%s ", colour(w->grave ? "bad" : "warn"),
		       w->grave ? "WARNING" : "note", colour("end"));
		if (w->rule < 0) {
			puts(w->text);
			continue;
		}
		where = rule_where(a->rf, w->rule);
		text = ruletext(a->rf->rules[w->rule].data);
		printf("%s: %s\n         %s\n", where, w->text, text);
		free(where);
		free(text);
	}
	if (a->warning_count)
		putchar('\n');
}
