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

# calls: what the rule asks for, 10 times; nobody else sets this mode
calls() {
	n=0
	while [ $n -lt 10 ]; do
		chmod 123 /tmp/file
		n=$((n + 1))
	done
}

add_rule() {
	auditctl -a always,exit -F arch=b64 -S chmod -F a1=$((0123)) -k "$1" \
		>/dev/null
}

delete_rule() {
	auditctl -d always,exit -F arch=b64 -S chmod -F a1=$((0123)) -k "$1" \
		>/dev/null
}

# rule_records KEY: how many of those calls the log has
rule_records() {
	grep -c "type=\(1300\|SYSCALL\).*key=\"$1\"" /tmp/raw
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
	calls
	is "$1: no call is skipped" "$skipped" "$(sysfs stats/skipped)"
	ok "$1: they are walked for want of a policy" \
		[ "$(sysfs stats/walked_policy)" -gt $((walked + 9)) ]
}

: >/tmp/file
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
	add_rule $key
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
	calls
	delete_rule "$key"
	wait_until 20 settled
done
fail_memory 0
delete_rule "$key"
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
	add_rule $key
	: "${skipped:=$(sysfs stats/skipped)}"
	calls
	before=$(failures)
	wait_for "$key: the build fails" 20 more_failures
	calls
	delete_rule "$key"
done
is "no call was skipped meanwhile" "$skipped" "$(sysfs stats/skipped)"
ok "the module unloads without memory" unload_module

# From the start.
add_rule afp-memory-load
ok "it loads without memory" load_module fail_memory=-1
generation=0
before=0
wait_for "the first build fails" 20 more_failures
without_memory "without memory from the start"
is "no call was ever skipped" 0 "$(sysfs stats/skipped)"
fail_memory 0
wait_for "a policy is built" 20 settled
wait_for "calls are skipped" 20 skipping
calls
record_stop
i=1
while [ $i -lt $which ]; do
	is "allocation $i: each call is recorded" 20 \
		"$(rule_records afp-memory-$i)"
	i=$((i + 1))
done
for key in a b load; do
	is "rule $key: each call is recorded" 20 "$(rule_records afp-memory-$key)"
done
kill $load
ok "the module unloads" unload_module
