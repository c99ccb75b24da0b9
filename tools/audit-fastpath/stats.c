// SPDX-License-Identifier: GPL-2.0-only
/*
 * audit-fastpath stats: counters over time, in the manner of iostat.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis.h"
#include "commands.h"
#include "module.h"
#include "rulesource.h"
#include "util.h"

#define SYSCALLS_FILE	"/sys/kernel/debug/audit_fastpath/syscalls"
#define CALLS_SHOWN	20
#define HEADING_EVERY	20

struct options {
	int syscalls;
	int json;
	const char *prometheus;
	double interval;	/* seconds; 0: once */
	long count;		/* 0: for ever */
};

/* Counters of a system call. */
struct call {
	char abi[16];
	int nr;
	unsigned long long seen, skipped, walked;
	char reason[32];
};

struct calls {
	struct call *list;
	unsigned int count;
};

/* Read the file of debugfs: 0, or -1 after a complaint. */
static int read_calls(struct calls *calls)
{
	char *text = read_file(SYSCALLS_FILE), *row, *save;
	struct call call;

	calls->list = NULL;
	calls->count = 0;
	if (!text) {
		complain("%s cannot be read: %s; it takes root, and debugfs: mount -t debugfs none /sys/kernel/debug",
			 SYSCALLS_FILE, strerror(errno));
		return -1;
	}
	for (row = strtok_r(text, "\n", &save); row; row = strtok_r(NULL, "\n", &save)) {
		if (sscanf(row, "%15s %d %llu %llu %llu %31s", call.abi, &call.nr, &call.seen,
			   &call.skipped, &call.walked, call.reason) != 6)
			continue;
		calls->list = xresize(calls->list, (calls->count + 1) * sizeof(call));
		calls->list[calls->count++] = call;
	}
	free(text);
	return 0;
}

static void subtract_calls(struct calls *now, const struct calls *before)
{
	unsigned int i, k;

	for (i = 0; i < now->count; i++)
		for (k = 0; k < before->count; k++) {
			struct call *a = &now->list[i];
			const struct call *b = &before->list[k];

			/* The module may have been loaded anew. */
			if (a->nr != b->nr || strcmp(a->abi, b->abi) || a->seen < b->seen)
				continue;
			a->seen -= b->seen;
			a->skipped -= b->skipped;
			a->walked -= b->walked;
		}
}

static int more_walked(const void *one, const void *other)
{
	const struct call *a = one, *b = other;

	if (a->walked != b->walked)
		return a->walked < b->walked ? 1 : -1;
	if (a->seen != b->seen)
		return a->seen < b->seen ? 1 : -1;
	return a->nr - b->nr;
}

static const char *name_of(const struct call *call)
{
	if (call->nr < 0)
		return "(others)";
	return strcmp(call->abi, "compat") ? call_name(call->nr) : call_name_compat(call->nr);
}

static void put_stats(struct json_object *object, const struct module_stats *s)
{
	struct json_object *reasons = json_object_new_object();
	unsigned int i;

	json_put_number(object, "calls", s->calls);
	json_put_number(object, "skipped", s->skipped);
	json_put_number(object, "walked", s->walked);
	for (i = 0; i < MODULE_REASONS; i++)
		json_put_number(reasons, module_reasons[i], s->reasons[i]);
	json_object_object_add(object, "reasons", reasons);
	json_put_number(object, "checked", s->checked);
	json_put_number(object, "mismatches", s->mismatches);
}

static void put_calls(struct json_object *object, const struct calls *calls)
{
	struct json_object *list = json_object_new_array(), *one;
	unsigned int i;

	for (i = 0; i < calls->count; i++) {
		const struct call *call = &calls->list[i];

		if (!call->seen)
			continue;
		one = json_object_new_object();
		json_put_text(one, "abi", call->abi);
		json_put_number(one, "nr", call->nr);
		json_put_text(one, "name", name_of(call));
		json_put_number(one, "seen", call->seen);
		json_put_number(one, "skipped", call->skipped);
		json_put_number(one, "walked", call->walked);
		json_put_text(one, "reason", strcmp(call->reason, "-") ? call->reason : NULL);
		json_object_array_add(list, one);
	}
	json_object_object_add(object, "syscalls", list);
}

static void print_calls(const struct calls *calls)
{
	unsigned int i;

	printf("%s%-20s %-7s %12s %12s %12s  %s%s\n", colour("bold"), "system call", "abi", "seen",
	       "skipped", "walked", "mostly for", colour("end"));
	for (i = 0; i < calls->count && i < CALLS_SHOWN; i++) {
		const struct call *call = &calls->list[i];

		if (!call->seen)
			continue;
		printf("%-20s %-7s %12llu %12llu %12llu  %s\n", name_of(call), call->abi,
		       call->seen, call->skipped, call->walked, call->reason);
	}
}

