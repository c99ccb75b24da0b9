# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: icount=yes cpus=1 timeout=3600 manual=yes
#
# For tests/bench/run: what system calls cost, in instructions, under rules of
# many kinds, stock and with the module. Each row is measured when the queue of
# records is empty, and each number is the least of many samples.
# afp.floor=1: only without audit at all, for a kernel booted with audit=0.

LEVEL=/sys/module/audit_fastpath/parameters/level
CALLS="getpid read write stat open openat-rdwr enoent chmod connect"
DEAR="fork execve"
# What the workaround of many administrators leaves out first.
SMALL="read,write,getpid,stat,openat,close"

# row RULES MODE: measure, and say so
row() {
	wait_until 120 queue_is_empty
	{
		audit_bench --quiet --loop 100 --samples 15 \
			--syscall "$(echo "$CALLS" | tr ' ' ,)"
		audit_bench --quiet --loop 4 --samples 9 \
			--syscall "$(echo "$DEAR" | tr ' ' ,)"
	} >/tmp/row || fail "$1, $2: it can be measured"
	say "row $1 $2 $(awk '{ printf " %s=%d", $1, $2 + 0.5 }' /tmp/row)"
	pass "$1, $2"
}

# files NAME: where they are
files() {
	case $1 in
	stig) echo /rules/30-stig.rules ;;
	ospp) echo /rules/30-ospp-v42*.rules ;;
	pci) echo /rules/30-pci-dss-v31.rules ;;
	nispom) echo /rules/30-nispom.rules ;;
	esac
}

# no_32 FILE...: without the twins for 32-bit calls
no_32() {
	cat "$@" | grep -v 'arch=b32'
}

# rules NAME: load them
# shellcheck disable=SC2046 # names of files are words
rules() {
	rules_clear
	case $1 in
	none) ;;
	[0-9]*) unrelated "$1" ;;
	*-no32)
		no_32 $(files "${1%-no32}") >/tmp/no32.rules
		rules_load /tmp/no32.rules ;;
	stig | ospp | pci | nispom) rules_load $(files "$1") ;;
	stig-never)
		# The first rule that matches ends the search.
		{
			echo "-a never,exit -F arch=b64 -S $SMALL"
			rules_strip /rules/30-stig.rules
		} >/tmp/never.rules
		rules_load /tmp/never.rules ;;
	esac
}

NUMBERS="1 32 128 256 1024"
SETS="none $NUMBERS stig stig-no32 ospp ospp-no32 pci pci-no32"
[ ! -e /rules/30-nispom.rules ] || SETS="$SETS nispom nispom-no32"

# at_level LEVEL SET...: rows for a level, where the module has it
at_level() {
	level=$1
	shift
	if ! (echo "$level" >"$LEVEL") 2>/dev/null; then
		say "level $level: this module does not have it"
		return
	fi
	is "the level" "$level" "$(cat "$LEVEL")"
	for set; do
		rules "$set"
		wait_for "$set, $level: active" 120 active_or_more
		row "$set" "$prefix$level"
	done
	echo filter >"$LEVEL"
}

with_module() {
	ok "$*: it loads" load_module "$@"
	for set in $SETS; do
		[ "$set" != none ] || continue
		rules "$set"
		wait_for "$set: active" 120 active_or_more
		row "$set" "$mode"
	done
}

# Of rules for other lists it knows nothing, so not by their number.
active_or_more() {
	sysfs_is state active || return 1
	bench_generation=$(sysfs policy/generation)
	usleep 1200000
	[ "$(sysfs policy/generation)" = "$bench_generation" ]
}

if [ "$(option floor 0)" = 1 ]; then
	row none audit=0
else
	for set in $SETS stig-never; do
		rules "$set"
		row "$set" stock
	done
	rules 256
	auditctl -e 0 >/dev/null
	row 256 stock-off
	auditctl -e 1 >/dev/null
	# Only tasks that begin after it are free of audit.
	rules_clear
	auditctl -a task,never >/dev/null
	row none task-never
	rules_clear

	mode=direct
	with_module backend=direct
	is "the backend" direct "$(sysfs backend)"
	rules 256
	wait_for "active with 256 rules" 120 active_or_more
	auditctl -e 0 >/dev/null
	row 256 direct-off
	auditctl -e 1 >/dev/null
	prefix=
	at_level verify 256 stig
	for more in collect entry; do
		# shellcheck disable=SC2086 # a list of words
		at_level $more $NUMBERS stig ospp pci
	done
	rules none
	wait_for "nothing is hooked" 60 sysfs_is backend none
	row none direct
	ok "it unloads" unload_module
	mode=ftrace
	with_module backend=ftrace
	is "the backend is" ftrace "$(sysfs backend)"
	prefix=ftrace-
	for more in collect entry; do
		at_level $more 256 stig
	done
	ok "it unloads again" unload_module
	for set in none 256 stig; do
		rules $set
		row $set after
	done
	rules_clear
fi
