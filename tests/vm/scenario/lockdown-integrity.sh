# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=120 kernels="6.12-kasan" signed=yes
# run lockdown-integrity: append="lockdown=integrity"
# run lockdown-confidentiality: append="lockdown=confidentiality"
#
# A kernel that is locked down from its first moment on, as with Secure Boot. What its
# key has not signed is refused; what it has signed works as on any other kernel.

SET=/sys/module/audit_fastpath/parameters

skipping() {
	sh -c "cat /etc/passwd" >/dev/null
	[ "$(sysfs stats/skipped)" -gt 0 ]
}

mount -t securityfs none /sys/kernel/security
mode=$(tr ' ' '\n' </proc/cmdline | sed -n 's/^lockdown=//p')
is "locked down" "$mode" "$(sed 's/.*\[\(.*\)\].*/\1/' /sys/kernel/security/lockdown)"
rules_clear
shadow_rules afp-lockdown
is "a module that is not signed is refused" 1 "$(finit /lib/afp/unsigned.ko)"
ok "the kernel says why" sh -c "dmesg | grep -q 'Lockdown: .*unsigned module'"
refuses "it is not loaded" module_loaded
for backend in auto ftrace; do
	ok "$backend: it loads, signed" load_module backend=$backend
	wait_for "$backend: it is active" 30 active
	for level in verify filter collect entry off filter; do
		ok "$backend: level $level" sh -c "echo $level >$SET/level"
		[ $level = off ] ||
			wait_for "$backend, $level: it is active" 30 active
		ok "$backend, $level: audit works" shadow_recorded afp-lockdown
	done
	wait_for "$backend: calls are skipped" 30 skipping
	is "$backend: no decision was wrong" 0 "$(sysfs selfcheck/mismatches)"
	ok "$backend: it unloads" unload_module
	ok "$backend: audit works without it" shadow_recorded afp-lockdown
done
