# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=300 test="6.1 7.3"
#
# Each command of docs/tutorial.md, which the host puts into the VM as /tutorial.md, in its
# order; and that it comes to what the text says.

if ! command -v audit-fastpath >/dev/null; then
	skip "the tutorial" "the tool is built for this machine's architecture only"
	exit 0
fi

# No module of this release is where modprobe looks.
modprobe() {
	modprobe_name=$1
	shift
	[ "$modprobe_name" = audit_fastpath ] && load_module "$@"
}

rules_clear
rules_load /rules/30-stig.rules
# shellcheck disable=SC2016 # for sed
sed -n '/^```console/,/^```$/s/^# //p' /tutorial.md >/tmp/commands
ok "the tutorial has commands" [ "$(wc -l </tmp/commands)" -ge 15 ]
[ -e /etc/shadow ] || : >/etc/shadow
record_start
while read -r line <&3; do
	ok "$line" eval "$line"
	case $line in
	modprobe*)
		wait_for "it becomes active" 30 sysfs_is state active
		is "level verify" verify "$(cat /sys/module/audit_fastpath/parameters/level)"
		;;
	*/sample)
		is "state" active "$(sysfs state)"
		is "no mismatch" 0 "$(sysfs selfcheck/mismatches)"
		;;
	esac
done 3</tmp/commands
record_stop
ok "the touch is recorded" grep -q 'key="tutorial"' /tmp/raw
ok "and so is each level" grep -q 'op=audit_fastpath_level old=verify new=filter' /tmp/raw
refuses "nothing of it is left" test -e /sys/module/audit_fastpath
