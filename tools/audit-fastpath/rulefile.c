// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read rule files as auditctl -R and augenrules do; see rulefile.h.
 *
 * May know auditctl's options, libaudit's parser and what the kernel refuses:
 * audit_data_to_entry() and audit_field_valid() in kernel/auditfilter.c, in the
 * order in which auditctl and the kernel find it. Knows nothing of what a rule
 * costs.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <grp.h>
#include <libgen.h>
#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "rulefile.h"

#ifndef AUDIT_FILTER_URING_EXIT
#define AUDIT_FILTER_URING_EXIT	7
#endif

/* A line that auditctl reads is shorter; what is longer is two to it. */
#define LINE_LONGEST	6142

/*
 * The state of libaudit's parser between the options of a rule. auditctl, from
 * outside the library as well, sets these when it begins a rule.
 */
extern int _audit_archadded, _audit_syscalladded, _audit_permadded;
extern int _audit_exeadded, _audit_filterfsadded;
extern unsigned int _audit_elf;

/* Not in each libaudit. */
extern int audit_rule_io_uringbyname_data(struct audit_rule_data *rule, const char *op)
	__attribute__((weak));

/* A word of a line, and where it stands. */
struct word {
	char *text;
	unsigned int column;
};

/* What a line asks for. */
enum request {
	REQUEST_NONE,		/* no rule */
	REQUEST_ADD,
	REQUEST_DELETE,
	REQUEST_REFUSED,
};

/* The line that is being read. */
struct line {
	struct rulefile *rf;
	const char *file;
	unsigned int number;
	struct word *words;
	int count;
	unsigned int column;	/* of the option that is looked at */
	enum request request;
	int list;		/* AUDIT_FILTER_*, or -1 */
	int action;
	int prepend;
	int multiple;
	int named;
	int no_arch;
	int watch;
	char key[AUDIT_MAX_KEY_LEN + 1];
	struct audit_rule_data *rule;
};

static void *grow(void *memory, size_t size)
{
	memory = realloc(memory, size);
	if (!memory)
		abort();
	return memory;
}

static char *copy(const char *text, size_t size)
{
	char *to = grow(NULL, size + 1);

	memcpy(to, text, size);
	to[size] = 0;
	return to;
}

static void __attribute__((format(printf, 5, 0)))
add_error(struct rulefile *rf, const char *file, unsigned int line, unsigned int column,
	  const char *format, va_list args)
{
	struct rule_error *error;

	rf->errors = grow(rf->errors, (rf->error_count + 1) * sizeof(*rf->errors));
	error = &rf->errors[rf->error_count++];
	error->file = file;
	error->line = line;
	error->column = column;
	if (vasprintf(&error->text, format, args) < 0)
		abort();
}

/* Of a file as a whole. */
static void __attribute__((format(printf, 3, 4)))
file_error(struct rulefile *rf, const char *file, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_error(rf, file, 0, 1, format, args);
	va_end(args);
}

/* The line is refused; what comes first counts. */
static void __attribute__((format(printf, 2, 3)))
refuse(struct line *l, const char *format, ...)
{
	va_list args;

	if (l->request == REQUEST_REFUSED)
		return;
	l->request = REQUEST_REFUSED;
	va_start(args, format);
	add_error(l->rf, l->file, l->number, l->column, format, args);
	va_end(args);
}

/* The column of @at in the line, or that of the option. */
static unsigned int column_of(const struct line *l, const char *at)
{
	int i;

	for (i = 0; i < l->count; i++)
		if (at >= l->words[i].text &&
		    at <= l->words[i].text + strlen(l->words[i].text))
			return l->words[i].column + (at - l->words[i].text);
	return l->column;
}

/* What libaudit says of a pair, as a sentence. By its numbers; they are stable. */
static void pair_error(struct line *l, int code, const char *pair)
{
	static const char *const texts[] = {
		[1] = "has no operator; write FIELD=VALUE, or another of != < > <= >= & &=",
		[2] = "is of no field that auditctl knows; see the -F fields in auditctl(8)",
		[3] = "comes after system calls; write -F arch= before -S and perm=",
		[4] = "names no machine; write b64 or b32",
		[5] = "names no machine; write b64 or b32",
		[6] = "asks for bits that the machine does not have; write b64 or b32",
		[7] = "is for the list exit alone; use -a ACTION,exit",
		[8] = "is of no message type; write a name as in ausearch -m, or a number",
		[9] = "is for the lists exclude and user alone; use -a ACTION,exclude",
		[11] = "has a value that is too long; shorten it",
		[12] = "is not for the list exclude; that takes msgtype, pid, uid, gid, auid, exe and subj_*",
		[13] = "has an operator that the field does not take; use = or !=",
		[14] = "has a permission that is none; use letters of rwxa",
		[15] = "is of no error; write a name such as -EACCES, or a number",
		[16] = "is of no file type; use file, dir, socket, link, character, block or fifo",
		[17] = "is for the list exit alone; use -a ACTION,exit",
		[19] = "needs a system call, a watch or an exe before it; put the key last",
		[20] = "has no value; write one after the operator",
		[21] = "has a value that is no number; write a number",
		[22] = "has no field; write one before the operator",
		[24] = "has no field; write one before the operator",
		[25] = "has no field to compare with; write one after the operator",
		[26] = "compares a field that is none; use one of the *uid or *gid",
		[27] = "compares with a field that is none; use one of the *uid or *gid",
		[28] = "is one field too many; a rule has up to 63, make it two rules",
		[29] = "has an operator that the field does not take; use =",
		[31] = "is not for this list; use exit, exclude or user",
		[33] = "compares what cannot be compared; compare two *uid or two *gid",
		[34] = "is not for this list; use -a ACTION,filesystem",
		[36] = "is of no file system; use debugfs, tracefs or a number",
		[37] = "has a value that is too large; see socket(2) for the families",
	};
	const char *text = NULL;

	if (-code > 0 && (size_t)-code < sizeof(texts) / sizeof(texts[0]))
		text = texts[-code];
	if (text)
		refuse(l, "'%.80s%s' %s", pair, strlen(pair) > 80 ? "..." : "", text);
	else
		refuse(l, "'%.80s' is refused by libaudit (%d); see auditctl(8)", pair, code);
}

