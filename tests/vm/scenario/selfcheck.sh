# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=300 debug=yes test="5.10 7.3"
#
# The check of decisions: what it counts, what is a mismatch and what is none,
# and what the fuse does. Uses the debug build, which can be made to decide
# wrongly about one system call: sync, number 162.

PARAMETERS=/sys/module/audit_fastpath/parameters
SYNC=162
GETPID=39

set_to() {
	echo "$2" >$PARAMETERS/"$1"
}

hooked() {
	grep -c __audit_syscall_exit /sys/kernel/tracing/enabled_functions
}

# records KEY: SYSCALL records with this key
records() {
	grep -c "^type=SYSCALL .*key=\"$1\"" /tmp/raw
}

grew() {
	[ "$(sysfs "$1")" -gt "$2" ]
}

# start: record, and wait until the rules that recording changed are known
start() {
	record_start
	checked=$(sysfs selfcheck/checked)
	wait_until 20 grew selfcheck/checked "$checked"
}

rules_clear
auditctl -a always,exit -F arch=b64 -S statx -F a0=1 >/dev/null
ok "it loads at level verify" load_module level=verify
wait_for "it is active" 30 sysfs_is state active
wait_for "calls are checked" 10 grew selfcheck/checked 100
is "nothing is skipped at level verify" 0 "$(sysfs stats/skipped)"
ok "what would be is counted" grew stats/walked_check 100
is "without a mismatch" 0 "$(sysfs selfcheck/mismatches)"
ok "debugfs shows the reason" grep -q "	check$" \
	/sys/kernel/debug/audit_fastpath/syscalls

# A rule that comes between decision and filter.
set_to slow $SYNC
start
sync &
wait_for "a call waits between decision and filter" 20 \
	grep -q Y $PARAMETERS/waiting
auditctl -a always,exit -F arch=b64 -S sync -k between >/dev/null
set_to slow -1
wait $!
record_stop
is "a rule that came in between makes its record" 1 "$(records between)"
is "and that is no mismatch" 0 "$(sysfs selfcheck/mismatches)"
is "nor does the fuse trip" active "$(sysfs state)"
auditctl -d always,exit -F arch=b64 -S sync -k between >/dev/null
wait_for "the rule is gone from the policy" 20 sysfs_is policy/rules 1

# A record that an LSM makes in a softirq.
set_to interrupt $SYNC
start
sync
record_stop
set_to interrupt -1
is "a softirq's record is there" 1 "$(grep -c 'in=softirq' /tmp/raw)"
serial=$(sed -n 's/.*msg=audit([^:]*:\([0-9]*\)): op=audit_fastpath_test.*/\1/p' \
	/tmp/raw)
is "with its system call" 1 \
	"$(grep "^type=SYSCALL .*:$serial)" /tmp/raw | grep -c "syscall=$SYNC ")"
is "and that is no mismatch either" 0 "$(sysfs selfcheck/mismatches)"
is "it is still active" active "$(sysfs state)"

# A wrong decision.
auditctl -a always,exit -F arch=b64 -S sync -k wrong >/dev/null
wait_for "two rules" 20 sysfs_is policy/rules 2
dmesg -c >/dev/null
start
set_to blind $SYNC
sync
wait_for "a wrong decision trips the fuse" 20 sysfs_is state tripped
sync
set_to blind -1
record_stop
is "no record was lost" 2 "$(records wrong)"
is "there is one mismatch" 1 "$(sysfs selfcheck/mismatches)"
ok "the reason names call, arch and rules: $(sysfs reason)" \
	grep -q "system call $SYNC (arch 0xc000003e) with 2 rules" "$SYSFS/reason"
is "nothing is hooked" 0 "$(hooked)"
is "there is no backend" none "$(sysfs backend)"
is "one line in the log says so" 1 "$(dmesg | grep -c 'audit_fastpath: tripped')"
is "and one record" 1 \
	"$(grep -c 'op=audit_fastpath_fuse old=whole new=tripped' /tmp/raw)"
ok "another setting does not put in a new fuse" set_to sample 3
is "still tripped" tripped "$(sysfs state)"
set_to sample 0
ok "writing level does" set_to level verify
wait_for "it checks again" 10 sysfs_is state active
checked=$(sysfs selfcheck/checked)
sync
wait_for "and counts" 10 grew selfcheck/checked "$checked"
is "the mismatch stays on record" 1 "$(sysfs selfcheck/mismatches)"

