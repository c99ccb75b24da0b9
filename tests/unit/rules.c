// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reader of rule files, case by case: what a line becomes, or what is wrong
 * with it and where. What the kernel itself makes of the same files is compared
 * in a VM.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rulefile.h"

#define KEY_100 "0123456789012345678901234567890123456789012345678901234567890123456789" \
	"012345678901234567890123456789"
#define EXIT	"-a always,exit "
#define B64	EXIT "-F arch=b64 "

extern int audit_rule_io_uringbyname_data(struct audit_rule_data *rule, const char *op)
	__attribute__((weak));

static unsigned int cases, failures;

static void __attribute__((format(printf, 3, 4)))
verdict(int good, const char *what, const char *format, ...)
{
	va_list args;

	cases++;
	if (good)
		return;
	failures++;
	printf("not ok - %s: ", what);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

/* Lines that are refused: where, and a part of what is said. */
static const struct {
	const char *text;
	unsigned int line;
	unsigned int column;
	const char *error;
} refused[] = {
	/* Options. */
	{ "-x", 1, 1, "this is no option of auditctl" },
	{ "--nosuch", 1, 1, "this is no option of auditctl" },
	{ "\n\n-w", 3, 1, "-w has nothing after it" },
	{ "  -a", 1, 3, "-a has nothing after it" },
	{ "--backlog_wait_time", 1, 1, "the option has nothing after it" },
	{ "-h", 1, 1, "-h is not for rule files" },
	{ "-R /etc/audit/audit.rules", 1, 4, "rule files cannot read others" },
	{ "--signal HUP", 1, 10, "--signal is not for rule files" },
	{ "always,exit", 1, 1, "'always,exit' belongs to no option" },
	{ "-w /etc/passwd # watch it", 1, 16, "'#' belongs to no option; a comment" },
	{ "-w /a b -p r", 1, 7, "'b' belongs to no option" },
	{ "-", 1, 1, "'-' belongs to no option" },
	{ "-i -w /a", 1, 4, "'-w' belongs to no option" },
	/* Numbers. */
	{ "-e 3", 1, 4, "-e '3' is none of its values; use 0 to 2" },
	{ "-e on", 1, 4, "-e 'on' is none of its values" },
	{ "-e 11", 1, 4, "-e '11' is none of its values" },
	{ "-f 3", 1, 4, "-f '3' is none of its values; use 0 to 2" },
	{ "-b many", 1, 4, "-b 'many' is no number" },
	{ "-b -1", 1, 4, "-b '-1' is no number" },
	{ "-b 4294967296", 1, 4, "-b '4294967296' is no number; use one from 0 to 4294967295" },
	{ "-r x", 1, 4, "-r 'x' is no number" },
	{ "--backlog_wait_time x", 1, 21, "--backlog_wait_time 'x' is no number" },
	/* Lists and actions. */
	{ "-a exit", 1, 4, "'exit' is not a list and an action; write LIST,ACTION" },
	{ "-a exit,always,x", 1, 4, "is not a list and an action" },
	{ "-a exit,sometimes", 1, 4, "'exit,sometimes' names no action; use always or never" },
	{ "-a exit,exit", 1, 4, "'exit,exit' names no action" },
	{ "-a always,never", 1, 4, "'always,never' names no list" },
	{ "-A leave,always", 1, 4, "'leave,always' names no list" },
	{ "-a exit,possible", 1, 4, "the action possible is no more" },
	{ "-a possible,exit", 1, 4, "the action possible is no more" },
	{ "-d entry,always", 1, 4, "the list entry is no more; use exit" },
	{ "-a always,entry", 1, 4, "the list entry is no more; use exit" },
	{ EXIT "-a never,exit", 1, 19, "'never,exit' is the second list of the rule" },
	{ EXIT "-d never,exit", 1, 19, "is the second list of the rule" },
	{ "-S open -a always,task", 1, 12, "rules of the list task have no system calls" },
	{ "-S open", 1, 1, "the rule has no list; write -a LIST,ACTION first" },
	/* System calls. */
	{ "-a never,task -S open", 1, 18, "-S is not for this list" },
	{ "-a never,user -S open", 1, 18, "-S is not for this list" },
	{ "-a never,exclude -S open", 1, 21, "-S is not for this list" },
	{ "-a never,filesystem -S open", 1, 24, "-S is not for this list" },
	{ "-d never,task -S open", 1, 18, "-S is not for this list" },
	{ B64 "-S opeen", 1, 31, "'opeen' is no system call of x86_64 to this libaudit" },
	{ EXIT "-F arch=b32 -S open,bpff,read", 1, 36, "'bpff' is no system call of i386" },
	{ B64 "-S 2048", 1, 31, "'2048' is no number of a system call; use one below 2048" },
	{ B64 "-S ,", 1, 31, "',' names no system call; write names, or all" },
	/* Pairs: what libaudit refuses, in words. */
	{ EXIT "-F uid", 1, 19, "'uid' has no operator" },
	{ EXIT "-F nosuch=1", 1, 19, "'nosuch=1' is of no field" },
	{ EXIT "-F =1", 1, 19, "'=1' has no field" },
	{ EXIT "-F uid=", 1, 19, "'uid=' has no value" },
	{ EXIT "-S open -F arch=b64", 1, 27, "'arch=b64' comes after system calls" },
	{ EXIT "-F arch=b16", 1, 19, "'arch=b16' names no machine" },
	{ EXIT "-F arch=99", 1, 19, "'arch=99' names no machine" },
	{ EXIT "-F arch>b64", 1, 19, "has an operator that the field does not take; use = or !=" },
	{ "-a never,task -F exit=1", 1, 18, "'exit=1' is for the list exit alone" },
	{ "-a never,task -F path=/a", 1, 18, "'path=/a' is for the list exit alone" },
	{ "-a never,task -F perm=r", 1, 18, "'perm=r' is for the list exit alone" },
	{ "-a never,user -F ppid=1", 1, 18, "'ppid=1' is for the list exit alone" },
	{ "-a never,user -F filetype=dir", 1, 18, "'filetype=dir' is for the list exit alone" },
	{ EXIT "-F msgtype=USER", 1, 19, "'msgtype=USER' is for the lists exclude and user" },
	{ "-a never,exclude -F msgtype=NOSUCH", 1, 21, "is of no message type" },
	{ "-a never,exclude -F euid=1", 1, 21, "'euid=1' is not for the list exclude" },
	{ "-a never,exclude -F exe=/a -k x", 1, 31, "'key' is not for the list exclude" },
	{ EXIT "-F perm=rwxax", 1, 19, "'perm=rwxax' has a value that is too long" },
	{ EXIT "-F perm=q", 1, 19, "'perm=q' has a permission that is none" },
	{ EXIT "-F perm!=r", 1, 19, "'perm!=r' has an operator that the field does not take; use =" },
	{ EXIT "-F exit=-ENOSUCH", 1, 19, "'exit=-ENOSUCH' is of no error" },
	{ EXIT "-F filetype=door", 1, 19, "'filetype=door' is of no file type" },
	{ EXIT "-F inode>1", 1, 19, "has an operator that the field does not take; use = or !=" },
	{ EXIT "-F inode=x", 1, 19, "'inode=x' has a value that is no number" },
	{ EXIT "-F a0=x", 1, 19, "'a0=x' has a value that is no number" },
	{ EXIT "-F sessionid=x", 1, 19, "'sessionid=x' has a value that is no number" },
	{ "-a never,task -F sessionid=1", 1, 18, "'sessionid=1' is not for this list" },
	{ EXIT "-F fstype=debugfs", 1, 19, "'fstype=debugfs' is not for this list" },
	{ "-a never,filesystem -F fstype=nosuch", 1, 24, "is of no file system" },
	{ "-a never,filesystem -F fstype>1", 1, 24, "use = or !=" },
	{ EXIT "-F saddr_fam=99", 1, 19, "'saddr_fam=99' has a value that is too large" },
	{ EXIT "-F exe>/a", 1, 19, "'exe>/a' has an operator that the field does not take" },
	{ EXIT "-F uid=no:such", 1, 19, "'no:such' is no user of this system" },
	{ EXIT "-F auid!=no:such", 1, 19, "'no:such' is no user of this system" },
	{ EXIT "-F gid=no:such", 1, 19, "'no:such' is no group of this system" },
	{ "-F uid=0 " EXIT, 1, 4, "'uid=0' comes before the list" },
	{ "-F uid=0", 1, 4, "'uid=0' comes before the list" },
	{ EXIT "-C uid", 1, 19, "'uid' has an operator that -C does not take; use = or !=" },
	{ EXIT "-C uid>euid", 1, 19, "has an operator that -C does not take" },
	{ EXIT "-C =euid", 1, 19, "'=euid' has no field" },
	{ EXIT "-C uid=", 1, 19, "'uid=' has no field to compare with" },
	{ EXIT "-C nosuch=uid", 1, 19, "compares a field that is none" },
	{ EXIT "-C uid=nosuch", 1, 19, "compares with a field that is none" },
	{ EXIT "-C uid=gid", 1, 19, "'uid=gid' compares what cannot be compared" },
	{ "-a never,user -C uid=euid", 1, 18, "'uid=euid' is for the list exit alone" },
	/* Keys, watches, permissions. */
	{ EXIT "-F uid=0 -k root", 1, 28, "-k 'root' needs a system call, a watch or an exe" },
	{ EXIT "-F uid=0 -F key=root", 1, 28, "'key' needs a system call" },
	{ "-k root", 1, 4, "-k 'root' needs a system call" },
	{ "-w /a -k " KEY_100 KEY_100 KEY_100, 1, 10, "the keys are longer than 256 characters" },
	{ "-w /a -k " KEY_100 " -k " KEY_100 " -k " KEY_100, 1, 218, "the keys are longer" },
	{ "-w etc/passwd", 1, 4, "'etc/passwd' is not a whole path; begin it with /" },
	{ EXIT "-w /a", 1, 19, "'/a' is a watch in a rule that has a list" },
	{ "-w /a -w /b", 1, 10, "'/b' is a watch in a rule that has a list" },
	{ "-w /a -a never,exit", 1, 10, "is the second list of the rule" },
	{ "-S open -w /a", 1, 12, "'/a' is a watch after other parts of a rule" },
	{ "-W /a", 1, 1, "no such rule is there to be deleted" },
	{ "-p wa", 1, 4, "-p comes before what it is of; write -w PATH first" },
	{ EXIT "-p wa", 1, 19, "-p comes before what it is of; write the file first" },
	{ "-w /a -p rwxar", 1, 10, "'rwxar' is too long" },
	{ "-w /a -p rq", 1, 10, "'q' is no permission" },
	/* What stands alone. */
	{ "-D -k", 1, 1, "-D stands with others" },
	{ "-D -w /a", 1, 1, "-D stands with others" },
	{ "-q /a", 1, 4, "'/a' is not two paths; write MOUNT,SUBTREE" },
	{ "-q /a,", 1, 4, "'/a,' is not two paths" },
	{ "-q /a,/b,/c", 1, 4, "'/a,/b,/c' is not two paths" },
	{ "-w /a -q /a,/b", 1, 10, "-q stands in a rule" },
	/* What the kernel refuses. */
	{ "-a never,filesystem -F uid=0", 1, 1, "uid is not for the list filesystem" },
	{ B64 "-S open -F uid&1", 1, 1, "uid takes no & and no &=" },
	{ B64 "-S open -F exit&=1", 1, 1, "exit takes no & and no &=" },
	{ B64 "-S open -F path!=/a", 1, 1, "path takes no operator but =" },
	{ B64 "-S open -F path>/a", 1, 1, "path takes no operator but = and !=" },
	{ B64 "-S open -F dir!=/a", 1, 1, "dir takes no operator but =" },
	{ B64 "-S open -F filetype>dir", 1, 1, "filetype takes no operator but = and !=" },
	{ B64 "-S open -F subj_user>x", 1, 1, "subj_user takes no operator but = and !=" },
	{ B64 "-S open -F field_compare=0", 1, 1, "no fields are compared; use -C" },
	{ B64 "-S open -F field_compare=26", 1, 1, "no fields are compared; use -C" },
	{ B64 "-S open -F key!=a -k b", 1, 1, "the rule has two keys" },
	{ B64 "-S open -F exe=/a -F exe=/b", 1, 1, "the rule has a second exe" },
	{ B64 "-S open -F exe=a", 1, 1, "exe is not a whole path" },
	{ B64 "-S open -F exe=/a/", 1, 1, "exe ends with /" },
	{ B64 "-S open -F path=/a -F dir=/b", 1, 1, "the rule has a second file" },
	{ B64 "-S open -F inode=1 -F inode=2", 1, 1, "the rule has a second file" },
	{ B64 "-S open -F path=a", 1, 1, "path is not a whole path" },
	{ B64 "-S open -F dir=a", 1, 1, "dir is not a whole path" },
	{ B64 "-S open -F path=/a/", 1, 1, "path ends with /" },
	{ "-w /a\n\n-w /a", 3, 1, "the rule is there already, t:1; leave one of them out" },
	{ B64 "-S open\n-D\n" B64 "-S open\n" B64 "-S open", 4, 1, "is there already, t:3" },
	{ "-d always,exit -S open", 1, 1, "no such rule is there to be deleted" },
	/* Lines. */
	{ "-w /a\r\n", 1, 6, "a carriage return is part of the last word" },
	{ "\t-w /a", 1, 1, "a tab does not end a word" },
	{ "-w /a\t-p r", 1, 6, "a tab does not end a word" },
	{ "-a a b c d e f g", 1, 1, "so many short words" },
};

/* Lines that are read: rules, then what the last of them is. */
static const struct {
	const char *text;
	unsigned int rules;
	int list, action;
	unsigned int fields;
	struct {
		unsigned int type, op, value;
	} field[4];
	const char *buf;
} accepted[] = {
	{ "# -w /a\n\n  # x\n   ", 0, 0, 0, 0, {}, NULL },
	{ "-i\n-c\n-l\n-s\n-t\n-v\n-m text\n-e 1\n-f 2\n-b 8192\n-r 0\n-q /a,/b\n-D\n"
	  "--loginuid-immutable\n--reset-lost\n--backlog_wait_time 60000\n"
	  "--reset_backlog_wait_time_actual", 0, 0, 0, 0, {}, NULL },
	{ "-w /no/such -p wa -k x", 1, AUDIT_FILTER_EXIT, AUDIT_ALWAYS, 3, {
		{ AUDIT_WATCH, AUDIT_EQUAL, 8 }, { AUDIT_PERM, AUDIT_EQUAL, 10 },
		{ AUDIT_FILTERKEY, AUDIT_EQUAL, 1 } }, "/no/suchx" },
	{ "-w /no/such/ -p RX", 1, AUDIT_FILTER_EXIT, AUDIT_ALWAYS, 2, {
		{ AUDIT_WATCH, AUDIT_EQUAL, 8 }, { AUDIT_PERM, AUDIT_EQUAL, 5 } }, "/no/such" },
	{ "-w /tmp", 1, AUDIT_FILTER_EXIT, AUDIT_ALWAYS, 2, {
		{ AUDIT_DIR, AUDIT_EQUAL, 4 }, { AUDIT_PERM, AUDIT_EQUAL, 15 } }, "/tmp" },
	{ "-w /a\\ b\\\\c", 1, AUDIT_FILTER_EXIT, AUDIT_ALWAYS, 2, {
		{ AUDIT_WATCH, AUDIT_EQUAL, 6 } }, "/a b\\c" },
	{ "-w /no/such -k a -k b", 1, AUDIT_FILTER_EXIT, AUDIT_ALWAYS, 3, {
		{ AUDIT_WATCH, AUDIT_EQUAL, 8 }, { AUDIT_PERM, AUDIT_EQUAL, 15 },
		{ AUDIT_FILTERKEY, AUDIT_EQUAL, 3 } }, "/no/sucha\001b" },
	{ "-w /a\n-w /b\n-W /a", 1, AUDIT_FILTER_EXIT, AUDIT_ALWAYS, 2, {
		{ AUDIT_WATCH, AUDIT_EQUAL, 2 } }, "/b" },
	{ "-w /a -k x\n-w /b -k y\n-D -k y", 1, AUDIT_FILTER_EXIT, AUDIT_ALWAYS, 3, {
		{ AUDIT_WATCH, AUDIT_EQUAL, 2 } }, "/ax" },
	{ EXIT "-S all", 1, AUDIT_FILTER_EXIT, AUDIT_ALWAYS, 0, {}, "" },
	{ "-aexit,never -Farch=b32 -Sopen -Skill,2", 1, AUDIT_FILTER_EXIT, AUDIT_NEVER, 1, {
		{ AUDIT_ARCH, AUDIT_EQUAL, AUDIT_ARCH_I386 } }, "" },
	{ "-a never,task -F uid=0 -F gid!=0", 1, AUDIT_FILTER_TASK, AUDIT_NEVER, 2, {
		{ AUDIT_UID, AUDIT_EQUAL, 0 }, { AUDIT_GID, AUDIT_NOT_EQUAL, 0 } }, "" },
	{ "-a always,user -F uid=root -F gid=root", 1, AUDIT_FILTER_USER, AUDIT_ALWAYS, 2, {
		{ AUDIT_UID, AUDIT_EQUAL, 0 }, { AUDIT_GID, AUDIT_EQUAL, 0 } }, "" },
	{ "-a exclude,always -F msgtype=CWD", 1, AUDIT_FILTER_EXCLUDE, AUDIT_ALWAYS, 1, {
		{ AUDIT_MSGTYPE, AUDIT_EQUAL, AUDIT_CWD } }, "" },
	{ "-a never,exclude -F exe=/a -F auid>=1 -F subj_type=x", 1, AUDIT_FILTER_EXCLUDE,
		AUDIT_NEVER, 3, { { AUDIT_EXE, AUDIT_EQUAL, 2 },
		{ AUDIT_LOGINUID, AUDIT_GREATER_THAN_OR_EQUAL, 1 },
		{ AUDIT_SUBJ_TYPE, AUDIT_EQUAL, 1 } }, "/ax" },
	{ "-a never,filesystem -F fstype=0x64626720 -F key=x", 1, AUDIT_FILTER_FS, AUDIT_NEVER,
		2, { { AUDIT_FSTYPE, AUDIT_EQUAL, 0x64626720 },
		{ AUDIT_FILTERKEY, AUDIT_EQUAL, 1 } }, "x" },
	{ "-a never,filesystem -F fstype!=tracefs -k x", 1, AUDIT_FILTER_FS, AUDIT_NEVER, 2, {
		{ AUDIT_FSTYPE, AUDIT_NOT_EQUAL, 0x74726163 },
		{ AUDIT_FILTERKEY, AUDIT_EQUAL, 1 } }, "x" },
	{ B64 "-S open -F auid=unset -F auid!=-1 -F exit=-EACCES", 1, AUDIT_FILTER_EXIT,
		AUDIT_ALWAYS, 4, { { AUDIT_ARCH, AUDIT_EQUAL, AUDIT_ARCH_X86_64 },
		{ AUDIT_LOGINUID, AUDIT_EQUAL, -1 }, { AUDIT_LOGINUID, AUDIT_NOT_EQUAL, -1 },
		{ AUDIT_EXIT, AUDIT_EQUAL, -EACCES } }, "" },
	{ EXIT "-S open -F a0&1 -F a1&=2 -F a2<3 -F a3<=4", 1, AUDIT_FILTER_EXIT, AUDIT_ALWAYS,
		4, { { AUDIT_ARG0, AUDIT_BIT_MASK, 1 }, { AUDIT_ARG1, AUDIT_BIT_TEST, 2 },
		{ AUDIT_ARG2, AUDIT_LESS_THAN, 3 }, { AUDIT_ARG3, AUDIT_LESS_THAN_OR_EQUAL, 4 } },
		"" },
	{ EXIT "-S open -F sessionid=unset -F sessionid>7 -F saddr_fam=2 -F success=0", 1,
		AUDIT_FILTER_EXIT, AUDIT_ALWAYS, 4, {
		{ AUDIT_SESSIONID, AUDIT_EQUAL, -1 }, { AUDIT_SESSIONID, AUDIT_GREATER_THAN, 7 },
		{ AUDIT_SADDR_FAM, AUDIT_EQUAL, 2 }, { AUDIT_SUCCESS, AUDIT_EQUAL, 0 } }, "" },
	{ EXIT "-F exe!=/a -k x -C uid!=euid", 1, AUDIT_FILTER_EXIT, AUDIT_ALWAYS, 3, {
		{ AUDIT_EXE, AUDIT_NOT_EQUAL, 2 },
		{ AUDIT_FIELD_COMPARE, AUDIT_NOT_EQUAL, AUDIT_COMPARE_UID_TO_EUID },
		{ AUDIT_FILTERKEY, AUDIT_EQUAL, 1 } }, "/ax" },
	{ EXIT "-F dir=/a/ -F perm=x -F filetype=dir -F obj_type=y", 1, AUDIT_FILTER_EXIT,
		AUDIT_ALWAYS, 4, { { AUDIT_DIR, AUDIT_EQUAL, 3 }, { AUDIT_PERM, AUDIT_EQUAL, 1 },
		{ AUDIT_FILETYPE, AUDIT_EQUAL, S_IFDIR }, { AUDIT_OBJ_TYPE, AUDIT_EQUAL, 1 } },
		"/a/y" },
	{ EXIT "-F path=/a -p w -F key=k", 1, AUDIT_FILTER_EXIT, AUDIT_ALWAYS, 3, {
		{ AUDIT_WATCH, AUDIT_EQUAL, 2 }, { AUDIT_PERM, AUDIT_EQUAL, 2 },
		{ AUDIT_FILTERKEY, AUDIT_EQUAL, 1 } }, "/ak" },
	{ EXIT "-S open\n-A always,exit -S open", 2, AUDIT_FILTER_EXIT, AUDIT_ALWAYS, 0, {}, "" },
	{ EXIT "-S open\n-d always,exit -S open", 0, 0, 0, 0, {}, NULL },
};

static void check_refused(void)
{
	struct rulefile rf;
	const struct rule_error *e;
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		rulefile_init(&rf);
		rulefile_parse(&rf, "t", refused[i].text, strlen(refused[i].text));
		e = rf.errors;
		verdict(rf.error_count == 1, refused[i].text, "%u errors", rf.error_count);
		if (e) {
			verdict(e->line == refused[i].line && e->column == refused[i].column,
				refused[i].text, "%u:%u: %s", e->line, e->column, e->text);
			verdict(!!strstr(e->text, refused[i].error), refused[i].text, "says: %s",
				e->text);
			verdict(!strcmp(e->file, "t"), refused[i].text, "in %s", e->file);
			verdict(strstr(e->text, "; ") || strstr(e->text, "keys"),
				refused[i].text, "nothing is said to be right: %s", e->text);
		}
		rulefile_free(&rf);
	}
}

