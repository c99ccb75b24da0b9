# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: icount=yes cpus=1 timeout=600 test="6.1 7.3"
#
# What a call costs that collects thousands of names, one rule on a path being
# there: little more than without rules, and at level collect, where no rule asks
# for the call, nothing more. Other walks over names need no help.

now() {
	awk '/^now at/ { printf "%d\n", $3 / 1000 }' /proc/timer_list
}

# layers N: the same for a mount of so many directories above each other, each
# looked up by its name in that one call
layers() {
	layers_list=0
	i=1
	while [ $i -lt "$1" ]; do
		layers_list=$layers_list:$i
		i=$((i + 1))
	done
	layers_start=$(now)
	mount -t overlay layers -o lowerdir=$layers_list top ||
		fail "$1 layers are mounted"
	layers_end=$(now)
	umount top
	echo $((layers_end - layers_start))
}

# watches N: rules on so many paths
watches() {
	numbered "$1" "-w /etc/shadow.& -p wa"
}

# percent DESC COST NONE LIMIT: in percent of that
percent() {
	say "$1: $3, now $2"
	at_most "$1, in percent" $(($2 * 100 / $3)) "$4"
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
insmod /modules/overlay.ko
mkdir /tmp/layers
mount -t tmpfs layers /tmp/layers
cd /tmp/layers || exit
i=0
while [ $i -lt 400 ]; do
	mkdir $i
	i=$((i + 1))
done
mkdir top
layers 50 >/dev/null
took 50 >/dev/null
layers 400 >/tmp/none.layers
for n in 200 1000; do
	took $n >/tmp/none.$n
done
watches 1
stock=$(took 200)
layers=$(layers 400)
ok "the module loads" load_module
wait_for "it becomes active" 30 sysfs_is state active
wait_for "names are hooked" 30 \
	grep -q '^__audit_inode_child ' /sys/kernel/tracing/enabled_functions
for n in 200 1000; do
	took $n >/tmp/filter.$n
	percent "filter, $n loops, without rules" "$(cat /tmp/filter.$n)" \
		"$(cat /tmp/none.$n)" 115
done
say "cost 200 loops: stock with a rule $stock"
ok "the stock kernel takes much longer" [ "$stock" -gt $(($(cat /tmp/none.200) * 2)) ]

# No rule asks for such a call: nothing is collected in it.
echo collect >/sys/module/audit_fastpath/parameters/level
wait_for "level collect" 30 grep -q collect /sys/module/audit_fastpath/parameters/level
for n in 200 1000; do
	percent "collect, $n loops, without rules" "$(took $n)" \
		"$(cat /tmp/none.$n)" 101
done
echo filter >/sys/module/audit_fastpath/parameters/level

# __audit_inode() looks backwards for each name that is looked up,
# audit_filter_inodes() in the rules for each name.
percent "400 layers, looked up by name on the stock kernel, without rules" \
	"$layers" "$(cat /tmp/none.layers)" 125
watches 128
wait_for "it follows" 30 active
percent "filter, 200 loops, with 128 rules on paths, with one" "$(took 200)" \
	"$(cat /tmp/filter.200)" 102
ok "it unloads" unload_module
