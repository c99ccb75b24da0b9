// SPDX-License-Identifier: GPL-2.0-only
/*
 * audit-fastpath: what the module does, and what it would do with given rules.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "util.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
	const char *usage;
	const char *options;
} commands[] = {
	{ "status", command_status, "what the module does, on one screen (the default)",
	  "[--json]", "" },
	{ "check", command_check, "what the module would do with rules, without it",
	  "[OPTION]... {FILE...|--loaded}",
	  "  -i, --ignore       analyse the rest of what auditctl would refuse\n"
	  "      --loaded       the rules that are loaded\n"
	  "      --kernel V     as on kernel V, such as 6.1 (default: the running one)\n"
	  "      --syscall N,.. these system calls, by name or number\n"
	  "      --all          what all tasks skip, and all rules, as well\n"
	  "      --fail-on W,.. exit with 1 if: warnings, limit, daemon=N, root=N, user=N,\n"
	  "                     admin=N (fewer than N calls are skipped for such a task)\n" },
	{ "explain", command_explain, "each rule: where it sits, what it costs",
	  "[OPTION]... [FILE...]",
	  "  -i, --ignore       explain the rest of what auditctl would refuse\n"
	  "      --loaded       the rules that are loaded (the default without FILE)\n"
	  "      --kernel V     as on kernel V, such as 6.1 (default: the running one)\n" },
	{ "stats", command_stats, "counters, over time",
	  "[OPTION]... [INTERVAL [COUNT]]",
	  "      --syscalls     by system call, those that walk most\n"
	  "      --prometheus F write a file for node_exporter, by rename; - is standard output\n" },
	{ "doctor", command_doctor, "what keeps the module from working, and what mends it",
	  "[--json]", "" },
	{ "level", command_level, "show or set what may be skipped",
	  "[off|verify|filter|collect|entry]", "" },
	{ "version", command_version, "of this tool and of the loaded module", "[--json]", "" },
};

#define COMMANDS	(sizeof(commands) / sizeof(*commands))

int command_help(const char *name)
{
	static const char common[] =
		"      --json         as JSON, with schema_version\n"
		"  -h, --help         this text\n\n"
		"audit-fastpath(8) says more.\n";
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			printf("Usage: audit-fastpath %s %s\n\n%s.\n\n%s%s", name,
			       commands[i].usage, commands[i].what, commands[i].options, common);
	return EXIT_FINE;
}

static int help(void)
{
	size_t i;

	puts("Usage: audit-fastpath [COMMAND] [OPTION]...\n");
	for (i = 0; i < COMMANDS; i++)
		printf("  %-9s %s\n", commands[i].name, commands[i].what);
	puts("\nCOMMAND --help says more, and so does audit-fastpath(8).\n"
	     "Exit status: 0 fine, 1 error, 2 usage, 3 module not loaded, 4 passive or tripped.");
	return EXIT_FINE;
}

int main(int argc, char **argv)
{
	static char status[] = "status";
	char *alone[] = { status, NULL };
	size_t i;
	int code;

	if (argc < 2)
		return command_status(1, alone);
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "help"))
		return help();
	if (!strcmp(argv[1], "-V") || !strcmp(argv[1], "--version"))
		argv[1] = "version";
	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(commands[i].name, argv[1]))
			break;
	if (i == COMMANDS && argv[1][0] == '-') {
		/* Options of the default. */
		argv[0] = status;
		return command_status(argc, argv);
	}
	if (i == COMMANDS)
		return usage_error("'%s' is no command; there are status, check, explain, stats, doctor, level and version",
				   argv[1]);
	code = commands[i].run(argc - 1, argv + 1);
	if (fflush(stdout) || ferror(stdout)) {
		complain("standard output cannot be written");
		return code ? code : EXIT_ERROR;
	}
	return code;
}
