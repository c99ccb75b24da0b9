#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# usage: tests/unit/tool.sh
#
# Test tools/audit-fastpath without a module: what check and explain say of rules
# and refuse, what the other commands make of a system that is faked below a folder,
# exit codes, and each command's JSON against tools/schema.json. Under sanitizers.
# Prints KTAP and, as the last line, "tool: N passed, N failed".
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
"$top/tests/vm/need" gcc libc6-dev libaudit-dev libjson-c-dev python3 python3-jsonschema make \
	mandoc || exit 1
cd "$top" || exit 1

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
count=0 passed=0 failed=0
tool=$tmp/audit-fastpath
root=$tmp/root
unset AUDIT_FASTPATH_ROOT NO_COLOR

pass() {
	count=$((count + 1)) passed=$((passed + 1))
	echo "ok $count - $1"
}

fail() {
	count=$((count + 1)) failed=$((failed + 1))
	echo "not ok $count - $1"
	[ -z "${2-}" ] || echo "$2" | sed 's/^/#   /'
}

is() {
	if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "wanted '$2', got '$3'"; fi
}

# run CODE ARGUMENT...: the exit code is to be this; output to $tmp/out, $tmp/err
run() {
	code=$1
	shift
	"$tool" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	is "exit code: $*" "$code" $?
}

# says TEXT: it is in what was printed last
says() {
	if grep -qF -- "$1" "$tmp/out" "$tmp/err"; then
		pass "says: $1"
	else
		fail "says: $1" "$(cat "$tmp/out" "$tmp/err")"
	fi
}

silent() {
	is "nothing is printed of: $1" "" "$(grep -F -- "$1" "$tmp/out" "$tmp/err")"
}

cat >"$tmp/validate.py" <<'END'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
lines = [json.loads(line) for line in sys.stdin]
assert lines, "nothing was printed"
for line in lines:
    jsonschema.validate(line, schema)
    kind = [s for s in schema["oneOf"]
            if s["properties"]["command"]["const"] == line["command"]]
    assert len(kind) == 1, line["command"]
END

# json CODE COMMAND...: one object a line, as the schema says
json() {
	code=$1
	shift
	"$tool" "$@" --json >"$tmp/out" 2>"$tmp/err"
	is "exit code: $* --json" "$code" $?
	if /usr/bin/python3 "$tmp/validate.py" tools/schema.json <"$tmp/out" >"$tmp/why" 2>&1; then
		pass "schema: $*"
	else
		fail "schema: $*" "$(tail -n 30 "$tmp/why"; cat "$tmp/err")"
	fi
}

# of EXPRESSION: what Python says of the object that was printed last
of() {
	/usr/bin/python3 -c "import json; o = json.loads(open('$tmp/out').readline()); print($1)" 2>&1
}

