# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: icount=yes cpus=1 timeout=600 test="6.1 7.3"
#
# The main job: what tools/demo shows. Lines "cost ROW CALL INSTRUCTIONS" are
# its data.

CALLS=getpid,read,write,stat,open

quiet() {
	auditctl -s | grep -q '^backlog 0$'
}

# row NAME DESC: measure each call
row() {
	say "measuring: $2"
	wait_until 60 quiet
	audit_bench --quiet --loop 200 --samples 21 --syscall $CALLS |
		while read -r call cost; do
			say "cost $1 $call $cost"
			echo "$cost" >"/tmp/$1.$call"
		done
}

rules_clear
row none "no rules"
rules_load /rules/30-stig.rules
say "rules $(rules_count)"
row stock "STIG rules, stock kernel"
ok "the module loads" load_module
wait_for "it becomes active" 30 active
row module "STIG rules, with the module"
say "skippable $(sysfs policy/syscalls_skippable)" \
	"$(sysfs policy/syscalls_total)"
ok "it unloads" unload_module
row after "STIG rules, module unloaded"
# To the instruction; open allocates, and where its memory comes from varies.
for call in $(echo $CALLS | tr , ' '); do
	# shellcheck disable=SC2016 # for awk
	ok "$call costs after rmmod what it did before" \
		awk -v call="$call" '
		{ cost[NR] = $1 }
		END {
			d = cost[2] - cost[1]
			exit !(d <= (call == "open" ? cost[1] / 100 : 1))
		}' "/tmp/stock.$call" "/tmp/after.$call"
done
