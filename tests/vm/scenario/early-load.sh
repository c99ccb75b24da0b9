# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=300 append="afp.audit=later" test="7.3"
#
# The module is loaded before anything is audited, as modules-load.d does on a
# machine that boots without audit=1: it waits. auditd comes, then rules.

# recorded: make a call that the rule asks for, and one that it does not
recorded() {
	record_start
	mode_calls 1
	record_stop
	[ "$(mode_records afp-early)" = 1 ]
}

skipping() {
	sh -c "cat /etc/passwd" >/dev/null
	[ "$(sysfs stats/skipped)" -gt 0 ]
}

is "nothing is audited" "enabled 0" "$(auditctl -s | grep '^enabled')"
ok "it loads" load_module
is "it is idle" idle "$(sysfs state)"
is "it says why" "no rule that the kernel counts" "$(sysfs reason)"
mode_rule -a afp-early
wait_for "rules come: it waits" 10 sysfs_is state waiting
auditctl -e 1 >/dev/null
ok "audit is on: the first call is recorded" recorded
wait_for "it is active" 30 sysfs_is state active
wait_for "calls are skipped" 30 skipping
ok "calls are recorded" recorded
ok "it unloads" unload_module
ok "calls are recorded without it" recorded