static int op_of(const char *pair, const char **value)
{
	/* In libaudit's order, which looks for each in all of the pair. */
	static const struct {
		const char *text;
		int op;
	} ops[] = {
		{ "!=", AUDIT_NOT_EQUAL }, { ">=", AUDIT_GREATER_THAN_OR_EQUAL },
		{ "<=", AUDIT_LESS_THAN_OR_EQUAL }, { "&=", AUDIT_BIT_TEST },
		{ "=", AUDIT_EQUAL }, { ">", AUDIT_GREATER_THAN },
		{ "<", AUDIT_LESS_THAN }, { "&", AUDIT_BIT_MASK },
	};
	size_t i;

	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		*value = strstr(pair, ops[i].text);
		if (*value) {
			*value += strlen(ops[i].text);
			return ops[i].op;
		}
	}
	return 0;
}

/* The field of a pair, or -1: libaudit will say what is wrong. */
static int field_of(const char *pair, int *op, const char **value)
{
	char name[32];
	size_t size;

	*op = op_of(pair, value);
	if (!*op || !**value)
		return -1;
	size = strcspn(pair, "!=<>&");
	if (!size || size >= sizeof(name))
		return -1;
	memcpy(name, pair, size);
	name[size] = 0;
	return audit_name_to_field(name);
}

/* The user or the group of a pair: libaudit would print what is wrong. */
static int known_id(struct line *l, int field, const char *value)
{
	if (isdigit(*value) || (*value == '-' && isdigit(value[1])))
		return 1;
	switch (field) {
	case AUDIT_UID:
	case AUDIT_EUID:
	case AUDIT_SUID:
	case AUDIT_FSUID:
	case AUDIT_LOGINUID:
	case AUDIT_OBJ_UID:
		if (!strcmp(value, "unset") || getpwnam(value))
			return 1;
		refuse(l, "'%s' is no user of this system; write a user, a number or unset",
		       value);
		return 0;
	case AUDIT_GID:
	case AUDIT_EGID:
	case AUDIT_SGID:
	case AUDIT_FSGID:
	case AUDIT_OBJ_GID:
		if (getgrnam(value))
			return 1;
		refuse(l, "'%s' is no group of this system; write a group or a number",
		       value);
		return 0;
	default:
		return 1;
	}
}

static int on_exclude(int field)
{
	switch (field) {
	case AUDIT_PID:
	case AUDIT_UID:
	case AUDIT_GID:
	case AUDIT_LOGINUID:
	case AUDIT_MSGTYPE:
	case AUDIT_SUBJ_USER:
	case AUDIT_SUBJ_ROLE:
	case AUDIT_SUBJ_TYPE:
	case AUDIT_SUBJ_SEN:
	case AUDIT_SUBJ_CLR:
	case AUDIT_EXE:
		return 1;
	default:
		return 0;
	}
}

/* Have libaudit parse another pair and call it @field: 0, or its code. */
static int pair_as(struct line *l, const char *name, const char *value, int op,
		   unsigned int field)
{
	char *pair;
	int rc;

	if (asprintf(&pair, "%s=%s", name, value) < 0)
		abort();
	rc = audit_rule_fieldpair_data(&l->rule, pair, AUDIT_FILTER_EXIT);
	if (!rc) {
		l->rule->fields[l->rule->field_count - 1] = field;
		l->rule->fieldflags[l->rule->field_count - 1] = op;
	}
	free(pair);
	return rc;
}

/*
 * Have libaudit parse a pair. It asks the running kernel whether it knows some
 * of the fields and lists, which needs rights: those are parsed as others are
 * that are written in the same way.
 */
static int parse_pair(struct line *l, const char *pair)
{
	const char *value;
	char number[16], *own;
	int op, rc, list = l->list, field = field_of(pair, &op, &value);

	if (field >= 0 && !known_id(l, field, value))
		return 0;
	if (list == AUDIT_FILTER_EXCLUDE) {
		if (field >= 0 && !on_exclude(field))
			return -12;
		list = AUDIT_FILTER_USER;	/* takes all of these */
	}
	if (list == AUDIT_FILTER_FS && field != AUDIT_FSTYPE)
		list = AUDIT_FILTER_USER;
	switch (field) {
	case AUDIT_EXE:
		if (op != AUDIT_EQUAL && op != AUDIT_NOT_EQUAL)
			return -13;
		_audit_exeadded = 1;
		return pair_as(l, "subj_type", value, op, field);
	case AUDIT_SESSIONID:
		if (list != AUDIT_FILTER_USER && list != AUDIT_FILTER_EXIT)
			return -31;
		return pair_as(l, "a0", strcmp(value, "unset") ? value : "4294967295", op,
			       field);
	case AUDIT_FSTYPE:
		if (list != AUDIT_FILTER_FS)
			return -34;
		if (op != AUDIT_EQUAL && op != AUDIT_NOT_EQUAL)
			return -13;
		if (!isdigit(*value)) {
			int type = audit_name_to_fstype(value);

			if (type == -1)
				return -36;
			snprintf(number, sizeof(number), "%u", (unsigned int)type);
			value = number;
		}
		_audit_filterfsadded = 1;
		return pair_as(l, "a0", value, op, field);
	default:
		break;
	}
	/* It writes into the pair. */
	own = copy(pair, strlen(pair));
	rc = audit_rule_fieldpair_data(&l->rule, own, list);
	free(own);
	if (!rc && field == AUDIT_PERM)
		_audit_permadded = 1;
	return rc;
}

