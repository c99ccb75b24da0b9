# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=300
#
# The audit configuration is locked until the next boot.

LEVEL=/sys/module/audit_fastpath/parameters/level

rules_clear
auditctl -a always,exit -F arch=b64 -S statx -F a0=1 >/dev/null
ok "the module loads" load_module
wait_for "it becomes active" 30 sysfs_is state active
ok "the level can be written" sh -c "echo off >$LEVEL; echo filter >$LEVEL"
auditctl -e 2 >/dev/null
ok "audit is locked" sh -c "auditctl -s | grep -q '^enabled 2'"
for level in off filter; do
	refuses "level $level cannot be written" sh -c "echo $level >$LEVEL"
	is "the level stays after $level" filter "$(cat $LEVEL)"
done
ok "the log says why" sh -c "dmesg | grep -q 'audit configuration is locked'"
is "it is still active" active "$(sysfs state)"
ok "it unloads" unload_module
ok "it loads under the lock" load_module
wait_for "it is active under the lock" 30 sysfs_is state active
is "at level filter" filter "$(cat $LEVEL)"
refuses "the level cannot be written either" sh -c "echo off >$LEVEL"
for level in collect entry; do
	ok "it unloads" unload_module
	ok "it loads under the lock with level=$level" load_module level=$level
	is "and has level filter" filter "$(cat $LEVEL)"
done
ok "it unloads under the lock" unload_module
