# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=600
#
# A rule whose addition sleeps between the entry of audit_rule_change() and
# its publication: a tree of many mounts. Builds that run meanwhile must not
# publish a policy without it. A build comes 50 ms after the entry.

# How long the addition has to take, and the most mounts to try it with.
ENOUGH=20		# 1/100 s
MOUNTS_MAX=60000

now() {
	tr -d . </proc/uptime | cut -d' ' -f1	# 1/100 s
}

# writes N: N calls that the rule asks for
writes() {
	n=0
	while [ $n -lt "$1" ]; do
		: >"/big/file$n"
		n=$((n + 1))
	done
}

# recorded: how many opens of ours the log has
recorded() {
	grep -c 'type=1300.*key="afp-slow"\|type=SYSCALL.*key="afp-slow"' \
		/tmp/raw
}

# add_tree: add the rule, and say how long that took
add_tree() {
	afp_before=$(now)
	auditctl -a always,exit -F arch=b64 -S openat -F dir=/big -F perm=wa \
		-k afp-slow >/dev/null
	echo $(($(now) - afp_before))
}

# Machines are not equally fast: as many mounts as it takes on this one.
rules_clear
auditctl -b 65536 >/dev/null
mkdir -p /big
mount -t tmpfs tmpfs /big
mounts=0
took=0
while [ "$took" -lt $ENOUGH ] && [ $mounts -lt $MOUNTS_MAX ]; do
	/guest/mounts /big $mounts 6000 || break
	mounts=$((mounts + 6000))
	took=$(add_tree)
	rules_clear
done
say "$mounts mounts: an addition takes ${took}0 ms"
auditctl -a always,exit -F arch=b64 -S statx -F a0=1 >/dev/null
ok "the module loads" load_module
wait_for "it becomes active" 30 sysfs_is state active

record_start
took=$(add_tree)
ok "the addition is slow enough to be overtaken: ${took}0 ms" [ "$took" -ge 10 ]
writes 5
wait_for "a policy with the rule is built" 20 sysfs_is policy/rules 2
# Long after every build that was asked for.
usleep 1500000
writes 5
record_stop
is "each call is recorded" 10 "$(recorded)"
rules_clear
ok "the module unloads" unload_module
