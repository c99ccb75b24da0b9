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
# It sends a message of its own, which is refused later.
record_start
auditctl -e 2 >/dev/null
ok "audit is locked" sh -c "auditctl -s | grep -q '^enabled 2'"
for change in "level off" "level filter" "sample 3" "idle detach" "repair N" \
		"names N"; do
	file=${LEVEL%/*}/${change% *}
	was=$(cat "$file")
	refuses "$change cannot be written" sh -c "echo ${change#* } >$file"
	is "it stays after $change" "$was" "$(cat "$file")"
done
refuses "the backend cannot be written" \
	sh -c "echo ftrace >${LEVEL%/*}/backend"
record_stop
for op in "level old=filter new=off" "level old=filter new=filter" \
		"sample old=0 new=3" "idle old=keep new=detach" \
		"repair old=1 new=0" "names old=1 new=0"; do
	ok "that is recorded: $op" grep -q \
		"op=audit_fastpath_$op .*auid=.* ses=.* res=0" /tmp/raw
done
is "each once" 6 "$(grep -c 'op=audit_fastpath_' /tmp/raw)"
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
