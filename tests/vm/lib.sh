# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# The guest's side of the harness: sourced by /init and, through it, by the
# scenario. Runs under busybox sh as root in a VM that lives for one scenario.
#
# A scenario calls ok, refuses, is, skip; each makes one line of KTAP, on the
# console and on the second serial port. That port carries the verdict: what
# counts is what the host reads there, not how the VM ended.

KTAP=/tmp/ktap
VERDICT=/dev/ttyS1
SYSFS=/sys/kernel/audit_fastpath
PATH=/guest:/sbin:/bin:/usr/sbin:/usr/bin
export PATH

# How many times as long as on a stock kernel things may take, see /init.
SLOW=1
# What the kernel has to say in this scenario, see tests/vm/run.
EXPECTED=/expected
LEAKS=/sys/kernel/debug/kmemleak
# shellcheck source=tests/vm/complaint.sh
. /complaint.sh

# say LINE: a line for the reader, no result
say() {
	echo "# $*" >/dev/console
	echo "# $*" >"$VERDICT"
}

report() {
	[ -e "$KTAP" ] || : >"$KTAP"
	afp_n=$(($(wc -l <"$KTAP") + 1))
	afp_line="$1 $afp_n $2"
	echo "$afp_line" >>"$KTAP"
	echo "$afp_line" >/dev/console
	echo "$afp_line" >"$VERDICT"
}

pass() {
	report "ok" "- $1"
}

# fail DESC [DETAIL]: a failed check; the kernel's last words go to the log
fail() {
	report "not ok" "- $1"
	[ -z "${2-}" ] || echo "$2" | sed 's/^/#   /' | tee /dev/console >"$VERDICT"
	dmesg | tail -n 30 | sed 's/^/#   dmesg: /' >/dev/console
}

# ok DESC COMMAND...: the command must succeed
ok() {
	afp_desc=$1
	shift
	if afp_out=$("$@" 2>&1); then
		pass "$afp_desc"
	else
		fail "$afp_desc" "'$*' failed ($?): $afp_out"
		return 1
	fi
}

# refuses DESC COMMAND...: the command must fail
refuses() {
	afp_desc=$1
	shift
	if afp_out=$("$@" 2>&1); then
		fail "$afp_desc" "'$*' succeeded: $afp_out"
		return 1
	else
		pass "$afp_desc"
	fi
}

# is DESC WANTED GOT: two strings must be equal
is() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "wanted '$2', got '$3'"
		return 1
	fi
}

# same DESC FILE FILE: two files must be equal
same() {
	if afp_out=$(diff "$2" "$3"); then
		pass "$1"
	else
		fail "$1" "$(echo "$afp_out" | head -n 20)"
		return 1
	fi
}

# skip DESC REASON
skip() {
	report "ok" "- $1 # SKIP $2"
}

# wait_until SECONDS COMMAND...: poll until the command succeeds, quietly
wait_until() {
	afp_end=$(($(cut -d. -f1 /proc/uptime) + $1 * SLOW))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$(cut -d. -f1 /proc/uptime)" -lt "$afp_end" ] || return 1
		usleep 50000
	done
}

# wait_for DESC SECONDS COMMAND...: the same, as a check
wait_for() {
	afp_desc=$1
	afp_seconds=$2
	shift 2
	if wait_until "$afp_seconds" "$@"; then
		pass "$afp_desc"
	else
		fail "$afp_desc" \
			"'$*' did not come true in $((afp_seconds * SLOW)) s"
		return 1
	fi
}

# option NAME DEFAULT: what afp.NAME=VALUE on the kernel's command line says
option() {
	afp_value=$(tr ' ' '\n' </proc/cmdline | sed -n "s/^afp\.$1=//p" |
		tail -n 1)
	echo "${afp_value:-$2}"
}

# load_module [PARAMETER=VALUE...]: MODULE says which build, PARAMETERS has
# another PARAMETER=VALUE or nothing
MODULE=/lib/afp/audit_fastpath.ko
PARAMETERS=
load_module() {
	# shellcheck disable=SC2086 # nothing, or a word
	insmod "$MODULE" "$@" $PARAMETERS
}

unload_module() {
	rmmod audit_fastpath
}

module_loaded() {
	grep -q '^audit_fastpath ' /proc/modules
}

# traces: what a module could leave behind. The first kprobe on a kernel leaves
# something of the kernel's own: that one is not to be the module's.
traces() {
	if [ -n "${afp_traces-yes}" ]; then
		afp_traces=
		echo "p:afp_first kallsyms_lookup_name" \
			>/sys/kernel/tracing/kprobe_events
		echo 1 >/sys/kernel/tracing/events/kprobes/afp_first/enable
		echo 0 >/sys/kernel/tracing/events/kprobes/afp_first/enable
		echo >/sys/kernel/tracing/kprobe_events
	fi
	cat /proc/modules /sys/kernel/tracing/enabled_functions \
		/sys/kernel/debug/kprobes/list
	find /sys/kernel /sys/module /sys/kernel/debug -maxdepth 1
	grep -c '\[' /proc/kallsyms
}

