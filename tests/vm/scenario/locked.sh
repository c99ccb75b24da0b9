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
ok "the log says why" sh -c "dmesg | grep -q 'audit configuration is locked'"
is "it is still active" active "$(sysfs state)"
ok "it unloads" unload_module
ok "it loads under the lock" load_module
wait_for "it is active under the lock" 30 sysfs_is state active
is "at level filter" filter "$(cat $LEVEL)"
refuses "the level cannot be written either" sh -c "echo off >$LEVEL"
for level in collect entry; do
	ok "it unloads" unload_module
	ok "it loads under the lock with level=$level" \
		load_module level=$level idle=detach
	is "and has level filter" filter "$(cat $LEVEL)"
	is "and keeps" keep "$(cat ${LEVEL%/*}/idle)"
done
ok "it unloads under the lock" unload_module
record_stop

grep -o 'op=audit_fastpath_.*res=[0-9]' /tmp/raw |
	sed 's/^op=\([^ ]* old=[^ ]* new=[^ ]*\) .* \(res=.\)$/\1 \2/' \
	>/tmp/records
same "what was refused, and what was done, is recorded, in that order" - \
	/tmp/records <<EOT
audit_fastpath_level old=filter new=off res=0
audit_fastpath_level old=filter new=filter res=0
audit_fastpath_sample old=0 new=3 res=0
audit_fastpath_idle old=keep new=detach res=0
audit_fastpath_repair old=1 new=0 res=0
audit_fastpath_names old=1 new=0 res=0
audit_fastpath_unload old=filter new=none res=1
audit_fastpath_load old=none new=filter res=1
audit_fastpath_level old=filter new=off res=0
audit_fastpath_unload old=filter new=none res=1
audit_fastpath_level old=filter new=collect res=0
audit_fastpath_idle old=keep new=detach res=0
audit_fastpath_load old=none new=filter res=1
audit_fastpath_unload old=filter new=none res=1
audit_fastpath_level old=filter new=entry res=0
audit_fastpath_idle old=keep new=detach res=0
audit_fastpath_load old=none new=filter res=1
audit_fastpath_unload old=filter new=none res=1
EOT
