// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: normalise [-r] [-k MAJOR:MINOR]... RAW >OUT
 *
 * Make what `record` wrote while `workload` ran comparable with another run
 * under equal rules. Takes what stands between the user messages "afp-begin"
 * and "afp-end" (status 1 without the latter), drops the events of the tasks
 * "record", "auditctl" and "quiet", and prints the events of each task, that
 * is of each pid and comm, in their order, tasks sorted by name:
 *
 *   = PID COMM
 *   + SYSCALL arch=... a first record of an event
 *     CWD cwd="/"      those that follow it
 *
 * With -r only events that a rule with a key has caused, as if there had been no
 * others. Of PROCTITLE then only that it is there: the kernel keeps the title of
 * a task's first event, and the others count for that.
 *
 * What must differ between runs is replaced, and nothing else:
 *  - time and serial number are left out;
 *  - a process id, in pid=, ppid=, opid=, in the exit= of calls that return
 *    one and in the arguments of calls that take one, becomes the set of
 *    comms under which the process was seen, or a number if it never was;
 *  - session ids become numbers in the order of their appearance here;
 *  - so do inode numbers, but on the devices named with -k (as in dev=, hex):
 *    procfs and the like count through for as long as the kernel runs;
 *  - and the ids of BPF programs.
 * The numbers are given in the order of the output, so that equal events give
 * equal output however tasks that run together interleave.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_COMMS 8
#define MAX_KEPT 8
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct record {
	const char *type;
	char *text;
	struct record *next;
};

struct process {
	long pid;
	int nr_comms;
	const char *comm[MAX_COMMS];	/* sorted */
	const char *hint;		/* as another's record called it */
	char *name;
};

struct event {
	unsigned long serial;
	struct record *first, *last;
	struct event *hash_next;
	struct process *process;	/* NULL: of no task */
	const char *comm;
	size_t nr;
};

#define HASH_SIZE 65536

static struct event *hash[HASH_SIZE];
static struct event **events;
static size_t nr_events;

static struct process **processes;
static size_t nr_processes;

static const char *kept[MAX_KEPT];
static int nr_kept;

/* Numbers for what has no better name: text -> order of appearance. */
struct numbers {
	char **key;
	size_t nr;
};

static struct numbers sessions, inodes, nameless, programs;

static void *grow(void *array, size_t nr, size_t size)
{
	/* a power of two: full, double it */
	if (!(nr & (nr - 1)))
		array = realloc(array, (nr ? 2 * nr : 1) * size);
	if (!array) {
		fprintf(stderr, "normalise: out of memory\n");
		exit(1);
	}
	return array;
}

static char *copy(const char *text, size_t len)
{
	char *p = strndup(text, len);

	if (!p) {
		fprintf(stderr, "normalise: out of memory\n");
		exit(1);
	}
	return p;
}

static size_t number(struct numbers *n, const char *key)
{
	size_t i;

	for (i = 0; i < n->nr; i++)
		if (!strcmp(n->key[i], key))
			return i + 1;
	n->key = grow(n->key, n->nr, sizeof(*n->key));
	n->key[n->nr++] = copy(key, strlen(key));
	return n->nr;
}

/*
 * The value of a field in a record's text, or NULL. It ends at the next
 * space; the kernel prints strings that hold one in hex.
 */
static const char *field(const char *text, const char *name, size_t *len)
{
	size_t n = strlen(name);
	const char *p = text;

	for (;;) {
		if (!strncmp(p, name, n) && p[n] == '=') {
			p += n + 1;
			*len = strcspn(p, " ");
			return p;
		}
		p = strchr(p, ' ');
		if (!p)
			return NULL;
		p++;
	}
}

static long field_number(const char *text, const char *name, int base)
{
	size_t len;
	const char *p = field(text, name, &len);

	return p ? (long)strtoul(p, NULL, base) : -1;
}

static const char *field_string(const char *text, const char *name)
{
	size_t len;
	const char *p = field(text, name, &len);

	if (!p)
		return NULL;
	if (len >= 2 && p[0] == '"') {
		p++;
		len -= 2;
	}
	return copy(p, len);
}

static int has_text(const struct event *e, const char *type, const char *what)
{
	const struct record *r;

	for (r = e->first; r; r = r->next)
		if (!strcmp(r->type, type) && strstr(r->text, what))
			return 1;
	return 0;
}

/* Reading */

static struct event *event_of(unsigned long serial)
{
	struct event **slot = &hash[serial % HASH_SIZE];
	struct event *e;

