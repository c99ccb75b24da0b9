# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: icount=yes cpus=1 timeout=900
#
# What a system call costs, in instructions: without rules, with the STIG
# rules, with 1, 256 and 1024 unrelated ones, each stock and with the module,
# and after it is gone.

CALLS="getpid read write stat open chmod"

# percent VALUE OF: rounded to nearest
percent() {
	echo $((($1 * $2 + 50) / 100))
}

rules_clear
measure none
unrelated 1
measure one
unrelated 256
measure stock256
auditctl -e 0 >/dev/null
measure off256
auditctl -e 1 >/dev/null
rules_clear
rules_load /rules/30-stig.rules
measure stig

ok "the module loads" load_module
wait_for "it becomes active" 30 active
measure fast-stig
say "skippable: $(sysfs policy/syscalls_skippable) of $(sysfs policy/syscalls_total)"
rules_clear
wait_for "without rules nothing is hooked" 30 sysfs_is backend none
measure idle
for n in 1 256 1024; do
	unrelated $n
	wait_for "it is active with $n rules" 60 active
	measure fast$n
done
unrelated 256
wait_for "it is active again" 60 active
is "it is a direct call" direct "$(sysfs backend)"
for level in collect entry; do
	echo $level >/sys/module/audit_fastpath/parameters/level
	wait_for "it is active at level $level" 60 sysfs_is state active
	is "level $level: it decides at the entry" \
		"deciding at the entry of system calls, what is left at the exit" \
		"$(sysfs reason)"
	measure $level
done
rules_clear
rules_load /rules/30-stig.rules
wait_for "it is active with STIG" 60 active
measure entry-stig
echo collect >/sys/module/audit_fastpath/parameters/level
wait_for "it is active at collect again" 60 sysfs_is state active
measure collect-stig
echo filter >/sys/module/audit_fastpath/parameters/level
unrelated 256
wait_for "it is active at filter again" 60 active
auditctl -e 0 >/dev/null
measure fast-off256
auditctl -e 1 >/dev/null
ok "the module unloads" unload_module
ok "it loads with a callback" load_module backend=ftrace
wait_for "it is active with it" 60 active
measure ftrace256
ok "it unloads with it" unload_module
measure after256
rules_clear
measure after

say "instructions per call:"
# shellcheck disable=SC2086 # words
say "$(printf '%-12s %9s %9s %9s %9s %9s %9s' rules $CALLS)"
for name in none one stock256 off256 stig fast-stig idle fast1 fast256 \
		fast1024 collect collect-stig entry entry-stig ftrace256 \
		fast-off256 after256 after; do
	line=$(printf '%-12s' $name)
	for call in $CALLS; do
		line="$line $(printf '%9d' "$(cost "$name" "$call")")"
	done
	say "$line"
done

# Before 5.16 the kernel's own exit does less for a call without rules, and for
# one with an unrelated rule.
collect=103
entry=96
one=100
case $(uname -r) in
5.10.*) collect=112 entry=99 one=101 ;;
esac
for call in getpid read write; do
	at_most "$call under 256 unrelated rules, with a callback" \
		"$(cost ftrace256 $call)" "$(percent 130 "$(cost none $call)")"
	limit=$(percent 112 "$(cost none $call)")
	at_most "$call under STIG" "$(cost fast-stig $call)" "$limit"
	at_most "$call under 256 unrelated rules" "$(cost fast256 $call)" \
		"$limit"
	limit=$(percent $collect "$(cost none $call)")
	at_most "$call at level collect" "$(cost collect $call)" "$limit"
	at_most "$call at level collect under STIG" \
		"$(cost collect-stig $call)" "$limit"
	at_most "$call at level entry" "$(cost entry $call)" \
		"$(percent $entry "$(cost none $call)")"
	at_most "$call at level entry under STIG" "$(cost entry-stig $call)" \
		"$(percent $entry "$(cost none $call)")"
	low=$(printf '%s\n' "$(cost fast1 $call)" "$(cost fast256 $call)" \
		"$(cost fast1024 $call)" | sort -n | head -n 1)
	high=$(printf '%s\n' "$(cost fast1 $call)" "$(cost fast256 $call)" \
		"$(cost fast1024 $call)" | sort -n | tail -n 1)
	at_most "$call with 1 to 1024 rules, dearest" "$high" \
		$((low + low / 100))
done
at_most "stat at level collect under STIG" "$(cost collect-stig stat)" \
	"$(percent 103 "$(cost none stat)")"
for call in stat open; do
	at_most "$call at level collect" "$(cost collect $call)" \
		"$(percent 103 "$(cost none $call)")"
done
for call in stat open chmod; do
	at_most "$call under STIG, by stock with one unrelated rule" \
		"$(cost fast-stig $call)" "$(percent $one "$(cost one $call)")"
done
for call in getpid read write; do
	at_most "$call with audit switched off, by no rules" \
		"$(cost fast-off256 $call)" "$(cost none $call)"
	at_most "$call without rules, loaded" "$(cost idle $call)" \
		$(($(cost none $call) + 1))
	at_most "$call without rules, after rmmod" "$(cost after $call)" \
		$(($(cost none $call) + 1))
	at_most "$call with 256 rules, after rmmod" "$(cost after256 $call)" \
		$(($(cost stock256 $call) + 1))
done
