# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: icount=yes cpus=1 timeout=600 test="6.1 7.3"
#
# With auditd there and one rule, "never record uname": what calls cost that have
# nothing to do with it. The kernel asks of each of them up to three times whether
# its task is auditd. And who is taken for auditd, which the module asks where it
# begins a call: the one that is, at that moment, and no other.

CALLS="getpid read write"

# measure_more NAME: the calls, and what takes several
measure_more() {
	measure "$1"
	echo "unixcalls $(unixcalls)" >>"/tmp/cost.$1"
	# The least of some: so is what is compared with it.
	for _ in 1 2 3; do
		elapsed /bin/busybox dd if=/dev/zero of=/dev/null bs=1 count=2000 \
			2>/dev/null
	done | sort -n | sed -n '1s/^/dd /p' >>"/tmp/cost.$1"
}

# is_auditd PID: the kernel says so
is_auditd() {
	auditctl -s | grep -q "^pid $1$"
}

# auditd_starts N: a daemon is auditd, and calls N
auditd_starts() {
	daemon -s "$1" &
	auditd=$!
	wait_for "auditd $1 is there" 20 is_auditd $auditd
}

# recorded: the numbers of the calls that were recorded
recorded() {
	sed -n 's/^type=SYSCALL .* a0=4d a1=\([0-9a-f]*\) .*key="auditd".*/\1/p' \
		/tmp/raw | tr '\n' ' '
}

rules_clear
auditctl -b 8192 >/dev/null
auditd_starts 1
measure_more none
auditctl -a never,exit -F arch=b64 -S uname >/dev/null
measure_more stock
ok "the module loads" load_module
wait_for "it becomes active" 30 active
for level in filter collect entry; do
	echo $level >/sys/module/audit_fastpath/parameters/level
	wait_for "it is active at level $level" 30 active
	measure_more $level
done
say "instructions, with auditd and a rule to never record uname:"
# shellcheck disable=SC2086 # words
say "$(printf '%-12s %9s %9s %9s %9s %11s' rules $CALLS unixcalls dd)"
for name in none stock filter collect entry; do
	line=$(printf '%-12s' $name)
	for call in $CALLS unixcalls; do
		line="$line $(printf '%9d' "$(cost $name "$call")")"
	done
	say "$line $(printf '%11d' "$(cost $name dd)")"
done
# fewer PERCENT LEVEL CALL: so many instructions fewer than stock
fewer() {
	at_most "$3: $1 % less than stock at $2" "$(cost "$2" "$3")" \
		$(($(cost stock "$3") * (100 - $1) / 100))
}

case $(uname -r) in
5.*)	# it asks less of calls: with a rule getpid costs a third more than without
	for call in $CALLS unixcalls; do
		at_most "$call: no more than without rules" \
			"$(cost filter "$call")" "$(cost none "$call")"
	done ;;
*)	# What read and write do themselves is more than a half of it: with no rules
	# at all they cost 31 to 36 % less.
	fewer 30 filter getpid
	fewer 24 filter read
	fewer 25 filter write
	for call in $CALLS; do
		fewer 30 entry "$call"
	done
	fewer 30 filter unixcalls ;;
esac
# 15 % faster is in 1 / 1.15 of the time.
at_most "dd: 15 % faster than stock" "$(cost filter dd)" \
	$(($(cost stock dd) * 100 / 115))

# -- who is auditd
echo filter >/sys/module/audit_fastpath/parameters/level
auditctl -a always,exit -F arch=b64 -S getpriority -F a0=77 -k auditd >/dev/null
wait_for "it is active with another rule" 30 active
kill $auditd
wait $auditd
record_start
auditd_starts 16
refuses "another cannot be auditd beside it" daemon
kill -KILL $auditd
wait $auditd
# The connection of a dead daemon stays until another takes its place.
ok "another can after it was killed" daemon
auditd_starts 17
kill $auditd
wait $auditd
record_stop
is "recorded are all calls but auditd's: not of the one that is" \
	"1 2 3 4 1 3 4 " "$(recorded)"
ok "the module unloads" unload_module
