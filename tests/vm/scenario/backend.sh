# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=600 append="audit_backlog_limit=65536" test="5.10 7.3"
#
# How the end of system calls is hooked, beside others that hook the same
# function, before us and after us: nothing is lost, nothing breaks, and what the
# kernel does not allow is refused.

FUNCTION=__audit_syscall_exit
TRACING=/sys/kernel/tracing
PARAMETERS=/sys/module/audit_fastpath/parameters

# Do a direct call of BPF and a callback that redirects go together?
both=yes
case $(uname -r) in
5.*) both=no ;;
esac

# as_it_should TEXT: calls are skipped, and a call that a rule asks for is
# recorded each time
as_it_should() {
	skipped=$(sysfs stats/skipped)
	record_start
	mode_calls 20
	record_stop
	is "$1: records" 20 "$(mode_records afp-backend)"
	ok "$1: calls are skipped" [ "$(sysfs stats/skipped)" -gt $((skipped + 100)) ]
}

loaded() {
	ok "$1: it loads" load_module backend="$2"
	wait_for "$1: it is active" 30 sysfs_is state active
	is "$1: backend" "$3" "$(sysfs backend)"
}

unloaded() {
	ok "$1: it unloads" unload_module
	is "$1: nothing is hooked" "" \
		"$(grep -A 1 audit $TRACING/enabled_functions)"
}

skipping() {
	[ "$(sysfs stats/skipped)" -gt 100 ]
}

# attach: a BPF program at the entry of the function; its process is $bpf
attach() {
	rm -f /tmp/ready
	fentry $FUNCTION /tmp/ready >/tmp/entered 2>/tmp/refusal &
	bpf=$!
	wait_until 20 sh -c "[ -e /tmp/ready ] || ! kill -0 $bpf 2>/dev/null"
	[ -e /tmp/ready ]
}

detach() {
	kill $bpf
	wait $bpf
}

direct_again() {
	echo filter >$PARAMETERS/level
	sysfs_is backend direct
}

# traced TEXT PATTERN: a tracer has seen the function. It stops first: to read
# what it has seen is traced, too.
traced() {
	echo 0 >$TRACING/tracing_on
	case $(uname -r)-$1 in
	5.*"auto, then function_graph" | 5.*"direct, then function_graph")
		skip "$1: the tracer sees it" "this kernel leaves it out" ;;
	*)
		ok "$1: the tracer sees it" grep -q "$2" $TRACING/trace ;;
	esac
	echo 1 >$TRACING/tracing_on
}

tracer() {
	if [ "$1" = nop ]; then
		echo nop >$TRACING/current_tracer
		echo >$TRACING/set_ftrace_filter
		echo >$TRACING/set_graph_function
		echo >$TRACING/trace
		return
	fi
	echo $FUNCTION >$TRACING/set_ftrace_filter
	echo "$1" >$TRACING/current_tracer
}

probe() {
	echo "$1:afp_test $FUNCTION" >$TRACING/kprobe_events
	echo 1 >$TRACING/events/kprobes/afp_test/enable
}

no_probe() {
	echo 0 >$TRACING/events/kprobes/afp_test/enable
	echo >$TRACING/kprobe_events
	echo >$TRACING/trace
}

rules_clear
auditctl -b 65536 >/dev/null
mode_rule -a afp-backend
echo 1 >$TRACING/tracing_on

# Alone.
for backend in auto direct ftrace; do
	expect=$backend
	[ $backend != auto ] || expect=direct
	loaded $backend $backend $expect
	is "$backend: the parameter" $backend "$(cat $PARAMETERS/backend)"
	as_it_should $backend
	ok "$backend: level verify" sh -c "echo verify >$PARAMETERS/level"
	is "$backend: backend at verify" $expect "$(sysfs backend)"
	ok "$backend: level off" sh -c "echo off >$PARAMETERS/level"
	is "$backend: no backend at off" none "$(sysfs backend)"
	ok "$backend: level filter" sh -c "echo filter >$PARAMETERS/level"
	as_it_should "$backend, again"
	is "$backend: no mismatch" 0 "$(sysfs selfcheck/mismatches)"

	# Others after us.
	for other in function function_graph; do
		tracer $other
		as_it_should "$backend, then $other"
		traced "$backend, then $other" $FUNCTION
		tracer nop
	done
	for other in p r; do
		probe $other
		as_it_should "$backend, then kprobe $other"
		traced "$backend, then kprobe $other" afp_test
		no_probe
	done
	if [ $backend = ftrace ] && [ $both = yes ]; then
		attach
		ok "$backend, then BPF: it attaches" [ -e /tmp/ready ]
		as_it_should "$backend, then BPF"
		detach
		ok "$backend, then BPF: it ran: $(cat /tmp/entered)" \
			[ "$(cat /tmp/entered)" -gt 0 ]
	else
		refuses "$backend: BPF is refused" attach
		ok "$backend: as it should be: $(cat /tmp/refusal)" \
			grep -qE "attach: (Device or resource busy|Invalid argument)" \
				/tmp/refusal
		as_it_should "$backend, BPF was refused"
	fi
	as_it_should "$backend, alone again"
	unloaded "$backend"