static void check_accepted(void)
{
	const struct audit_rule_data *data;
	struct rulefile rf;
	size_t i;
	unsigned int f;

	for (i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++) {
		const char *text = accepted[i].text;

		rulefile_init(&rf);
		rulefile_parse(&rf, "t", text, strlen(text));
		verdict(!rf.error_count, text, "%s", rf.error_count ? rf.errors[0].text : "");
		verdict(rf.count == accepted[i].rules, text, "%u rules", rf.count);
		if (rf.count && rf.count == accepted[i].rules) {
			data = rf.rules[rf.count - 1].data;
			verdict((int)data->flags == accepted[i].list, text, "list %u",
				data->flags);
			verdict((int)data->action == accepted[i].action, text, "action %u",
				data->action);
			verdict(data->field_count == accepted[i].fields, text, "%u fields",
				data->field_count);
			for (f = 0; f < data->field_count && f < 4 && accepted[i].field[f].op; f++)
				verdict(data->fields[f] == accepted[i].field[f].type &&
					data->fieldflags[f] == accepted[i].field[f].op &&
					data->values[f] == accepted[i].field[f].value, text,
					"field %u is %u %x %u", f, data->fields[f],
					data->fieldflags[f], data->values[f]);
			verdict(data->buflen == strlen(accepted[i].buf) &&
				!memcmp(data->buf, accepted[i].buf, data->buflen), text,
				"'%.*s'", (int)data->buflen, data->buf);
		}
		rulefile_free(&rf);
	}
}