static void print_heading(void)
{
	unsigned int i;

	printf("%s%12s %12s %12s %7s", colour("bold"), "calls/s", "skipped/s", "walked/s",
	       "skip%");
	for (i = 0; i < MODULE_REASONS; i++)
		printf(" %8s", module_reasons[i]);
	printf("%s\n", colour("end"));
}

static void print_stats(const struct module_stats *s, double seconds)
{
	unsigned int i;

	printf("%12.0f %12.0f %12.0f %7.2f", s->calls / seconds, s->skipped / seconds,
	       s->walked / seconds, s->calls ? 100.0 * s->skipped / s->calls : 0);
	for (i = 0; i < MODULE_REASONS; i++)
		printf(" %8.0f", s->reasons[i] / seconds);
	putchar('\n');
}

/* @now becomes what came after @before; all of it if the module was loaded anew. */
static void subtract(struct module_stats *now, const struct module_stats *before)
{
	unsigned int i;

	if (now->calls < before->calls || now->walked < before->walked)
		return;
	now->calls -= before->calls;
	now->skipped -= before->skipped;
	now->walked -= before->walked;
	for (i = 0; i < MODULE_REASONS; i++)
		now->reasons[i] -= before->reasons[i];
	now->checked -= before->checked;
	now->mismatches -= before->mismatches;
}

static void metric(FILE *to, const char *name, const char *type, const char *help)
{
	fprintf(to, "# HELP audit_fastpath_%s %s\n# TYPE audit_fastpath_%s %s\n", name, help, name,
		type);
}

static void write_metrics(FILE *to)
{
	static const char *const states[] = { "waiting", "active", "idle", "tripped", "passive" };
	static const char *const gauges[][2] = {
		{ "policy/rules", "Rules that the policy was compiled from" },
		{ "policy/syscalls_total", "System calls of the kernel" },
		{ "policy/syscalls_skippable", "Of these, skipped for a daemon" },
		{ "policy/syscalls_skippable_user", "Of these, skipped for a user" },
		{ "accounting/kernel_rules", "Rules as the kernel counts them" },
		{ "accounting/actual_rules", "Rules that there are" },
	};
	struct module_stats s;
	unsigned int i;
	char *state, *name, *version;

	metric(to, "loaded", "gauge", "Whether the module is loaded");
	fprintf(to, "audit_fastpath_loaded %d\n", module_loaded());
	if (module_stats(&s))
		return;
	version = module_version();
	metric(to, "info", "gauge", "Version of the loaded module");
	fprintf(to, "audit_fastpath_info{version=\"%s\"} 1\n", version ? version : "");
	free(version);
	state = module_file("state");
	metric(to, "state", "gauge", "1 for the state that the module is in");
	for (i = 0; i < sizeof(states) / sizeof(*states); i++)
		fprintf(to, "audit_fastpath_state{state=\"%s\"} %d\n", states[i],
			state && !strcmp(state, states[i]));
	free(state);
	metric(to, "calls_total", "counter", "Audited system calls that were decided");
	fprintf(to, "audit_fastpath_calls_total %llu\n", s.calls);
	metric(to, "skipped_total", "counter", "Calls whose filters were skipped");
	fprintf(to, "audit_fastpath_skipped_total %llu\n", s.skipped);
	metric(to, "walked_total", "counter", "Calls that were left to the kernel, by reason");
	for (i = 0; i < MODULE_REASONS; i++)
		fprintf(to, "audit_fastpath_walked_total{reason=\"%s\"} %llu\n", module_reasons[i],
			s.reasons[i]);
	metric(to, "checked_total", "counter", "Decisions that were compared with the kernel's");
	fprintf(to, "audit_fastpath_checked_total %llu\n", s.checked);
	metric(to, "mismatches_total", "counter", "Of these, those that were wrong");
	fprintf(to, "audit_fastpath_mismatches_total %llu\n", s.mismatches);
	for (i = 0; i < sizeof(gauges) / sizeof(*gauges); i++) {
		char *slash;

		name = xformat("%s", gauges[i][0]);
		slash = strchr(name, '/');
		*slash = '_';
		metric(to, name, "gauge", gauges[i][1]);
		fprintf(to, "audit_fastpath_%s %lld\n", name, module_number(gauges[i][0]));
		free(name);
	}
}

/* By rename: who reads it sees the old or the new, never half of one. */
static int prometheus(const char *path)
{
	char *temporary;
	FILE *to;
	int fd, err = 0;

	if (!strcmp(path, "-")) {
		write_metrics(stdout);
		return fflush(stdout) ? EXIT_ERROR : EXIT_FINE;
	}
	/* node_exporter reads *.prom alone. */
	temporary = xformat("%s.XXXXXX", path);
	fd = mkstemp(temporary);
	to = fd < 0 ? NULL : fdopen(fd, "w");
	if (!to) {
		complain("%s cannot be written: %s", path, strerror(errno));
		free(temporary);
		return EXIT_ERROR;
	}
	write_metrics(to);
	if (fflush(to) || fchmod(fd, 0644) || fsync(fd))
		err = errno;
	if (fclose(to) && !err)
		err = errno;
	if (!err && rename(temporary, path))
		err = errno;
	if (err) {
		complain("%s cannot be written: %s", path, strerror(err));
		unlink(temporary);
	}
	free(temporary);
	return err ? EXIT_ERROR : EXIT_FINE;
}

