/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_PATH_CONTROL_H
#define AFP_PATH_CONTROL_H

#include <linux/types.h>

#include "audit_fastpath/names.h"

/* What can be set while the module is loaded. */
enum afp_setting {
	AFP_SETTING_LEVEL,	/* enum afp_level */
	AFP_SETTING_SAMPLE,	/* check one of so many skips; 0: none */
	AFP_SETTING_BACKEND,	/* enum afp_backend; not after loading */
	AFP_SETTING_REPAIR,	/* lower counts of rules that are too high */
	AFP_SETTING_IDLE,	/* enum afp_idle */
	AFP_SETTING_NAMES,	/* whether __audit_inode_child() is hooked */
	AFP_SETTINGS
};

int afp_control_set(enum afp_setting setting, u32 value);
u32 afp_control_get(enum afp_setting setting);
void afp_control_kick(void);
int afp_control_init(void);
void afp_control_exit(void);

#endif /* AFP_PATH_CONTROL_H */
