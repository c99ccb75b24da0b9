# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=300 debug=yes test="5.10 7.3"
#
# The kernel shuts ftrace down for good while the module is active. Its hooks
# cannot be taken away any more: rmmod says so and stays, and nothing is lost.

SET=/sys/module/audit_fastpath/parameters

# recorded KEY: make calls of which the rule asks for 20
recorded() {
	record_start
	mode_calls 20
	record_stop
	is "$1: records" 20 "$(mode_records "$1")"
}

skipping() {
	[ "$(sysfs stats/skipped)" -gt "$skipped" ]
}

rules_clear
mode_rule -a afp-killed-1
ok "it loads" load_module
wait_for "it is active" 30 active
ok "ftrace is killed" sh -c "echo 1 >$SET/kill_ftrace"
refuses "ftrace is dead" cat /proc/sys/kernel/ftrace_enabled
recorded afp-killed-1
# One after the other: without any rule the hooks would have to go.
mode_rule -a afp-killed-2
mode_rule -d afp-killed-1
recorded afp-killed-2
wait_for "it is active with that rule" 30 active
skipped=$(sysfs stats/skipped)
wait_for "calls are skipped" 30 skipping
recorded afp-killed-2

# What cannot be unhooked can still be told not to decide, and says what it does.
dead() {
	[ "$(sysfs state)" = "$1" ] && sysfs reason | grep -q "ftrace was shut down"
}
walking() {
	skipped=$(sysfs stats/skipped)
	mode_calls 20
	[ "$(sysfs stats/skipped)" = "$skipped" ]
}
wait_for "it says so" 30 dead active
mode_rule -d afp-killed-2
wait_for "without a rule it says so, too" 30 dead active
mode_rule -a afp-killed-2
recorded afp-killed-2
ok "the level can be written" sh -c "echo off >$SET/level"
ok "it is idle, and says why" dead idle
wait_for "nothing is skipped" 30 walking
recorded afp-killed-2
mode_rule -a afp-killed-off
mode_rule -d afp-killed-2
recorded afp-killed-off
ok "nor after a change of rules" walking
mode_rule -a afp-killed-2
mode_rule -d afp-killed-off
ok "and written again" sh -c "echo filter >$SET/level"
ok "then it is active again" dead active
skipped=$(sysfs stats/skipped)
wait_for "calls are skipped again" 30 skipping
recorded afp-killed-2
unload_module &
wait_for "rmmod says what is wrong" 30 sh -c \
	"dmesg | grep -q 'audit_fastpath: ftrace cannot be unhooked.*reboot to end this'"
ok "the module is still there" module_loaded
recorded afp-killed-2
mode_rule -a afp-killed-3
mode_rule -d afp-killed-2
recorded afp-killed-3
