# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=120 module=no
# The harness itself: what scenarios take for granted is there.

count_to() {
	echo x >>/tmp/count
	[ "$(wc -l </tmp/count)" -ge "$1" ]
}

ok "a command that succeeds" true
refuses "a command that fails" false
is "equal strings" "a b" "a b"
skip "nothing" "a skipped check"
wait_for "a condition comes true" 10 count_to 3
if wait_until 1 false; then
	fail "a wait has an end"
else
	pass "a wait has an end"
fi
is "two processors" 2 "$(nproc)"
ok "BTF of the kernel" test -s /sys/kernel/btf/vmlinux
ok "tracefs" test -e /sys/kernel/tracing/available_filter_functions
ok "auditctl talks to the kernel" auditctl -s
ok "Debian's STIG rules load" rules_load /rules/30-stig.rules
if [ "$(rules_count)" -gt 20 ]; then
	pass "they are there"
else
	fail "they are there" "$(auditctl -l | head)"
fi
rules_clear
is "rules can be deleted" 0 "$(rules_count)"
ok "a kernel module loads" insmod /modules/loop.ko
ok "and goes" rmmod loop