echo "KTAP version 1"
# shellcheck disable=SC2046 # a list of words
if gcc -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined \
		-fno-sanitize-recover=undefined -Iinclude $(echo tools/audit-fastpath/*.c) \
		module/policy/compile.c module/policy/decide.c -laudit -ljson-c -o "$tool" \
		>"$tmp/log" 2>&1; then
	pass "builds"
else
	fail "builds" "$(cat "$tmp/log")"
	echo "1..$count"
	exit 1
fi

# Rules.

b64="-a always,exit -F arch=b64"
cat >"$tmp/some.rules" <<END
$b64 -S getpid -F auid>=1000 -F auid!=unset -k who
$b64 -S sync -k sync
$b64 -S openat -F exit=-EACCES -k denied
-w /etc/shadow -p wa -k shadow
-a never,exit -S all -F uid=0
-a always,exit -F arch=b32 -S mkdir -k old
END
run 0 check --kernel 6.1 "$tmp/some.rules"
says "6 rules, as on kernel 6.1: of 346 system calls"
silent WARNING
json 0 check --kernel 6.1 --all "$tmp/some.rules"
is "each call is there" 346 "$(of 'len(o["syscalls"])')"
is "and each is counted" "346 346" \
	"$(of 'sum(o["tasks"]["daemon"].values()), sum(o["tasks"]["user"].values())' | tr -d '(),')"
call() {
	of "[[c[t] for t in ('daemon','root','user','admin')] + c['rules'] for c in o['syscalls'] if c['name'] == '$1']" |
		tr -d "[],'"
}
is "getpid is asked for of those who have logged in" "skips skips walks walks 1" "$(call getpid)"
is "sync of all" "walks walks walks walks 2" "$(call sync)"
is "openat: by its result, and by the file" "decides decides decides decides 4 3" "$(call openat)"
is "mkdir: by the file; the 32-bit rule is not for it" "decides decides decides decides 4" \
	"$(call mkdir)"
is "read is skipped" "skips skips skips skips" "$(call read)"
is "never asks for no record: it is no obstacle" "False" \
	"$(of 'any(r["number"] == 5 for r in o["obstacles"])')"
is "the rule on files stands in the way of most" 4 "$(of 'o["obstacles"][0]["number"]')"
is "alone it does so of none that openat counts" "True" \
	"$(of 'o["obstacles"][0]["alone"]["daemon"] == o["obstacles"][0]["in_way"]["daemon"] - 1')"
is "keys" "['shadow']" "$(of '[r["key"] for r in o["obstacles"] if r["number"] == 4]')"
is "the text is one that auditctl takes" "$b64 -S sync -F key=sync" \
	"$(of '[r["text"] for r in o["obstacles"] if r["number"] == 2][0]')"

# Kernels differ: in 7.2 stat came to be a call that reads.
echo "-w /etc/shadow -p r" >"$tmp/read.rules"
json 0 check --kernel 6.12 --syscall stat "$tmp/read.rules"
is "stat on 6.12" "skips skips skips skips" "$(call stat)"
json 0 check --kernel 7.3.4-amd64 --syscall stat "$tmp/read.rules"
is "stat on 7.3" "decides decides decides decides 1" "$(call stat)"

run 0 check --kernel 6.1 --syscall read,39 "$tmp/some.rules"
says "getpid"
silent openat
json 0 explain --kernel 6.1 "$tmp/some.rules"
is "where rules are kept" "exit list|exit list|exit list|inode hash|exit list|exit list" \
	"$(of '"|".join(r["place"] for r in o["rules"])')"
is "calls that they stand in" "1 1 1 346 346 0" \
	"$(of '" ".join(str(r["syscalls"]) for r in o["rules"])')"
is "of the other table" "0 0 0 512 512 1" \
	"$(of '" ".join(str(r["numbers_32bit"]) for r in o["rules"])')"
is "cheap tests" "arch auid|arch|arch exit|names perm|uid|arch" \
	"$(of '"|".join(" ".join(r["cheap_tests"]) for r in o["rules"])')"
is "in the way" "['getpid'] []" "$(of 'o["rules"][0]["in_way"]["user"], o["rules"][0]["in_way"]["daemon"]' |
	sed 's/^(//; s/)$//; s/\], /] /')"
run 0 explain "$tmp/some.rules"
says "never asks for a record: stands in no call's way"

# Each text that explain prints is the same rule to the reader.
"$tool" explain --json "$tmp/some.rules" tests/vm/rules/*.rules -i 2>/dev/null >"$tmp/out"
of '"\n".join(r["text"] for r in o["rules"])' >"$tmp/again.rules"
"$tool" explain --json "$tmp/again.rules" -i 2>"$tmp/err" >"$tmp/out"
of '"\n".join(r["text"] for r in o["rules"])' >"$tmp/twice.rules"
is "rules that were printed are read as the same rules" "" \
	"$(diff "$tmp/again.rules" "$tmp/twice.rules" | head -n 5; head -n 3 "$tmp/err")"
is "and there are many" yes "$([ "$(wc -l <"$tmp/again.rules")" -gt 300 ] && echo yes)"

# Warnings.

cat >"$tmp/bad.rules" <<END
-a never,task
-a always,exclude -F msgtype>=0
-a always,exclude -F msgtype=SYSCALL
-a always,exclude -F msgtype=CWD
-a always,exit -S sync
-e 0
END
json 0 check "$tmp/bad.rules"
is "warnings, grave ones first" "task-never exclude-all exclude-syscall audit-off no-arch" \
	"$(of '" ".join(w["id"] for w in o["warnings"])')"
run 1 check --fail-on=warnings "$tmp/bad.rules"
says "WARNING: $tmp/bad.rules:1:"
printf -- '-w /a\n-e 2\n-w /b\n' >"$tmp/late.rules"
json 1 check --fail-on=warnings "$tmp/late.rules"
is "rules behind -e 2" "after-lock" "$(of '" ".join(w["id"] for w in o["warnings"])')"
is "what failed" "warnings" "$(of '" ".join(o["failed"])')"
run 1 check --fail-on=daemon=346,user=1 --kernel 6.1 "$tmp/some.rules"
says "--fail-on=daemon=346"
run 0 check --fail-on=warnings,limit,daemon=300,root=300,user=300,admin=300 --kernel 6.1 \
	"$tmp/some.rules"

# What auditctl refuses.

printf -- '-a always,exit -S sync\n-a always,exit -F nonsense=1\n' >"$tmp/wrong.rules"
run 1 check "$tmp/wrong.rules"
says "$tmp/wrong.rules:2:"
says ": error: 'nonsense=1'"
says "with -i the rest is analysed"
is "nothing is analysed" "" "$(cat "$tmp/out")"
run 0 check -i "$tmp/wrong.rules"
says "1 rules"
json 0 check -i "$tmp/wrong.rules"
is "errors are in the object" 2 "$(of 'o["errors"][0]["line"]')"
run 1 check "$tmp/none.rules"
says "cannot be opened"
run 1 explain "$tmp/wrong.rules"

# What is no use.

run 2 check
says "rule files"
run 2 check --loaded "$tmp/some.rules"
run 2 check --kernel new "$tmp/some.rules"
says "'new' is no kernel version"
run 2 check --syscall nosuch "$tmp/some.rules"
says "'nosuch' is no system call"
run 2 check --fail-on=all "$tmp/some.rules"
run 2 check --fail-on=daemon=0 "$tmp/some.rules"
run 2 check --fail-on=daemon=5x "$tmp/some.rules"
run 2 check --wrong
run 2 explain --loaded "$tmp/some.rules"
run 2 nosuch
says "'nosuch' is no command"
run 2 status more
run 2 stats 0
run 2 stats 1 0
run 2 stats 1 1 1
run 2 stats --prometheus "$tmp/x" 1
run 2 doctor more
run 2 version more
run 2 level off on
for command in status check explain stats doctor level version; do
	run 0 $command --help
	says "Usage: audit-fastpath $command"
done
run 0 --help
says "Exit status:"
run 0 --version
says "audit-fastpath $(sed -n 's/^#define AFP_VERSION "\(.*\)"/\1/p' include/audit_fastpath/version.h)"

# A system without the module.

export AUDIT_FASTPATH_ROOT="$root"
mkdir -p "$root/proc/sys/kernel"
echo 6.1.0-57-amd64 >"$root/proc/sys/kernel/osrelease"
: >"$root/proc/modules"
run 3
says "is not loaded"
json 3 status
json 0 version
is "no module" None "$(of 'o["module"]')"
run 3 stats
run 3 level
run 3 level off
run 2 level sideways
run 1 explain
run 3 stats --prometheus "$tmp/metrics"
is "the metrics say so" "audit_fastpath_loaded 0" "$(grep -v '^#' "$tmp/metrics")"

# What doctor finds, one thing at a time. findings: what is a problem
findings() {
	json "$1" doctor
	of '" ".join(f["id"] for f in o["findings"] if f["kind"] == "problem")'
}
problems() {
	is "doctor: $1" "$2" "$(findings 1 | tail -n 1)"
}
problems "nothing is installed" "loaded headers"
mkdir -p "$root/lib/modules/6.1.0-57-amd64/build"
: >"$root/lib/modules/6.1.0-57-amd64/build/Makefile"
problems "no source" "loaded built"
run 1 doctor
says "apt install audit-fastpath-dkms"
mkdir -p "$root/usr/src/audit-fastpath-0.1.0"
run 1 doctor
says "dkms install audit-fastpath/"
dir=$root/var/lib/dkms/audit-fastpath/$(sed -n 's/^#define AFP_VERSION "\(.*\)"/\1/p' \
	include/audit_fastpath/version.h)/build
mkdir -p "$dir"
: >"$dir/make.log"
run 1 doctor
says "could not build"
mkdir -p "$root/lib/modules/6.1.0-57-amd64/updates/dkms"
: >"$root/lib/modules/6.1.0-57-amd64/updates/dkms/audit_fastpath.ko.xz"
problems "not loaded" loaded
run 1 doctor
says "modprobe audit_fastpath"
mkdir -p "$root/sys/module/module/parameters" "$root/sys/kernel/security"
echo "none [integrity] confidentiality" >"$root/sys/kernel/security/lockdown"
problems "lockdown" "loaded signature"
run 1 doctor
says "mokutil --import /var/lib/dkms/mok.pub"
says "Key was rejected by service"
echo "[none] integrity confidentiality" >"$root/sys/kernel/security/lockdown"
mkdir -p "$root/sys/firmware/efi/efivars"
boot=$root/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c
printf '\006\000\000\000\001' >"$boot"
problems "Secure Boot" "loaded signature"
printf '\006\000\000\000\000' >"$boot"
problems "Secure Boot that is off" "loaded"
echo Y >"$root/sys/module/module/parameters/sig_enforce"
problems "signatures" "loaded signature"
echo N >"$root/sys/module/module/parameters/sig_enforce"
echo 1 >"$root/proc/sys/kernel/modules_disabled"
problems "modules are disabled" "loaded modules_disabled"
echo 0 >"$root/proc/sys/kernel/modules_disabled"
echo 0 >"$root/proc/sys/kernel/ftrace_enabled"
problems "ftrace is off" "loaded ftrace_enabled"
echo 1 >"$root/proc/sys/kernel/ftrace_enabled"
echo "quiet audit_fastpath.enable=0 audit=0" >"$root/proc/cmdline"
problems "the kernel's command line" "loaded enable audit"
echo "quiet audit_fastpath.enable=01 audit=01" >"$root/proc/cmdline"
rm "$root/proc/modules"
problems "a container" "loaded modules"
: >"$root/proc/modules"
echo 5.4.0 >"$root/proc/sys/kernel/osrelease"
problems "an old kernel" "loaded kernel headers"
echo 6.1.0-57-amd64 >"$root/proc/sys/kernel/osrelease"

# The module is loaded.

sys=$root/sys/kernel/audit_fastpath
parameters=$root/sys/module/audit_fastpath/parameters
mkdir -p "$sys/stats" "$sys/policy" "$sys/accounting" "$sys/selfcheck" "$parameters"
sed -n 's/^#define AFP_VERSION "\(.*\)"/\1/p' include/audit_fastpath/version.h \
	>"$root/sys/module/audit_fastpath/version"
put() {
	echo "$2" >"$1"
}
put "$sys/state" active
put "$sys/reason" "calls are decided"
put "$sys/backend" direct
put "$sys/holders" ""
put "$sys/stats/calls" 1000
put "$sys/stats/skipped" 900
put "$sys/stats/walked" 100
put "$sys/stats/walked_rule" 90
put "$sys/stats/walked_state" 10
for name in abi number limit policy forced trees check; do
	put "$sys/stats/walked_$name" 0
done
put "$sys/policy/rules" 34
put "$sys/policy/syscalls_total" 346
put "$sys/policy/syscalls_skippable" 303
put "$sys/policy/syscalls_skippable_user" 301
put "$sys/accounting/kernel_rules" 34
put "$sys/accounting/actual_rules" 34
put "$sys/selfcheck/checked" 5
put "$sys/selfcheck/mismatches" 0
put "$parameters/level" filter
put "$parameters/idle" keep
run 0
says "1000 seen, 900 skipped (90.0 %), 100 walked"
says "walked for: rule 90, state 10"
says "of 346 system calls skips 303 for a daemon, 301 for a user"
says "level=filter idle=keep"
silent WARNING
is "no colour in a file" "" "$(grep -c "$(printf '\033')" "$tmp/out" | grep -v '^0$')"
json 0 status
is "numbers" "900 90 303" \
	"$(of 'o["stats"]["skipped"], o["stats"]["walked_rule"], o["policy"]["syscalls_skippable"]' | tr -d '(),')"
is "doctor: all is well" "" "$(findings 0 | tail -n 1)"
json 0 version
run 0 level
is "level" filter "$(cat "$tmp/out")"
json 0 level
run 0 level off
is "level was written" off "$(head -c 3 "$parameters/level")"
chmod 444 "$parameters/level"
run 0 stats
says "1000 calls, 900 skipped (90.00 %), 100 walked"
says "90 walked for: rule"
json 0 stats
is "since it was loaded" None "$(of 'o["seconds"]')"
json 0 stats 0.1 3
is "as many reports as were asked for" 3 "$(wc -l <"$tmp/out")"
is "of which the later have what came since" 0 \
	"$(tail -n 1 "$tmp/out" | /usr/bin/python3 -c 'import json; print(json.load(open(0))["calls"])')"
run 0 stats 0.1 2
says "calls/s"
run 1 stats --syscalls
says "debugfs"
mkdir -p "$root/sys/kernel/debug/audit_fastpath"
printf 'abi\tnr\tseen\tskipped\twalked\treason\nnative\t39\t10\t10\t0\t-\nnative\t257\t9\t2\t7\trule\ncompat\t39\t1\t0\t1\trule\nother\t-1\t1\t0\t1\tnumber\n' \
	>"$root/sys/kernel/debug/audit_fastpath/syscalls"
run 0 stats --syscalls
is "what walks most comes first" openat "$(sed -n '2s/ .*//p' "$tmp/out")"
says mkdir
json 0 stats --syscalls
is "names" "openat (others) mkdir getpid" "$(of '" ".join(c["name"] for c in o["syscalls"])')"

run 0 stats --prometheus "$tmp/metrics"
is "metrics" "audit_fastpath_skipped_total 900" "$(grep '^audit_fastpath_skipped' "$tmp/metrics")"
is "by reason" 'audit_fastpath_walked_total{reason="rule"} 90' \
	"$(grep 'reason="rule"' "$tmp/metrics")"
is "the state" 'audit_fastpath_state{state="active"} 1' \
	"$(grep '^audit_fastpath_state.* 1$' "$tmp/metrics")"
is "each has its help and its type" "" "$(grep -v '^#' "$tmp/metrics" | sed 's/[{ ].*//' | sort -u |
	while read -r name; do
		grep -q "^# TYPE $name " "$tmp/metrics" && grep -q "^# HELP $name " "$tmp/metrics" ||
			echo "$name"
	done)"
