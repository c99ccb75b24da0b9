# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# shellcheck disable=SC2086 # $SHORT is words
# run: cpus=1 kernels="6.1"
#
# tests/bench/host: what it prints, what it refuses, and that rules and level are
# afterwards what they were. Not the figures: seconds mean little here.

PARAMETER=/sys/module/audit_fastpath/parameters/level
SHORT="-n 2 -N 3 -l 20 -s getpid,read"

# refused STATUS WORDS [OPTION]...: with one sentence that has these words
refused() {
	refused_status=$1
	refused_words=$2
	shift 2
	${with:-} bench-host "$@" >/tmp/out 2>/tmp/err
	is "it refuses with status $refused_status: $refused_words" \
		"$refused_status 0 1" \
		"$? $(wc -l </tmp/out | tr -d ' ') $(grep -c "^bench-host: .*$refused_words" /tmp/err)"
	is "in one line" 1 "$(wc -l </tmp/err | tr -d ' ')"
}

# as_before DESC: rules and level
as_before() {
	auditctl -l >/tmp/rules.now
	same "$1: the rules are as before" /tmp/rules.before /tmp/rules.now
	is "$1: so is the level" collect "$(cat $PARAMETER)"
	is "$1: nothing is left in /tmp" "" "$(ls -d /tmp/tmp.* 2>/dev/null)"
}

# table: is it one?
table() {
	awk '
		{ title = $1 == "off" && $2 == "again" ? "again" : $1 }
		# Title, and for each call a time and a ratio.
		title ~ /^(off|again|filter|collect|entry)$/ {
			sub(/^off again/, "again")
			gsub(/~/, "")
			if (NF != 5 || $2 !~ /^[0-9.]+$/ || $2 <= 0 ||
			    $3 !~ /^[0-9.]+x$/ || $5 !~ /^[0-9.]+x$/)
				exit bad = 1
			rows++
		}
		title == "off" && ($3 != "1.00x" || $5 != "1.00x") { bad = 1 }
		title == "noise" && NF == 3 { noise = 1 }
		END { exit bad || rows != 5 || !noise }' /tmp/out
}

as_user() {
	su user -c "/guest/$*"
}

mkdir -p /tmp/kept
rules_clear
refused 2 "no level 'most'" -L most
refused 2 "not '0'" -n 0
refused 2 "not 'x'" -l x
refused 2 "no argument 'more'" more
refused 2 "cannot be read" -r /no/file
with="as_user" refused 3 root
mv /sbin/auditctl /tmp/kept/
refused 4 auditctl
mv /tmp/kept/auditctl /sbin/
refused 5 "modprobe audit_fastpath"

ok "the module loads" load_module level=collect
refused 9 "no rule is loaded" $SHORT
is "the level is as before" collect "$(cat $PARAMETER)"
rules_load /rules/30-stig.rules
wait_for "it is active" 60 active
auditctl -l >/tmp/rules.before
auditctl -e 0 >/dev/null
refused 6 "auditctl -e 1"
auditctl -e 1 >/dev/null
with="drop_cap 30" refused 8 CAP_AUDIT_CONTROL
# As in a container.
mount -o remount,ro /sys
refused 8 "cannot be written"
mount -o remount,rw /sys
refused 2 "nosuch" -s nosuch
as_before "after what was refused"

bench-host $SHORT -o /tmp/host.json >/tmp/out 2>/tmp/err
is "it measures" "0 " "$? $(cat /tmp/err)"
ok "it prints a table" table
sed 's/^/# /' /tmp/out >/dev/console
while read -r line; do
	say "json $line"
done </tmp/host.json
is "the JSON has each row, with each call" \
	"off again filter collect entry" \
	"$(sed -n 's/.*"mode": "\([a-z]*\)", "calls": { "getpid": [0-9.]*, "read": [0-9.]* }.*/\1/p' \
		/tmp/host.json | tr '\n' ' ' | sed 's/ $//')"
as_before "after it"

# With rules of its own.
printf '%s\n' "-D" "-b 9000" "-e 2" "-w /etc/hosts -p wa -k of-file" \
	"-a always,exit -F arch=b64 -S statx -k of-file" >/tmp/file.rules
bench-host $SHORT -L filter -r /tmp/file.rules >/tmp/out 2>/tmp/err
is "it measures under rules of a file" 0 $?
ok "these" grep -q "(2 rules)" /tmp/out
as_before "after rules of a file"
echo "-e 2" >/tmp/none.rules
refused 2 "has no rules" -r /tmp/none.rules
echo "-a always,exit -S no_such_call" >/tmp/wrong.rules
refused 2 "no rule of" -r /tmp/wrong.rules
as_before "after rules that are none"

at_filter() {
	[ "$(cat $PARAMETER)" = filter ]
}

# killed SIGNAL STATUS: in the middle of it, with rules of its own
killed() {
	bench-host -n 1000 -N 1000 -l 100 -s getpid -r /tmp/file.rules >/dev/null 2>&1 &
	killed=$!
	wait_for "it is at level filter" 60 at_filter
	ok "under the rules of the file" sh -c 'auditctl -l | grep -q of-file'
	kill -"$1" $killed
	wait $killed
	is "it ends with status $2 on SIG$1" "$2" $?
	as_before "after SIG$1"
	is "no audit_bench goes on" "" "$(pidof audit_bench)"
}
killed TERM 143
killed HUP 129

# Until the next boot.
auditctl -e 2 >/dev/null
refused 7 locked
is "locked: the level is as before" collect "$(cat $PARAMETER)"
