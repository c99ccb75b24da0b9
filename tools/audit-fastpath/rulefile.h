/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read rule files as auditctl -R and augenrules do, without a kernel: the
 * rules that would be loaded, in the order of their lists, and what auditctl or
 * the kernel would refuse.
 *
 * Field pairs are parsed by libaudit, as auditctl's are. What libaudit asks the
 * running kernel for is taken for granted, so that the answer is the same on
 * each machine, for each user.
 */
#ifndef AFP_TOOL_RULEFILE_H
#define AFP_TOOL_RULEFILE_H

#include <libaudit.h>
#include <stdio.h>

/**
 * struct rule - a rule that would be loaded
 * @data: as it goes to the kernel, with list and action, without the flag that
 *	says that it goes before the others
 * @file: where it stands; NULL: the kernel lists it
 * @line: of @file, from 1; of the kernel's list
 * @named: system calls are named, or all of them, with -S
 * @no_arch: they are, and there was no arch to look them up in
 * @watch: it is made of -w
 */
struct rule {
	struct audit_rule_data *data;
	const char *file;
	unsigned int line;
	int named;
	int no_arch;
	int watch;
};

/* What is wrong, and where. */
struct rule_error {
	const char *file;
	unsigned int line;	/* from 1; 0: the file as a whole */
	unsigned int column;	/* from 1 */
	char *text;
};

/**
 * struct rulefile - what was read
 * @rules: in the order in which each list is walked
 * @count: number of @rules
 * @errors: what is wrong
 * @error_count: number of @errors
 * @lines: lines that were looked at, comments included
 * @ignore: a line says that errors are to be ignored: -i or -c
 * @enabled: what -e says at the end, or -1
 * @lock_file: where -e 2 stands that was followed by more, or NULL
 * @lock_line: of @lock_file
 */
struct rulefile {
	struct rule *rules;
	unsigned int count;
	struct rule_error *errors;
	unsigned int error_count;
	unsigned int lines;
	int ignore;
	int enabled;
	const char *lock_file;
	unsigned int lock_line;
	/* Of the reader alone. */
	char **names;
	unsigned int name_count;
	int locked;
	const char *locked_file;
	unsigned int locked_line;
};

/**
 * rulefile_read - read a rule file, or all of a directory
 * @rf: zeroed, or read into before
 * @path: the file; "-" is standard input; of a directory the *.rules in it are
 *	read as augenrules joins them
 *
 * What cannot be read is an error in @rf, too.
 */
void rulefile_read(struct rulefile *rf, const char *path);

/**
 * rulefile_parse - read rules from memory
 * @rf: zeroed, or read into before
 * @name: what errors call the file
 * @text: the text; need not end with 0
 * @size: bytes of @text
 */
void rulefile_parse(struct rulefile *rf, const char *name, const char *text,
		    size_t size);

/**
 * rulefile_add - add a rule that is loaded
 * @rf: where to
 * @data: as the kernel lists it; copied
 */
void rulefile_add(struct rulefile *rf, const struct audit_rule_data *data);

/* Before the first call; @rf is then as new. */
void rulefile_init(struct rulefile *rf);

void rulefile_free(struct rulefile *rf);

#endif /* AFP_TOOL_RULEFILE_H */
