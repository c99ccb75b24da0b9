# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=120 kernels="6.12-noaudit"
#
# A kernel that was built without system call auditing: the module says so in
# one line and leaves no trace.

# said: the module's own lines of the log
said() {
	dmesg | grep 'audit_fastpath: ' | grep -v 'taints kernel'
}

refuses "this kernel knows no audit" auditctl -s
traces >/tmp/before
for try in first second; do
	dmesg -c >/dev/null
	is "$try time: it is refused with EOPNOTSUPP" 95 "$(finit "$MODULE")"
	is "$try time: the log has one line" 1 "$(said | wc -l)"
	say "$(said)"
	ok "$try time: it says what is wrong" \
		sh -c "dmesg | grep -q 'not loaded: this kernel was built without system call auditing'"
	ok "$try time: it says what would be right" \
		sh -c "dmesg | grep -q 'audit_fastpath.*CONFIG_AUDITSYSCALL=y'"
	refuses "$try time: no files" [ -e "$SYSFS" ]
	traces >/tmp/after
	same "$try time: nothing is left" /tmp/before /tmp/after
done