static void add_key(struct line *l, const char *key)
{
	size_t used = strlen(l->key);

	if (strlen(key) + used + !!used > AUDIT_MAX_KEY_LEN) {
		refuse(l, "the keys are longer than %d characters; shorten them",
		       AUDIT_MAX_KEY_LEN);
		return;
	}
	if (used)
		l->key[used++] = AUDIT_KEY_SEPARATOR;
	strcpy(l->key + used, key);
}

static void option_field(struct line *l, const char *pair)
{
	int rc;

	if (l->list < 0) {
		refuse(l, "'%s' comes before the list; write -a LIST,ACTION first", pair);
		return;
	}
	if (!strncmp(pair, "key=", 4)) {
		add_key(l, pair + 4);
		return;
	}
	rc = parse_pair(l, pair);
	if (rc)
		pair_error(l, rc, pair);
}

static void option_compare(struct line *l, const char *pair)
{
	char *own = copy(pair, strlen(pair));
	int rc;

	rc = audit_rule_interfield_comp_data(&l->rule, own, l->list);
	free(own);
	if (rc == -13)
		refuse(l, "'%s' has an operator that -C does not take; use = or !=", pair);
	else if (rc)
		pair_error(l, rc, pair);
}

static int list_of(const char *name)
{
	static const char *const names[] = {
		[AUDIT_FILTER_USER] = "user",
		[AUDIT_FILTER_TASK] = "task",
		[AUDIT_FILTER_EXIT] = "exit",
		[AUDIT_FILTER_EXCLUDE] = "exclude",
		[AUDIT_FILTER_FS] = "filesystem",
		[AUDIT_FILTER_URING_EXIT] = "io_uring",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i] && !strcmp(name, names[i]))
			return i;
	return -1;
}

static int action_of(const char *name)
{
	if (!strcmp(name, "always"))
		return AUDIT_ALWAYS;
	if (!strcmp(name, "never"))
		return AUDIT_NEVER;
	if (!strcmp(name, "possible"))
		return AUDIT_POSSIBLE;
	return -1;
}

static void option_list(struct line *l, const char *pair, enum request request)
{
	const char *comma = strchr(pair, ',');
	char *first, *second;

	if (l->multiple++ || l->list >= 0) {
		refuse(l, "'%s' is the second list of the rule; give each rule a line of its own",
		       pair);
		return;
	}
	if (request == REQUEST_ADD && strstr(pair, "task") && _audit_syscalladded) {
		refuse(l, "rules of the list task have no system calls; leave -S out");
		return;
	}
	if (!comma || strchr(comma + 1, ',')) {
		refuse(l, "'%s' is not a list and an action; write LIST,ACTION, as in always,exit",
		       pair);
		return;
	}
	first = copy(pair, comma - pair);
	second = copy(comma + 1, strlen(comma + 1));
	l->list = list_of(first);
	l->action = action_of(l->list < 0 ? first : second);
	if (l->list < 0)
		l->list = list_of(second);
	if (l->action == AUDIT_POSSIBLE)
		refuse(l, "the action possible is no more; use always or never");
	else if (l->list < 0 && (!strcmp(first, "entry") || !strcmp(second, "entry")))
		refuse(l, "the list entry is no more; use exit");
	else if (l->list < 0)
		refuse(l, "'%s' names no list; use exit, task, user, exclude, filesystem or io_uring",
		       pair);
	else if (l->action < 0)
		refuse(l, "'%s' names no action; use always or never", pair);
	else if (l->list == AUDIT_FILTER_URING_EXIT && !audit_rule_io_uringbyname_data)
		refuse(l, "this libaudit has no list io_uring; use one of audit 4.0 or newer");
	else
		l->request = request;
	free(first);
	free(second);
}

/* One name, or number, of a system call. */
static int add_call(struct line *l, const char *name)
{
	int rc;

	if (l->list == AUDIT_FILTER_URING_EXIT) {
		if (audit_rule_io_uringbyname_data(l->rule, name)) {
			refuse(l, "'%s' is no operation of io_uring; see io_uring_enter(2)",
			       name);
			return 0;
		}
		return 1;
	}
	rc = audit_rule_syscallbyname_data(l->rule, name);
	if (!rc)
		return 1;
	if (isdigit(*name))
		refuse(l, "'%s' is no number of a system call; use one below %d", name,
		       AUDIT_BITMASK_SIZE * 32);
	else
		refuse(l, "'%s' is no system call of %s to this libaudit; see ausyscall(8), or write its number", name,
		       audit_machine_to_name(audit_elf_to_machine(_audit_elf)));
	return 0;
}

