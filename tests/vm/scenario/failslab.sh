# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=300 kernels="6.12-kasan" append="audit_backlog_limit=65536"
#
# Allocations fail: one by one while the module is loaded, and one of five that the
# module asks for, itself or through the kernel, while rules change, policies are built,
# calls are decided and counters are read. No record is lost, nothing is leaked (which
# is looked at in the end), and what cannot be done is said.

FAILSLAB=/sys/kernel/debug/failslab

# symbols REGEX: addresses of these, sorted, as failslab wants them
symbols() {
	sed -n "s/^\([0-9a-f]*\) [tT] \($1\)$/0x\1/p" /proc/kallsyms | sort
}

# within START END: fail only what was called from code in there
within() {
	echo "$1" >$FAILSLAB/require-start
	echo "$2" >$FAILSLAB/require-end
}

fail_some() {
	echo 20 >$FAILSLAB/probability
}

fail_none() {
	echo 0 >$FAILSLAB/probability
}

settled() {
	sysfs_is policy/rules "$(rules_count)" && sysfs_is state active
}

readers() {
	while :; do
		cat "$SYSFS"/*/* "$SYSFS"/[a-z]* \
			/sys/kernel/debug/audit_fastpath/syscalls
	done >/dev/null 2>&1
}

rules_clear
rules_load /rules/30-stig.rules
auditctl -b 65536 >/dev/null
echo N >$FAILSLAB/ignore-gfp-wait
echo -1 >$FAILSLAB/times
echo 0 >$FAILSLAB/verbose
echo 32 >$FAILSLAB/stacktrace-depth

# Loading: only what the module's own beginning asks for is counted, and one
# allocation of the kernel's before that, of which the module cannot know.
start=$(symbols do_init_module)
within "$start" "$(awk -v from="${start#0x}" '$1 > from { print "0x" $1; exit }' \
	/proc/kallsyms)"
refused=0
loaded=0
unsaid=
left=0
nth=1
while [ "$left" = 0 ]; do
	# The console has kept it.
	dmesg -c >/dev/null
	finit -n $nth "$MODULE" >/tmp/finit
	read -r err left </tmp/finit
	if [ "$err" = 0 ]; then
		loaded=$((loaded + 1))
		unload_module || break
	else
		refused=$((refused + 1))
		dmesg | grep -q "audit_fastpath: not loaded: " ||
			unsaid="$unsaid $nth"
		if module_loaded || [ -e "$SYSFS" ]; then
			break
		fi
	fi
	nth=$((nth + 1 + nth / 6))
done
ok "each of about $nth allocations failed once: refused $refused times, loaded $loaded" \
	[ "$left" -gt 0 ]
ok "some were needed" [ $refused -gt 0 ]
is "it said why it was not loaded, unless it had not begun" " 1" "$unsaid"
is "nothing is hooked" 0 \
	"$(grep -c audit /sys/kernel/tracing/enabled_functions)"

ok "the module loads" load_module
wait_for "it becomes active" 30 settled
symbols '.*	\[audit_fastpath\]' >/tmp/symbols
within "$(head -n 1 /tmp/symbols)" "$(tail -n 1 /tmp/symbols)"
load 1 &
pids=$!
readers &
pids="$pids $!"
before=$(sysfs policy/generation)
fail_some
ok "each call is recorded when it must, with little memory" churn 100
fail_none
ok "allocations failed" \
	sh -c "dmesg | grep -q 'no memory to compile the rules'"
wait_for "the policy is that of the rules" 10 settled
ok "policies were built" [ "$(sysfs policy/generation)" -gt "$before" ]
fail_some
for level in verify collect entry filter; do
	echo $level >/sys/module/audit_fastpath/parameters/level
done
# shellcheck disable=SC2086 # a list of words
kill $pids
ok "the module unloads with little memory" unload_module
fail_none
is "nothing is hooked any more" 0 \
	"$(grep -c audit /sys/kernel/tracing/enabled_functions)"
