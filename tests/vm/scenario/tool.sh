# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=400 test="5.10 6.1 6.12 7.3"
#
# The tool beside the module: what check says of rules is what the module does with them,
# and the other commands say what is so on a real kernel.

TEXTFILE=/tmp/audit_fastpath.prom

if ! command -v audit-fastpath >/dev/null; then
	skip "the tool" "it is built for this machine's architecture only"
	exit 0
fi

# gives CODE ARGUMENT...: the exit code; what is printed is in /tmp/said
gives() {
	gives_code=$1
	shift
	gives_status=0
	audit-fastpath "$@" >/tmp/said 2>&1 || gives_status=$?
	is "audit-fastpath $*: exit code" "$gives_code" "$gives_status"
}

# said REGEX
said() {
	ok "it says: $1" grep -qE -- "$1" /tmp/said
}

unsaid() {
	refuses "it does not say: $1" grep -qE -- "$1" /tmp/said
}

# counts: what the module says of the loaded rules, and what the tool does
counts() {
	{
		echo "total $(sysfs policy/syscalls_total)"
		echo "daemon $(sysfs policy/syscalls_skippable)"
		echo "user $(sysfs policy/syscalls_skippable_user)"
	} >/tmp/module.says
	audit-fastpath check --loaded >/tmp/said
	awk '
	NR == 1 { for (i = 2; i < NF; i++) if ($(i - 1) == "of") print "total", $i }
	$1 == "daemon" || $1 == "user" { print $1, $4 }' /tmp/said >/tmp/tool.says
	sysfs_is state active && cmp -s /tmp/module.says /tmp/tool.says
}

# agrees NAME: they are the same, as soon as the module has followed
agrees() {
	wait_until 30 counts || :
	same "$1: the tool and the module count the same" /tmp/module.says /tmp/tool.says
	is "$1: and it is active" active "$(sysfs state)"
}

rules_clear
gives 3 status
said "not loaded"
gives 3 level
gives 3 level off
gives 3 stats
gives 0 version
gives 3 stats --prometheus $TEXTFILE
ok "and the file says that it is not loaded" grep -q '^audit_fastpath_loaded 0$' $TEXTFILE
gives 0 check --loaded
said "^0 rules"

ok "the module loads" load_module
gives 0 status
said "idle"
gives 0 level
said "filter"
rules_load /rules/30-stig.rules
agrees "Debian's STIG rules"
gives 0 explain --loaded
is "explain has each rule" "$(rules_count)" "$(grep -c '^#[0-9]' /tmp/said)"
said "key=time-change"
gives 0 status
said "active"
said "direct"
unsaid "WARNING"
# The same rules, from a file. Not from Debian's: auditctl 4.0 narrows what has a perm and no
# system call.
tasks() {
	sed 's/.*"tasks"://; s/,"syscalls".*//'
}
audit-fastpath check --loaded --json | tasks >/tmp/tasks.loaded
auditctl -l >/tmp/listed.rules
audit-fastpath check -i --json /tmp/listed.rules | tasks >/tmp/tasks.file
same "loaded and from what auditctl lists" /tmp/tasks.file /tmp/tasks.loaded
ok "and something is compared" grep -q daemon /tmp/tasks.loaded

rules_clear
rules_load /rules/30-ospp-v42.rules /rules/30-pci-dss-v31.rules
agrees "OSPP and PCI rules"
rules_clear
auditctl -w /etc -p wa -k etc >/dev/null
auditctl -a always,exit -F arch=b64 -S openat -F 'auid>=1000' -F auid!=unset -k open >/dev/null
auditctl -a never,exit -F arch=b64 -S kill -F uid=0 >/dev/null
auditctl -a always,exit -S all -F uid=1000 -k all >/dev/null
agrees "a tree, users, never"
gives 0 check --loaded --syscall openat
said "^openat +[a-z]+ "
gives 1 check --loaded --fail-on user=300
said "user"

# Counters.
before=$(sysfs stats/calls)
gives 0 stats
said "calls"
ok "calls have been counted" [ "$(sysfs stats/calls)" -gt "$before" ]
gives 0 stats --syscalls
said "(openat|read|write)"
gives 0 stats 0.2 2
gives 0 stats --prometheus $TEXTFILE
ok "the file says that it is loaded" grep -q '^audit_fastpath_loaded 1$' $TEXTFILE
ok "and active" grep -q '^audit_fastpath_state{state="active"} 1$' $TEXTFILE

# The level.
for level in entry collect verify off filter; do
	gives 0 level $level
	is "level $level" $level "$(cat /sys/module/audit_fastpath/parameters/level)"
done
gives 2 level high
is "it stays" filter "$(cat /sys/module/audit_fastpath/parameters/level)"

# What takes records away is said first.
auditctl -a task,never >/dev/null
gives 0 status
said "no task that starts"
auditctl -d task,never >/dev/null
gives 0 status
unsaid "no task that starts"

# doctor, on a machine with no headers and no auditd: what it says must be so.
doctor_status=0
audit-fastpath doctor >/tmp/said 2>&1 || doctor_status=$?
is "doctor has something to mend here" 1 $doctor_status
said "linux-headers"
unsaid "ftrace_enabled"
echo 0 >/proc/sys/kernel/ftrace_enabled 2>/tmp/refused || :
if [ "$(cat /proc/sys/kernel/ftrace_enabled)" = 0 ]; then
	audit-fastpath doctor >/tmp/said 2>&1 || :
	said "ftrace_enabled=1"
	echo 1 >/proc/sys/kernel/ftrace_enabled
else
	pass "ftrace cannot be switched off while the module is active"
fi

auditctl -e 2 >/dev/null
gives 1 level off
said "locked"
is "it stays under the lock" filter "$(cat /sys/module/audit_fastpath/parameters/level)"
ok "it unloads" unload_module
gives 3 status
