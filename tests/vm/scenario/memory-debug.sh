# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=600 debug=yes append="audit_backlog_limit=65536" test="5.10 7.3"
#
# No memory for a policy: as long as the rules that were added are in none,
# every call is walked, none of their records is lost, and once there is memory
# calls are skipped again. The debug build can make each allocation fail.

PARAMETERS=/sys/module/audit_fastpath/parameters

fail_memory() {
	echo "$1" >$PARAMETERS/fail_memory
}

failures() {
	cat $PARAMETERS/memory_failures
}

more_failures() {
	[ "$(failures)" -gt "$before" ]
}

new_policy() {
	[ "$(sysfs policy/generation)" -gt "$generation" ]
}

failed_or_built() {
	more_failures || new_policy
}

settled() {
	sysfs_is policy/rules "$(rules_count)" && sysfs_is state active
}

skipping() {
	[ "$(sysfs stats/skipped)" -gt "$skipped" ]
}

# without_memory NAME: what holds as long as no policy can be built
without_memory() {
	skipped=$(sysfs stats/skipped)
	walked=$(sysfs stats/walked_policy)
	mode_calls 10
	is "$1: no call is skipped" "$skipped" "$(sysfs stats/skipped)"
	ok "$1: they are walked for want of a policy" \
		[ "$(sysfs stats/walked_policy)" -gt $((walked + 9)) ]
}

rules_clear
rules_load /rules/30-stig.rules
auditctl -b 65536 >/dev/null
load 1 &
load=$!
ok "the module loads" load_module
wait_for "it becomes active" 30 sysfs_is state active
record_start
wait_for "the policy is that of the rules" 30 settled

which=0
while :; do
	which=$((which + 1))
	key=afp-memory-$which
	before=$(failures)
	fail_memory $which
	mode_rule -a $key
	generation=$(sysfs policy/generation)
	wait_until 20 failed_or_built
	more_failures || break
	without_memory "allocation $which fails"
	is "allocation $which fails: no policy was published" "$generation" \
		"$(sysfs policy/generation)"
	fail_memory 0
	skipped=$(sysfs stats/skipped)
	wait_for "allocation $which: a policy is built by itself" 20 new_policy
	wait_for "allocation $which: calls are skipped again" 20 skipping
	mode_calls 10
	mode_rule -d "$key"
	wait_until 20 settled
done
fail_memory 0
mode_rule -d "$key"
wait_for "it builds when no allocation is left to fail" 20 settled
ok "each of the $((which - 1)) allocations of a build failed once" \
	[ $which -gt 5 ]
ok "the log says why" \
	sh -c "dmesg | grep -q 'audit_fastpath: no memory to compile the rules'"

# Nothing but failures for a while, rules come and go.
before=$(failures)
fail_memory -1
skipped=
for key in afp-memory-a afp-memory-b; do
	mode_rule -a $key
	: "${skipped:=$(sysfs stats/skipped)}"
	mode_calls 10
	before=$(failures)
	wait_for "$key: the build fails" 20 more_failures
	mode_calls 10
	mode_rule -d "$key"
done
is "no call was skipped meanwhile" "$skipped" "$(sysfs stats/skipped)"
ok "the module unloads without memory" unload_module

# From the start.
mode_rule -a afp-memory-load
ok "it loads without memory" load_module fail_memory=-1
generation=0
before=0
wait_for "the first build fails" 20 more_failures
without_memory "without memory from the start"
is "no call was ever skipped" 0 "$(sysfs stats/skipped)"
fail_memory 0
wait_for "a policy is built" 20 settled
wait_for "calls are skipped" 20 skipping
mode_calls 10
record_stop
i=1
while [ $i -lt $which ]; do
	is "allocation $i: each call is recorded" 20 \
		"$(mode_records afp-memory-$i)"
	i=$((i + 1))
done
for key in a b load; do
	is "rule $key: each call is recorded" 20 "$(mode_records afp-memory-$key)"
done
kill $load
ok "the module unloads" unload_module