static void option_syscall(struct line *l, const char *names)
{
	unsigned int first = l->column;
	char *own, *name, *saved;
	int unknown = !_audit_elf;

	switch (l->list) {
	case AUDIT_FILTER_TASK:
	case AUDIT_FILTER_USER:
	case AUDIT_FILTER_EXCLUDE:
	case AUDIT_FILTER_FS:
		refuse(l, "-S is not for this list; use -a ACTION,exit or leave -S out");
		return;
	default:
		break;
	}
	if (unknown && l->list != AUDIT_FILTER_URING_EXIT)
		_audit_elf = audit_machine_to_elf(audit_detect_machine());
	own = copy(names, strlen(names));
	for (name = strtok_r(own, ",", &saved); name; name = strtok_r(NULL, ",", &saved)) {
		l->column = first + (name - own);
		if (!add_call(l, name))
			break;
		l->named = 1;
		if (unknown && strcmp(name, "all") && l->list != AUDIT_FILTER_URING_EXIT)
			l->no_arch = 1;
	}
	l->column = first;
	if (!l->named)
		refuse(l, "'%s' names no system call; write names, or all", names);
	_audit_syscalladded = 1;
	free(own);
}

static void option_watch(struct line *l, const char *path, enum request request)
{
	size_t size = strlen(path);
	struct stat status;
	char *own, *base;

	if (l->list >= 0) {
		refuse(l, "'%s' is a watch in a rule that has a list; use -F path= or dir=", path);
		return;
	}
	if (path[0] != '/') {
		refuse(l, "'%s' is not a whole path; begin it with /", path);
		return;
	}
	if (size >= PATH_MAX) {
		refuse(l, "the path is too long; the longest has %d characters", PATH_MAX - 1);
		return;
	}
	own = copy(path, size);
	base = basename(own);
	if (strlen(base) > NAME_MAX) {
		refuse(l, "the last part of the path is too long; the longest has %d characters",
		       NAME_MAX);
		free(own);
		return;
	}
	free(own);
	own = copy(path, size);
	if (size > 2)
		while (size > 1 && own[size - 1] == '/')
			own[--size] = 0;
	if (l->named || l->rule->field_count)
		refuse(l, "'%s' is a watch after other parts of a rule; begin the line with -w",
		       path);
	else
		audit_add_watch_dir(!stat(own, &status) && S_ISDIR(status.st_mode) ?
				    AUDIT_DIR : AUDIT_WATCH, &l->rule, own);
	free(own);
	l->list = AUDIT_FILTER_EXIT;
	l->action = AUDIT_ALWAYS;
	l->watch = 1;
	_audit_syscalladded = 1;
	if (l->request != REQUEST_REFUSED)
		l->request = request;
}

static void option_perms(struct line *l, const char *letters)
{
	unsigned int perms = 0;
	size_t i;

	if (l->list < 0) {
		refuse(l, "-p comes before what it is of; write -w PATH first");
		return;
	}
	if (strlen(letters) > 4) {
		refuse(l, "'%s' is too long; use letters of rwxa, each once", letters);
		return;
	}
	for (i = 0; letters[i]; i++) {
		switch (tolower(letters[i])) {
		case 'r':
			perms |= AUDIT_PERM_READ;
			break;
		case 'w':
			perms |= AUDIT_PERM_WRITE;
			break;
		case 'x':
			perms |= AUDIT_PERM_EXEC;
			break;
		case 'a':
			perms |= AUDIT_PERM_ATTR;
			break;
		default:
			refuse(l, "'%c' is no permission; use letters of rwxa", letters[i]);
			return;
		}
	}
	if (!l->rule->field_count)
		refuse(l, "-p comes before what it is of; write the file first");
	else if (audit_update_watch_perms(l->rule, perms))
		pair_error(l, -28, letters);
	else
		_audit_permadded = 1;
}

static void option_key(struct line *l, const char *key)
{
	if (l->list < 0 || !(_audit_syscalladded || _audit_permadded || _audit_exeadded ||
			     _audit_filterfsadded))
		refuse(l, "-k '%s' needs a system call, a watch or an exe before it; put -k last",
		       key);
	else
		add_key(l, key);
}

/* Of -e, -f, and of those that take any number. */
static void option_number(struct line *l, const char *name, const char *value, int most)
{
	unsigned long number;

	if (most && (value[0] < '0' || value[0] > '0' + most || value[1])) {
		refuse(l, "%s '%s' is none of its values; use 0 to %d", name, value, most);
		return;
	}
	errno = 0;
	number = strtoul(value, NULL, 0);
	if (!isdigit(*value) || errno || number > UINT32_MAX)
		refuse(l, "%s '%s' is no number; use one from 0 to %u", name, value, UINT32_MAX);
}

/* The bytes of a string field are in the rule's buffer. */
static int has_string(unsigned int field)
{
	switch (field) {
	case AUDIT_SUBJ_USER ... AUDIT_SUBJ_CLR:
	case AUDIT_OBJ_USER ... AUDIT_OBJ_LEV_HIGH:
	case AUDIT_WATCH:
	case AUDIT_DIR:
	case AUDIT_EXE:
	case AUDIT_FILTERKEY:
		return 1;
	default:
		return 0;
	}
}

/* Drop the rules, or those with a key. */
static void delete_all(struct rulefile *rf, const char *key)
{
	unsigned int i, kept = 0;

	for (i = 0; i < rf->count; i++) {
		const struct audit_rule_data *data = rf->rules[i].data;
		unsigned int f, at = 0, has = !key;

		for (f = 0; f < data->field_count; f++) {
			unsigned int size = has_string(data->fields[f]) ? data->values[f] : 0;

			if (data->fields[f] == AUDIT_FILTERKEY && key &&
			    memmem(data->buf + at, size, key, strlen(key)))
				has = 1;
			at += size;
		}
		if (has)
			audit_rule_free_data(rf->rules[i].data);
		else
			rf->rules[kept++] = rf->rules[i];
	}
	rf->count = kept;
}

