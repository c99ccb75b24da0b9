/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_PATH_CONTROL_H
#define AFP_PATH_CONTROL_H

#include "audit_fastpath/names.h"

int afp_control_level(enum afp_level level);
enum afp_level afp_control_level_now(void);
int afp_control_init(void);
void afp_control_exit(void);

#endif /* AFP_PATH_CONTROL_H */
