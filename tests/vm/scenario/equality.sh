# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=600 append="audit_backlog_limit=65536"
# run equality: test="none"
# run equality-smp: cpus=2
# run equality-names: cpus=2 debug=yes test="7.3"
# run equality-names: append="audit_backlog_limit=65536 afp.parameters=names_few=0"
#
# Record equality: the same workload under the same rules leaves the same
# records without the module, at each level, and after it is gone.
# equality-smp.sh and equality-names.sh are links to this file. The last has each
# list of names go through the module, those of a single name as well.
#
# At the levels collect and entry those that a rule has caused, by its key; what
# else is recorded in a call that no rule can match may stand without companions.
#
# Two runs on the stock kernel come first and must be equal, or the workload
# does not repeat and the rest would mean nothing.

at=/eq

# one_run NAME [RULE FILE...]: run the workload on a new $at under rules, leave
# its records, normalised, in /tmp/NAME.records, those that a rule has caused in
# /tmp/NAME.caused, what its calls returned in /tmp/NAME.returns. With $expect set, wait for the module to be in that state.
one_run() {
	run_name=$1
	shift
	mount -t tmpfs equality $at || return 1
	run_kept=$(awk -v at=$at '$5 == at { print $3 }' /proc/self/mountinfo)
	# shellcheck disable=SC2059 # two numbers
	run_kept=$(printf '%02x:%02x' "${run_kept%:*}" "${run_kept#*:}")
	run_failed=
	workload --prepare $at || run_failed="workload --prepare"
	record -t $((200 * SLOW)) /tmp/raw &
	run_recorder=$!
	wait_until 20 [ -e /tmp/raw.ready ] || run_failed=record
	if [ $# != 0 ]; then
		rules_load "$@" || run_failed=rules
	fi
	auditctl -b 65536 >/dev/null
	auditctl -l | sed -n -e 's/.*-k \([^ ]*\)$/\1/p' \
		-e 's/.*-F key=\([^ ]*\)$/\1/p' >/tmp/keys
	if [ -n "$expect" ]; then
		wait_until 30 sysfs_is state "$expect" ||
			run_failed="state $(sysfs state), not $expect"
		run_skipped=$(sysfs stats/skipped)
		run_backend=$(sysfs backend)
	fi
	[ -n "$run_failed" ] ||
		workload $at >"/tmp/$run_name.returns" 2>&1 ||
		run_failed="workload: $(tail -n 1 "/tmp/$run_name.returns")"
	if [ -n "$expect" ]; then
		run_skipped=$(($(sysfs stats/skipped) - run_skipped))
		run_names=$(sysfs stats/names_calls)
		run_spliced=$(sysfs stats/names_spliced)
	fi
	[ -z "$run_failed" ] || record --mark
	wait $run_recorder || run_failed="record${run_failed:+, $run_failed}"
	# Each deletion waits for RCU.
	echo 1 >/sys/kernel/rcu_expedited
	rules_clear
	echo 0 >/sys/kernel/rcu_expedited
	umount $at
	rm -f /tmp/raw.ready
	normalise -k "$run_kept" /tmp/raw >"/tmp/$run_name.records" ||
		run_failed="normalise${run_failed:+, $run_failed}"
	normalise -r -k "$run_kept" /tmp/raw >"/tmp/$run_name.caused" ||
		run_failed="normalise -r${run_failed:+, $run_failed}"
	[ -z "$run_failed" ] || fail "$set, $run_name: it runs" "$run_failed"
}

# equal_to_stock NAME DESC [PART]: records and results of a run are those of
# "stock"
equal_to_stock() {
	for part in ${3:-records} returns; do
		if cmp -s "/tmp/stock.$part" "/tmp/$1.$part"; then
			pass "$set: $2: equal $part"
		else
			fail "$set: $2: equal $part" \
				"$(diff -U 1 "/tmp/stock.$part" "/tmp/$1.$part" |
					head -n 24)"
		fi
	done
	rm -f "/tmp/$1.records" "/tmp/$1.caused" "/tmp/$1.returns"
}

# events FILE: how many there are
events() {
	grep -c '^+' "$1"
}

# keys_hold: the keys of all-fields.rules are promises
keys_hold() {
	awk '
		NR == FNR { want[$1]; next }
		/^\+/ && $NF ~ /^key="/ { seen[substr($NF, 6, length($NF) - 6)] }
		END {
			for (key in want)
				if (key ~ /^hit-/ ? !(key in seen) :
						key ~ /^miss-/ && key in seen)
					print key
		}
	' /tmp/keys /tmp/stock.records >/tmp/wrong
	is "$set: rules that should match did, others not" "" "$(cat /tmp/wrong)"
}

