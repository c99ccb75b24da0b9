# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=600 append="audit_backlog_limit=65536" test="6.1 7.3"
#
# Rules come and go under load: a call that a rule asks for is recorded from
# the moment the kernel has acknowledged the rule, whatever the policy is at.

rules_clear
rules_load /rules/30-stig.rules
auditctl -b 65536 >/dev/null
ok "stock: each call is recorded when it must" churn 50
ok "the module loads" load_module
wait_for "it becomes active" 30 sysfs_is state active
load 3 &
load=$!
before=$(sysfs policy/generation)
ok "with the module: each call is recorded when it must" churn 300
after=$(sysfs policy/generation)
ok "policies were built meanwhile: $((after - before))" \
	[ $((after - before)) -gt 20 ]
ok "calls were skipped meanwhile" [ "$(sysfs stats/skipped)" -gt 1000 ]
ok "calls were walked for want of a policy" \
	[ "$(sysfs stats/walked_policy)" -gt 0 ]
settled() {
	[ "$(sysfs policy/rules)" = "$(rules_count)" ]
}
wait_for "the policy is that of the rules" 10 settled
kill $load
rules_clear
wait_for "without rules it is idle" 10 sysfs_is state idle
ok "the module unloads" unload_module
