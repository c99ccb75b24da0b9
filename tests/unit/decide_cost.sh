#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# usage: tests/unit/decide_cost.sh
#
# What a decision costs, in instructions, counted by callgrind: at most 60 if
# no rule has to be looked at, and at most 25 more for each that has to be and
# fails at its first test. KTAP.

set -eu
cd "$(dirname "$0")/../.."

out=build/unit
flags="-std=gnu11 -O2 -g -I include -I tests/unit -I tools/audit-fastpath"
n=0
bad=0

tests/vm/need valgrind
mkdir -p "$out"
# shellcheck disable=SC2086 # a list of words
"${CC:-gcc}" $flags tests/unit/decide_cost.c tools/audit-fastpath/classes.c \
	tools/audit-fastpath/classes_compat.c module/policy/compile.c \
	module/policy/decide.c -o "$out/decide_cost"

# cost CASE COUNT: instructions of one afp_decide() under so many rules
cost() {
	rm -f "$out/callgrind"
	valgrind --tool=callgrind --toggle-collect=afp_decide \
		--callgrind-out-file="$out/callgrind" \
		"$out/decide_cost" "$1" "$2" >"$out/callgrind.log" 2>&1 || {
		cat "$out/callgrind.log" >&2
		return 1
	}
	sed -n 's/^summary: //p' "$out/callgrind"
}

# verdict GOOD TEXT
verdict() {
	n=$((n + 1))
	if [ "$1" = 1 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		bad=$((bad + 1))
	fi
}

# at_most LIMIT CASE COUNT TEXT
at_most() {
	got=$(cost "$2" "$3")
	verdict $((${got:-9999} > 0 && ${got:-9999} <= $1)) \
		"$4: $got instructions, at most $1"
}

# per_rule LIMIT CASE TEXT: by 8 and by 72 rules; without a limit only told
per_rule() {
	few=$(cost "$2" 8)
	many=$(cost "$2" 72)
	each=$(awk "BEGIN { printf \"%.1f\", ($many - $few) / 64 }")
	if [ "$1" = - ]; then
		echo "# $3: $each instructions for each rule, $few for 8"
	else
		verdict "$(awk "BEGIN { print ($few > 0 && $each <= $1) }")" \
			"$3: $each instructions for each rule, at most $1"
	fi
}

echo "KTAP version 1"
at_most 60 unnamed 0 "no rules"
at_most 60 unnamed 1000 "1000 rules on other numbers"
at_most 60 unnamed-b32 1000 "1000 rules on other numbers, 32-bit call"
at_most 60 class 100 "100 rules for tasks with an auid"
at_most 60 mode 100 "100 rules for opens to write"
per_rule 25 equal-masks "a uid, equal masks"
per_rule 25 other-masks "a uid, different masks"
per_rule 25 group "a gid"
per_rule 25 directory "a directory, different masks"
per_rule 25 watch "a watch, different masks"
per_rule - equal-masks-2 "a uid is the second test"
per_rule - equal-masks-3 "a uid is the third test"
per_rule - other-masks-2 "a uid is the second test, different masks"
per_rule - group-masks "a gid, different masks"
per_rule - group-32 "a gid, 32 supplementary groups"
echo "1..$n"
[ "$bad" = 0 ]
