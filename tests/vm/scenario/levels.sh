# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=600 append="audit_backlog_limit=65536" test="5.10 7.3"
#
# The levels collect and entry, where a decision is made when a call begins:
# calls that change what a rule asks of their task, records that no rule has
# caused, trees that are removed in a call, rules, levels and the module coming
# and going. That all records of a rule are as ever is for equality.sh.

PARAMETERS=/sys/module/audit_fastpath/parameters

# to_level LEVEL: and wait until decisions are made there
to_level() {
	echo "$1" >$PARAMETERS/level
	wait_for "level $1: active" 30 active
}

# start: record, and wait until the rules that recording changed are known: calls
# are skipped again
start() {
	record_start
	module_loaded || return 0
	start_skipped=$(sysfs stats/skipped)
	wait_until 20 skipping || fail "calls are skipped while it records"
}

skipping() {
	[ "$(sysfs stats/skipped)" -gt $((start_skipped + 100)) ]
}

# records KEY: SYSCALL records with this key
records() {
	grep -c "^type=SYSCALL .*key=\"$1\"" /tmp/raw
}

# -- calls that change their own task
late >/tmp/late.calls
cp /guest/late /tmp/late-setuid
chown 1000:1000 /tmp/late-setuid
chmod 6755 /tmp/late-setuid

# late_calls NAME: each is recorded, once
late_calls() {
	late_from=$(date +%s)
	start
	while read -r call _; do
		late "$call" || fail "$1: late $call" "$?"
	done </tmp/late.calls
	record_stop
	missing=
	while read -r call _; do
		[ "$(records "late-$call")" = 1 ] ||
			missing="$missing $call:$(records "late-$call")"
	done </tmp/late.calls
	is "$1: calls that change their task and are not recorded once" "" \
		"$missing"
	# The time of a record is that of the call's entry.
	is "$1: records of another time" 0 "$(sed -n \
		's/^type=SYSCALL .*msg=audit(\([0-9]*\)\..*key="late-.*/\1/p' \
		/tmp/raw | awk -v from="$late_from" -v to="$(date +%s)" \
			'$1 < from - 1 || $1 > to' | wc -l)"
}

# auditd_calls NAME: all but auditd's own are recorded
auditd_calls() {
	start
	ok "$1: a task is auditd for a moment" daemon
	record_stop
	is "$1: which of its calls are recorded" "1 3 4 " "$(sed -n \
		's/^type=SYSCALL .* a0=4d a1=\([0-9]*\) .*key="auditd".*/\1/p' \
		/tmp/raw | tr '\n' ' ')"
	is "$1: a record that auditd has caused stands alone" "CONFIG_CHANGE " \
		"$(beside 'op=set audit_rate_limit=0')"
}

# -- a record that no rule has caused: a change of audit's configuration, with
# the call that brought it
# companions: the types of the records of that event but its own
companions() {
	start
	auditctl -f 0 >/dev/null
	auditctl -f 1 >/dev/null
	record_stop
	beside 'op=set audit_failure=0' | sed 's/CONFIG_CHANGE //'
}

# -- a tree that is removed in a call that no rule can match
# tree NAME: its rule is gone, with a record, though the task makes no other
# call than that, and does not end: either would remove it, too
tree() {
	mkdir -p /tmp/tree.dir
	auditctl -a always,exit -F arch=b64 -S openat -F dir=/tmp/tree.dir \
		-k tree >/dev/null
	wait_for "$1: the tree's rule is known" 30 active
	start
	late -r /tmp/tree.dir &
	pid=$!
	wait_for "$1: the rule goes with its tree" 20 \
		sh -c '! auditctl -l | grep -q tree.dir'
	kill $pid
	record_stop
	ok "$1: with a record" grep -q 'op=remove_rule.*tree.dir' /tmp/raw
}

rules_clear
auditctl -b 65536 >/dev/null
while read -r call rule; do
	# shellcheck disable=SC2086 # options
	auditctl -a always,exit -F arch=b64 $rule -k "late-$call" >/dev/null
done </tmp/late.calls
auditctl -a always,exit -F arch=b64 -S getpriority -F a0=77 -k auditd >/dev/null
late_calls stock
auditd_calls stock
auditctl -a always,exit -F arch=b64 -S getpid -F a0=77 -k unrelated >/dev/null
stock=$(companions)
say "companions: $stock"

ok "the module loads" load_module level=collect
wait_for "it is active" 30 active
is "it decides at the entry" \
	"deciding at the entry of system calls, what is left at the exit" \
	"$(sysfs reason)"
for level in collect entry; do
	to_level $level
	late_calls $level
	auditd_calls $level
	tree $level
done
to_level filter
auditd_calls filter

case $(uname -r) in
5.*) some= ;;	# a dummy context has no companions there
*) some="PROCTITLE SYSCALL " ;;
esac
to_level collect
is "collect: a record of no rule has its call, and no more" "$some" \
	"$(companions)"
to_level entry
is "entry: a record of no rule stands alone" "" "$(companions)"
to_level filter
is "filter: a record of no rule has what it had" "$stock" "$(companions)"

# -- audit is switched off while calls are checked: nothing comes of a check of a
# call that is not audited, also for the next one of the same task, which has a
# context that is a dummy of before
to_level collect
mkfifo /tmp/fifo
late -f /tmp/fifo setgid &
pid=$!
wait_for "a task opens a pipe" 20 [ -e /tmp/fifo.open ]
ok "audit is off" auditctl -e 0
ok "every skip is to be checked" sh -c "echo 1 >$PARAMETERS/sample"
# It reads from here on.
exec 4>/tmp/fifo
reads() {
	grep -q pipe_read "/proc/$pid/stack"
}
wait_for "the task waits in a call that is not audited" 20 reads
ok "audit is on" auditctl -e 1
echo >&4
exec 4>&-
wait $pid
is "no check was wrong" 0 "$(sysfs selfcheck/mismatches)"
is "and the fuse is whole" active "$(sysfs state)"
ok "no more checks" sh -c "echo 0 >$PARAMETERS/sample"

# -- rules come and go, and are in force when they were acknowledged
for level in collect entry; do
	to_level $level
	ok "$level: each call is recorded when it must" churn 150
done

# -- levels, and the module, come and go in the middle of calls
switch() {
	while :; do
		for level in filter collect entry off entry filter collect verify; do
			echo $level >$PARAMETERS/level
		done
	done 2>/dev/null
}
load 2 &
loads=$!
switch &
pid=$!
ok "each call is recorded while the level changes" churn 100
kill $pid
wait $pid
come_and_go 4 level=entry level=collect
kill $loads
is "no call was missed by a check" 0 "$(sysfs selfcheck/mismatches)"
ok "the module unloads" unload_module
late_calls "after the module"
rules_clear
