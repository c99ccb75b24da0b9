#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# usage: tests/unit/audit_bench.sh [PROGRAM]
#
# Test tools/audit_bench on this machine: what it prints, what it refuses and
# what it leaves behind. Not what the numbers are: nothing here may depend on
# how busy the machine is. Without PROGRAM the tree's own is built.
# Prints KTAP and, as the last line, "audit_bench: N passed, N failed".
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)

bench=${1-}
if [ -z "$bench" ]; then
	make -s -C "$top/tools" || exit 1
	bench=$top/build/tools/audit_bench
fi
case $bench in
/*) ;;
*) bench=$PWD/$bench ;;
esac
[ -x "$bench" ] || {
	echo "$0: no program $bench; make -C tools builds it" >&2
	exit 2
}

tmp=$(mktemp -d)
child=
cleanup() {
	[ -z "$child" ] || kill -KILL "$child" 2>/dev/null
	rm -rf "$tmp"
}
trap cleanup EXIT
trap 'exit 143' INT TERM HUP
mkdir "$tmp/dir"
export TMPDIR="$tmp/dir"

count=0 passed=0 failed=0 skipped=0

pass() {
	count=$((count + 1)) passed=$((passed + 1))
	echo "ok $count - $1"
}

fail() {
	count=$((count + 1)) failed=$((failed + 1))
	echo "not ok $count - $1"
	[ -z "${2-}" ] || echo "$2" | sed 's/^/#   /'
}

skip() {
	count=$((count + 1)) skipped=$((skipped + 1))
	echo "ok $count - $1 # SKIP $2"
}

# ok DESC COMMAND...
ok() {
	desc=$1
	shift
	if "$@"; then pass "$desc"; else fail "$desc" "'$*' is not so"; fi
}

# is DESC WANTED GOT
is() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "wanted '$2', got '$3'"
	fi
}

# run ARG...: run the program; $status, $tmp/out and $tmp/err
run() {
	status=0
	"$bench" "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
}

lines() {
	wc -l <"$1" | tr -d ' '
}

# succeeds DESC ARG...: exit 0, something on stdout, nothing on stderr
succeeds() {
	desc=$1
	shift
	run "$@"
	if [ $status = 0 ] && [ -s "$tmp/out" ] && [ ! -s "$tmp/err" ]; then
		pass "$desc"
	else
		fail "$desc" "exit $status: $(cat "$tmp/err")"
	fi
}

# refuses STATUS WORD ARG...: that exit status, nothing on stdout, one line
# with WORD in it on stderr
refuses() {
	want=$1
	word=$2
	shift 2
	run "$@"
	if [ $status = "$want" ] && [ ! -s "$tmp/out" ] &&
			[ "$(lines "$tmp/err")" = 1 ] &&
			grep -qF -- "$word" "$tmp/err" &&
			grep -q '^audit_bench: ' "$tmp/err"; then
		pass "exit $want: $*"
	else
		fail "exit $want: $*" \
			"exit $status, stdout '$(cat "$tmp/out")', stderr '$(cat "$tmp/err")'"
	fi
}

no_files() {
	[ -z "$(ls -A "$tmp/dir")" ]
}

# at TMPDIR COMMAND...: with another TMPDIR
at() {
	TMPDIR=$1
	shift
	"$@"
	TMPDIR=$tmp/dir
}

# Wait until the program has made its directory.
files_made() {
	tries=0
	while [ $tries -lt 600 ] && no_files; do
		tries=$((tries + 1))
		sleep 0.05
	done
	! no_files
}

echo "KTAP version 1"

# -- what it says about itself
succeeds "--help" --help
ok "--help says how to call it" grep -q '^Usage: audit_bench ' "$tmp/out"
# shellcheck disable=SC2013 # words
for option in $(sed -n 's/^.*\(--[a-z-]*\) .*$/\1/p' "$tmp/out" | sort -u); do
	name=${option#--}
	ok "the manual page has $option" grep -q "^\.It.* Fl -$name\( \|\$\)" \
		"$top/tools/audit_bench.8"
done
succeeds "--version" --version
is "--version is that of the project" \
	"audit_bench $(sed -n 's/^#define AFP_VERSION "\(.*\)"/\1/p' \
		"$top/include/audit_fastpath/version.h")" "$(cat "$tmp/out")"
succeeds "--list" --list
cp "$tmp/out" "$tmp/list"
succeeds "--list --quiet" --list --quiet
cp "$tmp/out" "$tmp/names"
is "both lists have the same names" "$(cut -d' ' -f1 "$tmp/list")" \
	"$(cat "$tmp/names")"
for name in getpid getuid read write stat statx uname open openat-rdwr \
		enoent chmod connect connect-unix fork execve; do
	ok "$name is listed" grep -qx "$name" "$tmp/names"
done

ok "connect is one on loopback" grep -q '^connect  .* 127\.0\.0\.1$' "$tmp/list"
ok "connect-unix is local" grep -q '^connect-unix .*AF_UNIX' "$tmp/list"

# -- what it measures
while read -r name; do
	run -q -n 2 -l 2 -s "$name"
	if [ $status = 0 ] && [ ! -s "$tmp/err" ] && [ "$(lines "$tmp/out")" = 1 ] &&
			grep -qE "^$name [0-9]+\.[0-9][0-9]\$" "$tmp/out"; then
		pass "$name runs"
	else
		fail "$name runs" "exit $status: $(cat "$tmp/out" "$tmp/err")"
	fi
done <"$tmp/names"
ok "no file is left by any of them" no_files

succeeds "a table, calibrated" -s getpid -s read,stat -n 5 -t 1
is "the table has a row for each" "getpid read stat " \
	"$(sed '1,/^syscall /d' "$tmp/out" | awk '{ printf "%s ", $1 }')"
# shellcheck disable=SC2016 # an awk program
ok "minimum, median, maximum and MAD are in order" awk '
	/^(getpid|read|stat) / {
		rows++
		if (!($2 > 0 && $2 <= $3 && $3 <= $4 && $5 <= $4 - $2 + 0.02))
			bad = 1
	}
	END { exit bad || rows != 3 }' "$tmp/out"
run -q -n 1 -l 2 -s read,getpid -s read
is "a name given twice is measured once, in the order given" "read getpid " \
	"$(awk '{ printf "%s ", $1 }' "$tmp/out")"
run -q -n 1 -l 2 -s all
is "all is all" "$(cat "$tmp/names")" "$(cut -d' ' -f1 "$tmp/out")"
run -q -n 1 -t 1
is "getpid is the default" getpid "$(cut -d' ' -f1 "$tmp/out")"
is "--min-only is --quiet" 1 \
	"$("$bench" --min-only -n 1 -l 9 | grep -cE '^getpid [0-9.]+$')"
# A parent that ignores SIGCHLD hands that on.
is "fork works with SIGCHLD ignored" 0 \
	"$(trap '' CHLD; "$bench" -q -n 1 -l 2 -s fork >/dev/null 2>&1; echo $?)"
if command -v strace >/dev/null && strace -o "$tmp/trace" true 2>/dev/null; then
	strace -o "$tmp/trace" "$bench" -q -n 3 -l 1000 >/dev/null 2>&1
	# 3 samples, a warm-up, and a few of the program's own
	ok "each iteration is a real syscall" \
		test "$(grep -c '^getpid()' "$tmp/trace")" -ge 4000
	strace -o "$tmp/trace" "$bench" -q -n 1 -l 100 -s connect >/dev/null 2>&1
	ok "connect is AF_INET" test "$(grep -c \
		'^connect(.*AF_INET.*127\.0\.0\.1.*) = 0' "$tmp/trace")" -ge 200
else
	skip "each iteration is a real syscall" "no strace, or it may not trace"
	skip "connect is AF_INET" "no strace, or it may not trace"
fi

# -- JSON and comparison
succeeds "--json" --json -n 3 -l 10 -s getpid,open
cp "$tmp/out" "$tmp/base.json"
cpu=$(sed -n 's/^  "cpu": \([0-9]*\),$/\1/p' "$tmp/base.json")
if command -v python3 >/dev/null; then
	ok "python reads the JSON" \
		python3 -m json.tool "$tmp/base.json" "$tmp/pretty.json"
	succeeds "--compare reads the JSON when python wrote it anew" \
		-q -n 1 -l 10 --compare "$tmp/pretty.json"
else
	ok "the JSON begins and ends" \
		test "$(sed -n '1p;$p' "$tmp/base.json" | tr -d '\n')" = "{}"
	skip "--compare reads the JSON when python wrote it anew" "no python3"
fi
for key in '"schema_version": 1' '"tool": "audit_bench"' '"kernel": "' \
		'"cycles_source": "' '"samples": 3' '"syscall": "open", "loop": 10' \
		'"ns": { "min": '; do
	ok "the JSON has $key" grep -qF "$key" "$tmp/base.json"
done
succeeds "--compare" --compare "$tmp/base.json" -n 3 -l 10
is "it measures what the file has" "getpid open " \
	"$(sed '1,/^syscall /d' "$tmp/out" | awk '{ printf "%s ", $1 }')"
# shellcheck disable=SC2016 # an awk program
ok "it prints a ratio for each" awk '
	/^(getpid|open) / { rows += $NF > 0 }
	END { exit rows != 2 }' "$tmp/out"
succeeds "--compare with a syscall that the file lacks" \
	-q --compare "$tmp/base.json" -n 1 -l 10 -s getpid,read
ok "the one has a ratio" grep -qE '^getpid [0-9.]+ [0-9.]+$' "$tmp/out"
ok "the other has none" grep -qE '^read [0-9.]+ -$' "$tmp/out"
succeeds "--compare --json" -j -C "$tmp/base.json" -n 1 -l 10
ok "the JSON has the ratio" grep -q '"min_ratio": [0-9.]*,' "$tmp/out"
sed 's/"min": [0-9.]*/"min": 1/g' "$tmp/base.json" >"$tmp/fast.json"
succeeds "--compare ends with 0 when everything got slower" \
	-C "$tmp/fast.json" -n 1 -l 10

