# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=600 append="audit_backlog_limit=65536" test="5.10 7.3"
#
# The kernel's own counts of rules: the module knows what they should be, as the
# kernel counts; what is too high after rules went with their files is lowered,
# at once and to what is there, and never below.

PARAMETERS=/sys/module/audit_fastpath/parameters

# counts: what the kernel has, what it should have, of rules and of those about
# signals
counts() {
	echo "$(sysfs accounting/kernel_rules) $(sysfs accounting/actual_rules)" \
		"$(sysfs accounting/kernel_signals)" \
		"$(sysfs accounting/actual_signals)"
}

# counts_are RULES SIGNALS: both right
counts_are() {
	[ "$(counts)" = "$1 $1 $2 $2" ]
}

# agree: the module says of all rules what the kernel says; RULES of them
agree() {
	# shellcheck disable=SC2046 # words
	set -- "$1" $(counts)
	[ "$1 $1" = "$2 $3" ] && [ "$4" = "$5" ]
}

stale_is() {
	sysfs_is accounting/stale "$1"
}

# gone KEY: no rule with this key is left
gone() {
	! auditctl -l | grep -q "$1"
}

# lose WHAT: load rules that go without a message, $lost of them, and have them
# go
lose() {
	mkdir -p /tmp/lose.dir
	case $1 in
	watch)
		lost=1
		auditctl -w /tmp/lose.dir/file -p wa -k lose ;;
	watches)	# on one path
		lost=3
		auditctl -a always,exit -F arch=b64 -S openat \
			-F path=/tmp/lose.dir/file -k lose
		auditctl -a always,exit -F arch=b32 -S kill \
			-F path=/tmp/lose.dir/file -k lose
		auditctl -a never,exit -F arch=b64 -S kill \
			-F path=/tmp/lose.dir/file -k lose ;;
	tree)
		lost=2
		auditctl -a always,exit -F arch=b64 -S openat \
			-F dir=/tmp/lose.dir -k lose
		auditctl -a always,exit -F arch=b64 -S all \
			-F dir=/tmp/lose.dir -F perm=wa -k lose ;;
	mount)
		lost=2
		mount -t tmpfs lose /tmp/lose.dir
		auditctl -w /tmp/lose.dir/file -p wa -k lose
		auditctl -a always,exit -F arch=b64 -S tkill \
			-F dir=/tmp/lose.dir -k lose ;;
	esac >/dev/null
	[ "$1" != mount ] || umount /tmp/lose.dir
	rmdir /tmp/lose.dir
	wait_until 30 gone lose || fail "$1: the rules go with their files" \
		"$(auditctl -l)"
}

rules_clear
auditctl -b 65536 >/dev/null

# -- counts that went wrong before the module came
lose watch
ok "the module loads, not to repair" load_module repair=N
is "rules and signals that a stock kernel counts in vain" "1 0 1 0" "$(counts)"
is "are said to be stale" 2 "$(sysfs accounting/stale)"
is "none was repaired" 0 "$(sysfs accounting/repaired)"
is "the kernel audits calls for nothing: active" active "$(sysfs state)"
lose tree
wait_for "two more go wrong" 10 stale_is 5
is "all counts of them" "3 0 2 0" "$(counts)"
ok "it may repair" sh -c "echo Y >$PARAMETERS/repair"
wait_for "both counts are repaired" 10 counts_are 0 0
is "nothing is stale" 0 "$(sysfs accounting/stale)"
is "five were repaired" 5 "$(sysfs accounting/repaired)"
wait_for "no rule is counted: idle" 10 sysfs_is state idle
ok "the log says what was done" \
	sh -c "dmesg | grep -q 'audit_n_rules was 3 and is 0 now'"

# -- as the kernel counts, list by list and class by class
total=0
while read -r counted rule; do
	# shellcheck disable=SC2086 # options
	if ! auditctl $rule >/tmp/rule.log 2>&1; then
		say "not for this kernel or auditctl: $rule"
		continue
	fi
	total=$((total + counted))
	wait_for "counted as the kernel does: $rule" 10 agree $total
