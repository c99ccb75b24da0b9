# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: icount=yes cpus=1 timeout=3000 manual=yes append="audit_backlog_limit=65536"
#
# For tests/bench/macro, which brings the programs: whole programs under
# Debian's STIG rules, without rules, without the module and with it at each
# level, in turn. Lines "time PROGRAM MODE NANOSECONDS" are one run each; an
# instruction takes a nanosecond.
#
# Then the same programs with rules that each of them meets: the records are
# those of the stock kernel. Two runs on the stock kernel come first and must
# be equal.

LEVEL=/sys/module/audit_fastpath/parameters/level
RUNS="dd find tar cc redis"
ROUNDS=3
at=/macro
cc1=$(find /usr/lib* -name cc1)

# tree: something like a small /usr/share
tree() {
	mkdir $at $at/tree
	awk -v at=$at/tree 'BEGIN {
		for (d = 0; d < 60; d++) {
			dir = at "/d" d
			system("mkdir " dir)
			for (f = 0; f < 40; f++) {
				file = dir "/f" f
				for (i = 0; i < (d * 40 + f) * 7 % 97; i++)
					print "line", i, "of a small file" >file
				printf "" >file
				close(file)
			}
		}
	}'
	printf '%s\n' "bind 127.0.0.1" "daemonize no" 'save ""' "appendonly no" \
		"logfile /dev/null" "dir /tmp" >$at/redis.conf
}

redis_answers() {
	redis-cli ping | grep -q PONG
}

# one NAME: run it, print what it took
one() {
	case $1 in
	dd)
		elapsed /bin/dd if=/dev/zero of=/dev/null bs=1 count=60000 \
			status=none ;;
	find)
		# Not what is mounted: the module has files in /sys.
		elapsed /usr/bin/find / -xdev -size +100k ;;
	tar)
		# Into a pipe: what is written to /dev/null tar does not read.
		elapsed /bin/sh -c "/bin/tar -C $at -cf - tree | /bin/cat" ;;
	cc)
		elapsed "$cc1" -quiet -O1 -imultiarch x86_64-linux-gnu \
			-isystem /cc-include -isystem /usr/include \
			$at/input.c -o /dev/null ;;
	redis)
		/bin/sh -c "exec /usr/bin/redis-server $at/redis.conf" &
		redis=$!
		wait_until 60 redis_answers || return 1
		elapsed /usr/bin/redis-benchmark -q -n 2000 -c 10 -t get,set
		one_status=$?
		kill $redis
		wait $redis 2>/dev/null
		return $one_status ;;
	esac
}

# timed MODE: each program once
timed() {
	wait_until 120 queue_is_empty
	for run in $RUNS; do
		if took=$(one "$run" 2>/tmp/err) && [ "$took" -gt 0 ]; then
			say "time $run $1 $took"
			echo "$run $1 $took" >>/tmp/times
		else
			fail "$run, $1: it runs" "$(cat /tmp/err)"
		fi
	done
}

# least PROGRAM MODE
least() {
	awk -v run="$1" -v mode="$2" '
		$1 == run && $2 == mode && (!n++ || $3 < least) { least = $3 }
		END { print least }' /tmp/times
}

# ready: no policy is about to be built; those of file systems count as none
ready() {
	sysfs_is state active || return 1
	ready_generation=$(sysfs policy/generation)
	usleep 1200000
	[ "$(sysfs policy/generation)" = "$ready_generation" ]
}

# at_level LEVEL
at_level() {
	echo "$1" >$LEVEL
	wait_until 60 ready || fail "$1: it becomes active"
	at_skipped=$(sysfs stats/skipped)
	usleep 1000
	[ "$(sysfs stats/skipped)" -gt "$at_skipped" ] ||
		fail "$1: calls are skipped"
}

# comparable FILE: addresses that these programs pass, and what is left in a
# register that is no argument, may be others each time
comparable() {
	sed -i 's/ \(a[0-3]\)=[0-9a-f]\{9,\} / \1=ADDRESS /g' "$1"
	sed -i 's/ \(a[0-3]\)=[0-9a-f]\{9,\} / \1=ADDRESS /g' "$1"
}

# recorded NAME LEVEL: each program once, with a record of it
recorded() {
	record -t 2000 /tmp/raw &
	recorder=$!
	wait_until 60 [ -e /tmp/raw.ready ] || fail "$1: records are kept"
	rules_load /tmp/macro.rules || fail "$1: the rules load"
	auditctl -b 65536 >/dev/null
	[ -z "$2" ] || at_level "$2"
	record --mark afp-begin
	for run in $RUNS; do
		one "$run" >/dev/null 2>/tmp/err ||
			fail "$1: $run runs" "$(cat /tmp/err)"
	done
	record --mark
	wait $recorder || fail "$1: no record is lost"
	rm -f /tmp/raw.ready
	rules_clear
	normalise /tmp/raw >"/tmp/$1.records"
	normalise -r /tmp/raw >"/tmp/$1.caused"
	comparable "/tmp/$1.records"
	comparable "/tmp/$1.caused"
}

tree
cp /input.c $at/input.c
rules_clear
: >/tmp/times
# What is read for the first time costs more.
for run in $RUNS; do
	one "$run" >/dev/null 2>&1
done
round=0
while [ $round -lt $ROUNDS ]; do
	round=$((round + 1))
	timed none
	rules_load /rules/30-stig.rules
	timed stock
	load_module level=filter || fail "it loads"
	for level in filter collect entry; do
		at_level $level
		timed $level
	done
	unload_module || fail "it unloads"
	rules_clear
done
for run in $RUNS; do
	ok "$run: it was timed in each mode" \
		[ "$(grep -c "^$run " /tmp/times)" = $((5 * ROUNDS)) ]
done
for level in filter collect entry; do
	at_most "dd, $level: it takes less than on the stock kernel, microseconds" \
		$(($(least dd $level) / 1000)) $(($(least dd stock) / 1100))
done

{
	cat /rules/30-stig.rules
	echo "-w /dev/zero -p r -k macro"
	for program in /bin/dd /usr/bin/find /bin/tar /bin/cat $cc1 \
			/usr/bin/redis-server /usr/bin/redis-benchmark; do
		echo "-w $program -p x -k macro"
	done
	echo "-w $at/input.c -p r -k macro"
	echo "-w $at/redis.conf -p r -k macro"
	echo "-w $at/tree/d7 -p r -k macro"
	echo "-a always,exit -F arch=b64 -S connect -F exe=/usr/bin/redis-benchmark -k macro"
} >/tmp/macro.rules
recorded stock ""
for comm in dd find tar cat cc1 redis-server redis-benchmark; do
	# The kernel cuts names to 15 characters.
	comm=$(echo $comm | cut -c 1-15)
	n=$(grep -c "^+.* comm=\"$comm\".* key=\"macro\"" /tmp/stock.records)
	ok "$comm made $n records" [ "$n" -gt 0 ]
done
say "events $(grep -c '^+' /tmp/stock.records)"
recorded again ""
same "stock against stock: equal records" /tmp/stock.records /tmp/again.records
ok "it loads for records" load_module level=filter
recorded filter filter
same "filter: equal records" /tmp/stock.records /tmp/filter.records
for level in collect entry; do
	recorded $level $level
	same "$level: equal records of rules" /tmp/stock.caused /tmp/$level.caused
done
ok "it unloads after records" unload_module
