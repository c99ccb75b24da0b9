/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands: each has its own options. @argv[0] is the name of the command; the
 * result is an enum exit_code.
 */
#ifndef AFP_TOOL_COMMANDS_H
#define AFP_TOOL_COMMANDS_H

int command_check(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_level(int argc, char **argv);
int command_stats(int argc, char **argv);
int command_status(int argc, char **argv);
int command_version(int argc, char **argv);

/* What -h of a command prints. */
int command_help(const char *command);

#endif /* AFP_TOOL_COMMANDS_H */
