# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=900 append="audit_backlog_limit=65536" test="6.12"
#
# Everything at once, in rounds: rules come and go, levels and settings change, the
# module is loaded and unloaded, tasks are born, killed inside of calls, frozen,
# traced and filtered, io_uring runs operations, processors come and go, and auditd
# stands still. Each record that a rule asks for is there, nothing sticks, and no
# memory is gone. afp.seconds=N: for how long.

PARAMETERS=/sys/module/audit_fastpath/parameters
CPU=/sys/devices/system/cpu/cpu1/online
seconds=$(option seconds 40)

# going: until the file is there that ends a round
going() {
	[ ! -e /tmp/stop ]
}

settings() {
	while going; do
		for value in off verify collect entry filter; do
			echo $value >$PARAMETERS/level
			usleep 30000
		done
		for value in detach keep; do
			echo $value >$PARAMETERS/idle
		done
		for name in names repair; do
			for value in N Y; do
				echo $value >$PARAMETERS/$name
			done
		done
		for value in 3 0; do
			echo $value >$PARAMETERS/sample
		done
	done 2>/dev/null
}

readers() {
	while going; do
		find "$SYSFS" -type f -exec cat {} +
		cat /sys/kernel/debug/audit_fastpath/syscalls
		usleep 100000
	done >/dev/null 2>&1
}

# leave WHAT: unload the module. What it has done is added to /tmp/done, what went wrong
# until then to /tmp/loads.bad.
leave() {
	state=$(sysfs state)
	mismatches=$(sysfs selfcheck/mismatches)
	[ "$mismatches" = 0 ] || echo "$mismatches mismatches, $1" >>/tmp/loads.bad
	case $state in
	passive | tripped) echo "$state, $1: $(sysfs reason)" >>/tmp/loads.bad ;;
	esac
	echo "$(sysfs stats/skipped) $(sysfs selfcheck/checked)" >>/tmp/done
	wait_until 30 unload_module || echo "unload, $1" >>/tmp/loads.bad
}

# loads N: load and unload the module until the end, in the Nth way first; it is
# unloaded then.
loads() {
	n=$1
	while going; do
		case $((n % 5)) in
		0) set -- level=filter ;;
		1) set -- level=collect idle=detach ;;
		2) set -- level=entry backend=direct ;;
		3) set -- level=verify backend=ftrace ;;
		4) set -- level=filter idle=detach names=N sample=7 ;;
		esac
		load_module "$@" || echo "load $*" >>/tmp/loads.bad
		# Sometimes at once, sometimes after it has worked for a while.
		[ $((n % 2)) = 0 ] || wait_until 2 test -e /tmp/stop || :
		leave "$*"
		n=$((n + 1))
	done
}

processors() {
	while going; do
		echo 0 >$CPU
		usleep 300000
		echo 1 >$CPU
		usleep 500000
	done
	echo 1 >$CPU
}

# freezer: tasks that make calls are frozen and thawed
freezer() {
	load 2 &
	pid=$!
	for task in $pid $(pgrep -P $pid); do
		echo "$task" >/tmp/cgroup/busy/cgroup.procs
	done
	while going; do
		echo 1 >/tmp/cgroup/busy/cgroup.freeze
		usleep 200000
		echo 0 >/tmp/cgroup/busy/cgroup.freeze
		usleep 200000
	done
	kill $pid
}

# auditd: it is there, stands still with a log that fills, goes on, is gone
auditd() {
	while going; do
		daemon -s 1 &
		pid=$!
		usleep 200000
		kill -STOP $pid
		usleep 700000
		kill -CONT $pid
		usleep 200000
		kill $pid
		wait $pid
	done 2>/dev/null
}

# kept: what the kernel holds that it cannot give back, in kB
kept() {
	echo 3 >/proc/sys/vm/drop_caches
	awk '$1 ~ /^(SUnreclaim|Percpu|VmallocUsed|KernelStack|PageTables):$/ {
		sum += $2 } END { print sum }' /proc/meminfo
}

