// SPDX-License-Identifier: GPL-2.0-only
/*
 * audit-fastpath doctor: what keeps the module from loading or working, and the
 * command that mends it.
 */
#include <errno.h>
#include <getopt.h>
#include <glob.h>
#include <libaudit.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit_fastpath/names.h"
#include "audit_fastpath/version.h"
#include "commands.h"
#include "module.h"
#include "rulesource.h"
#include "util.h"

/* The kernels that it is tested on, README has them all. */
#define OLDEST_MAJOR	5
#define OLDEST_MINOR	10
#define NEWEST_MAJOR	7
#define NEWEST_MINOR	3

#define SECURE_BOOT	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

enum finding_kind {
	FINDING_FINE,
	FINDING_NOTE,		/* nothing to be mended, or perhaps */
	FINDING_PROBLEM,
};

struct findings {
	struct json_object *list;
	int json;
	unsigned int problems;
};

static void __attribute__((format(printf, 5, 6)))
found(struct findings *f, const char *id, enum finding_kind kind, const char *command,
      const char *format, ...)
{
	static const char *const names[] = { "fine", "note", "problem" };
	static const char *const colours[] = { "good", "warn", "bad" };
	struct json_object *one;
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		abort();
	va_end(args);
	f->problems += kind == FINDING_PROBLEM;
	if (f->json) {
		one = json_object_new_object();
		json_put_text(one, "id", id);
		json_put_text(one, "kind", names[kind]);
		json_put_text(one, "text", text);
		json_put_text(one, "command", command);
		json_object_array_add(f->list, one);
	} else {
		printf("%s%-8s%s %s\n", colour(colours[kind]), names[kind], colour("end"), text);
		if (command)
			printf("         %s\n", command);
	}
	free(text);
}

/* Does a path with wildcards name anything? */
static int any_file(const char *pattern)
{
	char *path = rooted(pattern);
	glob_t paths;
	int any = !glob(path, GLOB_NOSORT, NULL, &paths);

	if (any)
		globfree(&paths);
	free(path);
	return any;
}

/* A word of the kernel's command line. */
static int on_command_line(const char *word)
{
	char *text = read_file("/proc/cmdline"), *one, *save;
	int there = 0;

	for (one = text ? strtok_r(text, " ", &save) : NULL; one;
	     one = strtok_r(NULL, " ", &save))
		there |= !strcmp(one, word);
	free(text);
	return there;
}

static void check_kernel(struct findings *f, const char *release)
{
	unsigned int major = 0, minor = 0;

	if (sscanf(release, "%u.%u", &major, &minor) != 2)
		major = 0;
#if !defined(__x86_64__) && !defined(__aarch64__)
	found(f, "arch", FINDING_PROBLEM, NULL,
	      "the module works on x86-64 and arm64; on this machine it stays passive");
#endif
#ifdef __aarch64__
	if (major < 6 || (major == 6 && minor < 12)) {
		found(f, "kernel", FINDING_PROBLEM, NULL,
		      "on arm64 the module works from kernel 6.12 on; on %s it stays passive",
		      release);
		return;
	}
#endif
	if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR))
		found(f, "kernel", FINDING_PROBLEM, NULL,
		      "kernel %s is older than %u.%u, with which the module begins", release,
		      OLDEST_MAJOR, OLDEST_MINOR);
	else if (major > NEWEST_MAJOR || (major == NEWEST_MAJOR && minor > NEWEST_MINOR))
		found(f, "kernel", FINDING_NOTE, "audit-fastpath status",
		      "kernel %s is newer than %u.%u, the newest that is tested: the module is active if all proofs hold, else passive",
		      release, NEWEST_MAJOR, NEWEST_MINOR);
	else
		found(f, "kernel", FINDING_FINE, NULL, "kernel %s is in the tested range, %u.%u to %u.%u",
		      release, OLDEST_MAJOR, OLDEST_MINOR, NEWEST_MAJOR, NEWEST_MINOR);
}