# hooked: how many functions of audit are
hooked() {
	grep -c audit /sys/kernel/tracing/enabled_functions
}

# sysfs FILE: print one of the module's files
sysfs() {
	cat "$SYSFS/$1"
}

# sysfs_is FILE WANTED: for wait_for
sysfs_is() {
	[ "$(sysfs "$1")" = "$2" ]
}

# rules_strip FILE: a rule file without what would end the VM or lock audit
rules_strip() {
	sed -E -e 's/\r$//' -e '/^[[:space:]]*-(D|e|f|b|i|c|r)([[:space:]]|$)/d' \
		-e '/^[[:space:]]*--(backlog_wait_time|loginuid-immutable)/d' "$1"
}

# rules_load FILE...: load rule files. Rules that do not apply here (a user
# that does not exist) are left out, as auditctl -i does.
rules_load() {
	{
		echo "-b 8192"
		echo "-f 1"
		echo "-i"
		for afp_file; do
			rules_strip "$afp_file"
		done
	} >/tmp/rules.load
	auditctl -R /tmp/rules.load >/tmp/rules.log 2>&1 || {
		cat /tmp/rules.log
		return 1
	}
}

# rules_count: how many rules the kernel has
rules_count() {
	auditctl -l 2>/dev/null | grep -c '^-' || true
}

rules_clear() {
	auditctl -D >/dev/null
}

# record_start: keep all records from now on; record_stop: until now, /tmp/raw
record_start() {
	rm -f /tmp/raw /tmp/raw.ready
	record -t $((120 * SLOW)) /tmp/raw &
	afp_recorder=$!
	wait_until 20 [ -e /tmp/raw.ready ]
}

record_stop() {
	record --mark
	wait "$afp_recorder"
}

# Rules for tests of whether records are there at all. Of rules on a file:

# shadow_rules KEY: one that asks for a call that changes /etc/shadow, and one about
# calls that nobody makes
shadow_rules() {
	auditctl -w /etc/shadow -p wa -k "$1" >/dev/null
	auditctl -a always,exit -F arch=b64 -S statx -F a0=1 >/dev/null
}

# shadow_recorded KEY: make two calls of which that asks for one, and see it recorded
shadow_recorded() {
	record_start
	cat /etc/shadow >/dev/null
	chmod 600 /etc/shadow
	record_stop
	[ "$(grep -c "key=\"$1\"" /tmp/raw)" = 1 ]
}

# Of a mode that nobody else sets:

# mode_rule -a|-d KEY: add or delete a rule that asks for it
mode_rule() {
	case $(uname -m) in
	aarch64) set -- "$1" "$2" fchmodat a2 ;;
	*) set -- "$1" "$2" chmod a1 ;;
	esac
	auditctl "$1" always,exit -F arch=b64 -S "$3" -F "$4=$((0123))" -k "$2" \
		>/dev/null
}

# mode_calls N: make N such calls, and as many that it does not ask for
mode_calls() {
	[ -e /tmp/file ] || : >/tmp/file
	afp_calls=$1
	while [ "$afp_calls" -gt 0 ]; do
		chmod 123 /tmp/file
		chmod 600 /tmp/file
		afp_calls=$((afp_calls - 1))
	done
}

# mode_records KEY: how many of them are in /tmp/raw
mode_records() {
	grep -c "type=\(1300\|SYSCALL\).*key=\"$1\"" /tmp/raw
}

# beside WHAT: the types of the records in the first event with a CONFIG_CHANGE or
# SYSCALL record of that, a regular expression
beside() {
	afp_serial=$(sed -n "s/^type=\(CONFIG_CHANGE\|SYSCALL\) .*msg=audit([^:]*:\([0-9]*\)): .*$1.*/\2/p" \
		/tmp/raw | head -n 1)
	sed -n "s/^type=\([A-Z_]*\) .*msg=audit([^:]*:$afp_serial).*/\1/p" /tmp/raw |
		grep -vx EOE | sort -u | tr '\n' ' '
}

# come_and_go TIMES PARAMETER...: unload the module, and load it with each of the
# parameters, so often, while rules come and go: each call is recorded that must be
come_and_go() {
	churn 60 >/tmp/churn.out 2>&1 &
	afp_churn=$!
	afp_times=$1
	shift
	afp_bad=0
	while [ "$afp_times" -gt 0 ]; do
		for afp_parameter; do
			wait_until 20 unload_module || afp_bad=$((afp_bad + 1))
			load_module "$afp_parameter" || afp_bad=$((afp_bad + 1))
		done
		afp_times=$((afp_times - 1))
	done
	is "it is unloaded and loaded meanwhile" 0 $afp_bad
	# A subshell could not wait for it.
	afp_status=0
	wait $afp_churn || afp_status=$?
	is "each call is recorded while the module comes and goes" 0 $afp_status
}

