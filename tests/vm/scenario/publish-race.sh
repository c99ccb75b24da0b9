# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=600 kernels="6.12-kcsan" append="audit_backlog_limit=65536"
#
# Policies are built, published and retired while calls are decided by them, files are
# read and settings are written: KCSAN sees no race that the module is a part of.

PARAMETERS=/sys/module/audit_fastpath/parameters

reader() {
	while :; do
		cat "$SYSFS"/state "$SYSFS"/reason "$SYSFS"/policy/* \
			"$SYSFS"/stats/* "$SYSFS"/selfcheck/* "$SYSFS"/accounting/*
	done >/dev/null 2>&1
}

writer() {
	while :; do
		for level in filter verify entry collect off; do
			echo $level >$PARAMETERS/level
			usleep 300000
		done
	done 2>/dev/null
}

rules_clear
rules_load /rules/30-stig.rules
auditctl -b 65536 >/dev/null
races_start
ok "the module loads" load_module
wait_for "it becomes active" 30 sysfs_is state active
load 2 &
pids=$!
reader &
pids="$pids $!"
before=$(sysfs policy/generation)
ok "each call is recorded when it must" churn 100
ok "policies were built meanwhile" [ "$(sysfs policy/generation)" -gt "$before" ]
ok "calls were skipped meanwhile" [ "$(sysfs stats/skipped)" -gt 1000 ]
writer &
pids="$pids $!"
ok "the same while the level changes" churn 100
# shellcheck disable=SC2086 # a list of words
kill $pids
wait
rules_clear
ok "the module unloads" unload_module
races_stop
ok "races were looked for" races_watched
