# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: icount=yes cpus=1 timeout=1800
#
# Real rule sets: for how many system calls the filter is skipped, and what
# small calls and a read-only open cost an unprivileged daemon under them, in
# instructions. Debian's files, and others if they are given:
#   tests/vm/run -f DIRECTORY:rules/more KERNEL sets

CALLS="getpid read write open"

# Watches put marks on a file system, and every access to a file of it pays for
# them, audited or not. So what is read, written and opened is on one of its
# own that has none.
apart() {
	mkdir -p /apart
	mount -t tmpfs tmpfs /apart
	mknod /apart/zero c 1 5
	mknod /apart/null c 1 3
	chmod 666 /apart/zero /apart/null
	mount --bind /apart/zero /dev/zero
	mount --bind /apart/null /dev/null
	mkdir -m 1777 /apart/tmp
}

# measure NAME: write "CALL INSTRUCTIONS" lines to /tmp/cost.NAME
measure() {
	wait_until 60 queue_is_empty
	su daemon -s /bin/sh -c "TMPDIR=/apart/tmp /guest/audit_bench --quiet \
		--loop 200 --samples 21 \
		--syscall $(echo "$CALLS" | tr ' ' ,)" >"/tmp/cost.$1"
}

# settled: no policy was built for a while, longer than a build is put off
settled() {
	afp_generation=$(sysfs policy/generation)
	usleep 1500000
	[ "$(sysfs policy/generation)" = "$afp_generation" ]
}

# render FILE: what Ansible makes of such a template, with every rule wanted
render() {
	awk '
	/[{]% set syscalls = \[/ {
		sub(/^[^[]*\[/, "")
		sub(/\].*/, "")
		gsub(/[" ]/, "")
		calls = $0
		next
	}
	{
		gsub(/[{][{] arch_syscalls[^}]*[}][}]/, calls)
		gsub(/[{][{] prelim_min_int_uid [}][}]/, "1000")
	}
	!/[{][%{]/' "$1"
}

# try NAME DAEMON USER FILE...: load the files, and compare. DAEMON, USER: of
# 385 calls, those that are not skipped by the best that can be done with the
# rules' text, whatever the call returns.
try() {
	name=$1
	daemon=$2
	user=$3
	shift 3
	if [ ! -e "$1" ]; then
		skip "$name" "the rule file was not given"
		return
	fi
	rules_clear
	ok "$name: rules" rules_load "$@"
	wait_for "$name: active" 60 sysfs_is state active
	# Of rules for other lists the module knows nothing: not by their number.
	wait_for "$name: all rules are compiled" 60 settled
	measure "$name"
	total=$(sysfs policy/syscalls_total)
	at_most "$name: not skipped for a daemon" \
		$((total - $(sysfs policy/syscalls_skippable))) $((daemon + 3))
	at_most "$name: not skipped for a user" \
		$((total - $(sysfs policy/syscalls_skippable_user))) $((user + 3))
	for call in getpid read write; do
		at_most "$name: $call, against no rules" "$(cost "$name" $call)" \
			$((($(cost none $call) * 130 + 50) / 100))
		at_most "$name: $call, against 256 unrelated rules" \
			"$(cost "$name" $call)" \
			$(($(cost fast256 $call) * 103 / 100))
	done
	say "$name: $(tr '\n' ' ' <"/tmp/cost.$name")"
}

apart
rules_clear
measure none
unrelated 1
measure one
unrelated 256
ok "the module loads" load_module
wait_for "it becomes active" 30 active
measure fast256
say "none: $(tr '\n' ' ' </tmp/cost.none)"
say "fast256: $(tr '\n' ' ' </tmp/cost.fast256)"

try stig 48 50 /rules/30-stig.rules
try pci 48 56 /rules/30-pci-dss-v31.rules
try ospp 43 52 /rules/30-ospp-v42*.rules
at_most "ospp: open and close" "$(cost ospp open)" "$(cost one open)"
[ ! -e /rules/30-nispom.rules ] || try nispom 60 60 /rules/30-nispom.rules

more=/rules/more
new=$more/audit-userspace-4.2
try stig-4.2 48 51 $new/30-stig.rules
# shellcheck disable=SC2086 # patterns
try all-4.2 55 70 $new/30-stig.rules $new/30-ospp-v42*.rules $new/4[123]-*.rules \
	$new/32-power-abuse.rules
for set in cis stig; do
	file=$(echo $more/ansible-lockdown-rhel9-$set/*.j2)
	[ ! -e "$file" ] || render "$file" >/tmp/rhel9-$set.rules
done
try rhel9-cis 48 54 /tmp/rhel9-cis.rules
try rhel9-stig 43 48 /tmp/rhel9-stig.rules
# 7.x has eight more calls in the permission classes, and rules for all of these:
# stat, lstat, fstat, newfstatat, statx, file_getattr, file_setattr, quotactl_fd.
extra=0
case $(uname -r) in
7.*) extra=8 ;;
esac
try neo23x0 $((71 + extra)) $((78 + extra)) $more/neo23x0/audit.rules
[ ! -e /tmp/cost.neo23x0 ] ||
	at_most "neo23x0: open and close" "$(cost neo23x0 open)" \
		"$(cost one open)"
ok "the module unloads" unload_module
