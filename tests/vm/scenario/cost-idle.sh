# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: icount=yes cpus=1 timeout=300 test="5.10 7.3"
#
# What calls cost while tasks are detached: what they cost a task that has no
# audit context, as with audit=0. Such a task is one that was born under the
# rule "task,never".

CALLS="getpid read write"

rules_clear
measure none
auditctl -a task,never >/dev/null
measure free
rules_clear
ok "the module loads" load_module idle=detach
wait_for "it detaches" 30 sysfs_is reason \
	"no rule that the kernel counts: tasks are detached"
measure detached
ok "the module unloads" unload_module
measure after
say "instructions per call:"
# shellcheck disable=SC2086 # words
say "$(printf '%-12s %9s %9s %9s' "no rules" $CALLS)"
for name in none free detached after; do
	line=$(printf '%-12s' $name)
	for call in $CALLS; do
		line="$line $(printf '%9d' "$(cost $name "$call")")"
	done
	say "$line"
done
for call in $CALLS; do
	at_most "$call while detached, by no audit at all" \
		"$(cost detached "$call")" $(($(cost free "$call") + 1))
	at_most "$call after rmmod" "$(cost after "$call")" \
		$(($(cost none "$call") + 1))
done
