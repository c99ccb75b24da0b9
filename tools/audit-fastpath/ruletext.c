// SPDX-License-Identifier: GPL-2.0-only
/*
 * A rule as text that auditctl takes. Numbers get names from libaudit's tables.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ruletext.h"
#include "util.h"

#ifndef AUDIT_FILTER_URING_EXIT
#define AUDIT_FILTER_URING_EXIT	7
#endif

/* With which numbers a mask is read: those of the arch that the rule names. */
static int machine_of(const struct audit_rule_data *data)
{
	int machine = audit_detect_machine(), found = -1;
	unsigned int i;

	for (i = 0; i < data->field_count; i++)
		if (data->fields[i] == AUDIT_ARCH)
			found = audit_elf_to_machine(data->values[i]);
	return found < 0 ? machine : found;
}

const char *ruletext_list(const struct audit_rule_data *data)
{
	switch (data->flags) {
	case AUDIT_FILTER_USER:
		return "user";
	case AUDIT_FILTER_TASK:
		return "task";
	case AUDIT_FILTER_EXIT:
		return "exit";
	case AUDIT_FILTER_EXCLUDE:
		return "exclude";
	case AUDIT_FILTER_FS:
		return "filesystem";
	case AUDIT_FILTER_URING_EXIT:
		return "io_uring";
	default:
		return "unknown";
	}
}

static int is_text(unsigned int field)
{
	switch (field) {
	case AUDIT_WATCH:
	case AUDIT_DIR:
	case AUDIT_EXE:
	case AUDIT_FILTERKEY:
	case AUDIT_SUBJ_USER:
	case AUDIT_SUBJ_ROLE:
	case AUDIT_SUBJ_TYPE:
	case AUDIT_SUBJ_SEN:
	case AUDIT_SUBJ_CLR:
	case AUDIT_OBJ_USER:
	case AUDIT_OBJ_ROLE:
	case AUDIT_OBJ_TYPE:
	case AUDIT_OBJ_LEV_LOW:
	case AUDIT_OBJ_LEV_HIGH:
		return 1;
	default:
		return 0;
	}
}

char *ruletext_key(const struct audit_rule_data *data)
{
	size_t at = 0;
	unsigned int i;

	for (i = 0; i < data->field_count; i++) {
		if (!is_text(data->fields[i]))
			continue;
		if (data->fields[i] == AUDIT_FILTERKEY && data->values[i] <= data->buflen - at) {
			char *key = xalloc(data->values[i] + 1), *sep;

			memcpy(key, data->buf + at, data->values[i]);
			for (sep = key; (sep = strchr(sep, AUDIT_KEY_SEPARATOR)); )
				*sep = ',';
			return key;
		}
		at += data->values[i];
	}
	return NULL;
}

static void print_mask(FILE *to, const struct audit_rule_data *data)
{
	int machine = machine_of(data), all = 1, any = 0;
	unsigned int i, nr;

	/* The other lists know no calls, whatever their mask is. */
	if (data->flags != AUDIT_FILTER_EXIT && data->flags != AUDIT_FILTER_URING_EXIT)
		return;
	for (i = 0; i < AUDIT_BITMASK_SIZE - 1; i++) {
		all &= data->mask[i] == ~0u;
		any |= data->mask[i] != 0;
	}
	any |= data->mask[i] != 0;
	if (!any)
		return;
	if (all) {
		fputs(" -S all", to);
		return;
	}
	for (nr = 0, any = 0; nr < AUDIT_BITMASK_SIZE * 32; nr++) {
		const char *name;

		if (!(data->mask[nr / 32] >> (nr % 32) & 1))
			continue;
		name = data->flags == AUDIT_FILTER_URING_EXIT ? NULL :
		       audit_syscall_to_name(nr, machine);
		fputs(any++ ? "," : " -S ", to);
		if (name)
			fputs(name, to);
		else
			fprintf(to, "%u", nr);
	}
}