# noticed DESC SED-COMMAND: the comparison sees what was done to the records
noticed() {
	sed "$2" /tmp/raw >/tmp/spoilt
	if cmp -s /tmp/raw /tmp/spoilt; then
		fail "$1: it was done"
		return
	fi
	normalise -k "$run_kept" /tmp/spoilt >/tmp/spoilt.records
	refuses "$1 is noticed" cmp -s /tmp/stock.records /tmp/spoilt.records
	rm -f /tmp/spoilt /tmp/spoilt.records
}

# rule_set NAME EVENTS SKIPPED [RULE FILE...]: one set, all levels. There must
# be as many events at least, and at level=filter as many skipped calls.
rule_set() {
	case ,$sets, in
	,, | *",$1,"*) ;;
	*) return ;;
	esac
	set=$1
	want_events=$2
	want_skipped=$3
	shift 3
	set_state=active
	[ $# != 0 ] || set_state=idle
	set_start=$(cut -d. -f1 /proc/uptime)

	expect=
	one_run stock "$@"
	set_events=$(events /tmp/stock.records)
	ok "$set: $set_events events, not less than $want_events" \
		[ "$set_events" -ge "$want_events" ]
	[ "$set" != all-fields ] || keys_hold
	one_run again "$@"
	equal_to_stock again "stock against stock"
	if [ "$set" = STIG ]; then
		# A line well inside the window, whose event stays; there has
		# to be an inode.
		line=$(awk '/type=PATH.* ouid=/ { n++ }
			n == 200 { print NR; exit }' /tmp/raw)
		noticed "a lost record" "${line}d"
		noticed "a lost field" "${line}s/ ouid=[0-9]*//"
		noticed "a changed field" "${line}s/ nametype=[A-Z]*/ nametype=X/"
		noticed "a changed order" "${line}{h;d};$((line + 1))G"
	fi

	if [ -e "$MODULE" ]; then
		# In turn, and the other way round with the other number of CPUs.
		set_number=$((${set_number:-$(nproc)} + 1))
		set_backend=direct
		[ $((set_number % 2)) = 0 ] || set_backend=ftrace
		ok "$set: the module loads, backend=$set_backend" \
			load_module level=filter backend=$set_backend
		expect=$set_state
		one_run filter "$@"
		equal_to_stock filter "level=filter"
		[ "$set_state" != active ] ||
			is "$set: the backend" $set_backend "$run_backend"
		ok "$set: $run_skipped calls were skipped, not less than $want_skipped" \
			[ "$run_skipped" -ge "$want_skipped" ]
		# A callback of ftrace cannot stand around a function.
		if [ -n "$PARAMETERS" ] && [ "$run_backend" = direct ]; then
			ok "$set: names: $run_names lists, $run_spliced cut" \
				[ "$run_names" -gt 20 ]
		fi
		# One of the two, and the other with the other number of CPUs.
		set_level=collect
		[ $((set_number / 2 % 2)) = 0 ] || set_level=entry
		echo $set_level >/sys/module/audit_fastpath/parameters/level
		one_run $set_level "$@"
		equal_to_stock $set_level "level=$set_level" caused
		ok "$set: level=$set_level: $run_skipped calls were skipped" \
			[ "$run_skipped" -ge "$want_skipped" ]
		echo off >/sys/module/audit_fastpath/parameters/level
		expect=
		one_run off "$@"
		equal_to_stock off "level=off"
		ok "$set: the module unloads" unload_module
		one_run unloaded "$@"
		equal_to_stock unloaded "after the module"
	else
		skip "$set: with the module" "it is not there"
	fi
	rm -f /tmp/stock.records /tmp/stock.caused /tmp/stock.returns
	say "$set: $(($(cut -d. -f1 /proc/uptime) - set_start)) s"
}

# afp.sets=STIG,PCI on the command line: only these sets.
sets=$(option sets '')
mkdir -p $at
rules_clear
echo "-a always,exit -F arch=b64 -S statx -k statx" >/tmp/statx.rules

# "none" is first: the workload removes watched directories, and the kernel
# then counts a rule too many for as long as it runs.
rule_set none 50 0
rule_set statx 500 500 /tmp/statx.rules
rule_set STIG 500 500 /rules/30-stig.rules
# Those of Debian 11 ask for a little less than newer ones.
rule_set OSPP 900 500 /rules/30-ospp-v42*.rules
rule_set PCI 150 500 /rules/30-pci-dss-v31.rules
rule_set all-fields 1500 300 /rules/all-fields.rules