is "others may read it" 644 "$(stat -c %a "$tmp/metrics")"
is "nothing is left beside it" 1 "$(find "$tmp" -maxdepth 1 -name 'metrics*' | wc -l)"
run 1 stats --prometheus "$tmp/no/metrics"
says "cannot be written"
"$tool" stats --prometheus - >"$tmp/stdout"
is "on standard output the same" "" "$(diff "$tmp/metrics" "$tmp/stdout")"

put "$root/sys/module/audit_fastpath/version" 0.0.9
is "doctor: another version is loaded" version "$(findings 1 | tail -n 1)"
run 0 version
says "another version"
put "$sys/state" passive
put "$sys/reason" "the symbol audit_filter_list is missing"
run 4
says "WARNING: the module is passive: the symbol audit_filter_list is missing"
json 4 status
json 4 stats
run 4 level
is "doctor: passive" "state version" "$(findings 1 | tail -n 1)"
put "$sys/state" tripped
run 4 status
says "WARNING: the module is tripped"
is "doctor: tripped" "state version" "$(findings 1 | tail -n 1)"
unset AUDIT_FASTPATH_ROOT

# Output that cannot be written.
if [ -e /dev/full ]; then
	"$tool" explain "$tmp/some.rules" >/dev/full 2>"$tmp/err"
	is "a full disk is an error" 1 $?