static void check_built(struct findings *f, const char *release)
{
	char *headers = xformat("/lib/modules/%s/build/Makefile", release);
	char *modules[3] = {
		xformat("/lib/modules/%s/updates/dkms/audit_fastpath.ko*", release),
		xformat("/lib/modules/%s/updates/audit_fastpath.ko*", release),
		xformat("/lib/modules/%s/extra/audit_fastpath.ko*", release),
	};
	char *command = xformat("apt install linux-headers-%s", release), *log;
	int built = any_file(modules[0]) || any_file(modules[1]) || any_file(modules[2]);

	if (built)
		found(f, "built", FINDING_FINE, NULL, "the module is built for kernel %s", release);
	else if (!file_exists(headers))
		found(f, "headers", FINDING_PROBLEM, command,
		      "the headers of kernel %s are missing, so DKMS cannot build the module",
		      release);
	free(command);
	if (!built && file_exists(headers)) {
		command = xformat("dkms install audit-fastpath/%s -k %s", AFP_VERSION, release);
		log = xformat("/var/lib/dkms/audit-fastpath/%s/build/make.log", AFP_VERSION);
		if (file_exists(log)) {
			free(command);
			command = xformat("less %s", log);
			found(f, "built", FINDING_PROBLEM, command,
			      "DKMS could not build the module for kernel %s; its log says why",
			      release);
		} else if (any_file("/usr/src/audit-fastpath-*")) {
			found(f, "built", FINDING_PROBLEM, command,
			      "the module is not built for kernel %s", release);
		} else {
			found(f, "built", FINDING_PROBLEM, "apt install audit-fastpath-dkms",
			      "the source of the module is not installed");
		}
		free(log);
		free(command);
	}
	free(headers);
	free(modules[0]);
	free(modules[1]);
	free(modules[2]);
}

static int secure_boot(void)
{
	char *text = read_file(SECURE_BOOT);
	int on = text && text[4] == 1;	/* four bytes of attributes come first */

	free(text);
	return on;
}

static void check_signature(struct findings *f)
{
	char *enforced = read_file("/sys/module/module/parameters/sig_enforce");
	char *lockdown = read_file("/sys/kernel/security/lockdown");
	int locked = lockdown && !strstr(lockdown, "[none]");

	if (secure_boot() || locked || (enforced && *enforced == 'Y'))
		found(f, "signature", module_loaded() ? FINDING_NOTE : FINDING_PROBLEM,
		      "mokutil --import /var/lib/dkms/mok.pub",
		      "%s: the kernel loads signed modules alone, else it says \"Key was rejected by service\"; enroll the key that DKMS signs with, then reboot and confirm",
		      secure_boot() ? "Secure Boot is on" : locked ? "lockdown is on" :
		      "module.sig_enforce is on");
	else
		found(f, "signature", FINDING_FINE, NULL,
		      "neither Secure Boot nor lockdown asks for a signature");
	free(lockdown);
	free(enforced);
}

static void check_system(struct findings *f)
{
	if (read_number("/proc/sys/kernel/modules_disabled", 0))
		found(f, "modules_disabled", FINDING_PROBLEM, "systemctl reboot",
		      "kernel.modules_disabled is 1: no module can be loaded until the next boot; have it set after audit-fastpath.service");
	if (!file_exists("/proc/modules"))
		found(f, "modules", FINDING_PROBLEM, NULL,
		      "this kernel has no loadable modules, or this is a container; the module is loaded on the host");
	if (!read_number("/proc/sys/kernel/ftrace_enabled", 1))
		found(f, "ftrace_enabled", FINDING_PROBLEM, "sysctl kernel.ftrace_enabled=1",
		      "kernel.ftrace_enabled is 0: nothing can be hooked");
	if (on_command_line("audit_fastpath.enable=0"))
		found(f, "enable", FINDING_PROBLEM, "modprobe audit_fastpath",
		      "audit_fastpath.enable=0 is on the kernel's command line: it is not loaded at boot");
	if (on_command_line("audit=0") || on_command_line("audit=off"))
		found(f, "audit", FINDING_PROBLEM, "editor /etc/default/grub && update-grub",
		      "audit=0 is on the kernel's command line: nothing is audited, so nothing costs; take it away to audit");
}