# A level that is written at the same moment must not swallow a mismatch: each
# one has blown a fuse, because only this task makes any, one after another.
level_writer() {
	while :; do
		set_to level verify
	done
}
ten_more() {
	sync
	grew selfcheck/mismatches $((mismatches + 9))
}
mismatches=$(sysfs selfcheck/mismatches)
record_start
set_to late 1
level_writer &
pid=$!
set_to blind $SYNC
wait_for "ten mismatches while level is written" 60 ten_more
set_to blind -1
kill $pid
wait $pid
set_to late 0
# The first may find the fuse blown, the second puts in a new one.
set_to level verify
set_to level verify
record_stop
mismatches=$(($(sysfs selfcheck/mismatches) - mismatches))
is "each has its record" $mismatches \
	"$(grep -c 'op=audit_fastpath_fuse old=whole new=tripped' /tmp/raw)"
mismatches=$(sysfs selfcheck/mismatches)
wait_for "it checks after that" 10 sysfs_is state active

# Samples.
ok "level filter" set_to level filter
checked=$(sysfs selfcheck/checked)
skipped=$(sysfs stats/skipped)
sync
wait_for "calls are skipped" 10 grew stats/skipped "$skipped"
is "none is checked" "$checked" "$(sysfs selfcheck/checked)"
ok "sample every 5th" set_to sample 5
before=$(sysfs stats/walked_check)
skipped=$(sysfs stats/skipped)
i=0
while [ $i != 200 ]; do
	sync
	i=$((i + 1))
done
walked=$(($(sysfs stats/walked_check) - before))
skipped=$(($(sysfs stats/skipped) - skipped))
ok "$walked are checked, $skipped skipped: about every 5th" \
	[ $((walked * 4)) -gt $((skipped * 9 / 10)) ] &&
	ok "not more than that" [ $((walked * 4)) -lt $((skipped * 11 / 10)) ]
ok "they were compared" grew selfcheck/checked "$checked"
set_to blind $SYNC
# Whatever multiple of it this loop makes.
set_to sample 7
i=0
while [ $i != 200 ] && ! grew selfcheck/mismatches "$mismatches"; do
	sync
	i=$((i + 1))
done
wait_for "a sample finds the fault, too" 20 sysfs_is state tripped
set_to blind -1
is "nothing is hooked then" 0 "$(hooked)"
is "one more mismatch" $((mismatches + 1)) "$(sysfs selfcheck/mismatches)"
ok "it unloads when tripped" unload_module

# A decision at the beginning of a call that is wrong.
for level in verify collect entry; do
	ok "$level: it loads" load_module level=$level
	wait_for "$level: it is active" 30 sysfs_is state active
	mismatches=$(sysfs selfcheck/mismatches)
	[ $level = verify ] || set_to sample 3
	wait_for "$level: with its rules" 20 sysfs_is policy/rules \
		"$(rules_count)"
	set_to blind_early $SYNC
	i=0
	while [ $i != 200 ] && ! grew selfcheck/mismatches "$mismatches"; do
		sync
		i=$((i + 1))
	done
	wait_for "$level: the fuse trips" 20 sysfs_is state tripped
	is "$level: nothing is hooked then" 0 \
		"$(grep -c __audit_syscall_ /sys/kernel/tracing/enabled_functions)"
	ok "$level: it unloads" unload_module
done

# Many wrong decisions at once, while records wait for room.
auditctl -b 64 >/dev/null
auditctl -a always,exit -F arch=b64 -S getpid -k flood >/dev/null
load 3 &
pid=$!
ok "it loads under load" load_module level=verify blind=$GETPID
wait_for "it trips under load" 60 sysfs_is state tripped
kill $pid
is "nothing is hooked under load" 0 "$(hooked)"
ok "mismatches: $(sysfs selfcheck/mismatches)" grew selfcheck/mismatches 0
is "one line in the log for all of them" 1 \
	"$(dmesg | grep -c 'audit_fastpath: tripped.* system call 39 ')"
auditctl -d always,exit -F arch=b64 -S getpid -k flood >/dev/null
ok "it unloads under load" unload_module

# Under the lock only a reload puts in a new fuse.
ok "it loads" load_module level=verify
wait_for "it is active" 30 sysfs_is state active
wait_for "with both rules" 20 sysfs_is policy/rules 2
set_to blind $SYNC
sync
wait_for "it trips" 20 sysfs_is state tripped
auditctl -e 2 >/dev/null
refuses "level cannot be written under the lock" set_to level filter
is "it stays tripped" tripped "$(sysfs state)"
ok "it unloads" unload_module
ok "and loads" load_module level=verify
wait_for "and is active" 30 sysfs_is state active
ok "it unloads at last" unload_module