static int in_mask(const struct audit_rule_data *data, unsigned int nr)
{
	return data->mask[nr / 32] >> (nr % 32) & 1;
}

/* Which numbers a rule is for: names, numbers, all, and none of the others. */
static void check_masks(void)
{
	static const char text[] =
		"-a always,exit -F arch=b64 -S getpid -S read,4\n"
		"-a always,exit -F arch=b32 -S mkdir\n"
		"-a always,exit -F uid=0\n"
		"-a never,task\n"
		"-a always,exit -S getpid\n";
	struct rulefile rf;
	unsigned int nr, bits;

	rulefile_init(&rf);
	rulefile_parse(&rf, "t", text, strlen(text));
	verdict(rf.count == 5, "masks", "%u rules", rf.count);
	if (rf.count == 5) {
		for (nr = 0, bits = 0; nr < 2048; nr++)
			bits += in_mask(rf.rules[0].data, nr);
		verdict(bits == 3 && in_mask(rf.rules[0].data, 39) &&
			in_mask(rf.rules[0].data, 0) && in_mask(rf.rules[0].data, 4),
			"getpid, read and 4", "%u bits", bits);
		verdict(rf.rules[0].named && !rf.rules[0].no_arch, "named, with arch", "not so");
		for (nr = 0, bits = 0; nr < 2048; nr++)
			bits += in_mask(rf.rules[1].data, nr);
		verdict(bits == 1 && in_mask(rf.rules[1].data, 39), "mkdir of i386", "%u bits",
			bits);
		for (nr = 0, bits = 0; nr < 2048; nr++)
			bits += in_mask(rf.rules[2].data, nr);
		verdict(bits == 2048 && !rf.rules[2].named, "no -S is all", "%u bits", bits);
		for (nr = 0, bits = 0; nr < 2048; nr++)
			bits += in_mask(rf.rules[3].data, nr);
		verdict(!bits, "task has no system calls", "%u bits", bits);
		verdict(in_mask(rf.rules[4].data, 39) && rf.rules[4].no_arch,
			"without arch those of this machine", "not so");
	}
	rulefile_free(&rf);
}