done <<EOT
1 -a always,exit -F arch=b64 -S getpid -F a0=77
1 -a always,exit -F arch=b64 -S kill -F a0=77
1 -a always,exit -F arch=b32 -S kill -F a0=77
1 -a always,exit -F arch=b64 -S 37 -F a0=77
1 -a always,exit -F arch=b32 -S 62 -F a0=77
1 -a always,exit -S 37 -F a0=77
1 -a always,exit -S all -F a0=77 -F pid=77
1 -a never,exit -F arch=b64 -S tgkill -F a0=77
1 -a always,exit -F arch=b64 -F inode=77
1 -a never,task -F pid=77777
0 -a always,exclude -F msgtype=77
0 -a never,user -F uid=77777
0 -a never,filesystem -F fstype=0x77
1 -a always,io_uring -S openat -F uid=77777
1 -w /etc/hosts -p wa
1 -a always,exit -F dir=/etc/security -F perm=wa
EOT
is "nothing was repaired that was right" 5 "$(sysfs accounting/repaired)"

# -- rules go, others stay
before=$(counts)
for what in watch watches tree mount; do
	repaired=$(sysfs accounting/repaired)
	lose $what
	wait_for "$what: the counts are what they were" 10 \
		sh -c "[ \"\$(cat $SYSFS/accounting/kernel_rules) \$(
			cat $SYSFS/accounting/kernel_signals)\" = \
			\"$(echo "$before" | cut -d' ' -f1,3)\" ]"
	is "$what: and right" "$before" "$(counts)"
	ok "$what: $lost rules and what they were to signals are taken off" \
		[ "$(sysfs accounting/repaired)" -gt $((repaired + lost - 1)) ]
done

# -- one that the kernel takes off itself
repaired=$(sysfs accounting/repaired)
mkdir /tmp/lose.exe
cp /bin/busybox /tmp/lose.exe/prog
auditctl -a always,exit -F arch=b64 -S kill -F exe=/tmp/lose.exe/prog -k lose
wait_for "an exe rule is counted" 10 agree $((total + 1))
rm -r /tmp/lose.exe
wait_for "exe: the rule goes with its program" 30 gone lose
wait_for "exe: the counts are what they were" 10 agree $total
is "exe: the kernel has done that" "$repaired" "$(sysfs accounting/repaired)"

# -- each goes by a message, until none is left
rules_clear
wait_for "no rule is left" 10 counts_are 0 0
wait_for "none is counted: idle" 10 sysfs_is state idle

# -- while rules come and go: what is counted is never less than what is there,
# or a call would not be recorded
losing() {
	while [ ! -e /tmp/losing.stop ]; do
		mkdir -p /tmp/lose.dir
		auditctl -w /tmp/lose.dir/file -p wa -k lose
		auditctl -a always,exit -F arch=b64 -S kill -F dir=/tmp/lose.dir
		rm -r /tmp/lose.dir
	done >/dev/null 2>&1
}
repaired=$(sysfs accounting/repaired)
losing &
pid=$!
ok "each call is recorded while others' rules are lost" churn 200
: >/tmp/losing.stop
wait $pid
wait_for "the last are lost" 30 gone lose
ok "counts were repaired meanwhile" \
	[ "$(sysfs accounting/repaired)" -gt "$repaired" ]
wait_for "and are right" 40 counts_are 0 0

# -- the kernel goes on with what was repaired
auditctl -a always,exit -F arch=b64 -S kill -F a0=77 >/dev/null
lose tree
wait_for "one rule is left, and counted" 10 counts_are 1 1
ok "the module unloads" unload_module
auditctl -a always,exit -F arch=b64 -S getpid -F a0=77 >/dev/null
ok "it loads again, not to repair" load_module repair=N
is "the kernel has counted on from there" "2 2 1 1" "$(counts)"
is "and nothing is stale" 0 "$(sysfs accounting/stale)"
rules_clear
wait_for "the last rule is taken off by the kernel" 10 counts_are 0 0
ok "it unloads" unload_module

# -- what a file may say
refuses "a repair that is neither Y nor N" load_module repair=some
refuses "nothing is loaded then" module_loaded