done

# Others before us, and gone before us.
for other in function function_graph; do
	tracer $other
	loaded "after $other" auto direct
	as_it_should "after $other"
	tracer nop
	as_it_should "after $other, which is gone"
	unloaded "after $other"
done
for other in p r; do
	probe $other
	loaded "after kprobe $other" auto direct
	as_it_should "after kprobe $other"
	no_probe
	as_it_should "after kprobe $other, which is gone"
	unloaded "after kprobe $other"
done

# BPF before us: a callback does it where the kernel lets both in.
attach
ok "BPF attaches" [ -e /tmp/ready ]
ok "after BPF: it loads" load_module
if [ $both = yes ]; then
	wait_for "after BPF: it is active" 30 sysfs_is state active
	is "after BPF: backend" ftrace "$(sysfs backend)"
	ok "after BPF: the log says why" \
		sh -c "dmesg | grep -q 'audit_fastpath: no direct call from $FUNCTION'"
	as_it_should "after BPF"
	ok "level is written while BPF is there" \
		sh -c "echo filter >$PARAMETERS/level"
	is "backend is as before" ftrace "$(sysfs backend)"
	detach
	as_it_should "after BPF, which is gone"
	# The kernel takes its time to forget a program.
	wait_for "now it is a direct call" 20 direct_again
	as_it_should "the direct call"
else
	wait_for "after BPF: it is passive" 30 sysfs_is state passive
	is "after BPF: backend" none "$(sysfs backend)"
	detach
fi
unloaded "after BPF"

# The beginning of calls, beside BPF and tracers that hook that.
FUNCTION=__audit_syscall_entry
for level in filter collect entry; do
	ok "$level: it loads" load_module level=$level
	wait_for "$level: it is active" 30 sysfs_is state active
	refuses "$level: BPF is refused at the entry" attach
	as_it_should "$level, BPF was refused at the entry"
	tracer function
	as_it_should "$level, then a tracer at the entry"
	traced "$level, then a tracer at the entry" $FUNCTION
	tracer nop
	probe p
	as_it_should "$level, then kprobe at the entry"
	no_probe
	unloaded "$level"
done
attach
ok "BPF attaches at the entry" [ -e /tmp/ready ]
for level in filter collect entry; do
	ok "after BPF at the entry, $level: it loads" load_module level=$level
	wait_for "after BPF at the entry, $level: it is active" 30 \
		sysfs_is state active
	is "after BPF at the entry, $level: backend" direct "$(sysfs backend)"
	# Above filter a callback does it, where there can be one that redirects.
	reason="deciding at the exit of system calls"
	[ $level = filter ] || [ $both = no ] ||
		reason="deciding at the entry of system calls"
	ok "after BPF at the entry, $level: $(sysfs reason)" \
		sh -c "grep -q '^$reason' $SYSFS/reason"
	as_it_should "after BPF at the entry, $level"
	ok "after BPF at the entry, $level: it unloads" unload_module
done
detach
ok "BPF ran at the entry: $(cat /tmp/entered)" [ "$(cat /tmp/entered)" -gt 0 ]
FUNCTION=__audit_syscall_exit

# Loaded and unloaded while calls are under way and a tracer comes and goes.
load 3 &
pid=$!
failed=0
i=0
while [ $i != 30 ]; do
	load_module backend=direct || failed=$((failed + 1))
	[ $((i % 3)) = 0 ] || tracer function
	if [ $((i % 2)) = 0 ]; then
		wait_until 20 skipping || failed=$((failed + 1))
		sysfs_is backend direct || failed=$((failed + 1))
	fi
	unload_module || failed=$((failed + 1))
	tracer nop
	i=$((i + 1))
done
kill $pid
is "30 times loaded and unloaded under load" 0 $failed
is "nothing is hooked after that" "" \
	"$(grep -A 1 audit $TRACING/enabled_functions)"