/* The order of the lists, lines, what -e and -i leave behind. */
static void check_file(void)
{
	static const char text[] =
		"-i\n-a always,exit -S 1\n-a never,task\n-A never,exit -S 2\n\n"
		"-a bad\n-A always,exit -S 3\n-e 2\n-a always,exit -S 4\n";
	static const unsigned int lines[] = { 7, 4, 2, 3, 9 };
	struct rulefile rf;
	unsigned int i;

	rulefile_init(&rf);
	verdict(rf.enabled == -1, "enabled before", "%d", rf.enabled);
	rulefile_parse(&rf, "t", text, strlen(text));
	verdict(rf.error_count == 1 && rf.errors[0].line == 6, "the rest is read", "%u errors",
		rf.error_count);
	verdict(rf.count == 5, "order", "%u rules", rf.count);
	for (i = 0; i < 5 && rf.count == 5; i++)
		verdict(rf.rules[i].line == lines[i] && !strcmp(rf.rules[i].file, "t"), "order",
			"rule %u is of line %u", i, rf.rules[i].line);
	verdict(rf.ignore, "-i", "is not seen");
	verdict(rf.lines == 9, "lines", "%u", rf.lines);
	verdict(rf.enabled == 2, "-e 2", "%d", rf.enabled);
	verdict(rf.lock_file && rf.lock_line == 8, "a rule after -e 2", "line %u", rf.lock_line);
	rulefile_free(&rf);

	rulefile_init(&rf);
	rulefile_parse(&rf, "t", "-w /a\n-e 2\n", 11);
	verdict(!rf.lock_file && rf.enabled == 2 && !rf.ignore, "-e 2 at the end", "not so");
	rulefile_free(&rf);

	rulefile_init(&rf);
	rulefile_parse(&rf, "t", "-w /a\0b\n-w /c", 13);
	verdict(rf.error_count == 1 && rf.errors[0].column == 6 && rf.count == 1 &&
		strstr(rf.errors[0].text, "zero byte"), "a zero byte", "%u errors",
		rf.error_count);
	rulefile_free(&rf);
}