	for (e = *slot; e; e = e->hash_next)
		if (e->serial == serial)
			return e;
	e = calloc(1, sizeof(*e));
	events = grow(events, nr_events, sizeof(*events));
	if (!e) {
		fprintf(stderr, "normalise: out of memory\n");
		exit(1);
	}
	e->serial = serial;
	e->nr = nr_events;
	e->hash_next = *slot;
	*slot = e;
	events[nr_events++] = e;
	return e;
}

/* "type=SYSCALL msg=audit(1700000000.123:456): arch=..." */
static int read_line(char *line)
{
	char *msg = strstr(line, " msg=audit("), *colon, *text;
	struct record *r;
	struct event *e;

	if (strncmp(line, "type=", 5) || !msg)
		return 0;
	colon = strchr(msg + 11, ':');
	text = strstr(msg, "): ");
	if (!colon || !text || colon > text)
		/* EOE has nothing after the colon */
		text = strstr(msg, "):");
	if (!colon || !text)
		return 0;
	r = calloc(1, sizeof(*r));
	if (!r)
		return 0;
	r->type = copy(line + 5, msg - line - 5);
	text += 2;
	text += *text == ' ';
	r->text = copy(text, strlen(text));
	e = event_of(strtoul(colon + 1, NULL, 10));
	if (e->last)
		e->last->next = r;
	else
		e->first = r;
	e->last = r;
	return 1;
}

static int read_all(const char *name)
{
	FILE *in = fopen(name, "r");
	char *line = NULL;
	size_t size = 0, nr = 0;
	ssize_t len;

	if (!in) {
		fprintf(stderr, "normalise: %s: %m\n", name);
		return 0;
	}
	while ((len = getline(&line, &size, in)) > 0) {
		nr++;
		if (line[len - 1] == '\n')
			line[len - 1] = 0;
		if (!read_line(line)) {
			fprintf(stderr, "normalise: %s:%zu: no record: %s\n",
				name, nr, line);
			return 0;
		}
	}
	free(line);
	fclose(in);
	return 1;
}

/* Keep what stands between the two marks. */
static int cut_window(void)
{
	size_t begin = 0, end = 0, i;
	int ended = 0;

	for (i = 0; i < nr_events && !ended; i++) {
		if (has_text(events[i], "USER", "msg='afp-begin'"))
			begin = i + 1;
		if (has_text(events[i], "USER", "msg='afp-end'")) {
			end = i;
			ended = 1;
		}
	}
	if (!ended) {
		fprintf(stderr, "normalise: there is no end mark\n");
		return 0;
	}
	events += begin;
	nr_events = end - begin;
	return 1;
}

/* Tasks */

/* Has a rule with a key caused it? Those of rules that come and go are not. */
static int is_caused(const struct event *e)
{
	const struct record *r;
	const char *key;
	size_t len;

	for (r = e->first; r; r = r->next) {
		if (strcmp(r->type, "SYSCALL") && strcmp(r->type, "URINGOP"))
			continue;
		key = field(r->text, "key", &len);
		if (key && strncmp(key, "(null)", len))
			return 1;
	}
	return 0;
}

static int caused_only;

static void keep_caused(void)
{
	size_t i, kept_events = 0;

	for (i = 0; i < nr_events; i++)
		if (is_caused(events[i]))
			events[kept_events++] = events[i];
	nr_events = kept_events;
}

static struct process *process_of(long pid)
{
	struct process *p;
	size_t i;

	for (i = 0; i < nr_processes; i++)
		if (processes[i]->pid == pid)
			return processes[i];
	p = calloc(1, sizeof(*p));
	processes = grow(processes, nr_processes, sizeof(*processes));
	if (!p) {
		fprintf(stderr, "normalise: out of memory\n");
		exit(1);
	}
	p->pid = pid;
	processes[nr_processes++] = p;
	return p;
}

static void add_comm(struct process *p, const char *comm)
{
	int i, j;

	for (i = 0; i < p->nr_comms; i++) {
		int order = strcmp(comm, p->comm[i]);

		if (!order)
			return;
		if (order < 0)
			break;
	}
	if (p->nr_comms == MAX_COMMS)
		return;
	for (j = p->nr_comms++; j > i; j--)
		p->comm[j] = p->comm[j - 1];
	p->comm[i] = comm;
}