static void option_delete_all(struct line *l, char **args, int at)
{
	const char *key = NULL;

	if (l->count == 3 && args[at] && !strcmp(args[at], "-k")) {
		key = l->words[2].text;
		optind = l->count + 1;
	} else if (l->count != 1) {
		refuse(l, "-D stands with others; write -D alone, or -D -k KEY");
		return;
	}
	delete_all(l->rf, key);
}

static void option_equal(struct line *l, const char *pair)
{
	const char *comma = strchr(pair, ',');

	if (_audit_syscalladded)
		refuse(l, "-q stands in a rule; give it a line of its own");
	else if (!comma || !comma[1] || strchr(comma + 1, ','))
		refuse(l, "'%s' is not two paths; write MOUNT,SUBTREE", pair);
}

enum {
	OPTION_IMMUTABLE = 1,
	OPTION_BACKLOG_WAIT,
	OPTION_RESET_LOST,
	OPTION_RESET_WAIT,
	OPTION_SIGNAL,
};

static const struct option long_options[] = {
	{ "loginuid-immutable", 0, NULL, OPTION_IMMUTABLE },
	{ "backlog_wait_time", 1, NULL, OPTION_BACKLOG_WAIT },
	{ "reset-lost", 0, NULL, OPTION_RESET_LOST },
	{ "reset_backlog_wait_time_actual", 0, NULL, OPTION_RESET_WAIT },
	{ "signal", 1, NULL, OPTION_SIGNAL },
	{ NULL, 0, NULL, 0 }
};

#define SHORT_OPTIONS	"hicslDvtC:e:f:r:b:a:A:d:S:F:m:R:w:W:k:p:q:"

/* An option. Return: 0 if auditctl reads no further in this line. */
static int option(struct line *l, int c, char **args)
{
	const char *at;

	switch (c) {
	case 'i':
	case 'c':
		l->rf->ignore = 1;
		return 0;
	case 'l':
	case 's':
	case 't':
	case 'v':
	case 'm':
	case OPTION_IMMUTABLE:
	case OPTION_RESET_LOST:
	case OPTION_RESET_WAIT:
		return 0;
	case 'h':
		refuse(l, "-h is not for rule files; leave it out");
		break;
	case 'e':
		option_number(l, "-e", optarg, 2);
		if (l->request == REQUEST_REFUSED)
			break;
		l->rf->enabled = optarg[0] - '0';
		if (l->rf->enabled == 2 && !l->rf->locked_file) {
			l->rf->locked_file = l->file;
			l->rf->locked_line = l->number;
		}
		break;
	case 'f':
		option_number(l, "-f", optarg, 2);
		break;
	case 'r':
		option_number(l, "-r", optarg, 0);
		break;
	case 'b':
		option_number(l, "-b", optarg, 0);
		break;
	case OPTION_BACKLOG_WAIT:
		option_number(l, "--backlog_wait_time", optarg, 0);
		break;
	case OPTION_SIGNAL:
		refuse(l, "--signal is not for rule files; leave it out");
		break;
	case 'a':
	case 'A':
		option_list(l, optarg, REQUEST_ADD);
		l->prepend = c == 'A';
		break;
	case 'd':
		option_list(l, optarg, REQUEST_DELETE);
		break;
	case 'S':
		option_syscall(l, optarg);
		break;
	case 'F':
		option_field(l, optarg);
		break;
	case 'C':
		option_compare(l, optarg);
		break;
	case 'R':
		refuse(l, "rule files cannot read others; put the rules here");
		break;
	case 'D':
		option_delete_all(l, args, optind);
		return 0;
	case 'w':
		option_watch(l, optarg, REQUEST_ADD);
		break;
	case 'W':
		option_watch(l, optarg, REQUEST_DELETE);
		break;
	case 'k':
		option_key(l, optarg);
		break;
	case 'p':
		option_perms(l, optarg);
		break;
	case 'q':
		option_equal(l, optarg);
		return 0;
	default:
		at = optopt && optopt < 128 ? strchr(SHORT_OPTIONS, optopt) : NULL;
		if (at && at[1] == ':')
			refuse(l, "-%c has nothing after it; write its value", optopt);
		else if (optopt == OPTION_BACKLOG_WAIT || optopt == OPTION_SIGNAL)
			refuse(l, "the option has nothing after it; write its value");
		else
			refuse(l, "this is no option of auditctl; see auditctl(8)");
	}
	return l->request != REQUEST_REFUSED;
}

/* Operators: 2 if the field takes all, 1 not those of bits, 0 = and != alone. */
static int takes_ops(unsigned int field)
{
	switch (field) {
	case AUDIT_ARG0 ... AUDIT_ARG3:
	case AUDIT_PERS:
	case AUDIT_DEVMINOR:
		return 2;
	case AUDIT_SUBJ_USER ... AUDIT_SUBJ_TYPE:
	case AUDIT_OBJ_USER ... AUDIT_OBJ_TYPE:
	case AUDIT_WATCH:
	case AUDIT_DIR:
	case AUDIT_FILTERKEY:
	case AUDIT_LOGINUID_SET:
	case AUDIT_ARCH:
	case AUDIT_FSTYPE:
	case AUDIT_PERM:
	case AUDIT_FILETYPE:
	case AUDIT_FIELD_COMPARE:
	case AUDIT_EXE:
		return 0;
	default:
		return 1;
	}
}