refuses 1 "$tmp/none.json" -C "$tmp/none.json"
refuses 1 "$tmp/dir" -C "$tmp/dir"
refuses 1 "too large" -C /dev/zero
: >"$tmp/bad.json"
refuses 1 "$tmp/bad.json" -C "$tmp/bad.json"
head -c 300 "$tmp/base.json" >"$tmp/bad.json"
refuses 1 "$tmp/bad.json" -C "$tmp/bad.json"
{ cat "$tmp/base.json"; echo '}'; } >"$tmp/bad.json"
refuses 1 "line " -C "$tmp/bad.json"
sed 's/"schema_version": 1/"schema_version": 2/' "$tmp/base.json" >"$tmp/bad.json"
refuses 1 "schema version 2" -C "$tmp/bad.json"
sed 's/"tool": "audit_bench"/"tool": "other"/' "$tmp/base.json" >"$tmp/bad.json"
refuses 1 "other" -C "$tmp/bad.json"
sed '/schema_version/d' "$tmp/base.json" >"$tmp/bad.json"
refuses 1 "schema_version" -C "$tmp/bad.json"
sed 's/"min": [0-9.]*/"min": "x"/' "$tmp/base.json" >"$tmp/bad.json"
refuses 1 "line " -C "$tmp/bad.json"
sed 's/"min": [0-9.]*/"min": -1/' "$tmp/base.json" >"$tmp/bad.json"
refuses 1 "line " -C "$tmp/bad.json"
sed 's/"results": \[/"results": [],\n"was": [/' "$tmp/base.json" >"$tmp/bad.json"
refuses 1 "no results" -C "$tmp/bad.json"
echo '{"a":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[' >"$tmp/bad.json"
refuses 1 "line 1" -C "$tmp/bad.json"
echo "{}" >"$tmp/bad.json"
refuses 1 "$tmp/bad.json" -C "$tmp/bad.json"
refuses 1 "none of the syscalls" -C "$tmp/base.json" -s read