/* The list of io_uring, which not each libaudit has. */
static void check_uring(void)
{
	static const char text[] = "-a always,io_uring -S openat\n-a always,io_uring -S getpid\n";
	struct rulefile rf;

	rulefile_init(&rf);
	rulefile_parse(&rf, "t", text, strlen(text));
	if (audit_rule_io_uringbyname_data)
		verdict(rf.count == 1 && rf.rules[0].data->flags == 7 && rf.error_count == 1 &&
			strstr(rf.errors[0].text, "'getpid' is no operation of io_uring"),
			"io_uring", "%u rules", rf.count);
	else
		verdict(!rf.count && rf.error_count == 2 &&
			strstr(rf.errors[0].text, "this libaudit has no list io_uring"),
			"no io_uring", "%u rules", rf.count);
	rulefile_free(&rf);
}

/* Rules that the kernel lists. */
static void check_listed(void)
{
	static const char text[] = "-w /a -k x\n-a never,task\n";
	struct rulefile from, rf;

	rulefile_init(&from);
	rulefile_init(&rf);
	rulefile_parse(&from, "t", text, strlen(text));
	rulefile_add(&rf, from.rules[0].data);
	rulefile_add(&rf, from.rules[1].data);
	verdict(rf.count == 2 && !rf.rules[1].file && rf.rules[1].line == 2 && rf.rules[1].named,
		"listed", "%u rules", rf.count);
	verdict(!memcmp(rf.rules[0].data, from.rules[0].data, sizeof(*from.rules[0].data) + 3),
		"listed", "not the same");
	rulefile_free(&rf);
	rulefile_free(&from);
}

