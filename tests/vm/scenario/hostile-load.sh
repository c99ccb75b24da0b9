# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=900 debug=yes test="7.3"
#
# The module is loaded into a kernel that makes it hard: types that are damaged,
# symbols that are hidden, kprobes that are switched off, lockdown. It works, or
# it hooks nothing and says why; audit works in any case.

SET=/sys/module/audit_fastpath/parameters

works() {
	wait_for "$1: it is active" 30 active
	ok "$1: audit works" shadow_recorded afp-hostile
	ok "$1: it unloads" unload_module
}

rules_clear
shadow_rules afp-hostile
traces >/tmp/before

# The types.
for what in truncated short empty magic version header odd types strings open \
		kind vlen gone twice size type beyond bits pointer name swapped \
		cyclic loop; do
	ok "BTF, $what: it loads" load_module break_btf=$what
	wait_for "BTF, $what: it is passive" 30 sysfs_is state passive
	ok "BTF, $what: it says: $(sysfs reason)" \
		grep -qE '^(layout of [A-Za-z_]* is not as needed|audit_context is not laid out)' \
			"$SYSFS/reason"
	is "BTF, $what: nothing is hooked" 0 "$(hooked)"
	[ $what != swapped ] || ok "BTF, $what: audit works" shadow_recorded afp-hostile
	ok "BTF, $what: it unloads" unload_module
done
ok "audit works beside damaged types" shadow_recorded afp-hostile
traces >/tmp/after
same "nothing is left of it" /tmp/before /tmp/after

# Addresses hidden from all.
echo 2 >/proc/sys/kernel/kptr_restrict
ok "kptr_restrict: it loads" load_module
works kptr_restrict
echo 1 >/proc/sys/kernel/kptr_restrict

# kprobes switched off: one is registered, and never armed.
echo 0 >/sys/kernel/debug/kprobes/enabled
is "kprobes are off" 0 "$(cat /sys/kernel/debug/kprobes/enabled)"
ok "without kprobes: it loads" load_module
works "without kprobes"
echo 1 >/sys/kernel/debug/kprobes/enabled

# Audit switched off, with rules.
auditctl -e 0 >/dev/null
ok "audit is off: it loads" load_module
is "audit is off: nothing is proved" waiting "$(sysfs state)"
auditctl -e 1 >/dev/null
works "audit is on again"

# Lockdown, step by step, with the module at work.
mount -t securityfs none /sys/kernel/security
ok "lockdown: it loads before" load_module
wait_for "lockdown: it is active before" 30 active
for mode in integrity confidentiality; do
	ok "lockdown is $mode" \
		sh -c "echo $mode >/sys/kernel/security/lockdown"
	for level in off verify filter collect entry filter; do
		ok "$mode: level $level" sh -c "echo $level >$SET/level"
		is "$mode: it is $level" $level "$(cat $SET/level)"
	done
	auditctl -a always,exit -F arch=b64 -S statx -F a0=2 >/dev/null
	wait_for "$mode: it is active" 30 active
	ok "$mode: audit works" shadow_recorded afp-hostile
done
ok "lockdown: it unloads" unload_module
dmesg -c >/dev/null
is "lockdown: a module that is not signed is refused" 1 "$(finit "$MODULE")"
ok "lockdown: the kernel says why" \
	sh -c "dmesg | grep -q 'Lockdown: .*unsigned module'"
refuses "lockdown: it is not loaded" module_loaded
ok "lockdown: audit works" shadow_recorded afp-hostile
