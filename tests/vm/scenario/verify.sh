# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=600 test="5.10 7.3"
#
# Decide, let the kernel filter all the same, compare: random rule sets, one
# after the other, against random calls and the workload of the equality test.
# No call that would have been skipped may be recorded.
#
# On the kernel's command line:
#   afp.seed=N     which rule sets and calls; by the clock if it is not given
#   afp.first=N    the first set, 0 if not given; a set does not depend on those
#                  before it
#   afp.sets=N     how many
#   afp.calls=N    calls under each of them
#   afp.workload=N the workload runs under every Nth
#   afp.checked=N  how many decisions there have to be, a quarter of the calls
#                  if not given
# tests/vm/verify is the long form.

seed=$(option seed "$(date +%s)")
first=$(option first 0)
sets=$(option sets 40)
calls=$(option calls 8000)
workload=$(option workload 20)
tracing=/sys/kernel/tracing

# total NAME: a number of the last line
total() {
	sed -n "s/^total: .*[ ,]\\([0-9]*\\) $1.*/\\1/p" /tmp/verify.out
}

mkdir -p /vf /eq
mount -t tmpfs -o size=64m verify /vf
chmod 777 /vf
say "seed $seed; again with: -a 'afp.seed=$seed afp.first=N afp.sets=1'"
rules_clear
# Records are counted where the kernel begins to write them. Nobody reads
# them: they are not to fill the memory, nor to wait for a reader.
auditctl -b 1024 -r 1 -f 0 --backlog_wait_time 0 >/dev/null
echo 'p:afp/afp_recorded audit_log_exit' >$tracing/kprobe_events
echo 1 >$tracing/events/afp/afp_recorded/enable
# Each deletion of a rule waits for RCU.
echo 1 >/sys/kernel/rcu_expedited

# Each backend on some kernels.
case $(uname -r) in
5.* | 7.*) backend=ftrace ;;
*) backend=direct ;;
esac
ok "the module loads" load_module level=verify backend=$backend
started=$(cut -d. -f1 /proc/uptime)
ok "it follows $sets rule sets" sh -c "verify $seed $first $sets $calls \
	$workload >/tmp/verify.out"
while IFS= read -r line; do
	say "$line"
done </tmp/verify.out
say "$(($(cut -d. -f1 /proc/uptime) - started)) s"
is "nothing was skipped that is recorded" 0 "$(total mismatches)"
# Idle if the last rules have gone with their files, and are counted no more.
case $(sysfs state) in
active | idle)
	pass "no fuse has tripped: $(sysfs state)" ;;
*)
	fail "no fuse has tripped" "$(sysfs state): $(sysfs reason)"
	auditctl -l | sed 's/^/# /' >"$VERDICT" ;;
esac
wanted=$(option checked $((sets * calls / 4)))
ok "decisions were checked, not less than $wanted" \
	[ "$(total checked)" -ge "$wanted" ]
ok "calls were recorded" [ "$(total recorded)" -ge $((sets * 50)) ]
ok "a fifth of the calls and more was to skip" \
	[ "$(($(total checked) * 5))" -ge "$(total calls)" ]
ok "and a fifth and more was not" \
	[ "$(($(total calls) - $(total checked)))" -ge \
	"$(($(total calls) / 5))" ]
rules_clear
ok "the module unloads" unload_module
