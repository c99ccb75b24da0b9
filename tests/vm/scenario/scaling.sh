# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: timeout=1200 manual=yes
#
# For tests/bench/scaling: getpid on all processors at once, under rules that
# name another call, at level off, where nothing is hooked, and at the others in
# turn. Lines "ratio LEVEL CPUS RATIO" are the median, over the rounds, of how
# many times as many calls there were as in the same round at level off.
#
# And each of them is counted, though each processor counts for itself.

LEVEL=/sys/module/audit_fastpath/parameters/level
COUNTS=/sys/kernel/debug/audit_fastpath/syscalls
LEVELS="filter collect entry"
ROUNDS=15
CALLS=50000
cpus=$(nproc)

# to LEVEL: until calls are skipped, or nothing is hooked
to() {
	echo "$1" >$LEVEL
	if [ "$1" = off ]; then
		wait_until 60 sysfs_is backend none
	else
		wait_until 60 active && wait_until 60 skips
	fi || fail "$1: it is so"
}

skips() {
	skips_before=$(sysfs stats/skipped)
	spin -l 100
	[ $(($(sysfs stats/skipped) - skips_before)) -ge $((100 * cpus)) ]
}

# counted COLUMN: of sched_get_priority_max, whose number is 146
counted() {
	awk -v column="$1" '
		$1 == "native" && $2 == 146 { n = $column }
		END { print n + 0 }' $COUNTS
}

unrelated 256
ok "it loads" load_module level=filter
for level in $LEVELS; do
	to "$level"
	before=$(counted 3)
	before_walked=$(counted 5)
	before_skipped=$(sysfs stats/skipped)
	before_calls=$(sysfs stats/calls)
	spin -l $CALLS
	is "$level: each call is counted, once" \
		$((CALLS * cpus)) $(($(counted 3) - before))
	is "$level: as skipped" "$before_walked" "$(counted 5)"
	ok "$level: so they are in the sums" \
		[ $(($(sysfs stats/skipped) - before_skipped)) -ge \
		$((CALLS * cpus)) ]
	ok "$level: and in those of all calls" \
		[ $(($(sysfs stats/calls) - before_calls)) -ge \
		$((CALLS * cpus)) ]
done

: >/tmp/rates
round=0
while [ $round -lt $ROUNDS ]; do
	round=$((round + 1))
	for level in off $LEVELS; do
		to "$level"
		echo "$round $level $(spin 300)" >>/tmp/rates
	done
done
for level in $LEVELS; do
	ratio=$(awk -v level="$level" '
		$2 == "off" { off[$1] = $3 }
		$2 == level { print $3 / off[$1] }' /tmp/rates | sort -n |
		sed -n "$((ROUNDS / 2 + 1))p")
	say "ratio $level $cpus $ratio"
	# shellcheck disable=SC2016 # for awk
	ok "$level: more calls than without the module, $ratio times as many" \
		awk -v ratio="$ratio" 'BEGIN { exit !(ratio > 1) }'
done
ok "it unloads" unload_module
