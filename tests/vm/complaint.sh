# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# What a kernel says when something is wrong. Sourced by tests/vm/run and by the
# guest's lib.sh, so that both look for the same.

# The sanitizers' own words are here also where BUG: or WARNING: stands before them.
COMPLAINT='BUG:|WARNING:|Oops|Kernel panic|general protection|rcu.*detected.*stall'
COMPLAINT="$COMPLAINT|KASAN:|KCSAN:|UBSAN:|ODEBUG:|unreferenced object"
COMPLAINT="$COMPLAINT|INFO: (task|trying|possible|inconsistent)"
COMPLAINT="$COMPLAINT|possible (recursive|circular|irq) lock|inconsistent lock state"
COMPLAINT="$COMPLAINT|suspicious RCU usage|function called from invalid context"

# complaints FILE EXPECTED: the lines in a log with a complaint that is none of those
# in the file EXPECTED, a regular expression in each line. Of two accesses that race
# one has to be the module's: the kernel has races of its own, and knows of them.
complaints() {
	awk '
	/====================$/ {
		if (ours || !race) printf "%s", text
		text = ""
		race = ours = 0
	}
	{ text = text $0 "\n" }
	/BUG: KCSAN:/ { race = 1 }
	/\[audit_fastpath\]/ { ours = 1 }
	END { if (ours || !race) printf "%s", text }' "$1" |
		grep -E "$COMPLAINT" | grep -vE -f "$2"
}
