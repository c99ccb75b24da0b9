# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=600 append="audit_backlog_limit=65536"
#
# Calls that collect thousands of names leave the same records, in the same
# order, with the names that __audit_inode_child() passes by taken out of its
# way, without, and on the stock kernel.

NAMES=/sys/module/audit_fastpath/parameters/names

# many: a call that makes hundreds of files in debugfs, then some of few names
many() {
	insmod /modules/loop.ko max_loop=24 || return 1
	mkdir -p /tmp/tree/a/b/c/d/e/f/g/h || return 1
	i=0
	while [ $i -lt 10 ]; do
		mv /tmp/tree/a /tmp/tree/b || return 1
		mv /tmp/tree/b /tmp/tree/a || return 1
		i=$((i + 1))
	done
	rm -r /tmp/tree
	rmmod loop
}

# one_run NAME: leave its records in /tmp/NAME.records
one_run() {
	record_start || return 1
	record --mark afp-begin
	many || fail "$1: it runs"
	record_stop
	# Addresses of user space differ from run to run.
	normalise /tmp/raw |
		sed 's/ \(a[0-3]\)=[0-9a-f]\{6,\}/ \1=address/g' \
		>"/tmp/$1.records"
}

# paths FILE: the greatest number of PATH records in an event
paths() {
	awk '/^\+/ { n = 0 } / PATH / { if (++n > most) most = n }
		END { print most + 0 }' "$1"
}

# ordered FILE: items are numbered one after the other
ordered() {
	awk '/^\+/ { n = 0 }
		/ PATH / && match($0, /item=[0-9]+/) {
			seen++
			if (substr($0, RSTART + 5, RLENGTH - 5) != n++)
				bad = 1
		}
		END { exit bad || !seen }' "$1"
}

spliced() {
	sysfs stats/names_spliced
}

# rules [RULE...]: those that record the calls, and one more
rules() {
	auditctl -D >/dev/null
	auditctl -a always,exit -F arch=b64 \
		-S init_module,finit_module,mkdir,rename,delete_module \
		-k names >/dev/null
	[ $# = 0 ] || auditctl "$@" >/dev/null
}

hooked() {
	grep -q '^__audit_inode_child ' /sys/kernel/tracing/enabled_functions
}

# What differs the first time only: caches, directories of modules.
rules
one_run warm
one_run stock
one_run again
same "stock: the workload repeats" /tmp/stock.records /tmp/again.records
ok "stock: there are many names in a call" [ "$(paths /tmp/stock.records)" -gt 500 ]
ok "stock: items are in order" ordered /tmp/stock.records

ok "the module loads" load_module
wait_for "it becomes active" 30 sysfs_is state active
wait_for "names are hooked" 30 hooked
is "the parameter is on" Y "$(cat $NAMES)"
before=$(spliced)
one_run names
same "names=1: equal records" /tmp/stock.records /tmp/names.records
ok "calls with many names were seen" [ "$(sysfs stats/names_calls)" -gt 200 ]
ok "names were taken out" [ "$(($(spliced) - before))" -gt 200 ]

ok "it is switched off" sh -c "echo 0 >$NAMES"
refuses "names are not hooked" hooked
before=$(spliced)
one_run off
same "names=0: equal records" /tmp/stock.records /tmp/off.records
is "nothing was taken out" "$before" "$(spliced)"
refuses "what is no truth value is refused" sh -c "echo maybe >$NAMES"

# A filesystem whose names are not collected, and one that is.
for magic in 0x64626720 0x01021994; do
	ok "$magic: off" sh -c "echo 0 >$NAMES"
	rules -a never,filesystem -F fstype=$magic
	one_run fs-off
	ok "$magic: on" sh -c "echo 1 >$NAMES"
	wait_for "$magic: names are hooked" 30 hooked
	one_run fs-on
	same "$magic: equal records" /tmp/fs-off.records /tmp/fs-on.records
done

# On and off under load.
rules
(
	i=0
	while [ $i -lt 6 ]; do
		insmod /modules/loop.ko max_loop=24 && rmmod loop || exit 1
		i=$((i + 1))
	done
) &
work=$!
turns=0
while kill -0 $work 2>/dev/null; do
	echo $((turns % 2)) >$NAMES
	turns=$((turns + 1))
done
wait $work
is "modules come and go while it is switched, $turns times" 0 $?
echo 1 >$NAMES
wait_for "names are hooked again" 30 hooked
# Another has the direct call.
ok "it unloads for BPF" unload_module
fentry __audit_inode_child /tmp/ready >/tmp/entered 2>&1 &
bpf=$!
wait_for "BPF is attached" 20 [ -e /tmp/ready ]
ok "it loads beside BPF" load_module
wait_for "beside BPF: active" 30 sysfs_is state active
wait_for "beside BPF: the log says who looks for names" 10 \
	sh -c 'dmesg | grep -q "names: __audit_inode_child is left alone (error -16)"'
before=$(spliced)
one_run beside
same "beside BPF: equal records" /tmp/stock.records /tmp/beside.records
is "beside BPF: nothing is taken out" "$before" "$(spliced)"
kill $bpf
wait $bpf
echo 1 >$NAMES
wait_for "BPF is gone: names are hooked when names is written" 30 hooked
rules_clear
auditctl -D >/dev/null
wait_for "without rules it is idle" 30 sysfs_is state idle
wait_until 10 sh -c "! grep -q '^__audit_inode_child ' /sys/kernel/tracing/enabled_functions"
refuses "without rules names are not hooked" hooked
ok "it unloads" unload_module
