# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=600 debug=yes append="audit_backlog_limit=65536" test="5.10 7.3"
#
# A context that the module resets itself is left as the kernel's function
# leaves it, to the last byte: the debug build resets a copy, lets the kernel
# reset the context, and compares. On 5.10 the kernel's function is the whole of
# __audit_syscall_exit().

PARAMETERS=/sys/module/audit_fastpath/parameters
at=/reset

# try NAME: the workload of record equality, under the rules there are
try() {
	mount -t tmpfs reset $at
	ok "$1: the workload is prepared" workload --prepare $at
	wait_for "$1: active" 30 sysfs_is state active
	compared=$(cat $PARAMETERS/reset_compared)
	ok "$1: it runs" workload $at
	compared=$(($(cat $PARAMETERS/reset_compared) - compared))
	ok "$1: $compared contexts were compared" [ $compared -gt 500 ]
	is "$1: offset of the first difference" -1 \
		"$(cat $PARAMETERS/reset_differs)"
	umount $at
}

mkdir -p $at
auditctl -b 65536 >/dev/null
unrelated 1
ok "the module loads" load_module
wait_for "it becomes active" 30 active
echo 1 >$PARAMETERS/compare_reset
try unrelated
rules_clear
ok "STIG: rules" rules_load /rules/30-stig.rules
try STIG
rules_clear
ok "all fields: rules" rules_load /rules/all-fields.rules
try "all fields"
rules_clear

# Audit is switched off, with rules: the kernel resets at each exit for nothing.
unrelated 1
wait_for "active again" 30 active
ok "audit is switched off" auditctl -e 0
compared=$(cat $PARAMETERS/clean_compared)
n=0
while [ $n -lt 200 ]; do
	[ -e /etc/passwd ]
	n=$((n + 1))
done
mount -t tmpfs reset $at
ok "off: the workload is prepared" workload --prepare $at
ok "off: it runs" workload $at
umount $at
compared=$(($(cat $PARAMETERS/clean_compared) - compared))
ok "off: $compared contexts were compared" [ $compared -gt 150 ]
is "off: offset of the first difference" -1 "$(cat $PARAMETERS/reset_differs)"
ok "audit is switched on" auditctl -e 1
rules_clear
echo 0 >$PARAMETERS/compare_reset
# The workload has a task that uses io_uring: what is left of its calls may be
# looked at, but for 5.10, which filters no such operations.
case $(uname -r) in
5.*) ;;
*)
	ok "contexts that io_uring may look at: $(cat $PARAMETERS/reset_whole)" \
		[ "$(cat $PARAMETERS/reset_whole)" -gt 0 ] ;;
esac
ok "the module unloads" unload_module
