// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

#define PROGRAM "audit-fastpath"

void *xresize(void *memory, size_t size)
{
	memory = realloc(memory, size ? size : 1);
	if (!memory) {
		complain("there is no memory left");
		exit(EXIT_ERROR);
	}
	return memory;
}

void *xalloc(size_t size)
{
	return memset(xresize(NULL, size), 0, size ? size : 1);
}

char *xformat(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		abort();
	va_end(args);
	return text;
}

static void vcomplain(const char *format, va_list args)
{
	/* What was printed before comes before it. */
	fflush(stdout);
	fputs(PROGRAM ": ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

void complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vcomplain(format, args);
	va_end(args);
}

int usage_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vcomplain(format, args);
	va_end(args);
	fputs("Try '" PROGRAM " --help'.\n", stderr);
	return EXIT_USAGE;
}

char *rooted(const char *path)
{
	const char *root = secure_getenv("AUDIT_FASTPATH_ROOT");

	return xformat("%s%s", root ? root : "", path);
}

char *read_file(const char *path)
{
	char *real = rooted(path), *text = NULL;
	size_t size = 0;
	ssize_t got;
	int fd = open(real, O_RDONLY | O_CLOEXEC), err = errno;

	free(real);
	if (fd < 0) {
		errno = err;
		return NULL;
	}
	do {
		text = xresize(text, size + 4097);
		got = read(fd, text + size, 4096);
		err = errno;
		size += got > 0 ? got : 0;
	} while (got > 0);
	close(fd);
	if (got < 0) {
		free(text);
		errno = err;
		return NULL;
	}
	if (size && text[size - 1] == '\n')
		size--;
	text[size] = 0;
	return text;
}

long long read_number(const char *path, long long otherwise)
{
	char *text = read_file(path), *end;
	long long number;

	if (!text)
		return otherwise;
	errno = 0;
	number = strtoll(text, &end, 10);
	if (errno || end == text)
		number = otherwise;
	free(text);
	return number;
}

int write_file(const char *path, const char *text)
{
	char *real = rooted(path);
	int fd = open(real, O_WRONLY | O_CLOEXEC), err = errno;
	size_t size = strlen(text);

	free(real);
	if (fd < 0) {
		errno = err;
		return -1;
	}
	if (write(fd, text, size) != (ssize_t)size) {
		err = errno;
		close(fd);
		errno = err;
		return -1;
	}
	return close(fd);
}

int file_exists(const char *path)
{
	char *real = rooted(path);
	int exists = !access(real, F_OK);

	free(real);
	return exists;
}

const char *colour(const char *name)
{
	static const char *const codes[][2] = {
		{ "bad", "\033[31m" }, { "good", "\033[32m" }, { "warn", "\033[33m" },
		{ "bold", "\033[1m" }, { "end", "\033[0m" },
	};
	static int on = -1;
	size_t i;

	if (on < 0) {
		const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

		on = isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb");
	}
	for (i = 0; on && i < sizeof(codes) / sizeof(*codes); i++)
		if (!strcmp(codes[i][0], name))
			return codes[i][1];
	return "";
}
