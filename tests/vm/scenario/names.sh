# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=600 debug=yes append="audit_backlog_limit=65536"
#
# Calls that collect thousands of names leave the same records, in the same
# order, with the names that __audit_inode_child() passes by taken out of its
# way, without, and on the stock kernel.

DEBUG=$MODULE
PLAIN=/lib/afp/audit_fastpath.ko
MODULE=$PLAIN
NAMES=/sys/module/audit_fastpath/parameters/names

# layers: calls in a file system above others: what it copies and makes in those
# has no name, between what has
layers() {
	mount -t tmpfs names /tmp/layers || return 1
	(
		cd /tmp/layers || exit 1
		mkdir -p lower/a/b/c/d/e/f/g/h lower/x/y upper work top
		for i in 1 2 3 4; do
			echo $i >lower/a/b/c/d/e/f/g/h/$i
			echo $i >lower/x/y/$i
		done
		mount -t overlay names -o \
			lowerdir=lower,upperdir=upper,workdir=work top || exit 1
		cd top || exit 1
		# The first copies eight directories and a file.
		mv a/b/c/d/e/f/g/h/1 a/b/moved
		mv a/b/c/d/e/f/g/h/2 x/y/3
		mv x/y/1 x/y/2
		mv a/b/moved a/b/c/d/e/f/g/h/1
		mkdir x/y/new x/y/new/newer a/b/c/new
		ln a/b/c/d/e/f/g/h/3 x/linked
		mv x/linked x/y/new/linked
	)
	layers_status=$?
	umount /tmp/layers/top
	umount /tmp/layers
	return $layers_status
}

# many: a call that makes hundreds of files in debugfs, then some of few names. The
# kernels that are slow by their making have a third of the files for a device.
DEVICES=24
[ "$SLOW" = 1 ] || DEVICES=80
many() {
	layers || return 1
	insmod /modules/loop.ko max_loop=$DEVICES || return 1
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

# mixed: calls that collect names with and without in turns, up to COUNT, and
# those of layers. A debug build makes them; by the length one tells them from
# other writes.
mixed() {
	for i in 70 200; do
		mount -t tmpfs named /tmp/layers || return 1
		printf '%-64s' "$i /tmp/layers" \
			>/sys/module/audit_fastpath/parameters/many_names || return 1
		umount /tmp/layers
	done
	layers
}

# one_run NAME [COMMAND]: leave its records in /tmp/NAME.records
one_run() {
	record_start || return 1
	record --mark afp-begin
	${2:-many} || fail "$1: it runs"
	record_stop
	# Addresses of user space differ from run to run, and so do arguments that
	# a call does not take: of write and finit_module the fourth, of rename,
	# mkdir, rmdir, unlink, umount and delete_module the last two.
	normalise /tmp/raw |
		sed -e 's/ \(a[0-3]\)=[0-9a-f]\{6,\}/ \1=address/g' \
			-e 's/\( syscall=\(1\|313\) .* a3\)=[^ ]*/\1=none/' \
			-e 's/\( syscall=\(8[2347]\|166\|176\) .* a2\)=[^ ]* a3=[^ ]*/\1=none a3=none/' \
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
		-S init_module,finit_module,mkdir,rename,link,delete_module \
		-k names >/dev/null
	[ $# = 0 ] || auditctl "$@" >/dev/null
}

hooked() {
	grep -q '^__audit_inode_child ' /sys/kernel/tracing/enabled_functions
}

# alternating FILE: in an event there are names between others without, in turns
alternating() {
	awk '
	/^\+/ { turns = 0 }
	/ PATH / {
		named = !/ name=\(null\)/
		if (turns % 2 == named && ++turns == 20)
			seen = 1
	}
	END { exit !seen }' "$1"
}

mkdir /tmp/layers
ok "overlayfs" insmod /modules/overlay.ko
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

# Names with and without in turns, in lists of more than 64, and in all.
ok "it unloads for the debug build" unload_module
MODULE=$DEBUG
rules -a always,exit -F arch=b64 -S write -F a2=64 -k names
for few in 64 0; do
	ok "more than $few: the debug build loads" \
		load_module names=0 names_few=$few
	wait_for "more than $few: it becomes active" 30 sysfs_is state active
	one_run mixed-off mixed
	ok "more than $few: names stand between those that have none" \
		alternating /tmp/mixed-off.records
	ok "more than $few: names=1" sh -c "echo 1 >$NAMES"
	wait_for "more than $few: names are hooked" 30 hooked
	before=$(spliced)
	one_run mixed mixed
	same "more than $few: equal records" /tmp/mixed-off.records /tmp/mixed.records
	ok "more than $few: names were taken out" \
		[ "$(($(spliced) - before))" -gt 200 ]
	ok "more than $few: it unloads" unload_module
done
MODULE=$PLAIN
rules
ok "the module itself loads" load_module
wait_for "it becomes active again" 30 sysfs_is state active
wait_for "names are hooked again" 30 hooked

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
