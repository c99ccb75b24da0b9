/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_TOOL_RULETEXT_H
#define AFP_TOOL_RULETEXT_H

#include <libaudit.h>

/* A rule as auditctl takes it, on one line; to be freed. */
char *ruletext(const struct audit_rule_data *data);

const char *ruletext_list(const struct audit_rule_data *data);

/* The key or keys of a rule, joined by commas, or NULL; to be freed. */
char *ruletext_key(const struct audit_rule_data *data);

#endif /* AFP_TOOL_RULETEXT_H */