# races_start: on a kernel that can tell, look for races from now on. A processor of the
# emulator runs for a tenth of a second at a time, so that who waits for another to touch
# the same has to wait for longer than on a real one.
RACES=/sys/kernel/debug/kcsan
races_start() {
	echo 3000 >/sys/module/kcsan/parameters/udelay_task
	echo 1000 >/sys/module/kcsan/parameters/udelay_interrupt
	echo on >$RACES
}

races_stop() {
	echo off >$RACES
	grep : $RACES | sed 's/^/# kcsan: /' >/dev/console
}

# races_watched: was anything looked at?
races_watched() {
	[ "$(sed -n 's/^setup_watchpoints: //p' $RACES)" -gt 1000 ]
}

# Of scenarios that measure, with a file /tmp/cost.NAME of lines "CALL
# INSTRUCTIONS" for each set of rules.

queue_is_empty() {
	auditctl -s | grep -q '^backlog 0$'
}

# measure NAME [LOOP [SAMPLES]]: such a file for the calls that $CALLS lists
measure() {
	wait_until 60 queue_is_empty
	audit_bench --quiet --loop "${2:-200}" --samples "${3:-21}" \
		--syscall "$(echo "$CALLS" | tr ' ' ,)" >"/tmp/cost.$1"
}

# cost NAME CALL: instructions, rounded
cost() {
	awk -v call="$2" '$1 == call { printf "%d\n", $2 + 0.5 }' "/tmp/cost.$1"
}

# at_most DESC VALUE LIMIT
at_most() {
	ok "$1: $2, at most $3" [ "$2" -le "$3" ]
}

# numbered N RULE: N rules and no others, & in each being its number
numbered() {
	auditctl -D >/dev/null
	seq 0 $(($1 - 1)) | sed "s|.*|$2|" >/tmp/numbered
	auditctl -R /tmp/numbered >/dev/null
}

# unrelated N: N rules on a call that nothing here makes
unrelated() {
	numbered "$1" "-a always,exit -F arch=b64 -S statx -F a0=&"
}

# active: the module knows as many rules as auditctl
active() {
	sysfs_is state active && [ "$(sysfs policy/rules)" = "$(rules_count)" ]
}

# For /init: make the usual places.
boot() {
	mount -t proc proc /proc
	mount -t sysfs sysfs /sys
	mount -t devtmpfs devtmpfs /dev
	mount -t tmpfs tmpfs /tmp
	mount -t tmpfs tmpfs /run
	mount -t debugfs debugfs /sys/kernel/debug
	mount -t tracefs tracefs /sys/kernel/tracing
	mkdir -p /dev/pts /dev/shm
	mount -t devpts devpts /dev/pts
	chmod 1777 /tmp /dev/shm
	# Where the console is none of these, the verdict's is the first.
	[ ! -e /dev/ttyAMA0 ] || VERDICT=/dev/ttyS0
	stty -F "$VERDICT" raw -echo
	hostname guest
	ip link set lo up
	: >"$KTAP"
	# Looked for once, at the end.
	[ ! -e $LEAKS ] || echo scan=off >$LEAKS
}

# leaks_old: another scan, after which what is a leak is 6 seconds old
leaks_old() {
	echo scan >$LEAKS
	[ "$(cut -d. -f1 /proc/uptime)" -gt "$afp_old" ]
}

# leaks: on the console, on a kernel that can tell, what memory was lost. It says so
# of what is 5 seconds old and was the same in two scans.
leaks() {
	[ -e $LEAKS ] || return 0
	afp_old=$(($(cut -d. -f1 /proc/uptime) + 6))
	wait_until 60 leaks_old || fail "memory is looked through for leaks"
	echo scan >$LEAKS
	tee /tmp/leaks >/dev/console <$LEAKS
	cat /tmp/leaks
}

# For /init: count what was reported, say it, switch off.
finish() {
	{
		leaks
		dmesg
	} >/tmp/said
	if complaints /tmp/said "$EXPECTED" >/tmp/complaints; then
		fail "the kernel did not complain" "$(head -n 3 /tmp/complaints)"
	fi
	afp_skipped=$(grep -c '^ok .* # SKIP' "$KTAP")
	afp_passed=$(($(grep -c '^ok ' "$KTAP") - afp_skipped))
	afp_failed=$(grep -c '^not ok ' "$KTAP")
	echo "1..$(wc -l <"$KTAP")" | tee /dev/console >"$VERDICT"
	echo "verdict: $afp_passed passed, $afp_failed failed," \
		"$afp_skipped skipped" | tee /dev/console >"$VERDICT"
	sync
	# To QEMU it is the same; without ACPI power cannot be switched off.
	[ -d /sys/firmware/acpi ] || reboot -f
	poweroff -f
}
