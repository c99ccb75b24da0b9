/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_OBSERVE_STATE_H
#define AFP_OBSERVE_STATE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "audit_fastpath/names.h"

/* What the module is doing, as shown in sysfs. */
enum afp_state {
	AFP_WAITING,	/* the layout has not been proved yet */
	AFP_ACTIVE,	/* calls are being decided */
	AFP_IDLE,	/* nothing to decide, decision hooks disarmed */
	AFP_TRIPPED,	/* a decision was wrong, nothing is hooked */
	AFP_PASSIVE,	/* something is missing or disproved; final */
};

#define AFP_REASON_MAX	160

enum afp_state afp_state(void);
void afp_reason(char *reason);
__printf(2, 3) void afp_state_set(enum afp_state state, const char *fmt, ...);
const char *afp_state_name(enum afp_state state);
void afp_backend_set(enum afp_backend backend);
enum afp_backend afp_backend(void);

#endif /* AFP_OBSERVE_STATE_H */
