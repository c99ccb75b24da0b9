# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=300 debug=yes
#
# What is missing or disproved: the module hooks nothing, says why, and audit
# works as if it were not there. Uses the debug build, which can be told to
# fail.

rules_clear
shadow_rules afp-passive

ok "it loads with a broken layout" load_module break_layout=1
wait_for "it becomes passive" 30 sysfs_is state passive
is "it says why" \
	"audit_context is not laid out as the kernel's BTF says" \
	"$(sysfs reason)"
is "there is no backend" none "$(sysfs backend)"
is "nothing is hooked" 0 "$(hooked)"
is "nothing was skipped" 0 "$(sysfs stats/skipped)"
ok "audit works" shadow_recorded afp-passive
ok "a level can be written" \
	sh -c "echo off >/sys/module/audit_fastpath/parameters/level"
ok "and back" \
	sh -c "echo filter >/sys/module/audit_fastpath/parameters/level"
is "it stays passive" passive "$(sysfs state)"
ok "it unloads" unload_module

# Some of the steps of loading; fail-steps takes them all. What they are differs
# from kernel to kernel.
refused=0
for step in 1 18 22 30 33 35; do
	if [ "$(finit "$MODULE" fail_step=$step)" = 0 ]; then
		ok "step $step, $(cat \
			/sys/module/audit_fastpath/parameters/failed_step): $(sysfs state)" \
			[ "$(cat /sys/module/audit_fastpath/parameters/failed_step)" != none ]
		ok "step $step: it unloads" unload_module
	else
		refused=$((refused + 1))
	fi
	refuses "step $step: it is not loaded" module_loaded
	refuses "step $step: no files" [ -e "$SYSFS" ]
	is "step $step: nothing is hooked" 0 "$(hooked)"
done
ok "$refused steps are refused" [ $refused -ge 3 ]

if echo 0 >/proc/sys/kernel/ftrace_enabled; then
	ok "it loads without ftrace" load_module
	is "it is passive without ftrace" passive "$(sysfs state)"
	ok "it names ftrace_enabled: $(sysfs reason)" \
		sh -c "grep -q ftrace_enabled $SYSFS/reason"
	is "nothing is hooked without ftrace" 0 "$(hooked)"
	ok "it unloads without ftrace" unload_module
	echo 1 >/proc/sys/kernel/ftrace_enabled
else
	skip "it is passive without ftrace" \
		"on this kernel ftrace cannot be switched off"
fi

ok "it loads with ftrace again" load_module
wait_for "it is active with ftrace again" 30 sysfs_is state active
refuses "ftrace cannot be switched off under it" \
	sh -c "echo 0 >/proc/sys/kernel/ftrace_enabled"
ok "audit works with it" shadow_recorded afp-passive
ok "it unloads at last" unload_module
is "nothing is hooked at last" 0 "$(hooked)"

# At last, because there is no way back.
ok "it loads when ftrace is dead" load_module kill_ftrace=1
is "it is passive then" passive "$(sysfs state)"
ok "it says: $(sysfs reason)" \
	grep -q '^cannot hook audit_rule_change (error -19)' "$SYSFS/reason"
ok "audit works without ftrace" shadow_recorded afp-passive
ok "it unloads when ftrace is dead" unload_module
is "nothing is left of it" "" "$(grep audit_fastpath /proc/modules)"
