# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: icount=yes cpus=1 timeout=2400 debug=yes test="none"
#
# Each step that can fail fails, one after the other: of loading, of a change of
# level, of hooks that come with the first rule. A load is refused, with one line
# that says why, or leaves the module passive, or active with less. Then nothing
# is lost, and when it is gone the system is as before, to the instruction.
#
# afp.first=N on the kernel's command line: begin with this step of loading.

SET=/sys/module/audit_fastpath/parameters
CALLS="getpid read stat"

# differs: what costs another number of instructions than before, give or take one
differs() {
	for call in $CALLS; do
		diff=$(($(cost now "$call") - $(cost before "$call")))
		[ $diff -ge -1 ] && [ $diff -le 1 ] || echo "$call: $diff more"
	done
}

# as_before DESC: calls cost what they did. Now and then the kernel has something
# of its own to do in each sample of one: then once more.
as_before() {
	measure now 100 11
	[ -z "$(differs)" ] || measure now 100 11
	is "$1: calls cost what they did" "" "$(differs)"
}

# gone DESC: nothing is left of the module
gone() {
	traces >/tmp/after
	same "$1: nothing is left" /tmp/before /tmp/after
	as_before "$1, gone"
}

# refusal: the module's own lines of the log
refusal() {
	dmesg | sed -n 's/.*audit_fastpath: not loaded: //p'
}

rules() {
	shadow_rules afp-steps
}

failed() {
	cat $SET/failed_step
}

# settled: nothing is under way any more
settled() {
	sysfs_is state passive || active || sysfs_is reason "level is off" || {
		[ "$(rules_count)" = 0 ] && sysfs_is state idle
	}
}

# no_skips: nothing is decided
no_skips() {
	skipped=$(sysfs stats/skipped)
	audit_bench --quiet --loop 100 --samples 3 --syscall getpid >/dev/null
	[ "$(sysfs stats/skipped)" = "$skipped" ]
}

# in_order DESC: whatever the state, it is kept to, and audit works
in_order() {
	wait_for "$1: it settles" 40 settled
	ok "$1: $(sysfs state): $(sysfs reason)" [ -n "$(sysfs reason)" ]
	if sysfs_is state passive; then
		is "$1: nothing is hooked" 0 "$(hooked)"
		as_before "$1"
	fi
	sysfs_is state active || ok "$1: nothing is skipped" no_skips
	[ "$(rules_count)" = 0 ] || ok "$1: audit works" shadow_recorded afp-steps
}

rules_clear
rules
traces >/tmp/before
measure warm 100 11
measure before 100 11
as_before "without the module"

# Of loading.
first=$(option first '')
step=$((${first:-1} - 1))
refused=0
passive=0
less=0
while :; do
	step=$((step + 1))
	dmesg -c >/dev/null
	# insmod would try a second time.
	if [ "$(finit "$MODULE" fail_step=$step)" != 0 ]; then
		refused=$((refused + 1))
		is "step $step is refused in a line: $(refusal)" 1 \
			"$(refusal | wc -l)"
	else
		wait_until 40 settled
		name="step $step, $(failed)"
		[ "$(failed)" != none ] || break
		if sysfs_is state passive; then
			passive=$((passive + 1))
		else
			less=$((less + 1))
		fi
		in_order "$name"
		ok "$name: it unloads" unload_module
	fi
	gone "step $step"
done
is "it is active when no step is left to fail" active "$(sysfs state)"
say "$refused steps refuse to load, $passive make it passive, $less make it less"
ok "steps: $((step - 1)), at least 60" [ $step -gt 60 ]
if [ -z "$first" ]; then
	ok "refused: $refused, at least 18" [ $refused -ge 18 ]
	ok "passive: $passive, at least 25" [ $passive -ge 25 ]
	ok "less: $less, at least 8" [ $less -ge 8 ]
fi

# later DESC MINIMUM COMMAND: each step of what the command does, with the module
# active, or idle if there are no rules
later() {
	step=0
	while :; do
		step=$((step + 1))
		if [ "$(cat $SET/level)-$(cat $SET/idle)" != \
				filter-keep ] || sysfs_is state passive; then
			unload_module && load_module
		fi
		rules_clear
		[ "$1" = "first rule" ] || [ "$1" = detach ] || rules
		wait_until 40 settled
		echo $step >$SET/fail_step
		"$3"
		wait_until 40 settled
		failed=$(failed)
		echo 0 >$SET/fail_step
		[ "$failed" != none ] || break
		in_order "$1, $failed"
	done
	ok "$1: $((step - 1)) steps, at least $2" [ $step -gt "$2" ]
	ok "$1: $(sysfs state), $(sysfs reason)" \
		[ "$(sysfs state)" != passive ]
}

level_collect() {
	echo collect >$SET/level
}

level_verify() {
	echo verify >$SET/level
}

level_off_on() {
	echo off >$SET/level
	echo filter >$SET/level
}

detach() {
	echo detach >$SET/idle
}

later collect 3 level_collect
later verify 5 level_verify
later "off and on" 20 level_off_on
later "first rule" 8 rules
later detach 6 detach
ok "it unloads at last" unload_module
rules_clear
rules
# What was queued and forgotten would run by now, in code that is gone.
wait_until 7 false
gone "at last"