/* What the kernel refuses, which auditctl does not look at. */
static void kernel_refuses(struct line *l)
{
	const struct audit_rule_data *data = l->rule;
	unsigned int i, at = 0, op, files = 0, keys = 0, exes = 0;
	const char *name;

	for (i = 0; i < data->field_count; i++) {
		const char *text = data->buf + at;
		unsigned int size = has_string(data->fields[i]) ? data->values[i] : 0;

		at += size;
		op = data->fieldflags[i];
		name = audit_field_to_name(data->fields[i]) ?: "the field";
		if (l->list == AUDIT_FILTER_FS && data->fields[i] != AUDIT_FSTYPE &&
		    data->fields[i] != AUDIT_FILTERKEY)
			refuse(l, "%s is not for the list filesystem; that takes fstype and a key",
			       name);
		switch (takes_ops(data->fields[i])) {
		case 0:
			if (op != AUDIT_EQUAL && op != AUDIT_NOT_EQUAL)
				refuse(l, "%s takes no operator but = and !=; use one of them",
				       name);
			break;
		case 1:
			if (op == AUDIT_BIT_MASK || op == AUDIT_BIT_TEST)
				refuse(l, "%s takes no & and no &=; use = != < > <= or >=", name);
			break;
		default:
			break;
		}
		switch (data->fields[i]) {
		case AUDIT_FIELD_COMPARE:
			if (!data->values[i] || data->values[i] > AUDIT_MAX_FIELD_COMPARE)
				refuse(l, "no fields are compared; use -C");
			break;
		case AUDIT_FILTERKEY:
			if (keys++)
				refuse(l, "the rule has two keys in a way that the kernel refuses; use -k for both");
			break;
		case AUDIT_EXE:
			if (exes++)
				refuse(l, "the rule has a second exe; a rule has one, make it two rules");
			if (*text != '/')
				refuse(l, "exe is not a whole path; begin it with /");
			else if (text[size - 1] == '/')
				refuse(l, "exe ends with /; leave that out");
			break;
		case AUDIT_INODE:
		case AUDIT_WATCH:
		case AUDIT_DIR:
			if (files++)
				refuse(l, "the rule has a second file; path, dir and inode exclude each other");
			if (data->fields[i] == AUDIT_INODE)
				break;
			if (op != AUDIT_EQUAL)
				refuse(l, "%s takes no operator but =; use =", name);
			if (*text != '/')
				refuse(l, "%s is not a whole path; begin it with /", name);
			else if (data->fields[i] == AUDIT_WATCH && text[size - 1] == '/')
				refuse(l, "path ends with /; leave that out, or use dir");
			break;
		default:
			break;
		}
	}
}

static int same_rule(const struct audit_rule_data *a, const struct audit_rule_data *b)
{
	return a->flags == b->flags && a->action == b->action &&
	       a->field_count == b->field_count && a->buflen == b->buflen &&
	       !memcmp(a->mask, b->mask, sizeof(a->mask)) &&
	       !memcmp(a->fields, b->fields, a->field_count * sizeof(a->fields[0])) &&
	       !memcmp(a->values, b->values, a->field_count * sizeof(a->values[0])) &&
	       !memcmp(a->fieldflags, b->fieldflags,
		       a->field_count * sizeof(a->fieldflags[0])) &&
	       !memcmp(a->buf, b->buf, a->buflen);
}

static unsigned int find_rule(const struct rulefile *rf, const struct audit_rule_data *data)
{
	unsigned int i;

	for (i = 0; i < rf->count; i++)
		if (same_rule(rf->rules[i].data, data))
			break;
	return i;
}

static void insert_rule(struct rulefile *rf, unsigned int at, struct rule *rule)
{
	rf->rules = grow(rf->rules, (rf->count + 1) * sizeof(*rf->rules));
	memmove(&rf->rules[at + 1], &rf->rules[at], (rf->count - at) * sizeof(*rf->rules));
	rf->rules[at] = *rule;
	rf->count++;
}

static void add_rule(struct line *l)
{
	struct rulefile *rf = l->rf;
	unsigned int at = rf->count, same;
	struct rule rule = {
		.data = l->rule,
		.file = l->file,
		.line = l->number,
		.named = l->named,
		.no_arch = l->no_arch,
		.watch = l->watch,
	};

	/* One that goes before the others is another rule to the kernel. */
	same = l->prepend ? rf->count : find_rule(rf, l->rule);
	if (same < rf->count) {
		refuse(l, "the rule is there already, %s:%u; leave one of them out",
		       rf->rules[same].file, rf->rules[same].line);
		return;
	}
	if (l->prepend)
		for (at = 0; at < rf->count; at++)
			if (rf->rules[at].data->flags == l->rule->flags)
				break;
	insert_rule(rf, at, &rule);
	l->rule = NULL;
}

static void delete_rule(struct line *l)
{
	struct rulefile *rf = l->rf;
	unsigned int at = find_rule(rf, l->rule);

	if (at == rf->count) {
		refuse(l, "no such rule is there to be deleted; write it as it was added");
		return;
	}
	audit_rule_free_data(rf->rules[at].data);
	rf->count--;
	memmove(&rf->rules[at], &rf->rules[at + 1], (rf->count - at) * sizeof(*rf->rules));
}