# -- nonsense
refuses 2 "'nosuch'" -s nosuch
refuses 2 "'nosuch'" -s getpid,nosuch
refuses 2 "''" -s ""
refuses 2 "''" -s getpid,
refuses 2 "''" -s ,getpid
refuses 2 "'getpi'" -s getpi
refuses 2 "'getpidx'" -s getpidx
refuses 2 "'GETPID'" -s GETPID
for bad in 0 -1 +1 "" " 1" "1 " 1x x 1.5 0x10 1e3 100001 99999999999999999999; do
	refuses 2 "'$bad'" --samples "$bad"
done
for bad in 0 -1 "" 10ms 1.5 60001; do
	refuses 2 "'$bad'" --time "$bad"
done
for bad in 0 -1 "" 10x 1000000001; do
	refuses 2 "'$bad'" --loop "$bad"
done
for bad in -1 "" 0x x 65536 99999999999999999999; do
	refuses 2 "'$bad'" --cpu "$bad"
done
refuses 2 "no such CPU" --cpu 65535
refuses 2 "'extra'" extra
refuses 2 "'extra'" -q extra -s getpid
refuses 2 "'extra'" -- extra
refuses 2 "'--nosuch'" --nosuch
refuses 2 "'-x'" -x
refuses 2 "'--json=yes'" --json=yes
refuses 2 "'--samples'" --samples
refuses 2 "'-s'" -s
refuses 2 "--quiet" --json --quiet
refuses 2 "--time" --loop 5 --time 5
refuses 2 "--list" --list --samples 5
refuses 2 "--list" --json --list
ok "no file is left by what was refused" no_files

