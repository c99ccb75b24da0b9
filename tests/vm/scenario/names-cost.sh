# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: icount=yes cpus=1 timeout=600 test="6.1 7.3"
#
# What a call costs that collects thousands of names, one rule on a path being
# there: little more than without rules.

now() {
	awk '/^now at/ { printf "%d\n", $3 / 1000 }' /proc/timer_list
}

# took N: microseconds of guest time, thousands of instructions, that insmod takes
took() {
	took_start=$(now)
	insmod /modules/loop.ko max_loop="$1" || fail "it is loaded with $1"
	took_end=$(now)
	rmmod loop
	wait_until 60 queue_is_empty
	echo $((took_end - took_start))
}

rules_clear
took 50 >/dev/null
for n in 200 1000; do
	took $n >/tmp/none.$n
done
auditctl -w /etc/shadow -p wa >/dev/null
stock=$(took 200)
ok "the module loads" load_module
wait_for "it becomes active" 30 sysfs_is state active
wait_for "names are hooked" 30 \
	grep -q '^__audit_inode_child ' /sys/kernel/tracing/enabled_functions
for n in 200 1000; do
	cost=$(took $n)
	none=$(cat /tmp/none.$n)
	say "cost $n loops: without rules $none, with the module $cost"
	at_most "$n loops, in percent of the time without rules" \
		$((cost * 100 / none)) 115
done
say "cost 200 loops: stock with a rule $stock"
ok "the stock kernel takes much longer" [ "$stock" -gt $(($(cat /tmp/none.200) * 2)) ]
ok "it unloads" unload_module