static void wait_until(const struct timespec *when)
{
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, when, NULL) == EINTR)
		;
}

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* One report. The first is of all since the module was loaded. */
static int report(const struct options *o, struct module_stats *s, struct calls *calls,
		  double seconds, int first, long number)
{
	if (o->json) {
		struct json_object *root = json_new("stats");

		json_put_number(root, "time", time(NULL));
		if (!first)
			json_object_object_add(root, "seconds",
					       json_object_new_double(seconds));
		else
			json_object_object_add(root, "seconds", NULL);
		put_stats(root, s);
		if (o->syscalls)
			put_calls(root, calls);
		json_print(root);
	} else if (o->syscalls) {
		if (!first)
			putchar('\n');
		print_calls(calls);
	} else {
		if (first) {
			/* Nobody knows for how long that was. */
			printf("since the module was loaded: %llu calls, %llu skipped (%.2f %%), %llu walked\n",
			       s->calls, s->skipped, s->calls ? 100.0 * s->skipped / s->calls : 0,
			       s->walked);
			if (o->interval == 0)
				for (number = 0; number < MODULE_REASONS; number++)
					if (s->reasons[number])
						printf("%12llu walked for: %s\n",
						       s->reasons[number],
						       module_reasons[number]);
		} else {
			if (number % HEADING_EVERY == 1)
				print_heading();
			print_stats(s, seconds);
		}
	}
	return fflush(stdout) ? EXIT_ERROR : EXIT_FINE;
}

static int run(const struct options *o)
{
	struct module_stats s, last = {};
	struct calls calls = {}, last_calls = {}, copy;
	struct timespec next;
	double before = now_seconds(), now;
	int status = EXIT_FINE;
	long number;

	clock_gettime(CLOCK_MONOTONIC, &next);
	for (number = 0; ; number++) {
		struct module_stats all;

		if (module_stats(&s)) {
			status = complain_not_loaded();
			break;
		}
		all = s;
		if (o->syscalls && read_calls(&calls)) {
			status = EXIT_ERROR;
			break;
		}
		copy.count = calls.count;
		copy.list = xalloc(calls.count * sizeof(*calls.list) + 1);
		if (calls.count)
			memcpy(copy.list, calls.list, calls.count * sizeof(*calls.list));
		now = now_seconds();
		subtract(&s, &last);
		subtract_calls(&calls, &last_calls);
		if (calls.count)
			qsort(calls.list, calls.count, sizeof(*calls.list), more_walked);
		status = report(o, &s, &calls, now - before, !number, number);
		free(calls.list);
		free(last_calls.list);
		last_calls = copy;
		last = all;
		before = now;
		/* Like iostat: the first report counts. */
		if (status || o->interval == 0 || (o->count && number + 1 >= o->count))
			break;
		next.tv_sec += (time_t)o->interval;
		next.tv_nsec += (o->interval - (time_t)o->interval) * 1e9;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		wait_until(&next);
	}
	free(last_calls.list);
	return status ? status : module_exit_code();
}

int command_stats(int argc, char **argv)
{
	static const struct option options[] = {
		{ "syscalls", no_argument, NULL, 's' },
		{ "prometheus", required_argument, NULL, 'p' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{}
	};
	struct options o = {};
	char *end;
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 's':
			o.syscalls = 1;
			break;
		case 'p':
			o.prometheus = optarg;
			break;
		case 'j':
			o.json = 1;
			break;
		case 'h':
			return command_help("stats");
		default:
			return usage_error("stats does not know that option");
		}
	if (optind < argc) {
		o.interval = strtod(argv[optind], &end);
		if (!isdigit(*argv[optind]) || *end || o.interval < 0.1 || o.interval > 86400)
			return usage_error("'%s' is no interval; write seconds, 0.1 to 86400",
					   argv[optind]);
		optind++;
	}
	if (optind < argc) {
		o.count = strtol(argv[optind], &end, 10);
		if (!isdigit(*argv[optind]) || *end || o.count < 1 || o.count == LONG_MAX)
			return usage_error("'%s' is no count; write how many reports, from 1",
					   argv[optind]);
		optind++;
	}
	if (optind < argc)
		return usage_error("stats takes an interval and a count, not '%s' as well",
				   argv[optind]);
	if (o.prometheus && (o.interval != 0 || o.syscalls || o.json))
		return usage_error("--prometheus goes alone: it writes one file, once");
	if (o.prometheus) {
		c = prometheus(o.prometheus);
		return c ? c : module_exit_code();
	}
	return run(&o);
}