/* Asks the kernel, so root alone, and not about another system than this one. */
static void check_audit(struct findings *f)
{
	struct audit_reply reply;
	struct pollfd p;
	int fd, tries;

	if (geteuid() || secure_getenv("AUDIT_FASTPATH_ROOT"))
		return;
	fd = audit_open();
	if (fd < 0) {
		found(f, "audit", FINDING_PROBLEM, NULL,
		      "this kernel has no audit (%s), or this is a container", strerror(errno));
		return;
	}
	if (audit_request_status(fd) > 0) {
		for (tries = 0; tries < 10; tries++) {
			p.fd = fd;
			p.events = POLLIN;
			if (poll(&p, 1, 1000) <= 0 ||
			    audit_get_reply(fd, &reply, GET_REPLY_NONBLOCKING, 0) <= 0 ||
			    reply.type != AUDIT_GET)
				continue;
			if (!reply.status->enabled)
				found(f, "audit", FINDING_PROBLEM, "auditctl -e 1",
				      "audit is off (auditctl -e 0): nothing is recorded");
			else
				found(f, "audit", FINDING_FINE, NULL, "audit is on%s",
				      reply.status->enabled == 2 ?
				      ", and locked until the next boot" : "");
			break;
		}
	}
	audit_close(fd);
}

static void check_module(struct findings *f)
{
	char *state = module_file("state"), *reason = module_file("reason");
	char *version = module_version();

	if (!state) {
		found(f, "loaded", FINDING_PROBLEM, "modprobe audit_fastpath",
		      "the module is not loaded");
	} else if (!strcmp(state, "passive")) {
		found(f, "state", FINDING_PROBLEM,
		      "rmmod audit_fastpath && modprobe audit_fastpath", "the module is passive: %s",
		      reason ? reason : "no reason is given");
	} else if (!strcmp(state, "tripped")) {
		found(f, "state", FINDING_PROBLEM,
		      "audit-fastpath level verify",
		      "a check found that a record would have been lost, and the module hooks nothing any more: %s; please report it",
		      reason ? reason : "no reason is given");
	} else {
		found(f, "state", FINDING_FINE, NULL, "the module is %s: %s", state,
		      reason ? reason : "");
	}
	if (state && version && strcmp(version, AFP_VERSION))
		found(f, "version", FINDING_PROBLEM,
		      "rmmod audit_fastpath && modprobe audit_fastpath",
		      "module %s is loaded, and %s is installed", version, AFP_VERSION);
	free(version);
	free(reason);
	free(state);
}

int command_doctor(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{}
	};
	struct findings f = {};
	struct json_object *root;
	char *release;
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 'j':
			f.json = 1;
			break;
		case 'h':
			return command_help("doctor");
		default:
			return usage_error("doctor does not know that option");
		}
	if (optind < argc)
		return usage_error("doctor takes no argument, not '%s'", argv[optind]);
	release = read_file("/proc/sys/kernel/osrelease");
	if (!release) {
		complain("/proc/sys/kernel/osrelease cannot be read: %s", strerror(errno));
		return EXIT_ERROR;
	}
	f.list = json_object_new_array();
	check_module(&f);
	check_kernel(&f, release);
	check_built(&f, release);
	check_signature(&f);
	check_system(&f);
	check_audit(&f);
	free(release);
	if (f.json) {
		root = json_new("doctor");
		json_put_number(root, "problems", f.problems);
		json_object_object_add(root, "findings", f.list);
		json_print(root);
	} else {
		json_object_put(f.list);
		if (f.problems)
			printf("\n%u to be mended.\n", f.problems);
		else
			puts("\nNothing is to be mended.");
	}
	return f.problems ? EXIT_ERROR : EXIT_FINE;
}
