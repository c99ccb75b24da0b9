/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_OBSERVE_DEBUGFS_H
#define AFP_OBSERVE_DEBUGFS_H

int afp_debugfs_init(void);
void afp_debugfs_exit(void);

#endif /* AFP_OBSERVE_DEBUGFS_H */