/* -C is kept as a number; these are the field pairs in its order. */
static const char *const compares[][2] = {
	[1] = { "uid", "obj_uid" }, { "gid", "obj_gid" }, { "euid", "obj_uid" },
	{ "egid", "obj_gid" }, { "auid", "obj_uid" }, { "suid", "obj_uid" },
	{ "sgid", "obj_gid" }, { "fsuid", "obj_uid" }, { "fsgid", "obj_gid" },
	{ "uid", "auid" }, { "uid", "euid" }, { "uid", "fsuid" }, { "uid", "suid" },
	{ "auid", "fsuid" }, { "auid", "suid" }, { "auid", "euid" }, { "euid", "suid" },
	{ "euid", "fsuid" }, { "suid", "fsuid" }, { "gid", "egid" }, { "gid", "fsgid" },
	{ "gid", "sgid" }, { "egid", "fsgid" }, { "egid", "sgid" }, { "sgid", "fsgid" },
};

static void print_field(FILE *to, const struct audit_rule_data *data, unsigned int i,
			const char *text)
{
	const char *op = audit_operator_to_symbol(data->fieldflags[i] & AUDIT_OPERATORS);
	const char *name = audit_field_to_name(data->fields[i]), *word;
	uint32_t value = data->values[i];

	if (!op)
		op = "?";
	if (data->fields[i] == AUDIT_FIELD_COMPARE) {
		if (value && value < sizeof(compares) / sizeof(*compares))
			fprintf(to, " -C %s%s%s", compares[value][0], op, compares[value][1]);
		else
			fprintf(to, " -C %u", value);
		return;
	}
	if (name)
		fprintf(to, " -F %s%s", name, op);
	else
		fprintf(to, " -F f%u%s", data->fields[i], op);
	if (is_text(data->fields[i])) {
		for (; *text; text++) {
			if (*text == ' ')
				fputc('\\', to);
			fputc(*text == AUDIT_KEY_SEPARATOR ? ',' : *text, to);
		}
		return;
	}
	switch (data->fields[i]) {
	case AUDIT_ARCH:
		switch (value) {
		case AUDIT_ARCH_X86_64:
		case AUDIT_ARCH_AARCH64:
			fputs("b64", to);
			return;
		case AUDIT_ARCH_I386:
		case AUDIT_ARCH_ARM:
			fputs("b32", to);
			return;
		default:
			fprintf(to, "0x%X", value);
			return;
		}
	case AUDIT_PERM:
		fprintf(to, "%s%s%s%s", value & AUDIT_PERM_READ ? "r" : "",
			value & AUDIT_PERM_WRITE ? "w" : "", value & AUDIT_PERM_EXEC ? "x" : "",
			value & AUDIT_PERM_ATTR ? "a" : "");
		return;
	case AUDIT_EXIT:
		word = (int32_t)value < 0 ? audit_errno_to_name(-(int32_t)value) : NULL;
		if (word)
			fprintf(to, "-%s", word);
		else
			fprintf(to, "%d", (int32_t)value);
		return;
	case AUDIT_MSGTYPE:
		word = audit_msg_type_to_name(value);
		break;
	case AUDIT_FILETYPE:
		word = audit_ftype_to_name(value);
		break;
	case AUDIT_FSTYPE:
		word = audit_fstype_to_name(value);
		break;
	default:
		word = NULL;
	}
	if (word)
		fputs(word, to);
	else if (data->fields[i] >= AUDIT_ARG0 && data->fields[i] <= AUDIT_ARG3)
		fprintf(to, "0x%X", value);
	else
		fprintf(to, "%d", (int32_t)value);
}

char *ruletext(const struct audit_rule_data *data)
{
	char *text = NULL, *word;
	unsigned int i, pass;
	size_t size, at;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		abort();
	fprintf(to, "-a %s,%s", data->action == AUDIT_NEVER ? "never" :
		data->action == AUDIT_ALWAYS ? "always" : "possible", ruletext_list(data));
	/* arch says by which numbers the calls are read: first. */
	for (pass = 0; pass < 2; pass++) {
		for (i = 0, at = 0; i < data->field_count; i++) {
			size_t length = is_text(data->fields[i]) ? data->values[i] : 0;

			if (length > data->buflen - at)
				length = data->buflen - at;
			word = xalloc(length + 1);
			memcpy(word, data->buf + at, length);
			at += length;
			if ((data->fields[i] == AUDIT_ARCH) == !pass)
				print_field(to, data, i, word);
			free(word);
		}
		if (!pass)
			print_mask(to, data);
	}
	if (fclose(to))
		abort();
	return text;
}