# settled: it does not get less any more
settled() {
	last=$kept
	usleep 500000
	kept=$(kept)
	[ "$kept" -ge "$last" ]
}

# round NUMBER: one, with the module loaded and unloaded by it or all the time
round() {
	rm -f /tmp/stop
	: >/tmp/done
	rules_load /rules/30-stig.rules >/dev/null
	auditctl -b 65536 >/dev/null
	pids=
	for part in settings readers processors freezer auditd; do
		$part &
		pids="$pids $!"
	done
	if [ $(($1 % 2)) = 0 ]; then
		loads $(($1 / 2)) &
		pids="$pids $!"
	else
		load_module level=filter || echo load >>/tmp/loads.bad
	fi
	case $(($1 % 4)) in
	0 | 1) other="churn 60" ;;
	*) other="comers 15 /proc/uptime /tmp/cgroup/frozen" ;;
	esac
	$other >/tmp/other.out 2>&1 &
	pid=$!
	storm 15 /tmp/storm >/tmp/storm.out 2>&1 ||
		echo "round $1: storm: $(cat /tmp/storm.out)" >>/tmp/lost
	wait $pid ||
		echo "round $1: $other: $(cat /tmp/other.out)" >>/tmp/lost
	: >/tmp/stop
	# shellcheck disable=SC2086 # a list of words
	wait $pids
	[ $(($1 % 2)) = 0 ] || leave "at the end of round $1"
	rules_clear
	loaded=$(wc -l </tmp/done)
	skipped=$(awk '{ n += $1 } END { print n }' /tmp/done)
	checked=$(awk '{ n += $2 } END { print n }' /tmp/done)
	# That it comes to both takes longer than it stays in the others.
	[ $(($1 % 2)) = 0 ] ||
		{ [ "$skipped" -gt $((1000 / SLOW)) ] &&
			[ "$checked" -gt $((100 / SLOW)) ]; } ||
		echo "round $1: $skipped skipped, $checked checked" >>/tmp/loads.bad
	# The kernel holds records for an auditd that may come.
	daemon -s 1 2>/dev/null &
	pid=$!
	kept=$(kept)
	wait_until 30 settled
	kill $pid
	say "round $1: ${other%% *}: $(tail -n 1 /tmp/other.out); storm: $(tail -n 1 /tmp/storm.out); loaded $loaded times, $skipped skipped, $checked checked, $kept kB"
	echo "$kept" >>/tmp/kept
}

rules_clear
mkdir -p /tmp/storm /tmp/cgroup
mount -t cgroup2 cgroup /tmp/cgroup && mkdir /tmp/cgroup/frozen /tmp/cgroup/busy
: >/tmp/lost
: >/tmp/loads.bad
rounds=0
end=$(($(cut -d. -f1 /proc/uptime) + seconds))
# One of each kind at least, however slow the machine is.
while [ $rounds -lt 2 ] || [ "$(cut -d. -f1 /proc/uptime)" -lt $end ]; do
	rounds=$((rounds + 1))
	round $rounds
done

ok "$rounds rounds in $seconds s" [ $rounds -gt 1 ]
is "each record is there, once" "" "$(head -n 20 /tmp/lost)"
is "the module loads, skips, makes no mistake and unloads each time" "" \
	"$(head -n 5 /tmp/loads.bad)"
refuses "it is not loaded" module_loaded
is "nothing is hooked" 0 \
	"$(grep -c audit /sys/kernel/tracing/enabled_functions)"
is "both processors are there" 2 "$(nproc)"
# The first rounds fill caches. After that the least of the last rounds is what
# was held at the beginning, but for what comes and goes.
if [ "$seconds" -ge 1800 ]; then
	ok "rounds to judge that by: $rounds, at least 20" [ $rounds -ge 20 ]
	early=$(sed -n 4,9p /tmp/kept | sort -n | tail -n 1)
	late=$(tail -n 6 /tmp/kept | sort -n | head -n 1)
	ok "no memory is gone: at most $early kB early, at least $late kB late" \
		[ "$late" -le $((early + 256)) ]
else
	skip "no memory is gone" "that takes half an hour"
fi
