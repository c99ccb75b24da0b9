# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=300
#
# The files that users see: that there are just those that docs/ABI describes
# (the host puts it into the VM as /abi), their rights, their values, and what
# is written to them in error.

PARAMETERS=/sys/module/audit_fastpath/parameters

# files DIR: the files below it
files() {
	(cd "$1" && find . -type f | sed 's|^\./||' | sort)
}

level() {
	cat $PARAMETERS/level
}

# write_level VALUE
write_level() {
	echo "$1" >$PARAMETERS/level
}

recorded() {
	grep -q "$1" /tmp/raw
}

rules_clear
ok "the module loads" load_module
is "without rules it is idle" idle "$(sysfs state)"
is "and says why" "no rule that the kernel counts" "$(sysfs reason)"

files "$SYSFS" >/tmp/there
files /abi | grep -v -e ^parameters/ -e ^debug/ >/tmp/described
same "each sysfs file is described, and no other" /tmp/described /tmp/there
files $PARAMETERS >/tmp/there
files /abi/parameters >/tmp/described
same "each parameter is described, and no other" /tmp/described /tmp/there
[ -e /sys/kernel/debug/tracing ] || mount -t debugfs none /sys/kernel/debug
files /sys/kernel/debug/audit_fastpath >/tmp/there
files /abi/debug >/tmp/described
same "each debugfs file is described, and no other" /tmp/described /tmp/there

# rights DIR PREFIX: "MODE FILE" of each file, as docs/ABI names it
rights() {
	(cd "$1" && find . -type f -exec stat -c '%a %n' {} +) |
		sed "s|\./|$2|"
}

{
	rights "$SYSFS" ""
	rights $PARAMETERS parameters/
	rights /sys/kernel/debug/audit_fastpath debug/
} | sort >/tmp/there
(cd /abi && grep -r '^Mode:' .) |
	sed 's|^\./\(.*\):Mode:[[:space:]]*0\(.*\)|\2 \1|' | sort \
	>/tmp/described
same "the rights of each file are as described" /tmp/described /tmp/there
is "nobody but root owns one" "" "$(find "$SYSFS" $PARAMETERS \
	/sys/kernel/debug/audit_fastpath ! \( -user root -group root \))"
for file in $(files "$SYSFS"); do
	is "$file is one line" 1 "$(sysfs "$file" | wc -l)"
done

is "the default level" filter "$(level)"
# refused PARAMETER VALUE SENTENCE BAD...: each that is bad is refused, with what is
# right, and the value stays
refused() {
	refused_name=$1
	refused_value=$2
	refused_sentence=$3
	shift 3
	for bad; do
		dmesg -c >/dev/null
		refuses "$refused_name '$bad' is refused" \
			sh -c "echo '$bad' >$PARAMETERS/$refused_name"
		is "$refused_name stays after '$bad'" "$refused_value" \
			"$(cat "$PARAMETERS/$refused_name")"
		ok "the log says what $refused_name is after '$bad'" \
			sh -c "dmesg | grep -q '$refused_name is $refused_sentence'"
	done
}

refused level filter 'one of: off verify filter collect entry' \
	on names Entry FILTER filterr '' 1
refused sample 0 'a number up to 1073741824' '' every -1 1073741825 4294967296
refused idle keep 'one of: keep detach' '' Keep 1
refused repair Y 'one of: Y N' '' some 2
refused names Y 'one of: Y N' '' some 2
for level in verify collect entry filter; do
	ok "level $level" write_level $level
	is "it is $level" $level "$(level)"
done
ok "level off" write_level off
is "it is off" off "$(level)"
is "off is idle" "level is off" "$(sysfs reason)"
auditctl -a always,exit -F arch=b64 -S statx >/dev/null
is "nothing is hooked at level off" 0 "$(hooked)"
ok "level filter" write_level filter
wait_for "it is active" 10 sysfs_is state active
is "one rule" 1 "$(sysfs policy/rules)"
ok "a user without rights cannot write" \
	sh -c "! su user -s /bin/sh -c 'echo off >$PARAMETERS/level' 2>/dev/null"
is "level stays" filter "$(level)"
refuses "root without CAP_AUDIT_CONTROL cannot write" \
	drop_cap 30 sh -c "echo off >$PARAMETERS/level"
is "level stays without the capability" filter "$(level)"
ok "without another one, CAP_AUDIT_READ, root can" \
	drop_cap 37 sh -c "echo off >$PARAMETERS/level"
is "the level is another then" off "$(level)"
ok "level filter again" write_level filter

# Changes leave records: who did it, in which session, with what result.
record_start
for change in "level off" "level filter" "sample 3" "sample 0" "idle detach" \
		"idle keep" "repair N" "repair Y" "names N" "names Y"; do
	ok "a change: $change" sh -c \
		"echo ${change#* } >$PARAMETERS/${change% *}"
done
ok "the module unloads" unload_module
is "nothing is hooked after rmmod" 0 "$(hooked)"
ok "it loads again" load_module level=filter backend=ftrace
record_stop
for op in "level old=filter new=off" "level old=off new=filter" \
		"sample old=0 new=3" "sample old=3 new=0" \
		"idle old=keep new=detach" "idle old=detach new=keep" \
		"repair old=1 new=0" "repair old=0 new=1" \
		"names old=1 new=0" "names old=0 new=1" \
		"unload old=filter new=none" "load old=none new=filter"; do
	ok "record: $op" recorded \
		"^type=\(1305\|CONFIG_CHANGE\) .*op=audit_fastpath_$op .*auid=[0-9]* .*ses=[0-9]* .*res=1"
done
is "as many records as changes" 12 \
	"$(grep -c 'op=audit_fastpath_' /tmp/raw)"
ok "it unloads again" unload_module

refuses "a wrong level at load time" load_module level=fast
refuses "a wrong backend at load time" load_module backend=livepatch
refuses "nothing is loaded then" module_loaded
