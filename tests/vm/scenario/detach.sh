# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=900 append="audit_backlog_limit=65536" test="5.10 7.3"
#
# idle=detach: while no rule is counted tasks are not audited at all; when one
# comes all are, before it can be seen. afp.seconds=N: how long rules come and go.

PARAMETERS=/sys/module/audit_fastpath/parameters
seconds=$(option seconds 15)

detached_reason="no rule that the kernel counts: tasks are detached"

# grew FILE SINCE
grew() {
	[ "$(sysfs "$1")" -gt "$2" ]
}

# detaching: tasks are detached at this moment: what starts to record has changed
# rules
detaching() {
	detaching_since=$(sysfs stats/detached)
	wait_until 20 sysfs_is reason "$detached_reason" &&
		wait_until 20 grew stats/detached "$detaching_since"
}

# companions [COMMAND]: the types of the records of a change of audit's configuration but
# its own, made by a task that has made a call before, when COMMAND is true
companions() {
	record_start
	[ $# = 0 ] || "$@" || fail "it comes true: $*" "$(sysfs reason)"
	sh -c 'id >/dev/null; exec auditctl -f 1' >/dev/null
	record_stop
	beside 'op=set audit_failure=1' | sed 's/CONFIG_CHANGE //'
}

rules_clear
auditctl -b 65536 >/dev/null
stock=$(companions)
say "companions: $stock"
auditctl -a always,exit -F arch=b64 -S getpid -F a0=77 >/dev/null
stock_rule=$(companions)
say "with a rule: $stock_rule"
rules_clear

ok "the module loads" load_module idle=detach
wait_for "it detaches" 20 sysfs_is reason "$detached_reason"
wait_for "tasks are detached" 20 grew stats/detached 0
is "no decision is hooked" none "$(sysfs backend)"
is "a record of a detached task stands alone" "" "$(companions detaching)"

# -- off at once
ok "idle=keep" sh -c "echo keep >$PARAMETERS/idle"
is "the reason" "no rule that the kernel counts" "$(sysfs reason)"
is "nothing but what follows rules is hooked" 0 \
	"$(grep -c -e __audit_syscall_ -e audit_log_start \
		/sys/kernel/tracing/enabled_functions)"
is "a record has what it had" "$stock" "$(companions)"
ok "idle=detach" sh -c "echo detach >$PARAMETERS/idle"
is "it detaches again" "$detached_reason" "$(sysfs reason)"
is "a record stands alone again" "" "$(companions detaching)"
ok "level off" sh -c "echo off >$PARAMETERS/level"
is "off: a record has what it had" "$stock" "$(companions)"
ok "level filter" sh -c "echo filter >$PARAMETERS/level"
is "filter: it stands alone" "" "$(companions detaching)"

# -- a rule that is not counted changes nothing; one that is ends it
auditctl -a never,filesystem -F fstype=0x77 >/dev/null
wait_for "a rule for file systems: still detached" 20 \
	sysfs_is reason "$detached_reason"
is "its records stand alone, too" "" "$(companions detaching)"
rules_clear
auditctl -a always,exit -F arch=b64 -S getpid -F a0=77 >/dev/null
wait_for "with a rule it is active" 20 active
is "and a record has what it had" "$stock_rule" "$(companions active)"
rules_clear
wait_for "without it detaches again" 20 sysfs_is reason "$detached_reason"

# -- a task that was born free of audit stays so
auditctl -a task,never >/dev/null
mkfifo /tmp/fifo
sh -c 'read -r _ </tmp/fifo; exec late setuid' &
pid=$!
rules_clear
wait_for "it detaches" 20 sysfs_is reason "$detached_reason"
record_start
auditctl -a always,exit -F arch=b64 -S setuid -k free >/dev/null
echo >/tmp/fifo
wait $pid
late setuid
record_stop
is "a task that was born without a context is not recorded, another is" 1 \
	"$(grep -c '^type=SYSCALL .*key="free"' /tmp/raw)"
rules_clear

# -- a record in a detached task leaves its context such that the next calls would
# be noted in it; what they were is no part of a record of later
record_start
detaching
daemon -c 5 /tmp/sign &
pid=$!
wait_for "the task has made its calls" 20 grep -q ready /tmp/sign
auditctl -a always,exit -F arch=b64 -S getpriority -F a0=77 -k after >/dev/null
printf g | dd of=/tmp/sign conv=notrunc 2>/dev/null
wait $pid
record_stop
is "nothing of former calls is in its record" "PROCTITLE SYSCALL " \
	"$(beside 'a0=4d a1=5 .*key="after"')"
rules_clear

# -- rules come and go, with tasks of all kinds
load 2 &
loads=$!
status=0
mkdir /tmp/cgroup
mount -t cgroup2 cgroup /tmp/cgroup && mkdir /tmp/cgroup/frozen
comers "$seconds" "$SYSFS"/stats/detached /tmp/cgroup/frozen \
	>/tmp/comers.out 2>&1 || status=$?
say "$(tail -n 1 /tmp/comers.out)"
is "each call is recorded that begins after a rule came, $seconds s" 0 $status ||
	head -n 10 /tmp/comers.out >/dev/console

# -- so do settings and the module
settings() {
	while [ ! -e /tmp/settings.stop ]; do
		for value in keep detach; do
			echo $value >$PARAMETERS/idle
		done
		for value in off collect entry filter; do
			echo $value >$PARAMETERS/level
		done
	done 2>/dev/null
}
settings &
pid=$!
ok "each call is recorded while settings change" churn 60
: >/tmp/settings.stop
wait $pid
echo detach >$PARAMETERS/idle
echo filter >$PARAMETERS/level
come_and_go 6 idle=detach
kill $loads
wait_for "it detaches at last" 30 sysfs_is reason "$detached_reason"
detached=$(sysfs stats/detached)
wait_for "tasks are detached again" 20 grew stats/detached "$detached"
ok "it unloads" unload_module
is "a record has what it had before the module" "$stock" "$(companions)"

# -- under the lock nothing is detached
auditctl -e 2 >/dev/null
ok "it loads under the lock" load_module idle=detach
is "under the lock it keeps" keep "$(cat $PARAMETERS/idle)"
refuses "and is not to be changed" sh -c "echo detach >$PARAMETERS/idle"
is "nothing is detached" "no rule that the kernel counts" \
	"$(sysfs reason)"
