# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=900 test="5.10 7.3"
#
# Parameters are written and files are read while the module is being loaded
# and unloaded, and while rules change.

rules_clear
rules_load /rules/30-stig.rules
level_writer() {
	while :; do
		for level in off filter nonsense filter; do
			echo $level \
				>/sys/module/audit_fastpath/parameters/level
		done
	done 2>/dev/null
}
reader() {
	while :; do
		cat "$SYSFS"/state "$SYSFS"/reason "$SYSFS"/policy/* "$SYSFS"/stats/*
	done >/dev/null 2>&1
}
rule_writer() {
	while :; do
		auditctl -a always,exit -F arch=b64 -S statx -F a0=1
		auditctl -d always,exit -F arch=b64 -S statx -F a0=1
	done >/dev/null 2>&1
}
load 2 &
pids=$!
level_writer &
pids="$pids $!"
level_writer &
pids="$pids $!"
reader &
pids="$pids $!"
rule_writer &
pids="$pids $!"
i=0
failed=0
while [ $i -lt 40 ]; do
	backend=direct
	[ $((i % 4)) -lt 2 ] || backend=ftrace
	load_module backend=$backend || failed=$((failed + 1))
	[ $((i % 2)) = 0 ] || usleep 100000
	# A file that is open keeps no reference for long.
	wait_until 20 unload_module || failed=$((failed + 1))
	i=$((i + 1))
done
is "40 times loaded and unloaded" 0 $failed
# shellcheck disable=SC2086
kill $pids
ok "it loads once more" load_module
wait_for "it becomes active" 30 sysfs_is state active
ok "it unloads" unload_module
is "nothing is hooked" 0 \
	"$(grep -c audit /sys/kernel/tracing/enabled_functions)"