fi

# As many as the tables of Debian's kernels have; tests/vm/run KERNEL tool asks those.
if [ "$(uname -m)" = x86_64 ]; then
	for each in 5.10=336 6.1=346 6.12=358 7.3=369; do
		run 0 check --kernel "${each%=*}" "$tmp/some.rules"
		says "of ${each#*=} system calls"
	done
fi

# The manual and the completions know each option and command, and no other.
options() {
	grep -oE -- '--[a-z][-a-z]*' | sort -u | tr '\n' ' '
}
# completed WORD...: what bash offers for the last word
completed() {
	# shellcheck disable=SC2016 # for the inner shell
	bash --norc -c '. tools/completions/audit-fastpath.bash || exit
		COMP_WORDS=(audit-fastpath "$@") COMP_CWORD=$#
		_audit_fastpath && printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}
mandoc -T ascii tools/audit-fastpath.8 | sed 's/.\x08//g' >"$tmp/man"
commands=$("$tool" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
is "seven commands" 7 "$(echo "$commands" | wc -l)"
is "completed: commands" "$commands" "$(completed '' | grep -v -- ^-)"
for command in $commands; do
	options=$("$tool" "$command" --help | sed 's/|--loaded/ --loaded/' | options)
	is "completed: options of $command" "$options" "$(completed "$command" - | options)"
	is "manual: $command" 1 "$(grep -cE "^     audit-fastpath \[?$command\]?" "$tmp/man" | sed 's/^[1-9]$/1/')"
	for option in $options; do
		grep -q -- "$option" "$tmp/man" || fail "manual: $option of $command"
		grep -q -- "$option" tools/completions/_audit-fastpath ||
			fail "zsh: $option of $command"
	done
done
is "manual: no option that is none" "" "$(options <"$tmp/man" | tr ' ' '\n' | while read -r option; do
	case $option in
	''|--version) continue ;;
	esac
	for command in $commands; do "$tool" "$command" --help; done | grep -q -- "$option" || echo "$option"
done)"
is "completed: levels" "off verify filter collect entry" "$(completed level '' |
	grep -v -- ^- | tr '\n' ' ' | sed 's/ $//')"
is "completed: conditions" "warnings" "$(completed check --fail-on w)"
is "completed: after =" "root=" "$(completed check --fail-on = r)"
is "completed: files" tools/schema.json "$(completed check tools/schema.js)"
ids=$(grep -oE 'warn\(a, "[a-z_-]+"' tools/audit-fastpath/analysis.c | cut -d'"' -f2 | sort -u)
for id in $ids; do
	grep -q "^ *$id" "$tmp/man" || fail "manual: warning $id"
done

echo "1..$count"
echo "tool: $passed passed, $failed failed"
[ $failed = 0 ]
