/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all commands need: memory, messages, files of the system.
 */
#ifndef AFP_TOOL_UTIL_H
#define AFP_TOOL_UTIL_H

#include <stddef.h>

/* Documented in audit-fastpath(8). */
enum exit_code {
	EXIT_FINE,
	EXIT_ERROR,
	EXIT_USAGE,
	EXIT_NOT_LOADED,
	EXIT_NOT_WORKING,	/* passive or tripped */
};

/* Zeroed; without memory the program ends. */
void *xalloc(size_t size);
void *xresize(void *memory, size_t size);
char *xformat(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "audit-fastpath: ..." on standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* complain(), and what help there is; returns EXIT_USAGE. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * read_file - what a file of the system says
 * @path: absolute; below the directory that AUDIT_FASTPATH_ROOT names, for tests
 *
 * Return: its text without the last newline, to be freed, or NULL with errno.
 */
char *read_file(const char *path);

/* Like read_file(), of a number; @otherwise if it cannot be read. */
long long read_number(const char *path, long long otherwise);

/* Write @text to a file of the system: 0, or -1 with errno. */
int write_file(const char *path, const char *text);

/* Is there such a file? */
int file_exists(const char *path);

/* The path below the root of tests; to be freed. */
char *rooted(const char *path);

/* What colour a terminal shows, or "" if it is none: of standard output. */
const char *colour(const char *name);

#endif /* AFP_TOOL_UTIL_H */