static void do_request(struct line *l)
{
	struct rulefile *rf = l->rf;

	l->column = l->words[0].column;
	if (l->request == REQUEST_NONE && _audit_syscalladded)
		refuse(l, "the rule has no list; write -a LIST,ACTION first");
	if (l->request != REQUEST_ADD && l->request != REQUEST_DELETE)
		return;
	if (l->list != AUDIT_FILTER_TASK && !_audit_syscalladded)
		audit_rule_syscallbyname_data(l->rule, "all");
	l->rule->flags = l->list;
	l->rule->action = l->action;
	kernel_refuses(l);
	if (l->request == REQUEST_ADD)
		add_rule(l);
	else if (l->request == REQUEST_DELETE)
		delete_rule(l);
	if (rf->locked && !rf->lock_file) {
		rf->lock_file = rf->locked_file;
		rf->lock_line = rf->locked_line;
	}
}

/* Split at spaces alone; "\ " and "\\" in all but the first word are one character. */
static int split(struct line *l, const char *text)
{
	size_t most = strlen(text) / 3 + 1, size;
	const char *at = text;
	char *to;

	l->words = grow(NULL, (most + 1) * sizeof(*l->words));
	while (*at) {
		if (*at == ' ') {
			at++;
			continue;
		}
		/* auditctl has no room for more. */
		if ((size_t)l->count == most)
			return 0;
		for (size = 0; at[size] && at[size] != ' '; size++)
			if (at[size] == '\\' && (at[size + 1] == ' ' || at[size + 1] == '\\'))
				size++;
		l->words[l->count].column = at - text + 1;
		l->words[l->count].text = to = copy(at, size);
		at += size;
		if (l->count++)
			for (size = 0; to[size]; size++)
				if (to[size] == '\\' &&
				    (to[size + 1] == ' ' || to[size + 1] == '\\'))
					memmove(to + size, to + size + 1, strlen(to + size));
	}
	return 1;
}

static void parse_options(struct line *l)
{
	static char program[] = "auditctl";
	char **args = grow(NULL, (l->count + 2) * sizeof(*args));
	int i, c, on = 1;

	args[0] = program;
	for (i = 0; i < l->count; i++)
		args[i + 1] = l->words[i].text;
	args[l->count + 1] = NULL;

	optind = 0;
	opterr = 0;
	while (on) {
		l->column = l->words[l->count - 1].column;
		c = getopt_long(l->count + 1, args, SHORT_OPTIONS, long_options, NULL);
		if (c == -1)
			break;
		if (optarg && c != '?')
			l->column = column_of(l, optarg);
		else if (optind > 1)
			l->column = column_of(l, args[optind - 1]);
		on = option(l, c, args);
	}
	if (l->request != REQUEST_REFUSED && optind <= l->count) {
		l->column = column_of(l, args[optind]);
		refuse(l, "'%s' belongs to no option; a comment has a line of its own, and \"\\ \" is a space in a word",
		       args[optind]);
	}
	if (l->key[0] && l->request != REQUEST_REFUSED) {
		char *pair;

		l->column = l->words[l->count - 1].column;
		if (asprintf(&pair, "key=%s", l->key) < 0)
			abort();
		c = parse_pair(l, pair);
		if (c)
			pair_error(l, c, "key");
		free(pair);
	}
	free(args);
}

/* @text ends with 0. */
static void parse_line(struct rulefile *rf, const char *file, unsigned int number,
		       const char *text, size_t size)
{
	struct line l = {
		.rf = rf,
		.file = file,
		.number = number,
		.list = -1,
		.action = -1,
		.column = 1,
	};

	rf->lines++;
	if (strlen(text) != size) {
		l.column = strlen(text) + 1;
		refuse(&l, "a zero byte ends the line to auditctl; take it out");
		return;
	}
	if (size > LINE_LONGEST) {
		l.column = LINE_LONGEST + 1;
		refuse(&l, "the line is longer than %d characters, auditctl takes the rest for another; make it two rules",
		       LINE_LONGEST);
		return;
	}
	text += strspn(text, " ");
	if (!*text || *text == '#')
		return;
	text -= size - strlen(text);
	if (strchr(text, '\r')) {
		l.column = strchr(text, '\r') - text + 1;
		refuse(&l, "a carriage return is part of the last word to auditctl; end lines as Unix does");
		return;
	}
	if (strchr(text, '\t')) {
		l.column = strchr(text, '\t') - text + 1;
		refuse(&l, "a tab does not end a word to auditctl; use spaces");
		return;
	}
	rf->locked = !!rf->locked_file;
	_audit_archadded = 0;
	_audit_syscalladded = 0;
	_audit_permadded = 0;
	_audit_exeadded = 0;
	_audit_filterfsadded = 0;
	_audit_elf = 0;
	l.rule = audit_rule_create_data();
	if (!l.rule)
		abort();
	if (split(&l, text)) {
		parse_options(&l);
		do_request(&l);
	} else {
		refuse(&l, "the line has so many short words that auditctl leaves out the last; make it two rules");
	}
	audit_rule_free_data(l.rule);
	while (l.count)
		free(l.words[--l.count].text);
	free(l.words);
}

/* Names live as long as the rules. */
static const char *keep_name(struct rulefile *rf, const char *name)
{
	rf->names = grow(rf->names, (rf->name_count + 1) * sizeof(*rf->names));
	return rf->names[rf->name_count++] = copy(name, strlen(name));
}