/* A rule of @count fields uid=N, and what is behind them. */
static void many_fields(unsigned int count, const char *tail, const char *error)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	struct rulefile rf;
	unsigned int i;

	fputs("-a always,exit -S open", file);
	for (i = 0; i < count; i++)
		fprintf(file, " -F uid=%u", i);
	fputs(tail, file);
	fclose(file);
	rulefile_init(&rf);
	rulefile_parse(&rf, "t", text, size);
	if (error)
		verdict(rf.error_count == 1 && strstr(rf.errors[0].text, error), tail, "%u: %s",
			rf.error_count, rf.error_count ? rf.errors[0].text : "");
	else
		verdict(!rf.error_count && rf.count == 1, tail, "%s",
			rf.error_count ? rf.errors[0].text : "");
	rulefile_free(&rf);
	free(text);
}

static void check_limits(void)
{
	static char text[20000];
	struct rulefile rf;

	many_fields(63, "", NULL);
	many_fields(62, " -k x", NULL);
	many_fields(64, "", "one field too many");
	many_fields(63, " -k x", "one field too many");
	many_fields(63, " -p r", "one field too many");
	many_fields(63, " -C uid=euid", "one field too many");
	many_fields(63, " -F exe=/a", "one field too many");
	many_fields(63, " -F sessionid=1", "one field too many");

	strcpy(text, "-w /");
	memset(text + 4, 'a', 255);
	rulefile_init(&rf);
	rulefile_parse(&rf, "t", text, 4 + 255);
	verdict(!rf.error_count && rf.count == 1, "a name of 255", "%u", rf.error_count);
	memset(text + 4, 'a', 256);
	rulefile_parse(&rf, "t", text, 4 + 256);
	verdict(rf.error_count == 1 && strstr(rf.errors[0].text, "the last part of the path"),
		"a name of 256", "%u", rf.error_count);
	memset(text + 4, '/', 5000);
	rulefile_parse(&rf, "t", text, 4 + 5000);
	verdict(rf.error_count == 2 && strstr(rf.errors[1].text, "the path is too long"),
		"a path of 5001", "%u", rf.error_count);
	strcpy(text, "-a always,exit -F dir=");
	memset(text + strlen(text), '/', 5000);
	rulefile_parse(&rf, "t", text, 5000);
	verdict(rf.error_count == 3 && strstr(rf.errors[2].text, "too long; shorten it"),
		"a dir of 4978", "%u", rf.error_count);
	verdict(strlen(rf.errors[2].text) < 200, "a dir of 4978", "says too much");
	memset(text, ' ', 6142);
	rulefile_parse(&rf, "t", text, 6142);
	verdict(rf.error_count == 3, "a line of 6142", "%u", rf.error_count);
	memset(text, '#', 6143);
	rulefile_parse(&rf, "t", text, 6143);
	verdict(rf.error_count == 4 && strstr(rf.errors[3].text, "longer than 6142"),
		"a line of 6143", "%u", rf.error_count);
	verdict(rf.errors[3].column == 6143, "a line of 6143", "column %u",
		rf.errors[3].column);
	rulefile_free(&rf);
}

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[200];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	if (!file)
		abort();
	fputs(text, file);
	fclose(file);
}

