/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_KERNEL_CLASSES_H
#define AFP_KERNEL_CLASSES_H

#include "audit_fastpath/policy.h"

struct audit_krule;

extern struct afp_classes afp_classes;

int afp_classes_init(const char **missing);
bool afp_rule_signals(const struct audit_krule *rule);

#endif /* AFP_KERNEL_CLASSES_H */
