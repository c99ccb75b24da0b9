/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names that users see: parameters and their values. The sysfs files are in
 * docs/ABI/.
 */
#ifndef AUDIT_FASTPATH_NAMES_H
#define AUDIT_FASTPATH_NAMES_H

#define AFP_SYSFS		"/sys/kernel/audit_fastpath"
#define AFP_PARAMETERS		"/sys/module/audit_fastpath/parameters"

enum afp_level {
	AFP_LEVEL_OFF,		/* nothing is hooked */
	AFP_LEVEL_VERIFY,	/* nothing is skipped, each decision is checked */
	AFP_LEVEL_FILTER,	/* the exit filters are skipped */
	AFP_LEVEL_COLLECT,	/* and nothing is collected for them */
	AFP_LEVEL_ENTRY,	/* and the call is not begun to be audited */
	AFP_LEVELS
};

#define AFP_LEVEL_NAMES		{ "off", "verify", "filter", "collect", "entry" }

enum afp_backend {
	AFP_BACKEND_AUTO,	/* direct where that works, else ftrace */
	AFP_BACKEND_DIRECT,	/* a direct call from the function's entry */
	AFP_BACKEND_FTRACE,	/* a callback of ftrace that redirects */
	AFP_BACKENDS
};

#define AFP_BACKEND_NAMES	{ "auto", "direct", "ftrace" }

enum afp_idle {
	AFP_IDLE_KEEP,		/* without rules tasks stay as they are */
	AFP_IDLE_DETACH,	/* without rules tasks are not audited at all */
	AFP_IDLES
};

#define AFP_IDLE_NAMES		{ "keep", "detach" }

#endif /* AUDIT_FASTPATH_NAMES_H */
