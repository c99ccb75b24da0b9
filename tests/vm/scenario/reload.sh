# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=900 test="5.10 7.3"
#
# The module is loaded and unloaded again and again while system calls are in
# flight on two processors.

rules_clear
rules_load /rules/30-stig.rules
load 2 &
load=$!
i=0
failed=0
while [ $i -lt 100 ]; do
	backend=direct
	[ $((i % 8)) -lt 4 ] || backend=ftrace
	load_module backend=$backend || failed=$((failed + 1))
	# Sometimes before it has decided anything, sometimes after.
	if [ $((i % 4)) = 0 ]; then
		wait_until 30 sysfs_is state active || failed=$((failed + 1))
	fi
	unload_module || failed=$((failed + 1))
	i=$((i + 1))
done
is "100 times loaded and unloaded" 0 $failed
refuses "it is not loaded" module_loaded
is "nothing is hooked" 0 \
	"$(grep -c audit /sys/kernel/tracing/enabled_functions)"
ok "the load is still running" kill -0 $load
ok "it loads once more" load_module
wait_for "it becomes active" 30 sysfs_is state active
wait_for "calls are skipped" 30 \
	sh -c "[ \$(cat $SYSFS/stats/skipped) -gt 1000 ]"
ok "it unloads" unload_module
kill $load