static void find_tasks(void)
{
	const struct record *r;
	struct event *e;
	size_t i;

	for (i = 0; i < nr_events; i++) {
		e = events[i];
		for (r = e->first; r; r = r->next) {
			long opid = field_number(r->text, "opid", 10);
			long pid = field_number(r->text, "pid", 10);
			const char *comm = field_string(r->text, "comm");

			if (opid > 0 && !process_of(opid)->hint)
				process_of(opid)->hint =
					field_string(r->text, "ocomm");
			/* CAPSET's pid is whom it was done to */
			if (pid <= 0 || !strcmp(r->type, "CAPSET"))
				continue;
			if (!e->process || !strcmp(r->type, "SYSCALL")) {
				e->process = process_of(pid);
				e->comm = comm;
			}
			if (comm)
				add_comm(e->process, comm);
		}
	}
}

/* A process's name: the comms it had; a number after it if that is taken. */
static void name_processes(void)
{
	struct process *p;
	char base[MAX_COMMS * 20], *name;
	size_t i, j, nr;
	int k;

	for (i = 0; i < nr_processes; i++) {
		p = processes[i];
		base[0] = 0;
		for (k = 0; k < p->nr_comms; k++) {
			if (k)
				strcat(base, "+");
			strncat(base, p->comm[k], 18);
		}
		if (!k && p->hint)
			strncat(base, p->hint, 18);
		if (!base[0])
			continue;
		nr = 1;
		for (j = 0; j < i; j++) {
			name = processes[j]->name;
			if (name && !strncmp(name, base, strlen(base)) &&
			    (!name[strlen(base)] || name[strlen(base)] == '#'))
				nr++;
		}
		p->name = malloc(strlen(base) + 24);
		if (!p->name) {
			fprintf(stderr, "normalise: out of memory\n");
			exit(1);
		}
		strcpy(p->name, base);
		if (nr > 1)
			sprintf(p->name + strlen(base), "#%zu", nr);
	}
}

static const char *task_name(const struct event *e)
{
	if (!e->process)
		return "-";
	return e->process->name ? e->process->name : "?";
}

static const char *comm_name(const struct event *e)
{
	return e->comm ? e->comm : "-";
}

static int by_task(const void *a, const void *b)
{
	const struct event *x = *(struct event *const *)a;
	const struct event *y = *(struct event *const *)b;
	int order = strcmp(task_name(x), task_name(y));

	if (!order)
		order = strcmp(comm_name(x), comm_name(y));
	if (!order)
		order = x->nr < y->nr ? -1 : x->nr > y->nr;
	return order;
}

static int dropped(const struct event *e)
{
	static const char *const comms[] = { "record", "auditctl", "quiet" };
	size_t i;

	if (!e->comm)
		return 0;
	for (i = 0; i < ARRAY_SIZE(comms); i++)
		if (!strcmp(e->comm, comms[i]))
			return 1;
	return 0;
}

/* Writing */

#define ARCH64 0xc000003e
#define ARCH32 0x40000003

#define RETURNS 1
#define ARG(n) (2 << (n))

/* Calls that return a process id or take one. */
static const struct {
	short nr64, nr32;
	int what;
} pid_calls[] = {
	{ 39, 20, RETURNS },			/* getpid */
	{ 56, 120, RETURNS },			/* clone */
	{ 57, 2, RETURNS },			/* fork */
	{ 58, 190, RETURNS },			/* vfork */
	{ 61, 114, RETURNS | ARG(0) },		/* wait4 */
	{ -1, 7, RETURNS | ARG(0) },		/* waitpid */
	{ 62, 37, ARG(0) },			/* kill */
	{ 101, 26, ARG(1) },			/* ptrace */
	{ 109, 57, ARG(0) | ARG(1) },		/* setpgid */
	{ 110, 64, RETURNS },			/* getppid */
	{ 111, 65, RETURNS },			/* getpgrp */
	{ 112, 66, RETURNS },			/* setsid */
	{ 121, 132, RETURNS | ARG(0) },		/* getpgid */
	{ 124, 147, RETURNS | ARG(0) },		/* getsid */
	{ 186, 224, RETURNS },			/* gettid */
	{ 200, 238, ARG(0) },			/* tkill */
	{ 218, 258, RETURNS },			/* set_tid_address */
	{ 234, 270, ARG(0) | ARG(1) },		/* tgkill */
	{ 247, 284, ARG(1) },			/* waitid */
	{ 302, 340, ARG(0) },			/* prlimit64 */
	{ 310, 347, ARG(0) },			/* process_vm_readv */
	{ 434, 434, ARG(0) },			/* pidfd_open */
	{ 435, 435, RETURNS },			/* clone3 */
};

static int pid_call(const struct record *r)
{
	long arch, nr;
	size_t i;

	if (strcmp(r->type, "SYSCALL"))
		return 0;
	arch = field_number(r->text, "arch", 16);
	nr = field_number(r->text, "syscall", 10);
	for (i = 0; i < ARRAY_SIZE(pid_calls); i++)
		if ((arch == ARCH64 && nr == pid_calls[i].nr64) ||
		    (arch == ARCH32 && nr == pid_calls[i].nr32))
			return pid_calls[i].what;
	return 0;
}

