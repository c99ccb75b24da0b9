# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=300 debug=yes append="audit_backlog_limit=65536 afp.parameters=names_few=0"
#
# A task sleeps in __audit_inode_child(), in a frame of the module, for as long as
# a file system in user space likes. Nothing stops for it but the unloading,
# which is refused at once, says for whom, and works when the task is back.

NAMES=/sys/module/audit_fastpath/parameters/names
LEVEL=/sys/module/audit_fastpath/parameters/level

hooked() {
	grep -q '^__audit_inode_child ' /sys/kernel/tracing/enabled_functions
}

# sleeping PID: it waits in a frame of ours
sleeping() {
	grep -q afp_tramp_names "/proc/$1/stack"
}

# sleeper NAME: a task that sleeps there; its pid is $sleeper
sleeper() {
	rm -f /tmp/asked
	mkdir "/tmp/fuse/$1" &
	sleeper=$!
	wait_for "$1: the file system is asked" 20 [ -e /tmp/asked ]
	ok "$1: the task sleeps in a frame of the module" sleeping $sleeper
}

# server: a file system whose answers wait; its pid is $server
server() {
	rm -f /tmp/asked
	fuse /tmp/fuse /tmp/asked &
	server=$!
	wait_for "a file system in user space" 20 [ -e /tmp/asked ]
	ok "there is another directory" [ -d /tmp/fuse/other ]
}

[ ! -e /modules/fuse.ko ] || ok "FUSE" insmod /modules/fuse.ko
mkdir /tmp/fuse
rules_clear
auditctl -a always,exit -F arch=b64 -S mkdir -F key=names >/dev/null
ok "the module loads" load_module
wait_for "it becomes active" 30 sysfs_is state active
wait_for "names are hooked" 30 hooked
is "nobody holds it" "" "$(sysfs holders)"

# The records, before and beside.
mkdir /tmp/made
record_start
record --mark afp-begin
server
sleeper first
is "its pid is shown" $sleeper "$(sysfs holders)"
rmdir /tmp/made
ok "others go on: their calls" mkdir /tmp/made
is "others go on: they are not held" $sleeper "$(sysfs holders)"
refuses "the module cannot be unloaded" unload_module
is "it is as it was" active "$(sysfs state)"
ok "names are still hooked" hooked

ok "names is switched off at once" sh -c "echo 0 >$NAMES"
refuses "names are not hooked" hooked
ok "the log says for whom" \
	sh -c "dmesg | grep -q 'mkdir.$sleeper. is in __audit_inode_child'"
refuses "it cannot be unloaded for that" unload_module
ok "nor for level off" sh -c "echo off >$LEVEL"
refuses "it cannot be unloaded at level off" unload_module
ok "it is switched on again, level" sh -c "echo filter >$LEVEL"
ok "it is switched on again, names" sh -c "echo 1 >$NAMES"
wait_for "names are hooked again" 30 hooked

# Not by a signal, either: the answer alone. The second is in a directory of its
# own: the first holds the lock of the other.
kill -INT $sleeper
kill -KILL $sleeper
refuses "a signal does not shorten it" unload_module
ok "the task sleeps" sleeping $sleeper
first=$sleeper
sleeper other/second
is "both pids are shown" "$(printf '%d\n' $first $sleeper | sort -n)" \
	"$(sysfs holders | tr ' ' '\n' | sort -n)"

kill -USR1 $server
wait $first
wait $sleeper
is "the second ends well" 0 $?
is "nobody holds it any more" "" "$(sysfs holders)"
record_stop
normalise /tmp/raw >/tmp/records
for name in fuse/first other/second made; do
	ok "the call of $name is recorded whole" \
		sh -c "grep -A 8 '^+.*names' /tmp/records | grep -q 'name=.*$name'"
done
ok "it unloads" unload_module
wait_until 10 umount /tmp/fuse

# Asleep while the rules go and the module is asked to go again and again, until
# it does: that is how one waits for a task.
ok "it loads" load_module
auditctl -D >/dev/null
auditctl -a always,exit -F arch=b64 -S mkdir -F key=names >/dev/null
wait_for "it is active again" 30 sysfs_is state active
wait_for "names are hooked once more" 30 hooked
server
sleeper last
auditctl -D >/dev/null
wait_for "without rules it is idle" 30 sysfs_is state idle
wait_until 10 sh -c "! grep -q '^__audit_inode_child ' /sys/kernel/tracing/enabled_functions"
refuses "names are not hooked without rules" hooked
ok "the task still sleeps" sleeping $sleeper
(
	until unload_module 2>/dev/null; do
		usleep 1000
	done
) &
waiter=$!
refuses "the module is still there" wait_until 1 sh -c "! grep -q ^audit_fastpath /proc/modules"
kill -USR1 $server
wait $waiter
refuses "it is gone when the task is back" module_loaded
wait $sleeper
is "which ends well" 0 $?
umount /tmp/fuse
wait $server
is "the file system ends well" 0 $?