/* A directory, as augenrules joins it. @dir is ours to fill. */
static void check_directory(const char *dir)
{
	static const unsigned int lines[] = { 2, 5, 1, 2 };
	char path[200];
	struct rulefile rf;
	unsigned int i;

	rulefile_init(&rf);
	rulefile_read(&rf, "/no/such.rules");
	verdict(rf.error_count == 1 && !rf.errors[0].line &&
		strstr(rf.errors[0].text, "cannot be opened: No such file"), "no file", "%u",
		rf.error_count);
	rulefile_read(&rf, dir);
	verdict(rf.error_count == 2 && strstr(rf.errors[1].text, "has no rule files"),
		"an empty directory", "%u", rf.error_count);
	rulefile_read(&rf, "/proc/self/mem");
	verdict(rf.error_count == 3 && strstr(rf.errors[2].text, "cannot be read: "),
		"a file that cannot be read", "%u", rf.error_count);
	rulefile_free(&rf);

	write_file(dir, "10-a.rules", "# first\n-w /a\n-e 2\n-D\n-w /b\n");
	write_file(dir, "30-c.rules", "-w /d\n-w /e\n-f 1\n-e 0\n");
	write_file(dir, "11-b.rule", "-x\n");
	write_file(dir, ".12-b.rules", "-x\n");
	write_file(dir, "9-z.rules", "-w /c\n-w /f\n -D \t\n-b x\n -f 9\n-b 2\n-D -k k\n");
	rulefile_init(&rf);
	rulefile_read(&rf, dir);
	verdict(!rf.error_count, "a directory", "%s:%u: %s", rf.error_count ? rf.errors[0].file : "",
		rf.error_count ? rf.errors[0].line : 0, rf.error_count ? rf.errors[0].text : "");
	verdict(rf.count == 6, "a directory", "%u rules", rf.count);
	for (i = 0; i < 4 && rf.count == 6; i++)
		verdict(rf.rules[i + 2].line == lines[i], "the order of a directory",
			"rule %u is %s:%u", i + 2, rf.rules[i + 2].file, rf.rules[i + 2].line);
	verdict(rf.enabled == 0 && !rf.lock_file, "the last -e of a directory", "%d", rf.enabled);
	if (rf.count == 6) {
		snprintf(path, sizeof(path), "%s/9-z.rules", dir);
		verdict(!strcmp(rf.rules[0].file, path), "9 is before 10", "%s",
			rf.rules[0].file);
	}
	rulefile_free(&rf);

	/* A file of it is read in its own order. */
	snprintf(path, sizeof(path), "%s/10-a.rules", dir);
	rulefile_init(&rf);
	rulefile_read(&rf, path);
	verdict(rf.count == 1 && rf.rules[0].line == 5 && rf.enabled == 2, "a file alone",
		"%u rules", rf.count);
	rulefile_free(&rf);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	check_refused();
	check_accepted();
	check_masks();
	check_file();
	check_limits();
	check_uring();
	check_listed();
	check_directory(argv[1]);
	printf("%u checks, %u failed\n", cases, failures);
	return !!failures;
}