static void print_pid(long pid)
{
	const struct process *p = process_of(pid);
	char key[24];

	if (p->name) {
		printf("<%s>", p->name);
		return;
	}
	sprintf(key, "%ld", pid);
	printf("<?%zu>", number(&nameless, key));
}

static int is_kept(const char *dev, size_t len)
{
	int i;

	for (i = 0; i < nr_kept; i++)
		if (strlen(kept[i]) == len && !strncmp(kept[i], dev, len))
			return 1;
	return 0;
}

/* Print one "name=value" with what must differ replaced. */
static void print_field(const struct record *r, int what, const char *f,
			size_t len)
{
	size_t n = strcspn(f, "=");
	const char *value = f + n + 1, *dev, *rest;
	char key[80];
	size_t dev_len, digits;
	long pid;

#define IS(s) (n == sizeof(s) - 1 && !memcmp(f, s, n))
	if (n >= len) {
		printf("%.*s", (int)len, f);
		return;
	}
	printf("%.*s=", (int)n, f);
	len -= n + 1;
	snprintf(key, sizeof(key), "%.*s", (int)len, value);
	if (IS("pid") || IS("ppid") || IS("opid") ||
	    (IS("exit") && what & RETURNS)) {
		pid = strtol(value, NULL, 10);
		if (pid > 0) {
			print_pid(pid);
			return;
		}
	} else if (n == 2 && f[0] == 'a' && f[1] >= '0' && f[1] <= '3' &&
		   what & ARG(f[1] - '0')) {
		pid = (int)strtoul(value, NULL, 16);
		if (pid > 0) {
			print_pid(pid);
			return;
		}
	} else if (IS("ses") || IS("old-ses") || IS("oses")) {
		/* "ses=1op=": CONFIG_CHANGE of a watch lacks a space */
		digits = strspn(key, "0123456789");
		rest = value + digits;
		key[digits] = 0;
		if (digits && strcmp(key, "4294967295")) {
			printf("<%zu>%.*s", number(&sessions, key),
			       (int)(len - digits), rest);
			return;
		}
	} else if (IS("inode")) {
		dev = field(r->text, "dev", &dev_len);
		if (dev && !is_kept(dev, dev_len)) {
			snprintf(key, sizeof(key), "%.*s %.*s", (int)len,
				 value, (int)dev_len, dev);
			printf("<%zu>", number(&inodes, key));
			return;
		}
	} else if (IS("prog-id")) {
		printf("<%zu>", number(&programs, key));
		return;
	}
	printf("%.*s", (int)len, value);
#undef IS
}

static void print_record(const struct record *r, char mark)
{
	int what = pid_call(r);
	const char *p = r->text;
	size_t len;

	printf("%c %s", mark, r->type);
	if (caused_only && !strcmp(r->type, "PROCTITLE"))
		p = "";
	while (*p) {
		len = strcspn(p, " ");
		putchar(' ');
		print_field(r, what, p, len);
		p += len;
		p += *p == ' ';
	}
	putchar('\n');
}

static void print_all(void)
{
	const struct event *e, *before = NULL;
	const struct record *r;
	size_t i;

	for (i = 0; i < nr_events; i++) {
		e = events[i];
		if (dropped(e))
			continue;
		if (!before || before->process != e->process ||
		    strcmp(comm_name(before), comm_name(e)))
			printf("= %s %s\n", task_name(e), comm_name(e));
		for (r = e->first; r; r = r->next)
			print_record(r, r == e->first ? '+' : ' ');
		before = e;
	}
}

int main(int argc, char **argv)
{
	int option, bad = 0;

	while ((option = getopt(argc, argv, "rk:")) != -1) {
		if (option == 'r')
			caused_only = 1;
		else if (option != 'k')
			bad = 1;
		else if (nr_kept < MAX_KEPT)
			kept[nr_kept++] = optarg;
	}
	if (bad || optind + 1 != argc) {
		fprintf(stderr,
			"usage: normalise [-r] [-k MAJOR:MINOR]... RAW\n");
		return 2;
	}
	if (!read_all(argv[optind]) || !cut_window())
		return 1;
	if (caused_only)
		keep_caused();
	find_tasks();
	name_processes();
	qsort(events, nr_events, sizeof(*events), by_task);
	print_all();
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "normalise: %m\n");
		return 1;
	}
	return 0;
}
