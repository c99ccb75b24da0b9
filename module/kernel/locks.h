/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_KERNEL_LOCKS_H
#define AFP_KERNEL_LOCKS_H

int afp_locks_init(const char **missing);
void afp_audit_lock(void);
void afp_audit_unlock(void);

#endif /* AFP_KERNEL_LOCKS_H */