# -- failures
is "a full disk is a failure" 1 \
	"$("$bench" -q -n 1 -l 1 >/dev/full 2>/dev/null; echo $?)"
at "$tmp/none" refuses 1 "TMPDIR" -q -n 1 -l 1 -s stat
at "$tmp/base.json" refuses 1 "TMPDIR" -q -n 1 -l 1 -s stat
at "$(printf '%05000d' 0)" refuses 1 "TMPDIR" -q -n 1 -l 1 -s stat
at "$tmp/none" succeeds "what needs no file needs no TMPDIR" \
	-q -n 1 -l 1 -s getpid,connect,connect-unix
(cd "$tmp" && TMPDIR=dir "$bench" -q -n 1 -l 1 -s stat,execve >"$tmp/out")
is "TMPDIR may be relative" 2 "$(lines "$tmp/out")"
ok "no file is left after a failure" no_files

# -- signals
# signalled SIGNAL STATUS SYSCALL: run, wait for the files, send, look
signalled() {
	# nohup(1) around the tests is nothing to them.
	env --default-signal="$1" "$bench" -q -n 5 -t 60000 -s "$3" \
		>/dev/null 2>&1 &
	child=$!
	ok "$3 makes a directory" files_made
	kill -"$1" $child
	status=0
	wait $child 2>/dev/null || status=$?
	child=
	is "$3 dies of SIG$1" "$2" $status
	ok "$3 leaves no file on SIG$1" no_files
}
signalled TERM 143 stat
signalled TERM 143 rename
signalled HUP 129 mkdir
signalled TERM 143 create,fork
(trap '' HUP; exec "$bench" -q -n 3 -t 300 -s stat) >"$tmp/out" 2>&1 &
child=$!
files_made
kill -HUP $child
wait $child
is "an ignored signal stays ignored" "0 1" "$? $(lines "$tmp/out")"
child=

# -- on a given CPU
if [ -n "$cpu" ]; then
	run -j -n 1 -l 1 --cpu "$cpu"
	ok "--cpu $cpu runs there" grep -q "\"cpu\": $cpu," "$tmp/out"
else
	fail "the JSON says the CPU"
fi

echo "1..$count"
note=
[ $skipped = 0 ] || note=", $skipped skipped"
echo "audit_bench: $passed passed, $failed failed$note"
[ $failed = 0 ]
