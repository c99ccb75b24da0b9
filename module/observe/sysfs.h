/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_OBSERVE_SYSFS_H
#define AFP_OBSERVE_SYSFS_H

int afp_sysfs_init(void);
void afp_sysfs_exit(void);

#endif /* AFP_OBSERVE_SYSFS_H */
