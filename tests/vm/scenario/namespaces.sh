# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=300 test="6.1"
#
# A user who is root in namespaces of their own: gets at nothing of the module,
# and is recorded as the stock kernel does it, also by rules about process ids.

SET=/sys/module/audit_fastpath/parameters

# inside COMMAND: as root in new user, PID and mount namespaces of "user", who has
# logged in. Its first process is a shell.
inside() {
	su user -s /bin/sh -c "exec unshare -U -r -m -p -f --mount-proc sh -c '$1'"
}

# The first process in there waits for rules that name it, then works: chdir() of
# its own, chmod() of its children.
work() {
	rm -f /tmp/in/*
	mkfifo -m 666 /tmp/in/go
	(
		echo 1000 >/proc/self/loginuid
		# shellcheck disable=SC2016 # for the shell in there
		inside ': >/tmp/in/file
			echo $$ >/tmp/in/pid
			id -u >/tmp/in/uid
			read -r line </tmp/in/go
			i=0
			while [ $i -lt 5 ]; do
				cd /tmp/in
				/bin/chmod 123 file
				mkdir dir
				rmdir dir
				cd /
				i=$((i + 1))
			done'
	) &
	job=$!
	wait_until 20 [ -s /tmp/in/uid ]
	# What is 1 in there is the only one that waits with that name in its
	# arguments and in a PID namespace of its own.
	pid=
	for status in /proc/[0-9]*/status; do
		if grep -qE '^NSpid:.*[[:space:]]1$' "$status" 2>/dev/null &&
				grep -qE '^NSpid:[[:space:]]+[0-9]+[[:space:]]' \
					"$status"; then
			pid=${status#/proc/}
			pid=${pid%/status}
		fi
	done
}

rule() {
	auditctl -a always,exit -F arch=b64 "$@" >/dev/null
}

# what: what was recorded of it, process ids by what they are
what() {
	sed -n "s/^type=\(1300\|SYSCALL\) .*syscall=\([0-9]*\) success=\([a-z]*\) .* a1=\([0-9a-f]*\) .* ppid=\([0-9]*\) pid=\([0-9]*\) auid=\([0-9]*\) uid=\([0-9]*\) .*key=\"\(afp-ns[a-z-]*\)\".*/\2 \3 \5 \6 \7 \8 \9/p" \
		/tmp/raw | sed -e "s/ $pid / first /" |
		awk '{ if ($3 != "first") $3 = "other"
			if ($4 != "first") $4 = "other"
			print }' | sort | uniq -c
}

# try NAME: work under rules that name it, and note what is recorded
try() {
	work
	is "$1: it is 1 in there, and root" "1 0" \
		"$(cat /tmp/in/pid) $(cat /tmp/in/uid)"
	ok "$1: outside it is $pid" [ "${pid:-0}" -gt 1 ]
	rules_clear
	rule -S chdir -F pid="$pid" -k afp-ns-pid
	rule -S chmod -F ppid="$pid" -k afp-ns-ppid
	rule -S mkdir -F auid=1000 -k afp-ns-auid
	rule -S execve -F auid=1000 -F uid=1000 -k afp-ns-exec
	# Of another namespace, or of nobody: none is recorded.
	rule -S chdir -F pid=1 -k afp-ns-one
	rule -S chmod -F ppid=1 -k afp-ns-pone
	rule -S chmod -F auid=1001 -k afp-ns-other
	[ "$1" = stock ] || wait_for "$1: it is active" 30 active
	record_start
	echo go >/tmp/in/go
	wait $job
	record_stop
	what >"/tmp/what.$1"
}

[ ! -e /proc/sys/kernel/unprivileged_userns_clone ] ||
	echo 1 >/proc/sys/kernel/unprivileged_userns_clone
mkdir -m 777 /tmp/in
rules_clear
try stock
ok "stock: chdir by pid is recorded: $(grep -c first /tmp/what.stock)" \
	grep -q '10 .*afp-ns-pid$' /tmp/what.stock
ok "stock: chmod by ppid is recorded" \
	grep -q '5 .*afp-ns-ppid$' /tmp/what.stock
for key in auid exec; do
	ok "stock: so are calls by auid: $key" \
		grep -q "5 .*afp-ns-$key\$" /tmp/what.stock
done
refuses "stock: no other namespace's" \
	grep -qE 'afp-ns-(one|pone|other)' /tmp/what.stock
sed 's/^/# /' /tmp/what.stock
for level in filter collect entry; do
	ok "$level: it loads" load_module level=$level
	try $level
	same "$level: what is recorded is as on stock" \
		/tmp/what.stock /tmp/what.$level
	ok "$level: calls were skipped" [ "$(sysfs stats/skipped)" -gt 0 ]
	ok "$level: it unloads" unload_module
done

# What is out of reach in there.
rules_clear
rule -S statx -F a0=1
ok "it loads" load_module
wait_for "it is active" 30 active
for file in "$SET"/*; do
	name=${file##*/}
	before=$(cat "$file")
	for value in off N 1 detach; do
		refuses "$name: $value cannot be written in there" \
			inside "echo $value >$file"
	done
	is "$name is as before" "$before" "$(cat "$file")"
done
rules_count >/tmp/count
# auditctl takes the refusal for a kernel without audit, and is content.
inside "auditctl -a always,exit -S chmod; auditctl -D; auditctl -e 0"
is "the rules are as before" "$(cat /tmp/count)" "$(rules_count)"
is "audit is on as before" "enabled 1" "$(auditctl -s | grep '^enabled')"
refuses "counters of calls cannot be read in there" \
	inside "cat /sys/kernel/debug/audit_fastpath/syscalls"
refuses "debugfs cannot be mounted in there" \
	inside "mount -t debugfs none /tmp/in"
ok "the state can be read in there" inside "cat $SYSFS/state"
refuses "it cannot be unloaded in there" inside "rmmod audit_fastpath"
is "it is still active" active "$(sysfs state)"
ok "it unloads" unload_module
refuses "nor loaded" inside "insmod $MODULE"
refuses "it is not loaded" module_loaded
ok "outside it loads, as it would have" load_module
ok "and unloads" unload_module