/* A line of a directory, that may have to go elsewhere. */
struct text_line {
	const char *file;
	unsigned int number;
	char *text;
	size_t size;
};

struct text {
	struct text_line *lines;
	unsigned int count;
};

static void cut_lines(struct text *t, const char *file, const char *text, size_t size)
{
	const char *end;
	unsigned int number = 0;
	struct text_line *line;

	while (size) {
		end = memchr(text, '\n', size);
		t->lines = grow(t->lines, (t->count + 1) * sizeof(*t->lines));
		line = &t->lines[t->count++];
		line->file = file;
		line->number = ++number;
		line->size = end ? (size_t)(end - text) : size;
		line->text = copy(text, line->size);
		if (!end)
			break;
		size -= end + 1 - text;
		text = end + 1;
	}
}

static void parse_text(struct rulefile *rf, struct text *t)
{
	unsigned int i;

	for (i = 0; i < t->count; i++) {
		if (t->lines[i].text)
			parse_line(rf, t->lines[i].file, t->lines[i].number, t->lines[i].text,
				   t->lines[i].size);
		free(t->lines[i].text);
	}
	free(t->lines);
}

void rulefile_init(struct rulefile *rf)
{
	memset(rf, 0, sizeof(*rf));
	rf->enabled = -1;
	set_aumessage_mode(MSG_QUIET, DBG_NO);
}

void rulefile_parse(struct rulefile *rf, const char *name, const char *text, size_t size)
{
	struct text t = { NULL, 0 };

	cut_lines(&t, keep_name(rf, name), text, size);
	parse_text(rf, &t);
}

static void read_stream(struct rulefile *rf, struct text *t, const char *name, FILE *file)
{
	char *text = NULL;
	size_t size = 0, got;

	do {
		text = grow(text, size + 65536);
		got = fread(text + size, 1, 65536, file);
		size += got;
	} while (got);
	if (ferror(file))
		file_error(rf, name, "cannot be read: %s", strerror(errno));
	else
		cut_lines(t, name, text, size);
	free(text);
}

static void read_file(struct rulefile *rf, struct text *t, const char *path)
{
	const char *name = keep_name(rf, path);
	FILE *file = fopen(path, "r");

	if (!file) {
		file_error(rf, name, "cannot be opened: %s", strerror(errno));
		return;
	}
	read_stream(rf, t, name, file);
	fclose(file);
}

static int is_rules(const struct dirent *entry)
{
	size_t size = strlen(entry->d_name);

	return size >= 6 && entry->d_name[0] != '.' &&
	       !strcmp(entry->d_name + size - 6, ".rules");
}

/*
 * What augenrules moves: the last -D goes first, then the last -b and the last
 * -f; the last -e goes to the end. Of each the others are dropped.
 */
static void move_lines(struct text *t)
{
	static const char options[] = "Dbfe";
	struct text_line last[4] = {};
	struct text moved = { NULL, 0 };
	unsigned int i, k;

	moved.lines = grow(NULL, (t->count + 4) * sizeof(*moved.lines));
	moved.count = 3;
	for (i = 0; i < t->count; i++) {
		const char *at = t->lines[i].text + strspn(t->lines[i].text, " \t");
		const char *option = at[0] == '-' && at[1] ? strchr(options, at[1]) : NULL;

		if (option && *option == 'D' && at[2 + strspn(at + 2, " \t\r")])
			option = NULL;
		if (option) {
			k = option - options;
			free(last[k].text);
			last[k] = t->lines[i];
		} else {
			moved.lines[moved.count++] = t->lines[i];
		}
	}
	memcpy(moved.lines, last, 3 * sizeof(*last));
	moved.lines[moved.count++] = last[3];
	free(t->lines);
	*t = moved;
}

static void read_directory(struct rulefile *rf, struct text *t, const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_rules, versionsort), i;
	char *name;

	if (count < 0) {
		file_error(rf, keep_name(rf, path), "cannot be read: %s", strerror(errno));
		return;
	}
	if (!count)
		file_error(rf, keep_name(rf, path),
			   "has no rule files; their names end with .rules");
	for (i = 0; i < count; i++) {
		if (asprintf(&name, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/",
			     entries[i]->d_name) < 0)
			abort();
		read_file(rf, t, name);
		free(name);
		free(entries[i]);
	}
	free(entries);
	move_lines(t);
}

void rulefile_read(struct rulefile *rf, const char *path)
{
	struct text t = { NULL, 0 };
	struct stat status;

	if (!strcmp(path, "-"))
		read_stream(rf, &t, keep_name(rf, "standard input"), stdin);
	else if (!stat(path, &status) && S_ISDIR(status.st_mode))
		read_directory(rf, &t, path);
	else
		read_file(rf, &t, path);
	parse_text(rf, &t);
}

void rulefile_add(struct rulefile *rf, const struct audit_rule_data *data)
{
	struct rule rule = { .line = rf->count + 1, .named = 1 };
	size_t size = sizeof(*data) + data->buflen;

	rule.data = grow(NULL, size);
	memcpy(rule.data, data, size);
	insert_rule(rf, rf->count, &rule);
}

void rulefile_free(struct rulefile *rf)
{
	while (rf->count)
		audit_rule_free_data(rf->rules[--rf->count].data);
	while (rf->error_count)
		free(rf->errors[--rf->error_count].text);
	while (rf->name_count)
		free(rf->names[--rf->name_count]);
	free(rf->rules);
	free(rf->errors);
	free(rf->names);
	memset(rf, 0, sizeof(*rf));
}
