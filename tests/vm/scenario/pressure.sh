# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=900 append="mem=320M audit_backlog_limit=8192" test="none"
#
# Memory ends, again and again: tasks take all that there is until the kernel kills them,
# while rules come and go, levels change, and the module is loaded and unloaded. Each
# call is recorded that must be, and each of these ends.

SET=/sys/module/audit_fastpath/parameters

# going: until the file is there that ends it
going() {
	[ ! -e /tmp/stop ]
}

# hogs: one after the other, each wants more than there is
hogs() {
	while going; do
		sh -c 'echo 1000 >/proc/self/oom_score_adj
			exec dd if=/dev/zero of=/dev/null bs=1000M count=1'
	done >/dev/null 2>&1
}

killed() {
	sed -n 's/^oom_kill //p' /proc/vmstat
}

more_killed() {
	[ "$(killed)" -gt "$before" ]
}

settings() {
	while going; do
		for level in off verify collect entry filter; do
			echo $level >$SET/level
			going || break
			usleep 50000
		done
	done 2>/dev/null
}

# What is needed to the end is not what is killed.
echo -1000 >/proc/self/oom_score_adj
# Promised to anyone, so that it really ends.
echo 1 >/proc/sys/vm/overcommit_memory
rules_clear
rules_load /rules/30-stig.rules
auditctl -b 8192 >/dev/null
ok "the module loads" load_module
wait_for "it becomes active" 30 active
before=$(killed)
hogs &
wait_for "memory ends" 30 more_killed
settings &
ok "each call is recorded when it must" churn 40
killed=$(killed)
ok "memory ended meanwhile: $((killed - before)) tasks were killed for it" \
	[ $((killed - before)) -ge 3 ]
: >/tmp/stop
wait
echo filter >$SET/level
wait_for "the policy is that of the rules" 30 active
is "no decision was wrong" 0 "$(sysfs selfcheck/mismatches)"
rm /tmp/stop
hogs &
before=$(killed)
come_and_go 10 level=filter level=entry backend=ftrace
ok "memory ended meanwhile: $(($(killed) - before)) tasks were killed for it" \
	[ $(($(killed) - before)) -ge 3 ]
: >/tmp/stop
wait
ok "it unloads" unload_module
ok "it loads again" load_module
wait_for "it is active again" 30 active
ok "each call is recorded at last" churn 20
ok "it unloads at last" unload_module
