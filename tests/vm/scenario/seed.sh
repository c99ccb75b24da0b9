# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: icount=yes cpus=1 timeout=600
# The measurement that this project began with: what getpid() costs while
# rules on another syscall are loaded, and after the last rule has vanished
# with its directory. First the stock kernel, then the module, then without
# it again. The figures are instructions per loop, the smallest of many
# samples.
#
# A stock kernel that lost a rule with its directory counts that rule until
# the next boot, or until the module is loaded. So one boot shows one such loss: that of a watched file, or
# with afp.seed=tree on the kernel's command line that of a watched tree.
# tests/bench/seed boots twice and prints both.

loss=$(option seed watch)

# Short enough to lie between two timer ticks with 256 rules on any kernel.
getpid_cost() {
	wait_until 30 queue_empty || say "the audit queue does not drain"
	audit_bench -q -s getpid -c 0 -n 41 -l 500 | cut -d' ' -f2
}

queue_empty() {
	auditctl -s | grep -q '^backlog 0$'
}

# rules N: have N rules on another syscall, no two alike, and no others. A
# file descriptor of 1000 and more is none of this VM's: they never match.
rules() {
	rules_clear
	i=0
	while [ $i -lt "$1" ]; do
		echo "-a always,exit -F arch=b64 -S statx -F a0=$((1000 + i))"
		i=$((i + 1))
	done >/tmp/seed.rules
	[ "$1" = 0 ] || auditctl -R /tmp/seed.rules >/dev/null
	[ "$(rules_count)" = "$1" ] || fail "$1 rules are loaded" "$(auditctl -l)"
}

no_rules() {
	[ "$(rules_count)" = 0 ]
}

# lose: load one rule and remove the directory under it
lose() {
	# A state of before says nothing about what follows.
	rm -f /tmp/seed.repaired
	if module_loaded; then
		sysfs accounting/repaired >/tmp/seed.repaired
	fi
	mkdir /tmp/seed.dir
	case $loss in
	watch) auditctl -w /tmp/seed.dir/file -p wa ;;
	tree) auditctl -a always,exit -F arch=b64 -S all -F dir=/tmp/seed.dir \
		-F perm=wa ;;
	esac
	is "$1: one rule is loaded" 1 "$(rules_count)"
	rmdir /tmp/seed.dir
	wait_for "$1: the kernel removes it with its directory" 30 no_rules
}

# followed: the module knows the rules that are loaded, and has proved its
# layout if there are any. The polling makes the calls that this takes. With
# no rule nothing is hooked, and after a loss the count is repaired.
followed() {
	if ! no_rules; then
		sysfs_is state active &&
			sysfs_is policy/rules "$(rules_count)"
	else
		sysfs_is state idle && sysfs_is backend none || return 1
		[ ! -e /tmp/seed.repaired ] ||
			! sysfs_is accounting/repaired "$(cat /tmp/seed.repaired)"
	fi
}

# measure STATE ROW: note the cost
measure() {
	if module_loaded && ! wait_until 10 followed; then
		fail "$1, $2: the module follows the rules" \
			"$(rules_count) rules, the module knows of \
$(sysfs policy/rules); $(sysfs state): $(sysfs reason)"
	fi
	cost=$(getpid_cost)
	case $cost in
	[1-9]*.[0-9]*) ;;
	*) fail "$1, $2: a cost is measured" "'$cost'" ;;
	esac
	echo "$2 $cost" >>"/tmp/seed.$1"
}

# measure_rules STATE ROW...: a row is a number of rules
measure_rules() {
	state=$1
	shift
	for row; do
		rules "$row"
		measure "$state" "$row"
	done
	rules_clear
}

cost_of() {
	sed -n "s/^$2 //p" "/tmp/seed.$1" 2>/dev/null | tail -n 1
}

# holds A OP B: with fractions, and false when one of them is missing
holds() {
	[ -n "$1" ] && [ -n "$3" ] &&
		[ "$(awk "BEGIN { print (($1) $2 ($3)) }")" = 1 ]
}

# apart A B: how far from each other
apart() {
	holds "$1" '>' 0 && holds "$2" '>' 0 &&
		awk "BEGIN { d = $1 - $2; print(d < 0 ? -d : d) }"
}

# spread STATE: greatest cost with rules over the smallest
spread() {
	awk '$1 ~ /^[1-9]/ { if (!min || $2 < min) min = $2; if ($2 > max) max = $2 }
		END { if (min) printf "%.4f\n", max / min }' "/tmp/seed.$1"
}

row() {
	none=$(cost_of stock 0)
	printf '%-36s' "$2"
	for state in stock loaded unloaded; do
		cost=$(cost_of "$state" "$1")
		if [ -n "$cost" ]; then
			awk "BEGIN { printf \" %8.1f %6.2fx\", $cost,
				$cost / $none }"
		else
			printf ' %8s %7s' - ''
		fi
	done
	echo
}

table() {
	printf '%-36s %8s %7s %8s %7s %8s\n' "getpid, instructions" \
		stock '' module '' "after rmmod"
	row 0 "no rules"
	if [ "$loss" = watch ]; then
		row 1 "1 unrelated rule"
		row 32 "32 unrelated rules"
		row 128 "128 unrelated rules"
		row 256 "256 unrelated rules"
		row deleted "none left: auditctl -D"
		row lost "none left: watched directory removed"
		row again "the same while the module is loaded"
	else
		row lost "none left: watched tree removed"
		row again "the same while the module is loaded"
	fi
}

# -- the stock kernel
auditctl -b 8192 -r 0 -f 1 >/dev/null
measure_rules stock 0
if [ "$loss" = watch ]; then
	measure_rules stock 1 32 128 256
	measure stock deleted
	ok "stock: each rule costs: 32 more than 1" \
		holds "$(cost_of stock 32)" '>' "$(cost_of stock 1)"
	ok "stock: each rule costs: 256 more than 128" \
		holds "$(cost_of stock 256)" '>' "$(cost_of stock 128)"
fi

# -- the module, and the kernel without it again
if [ -e "$MODULE" ]; then
	ok "the module loads" load_module
	measure_rules loaded 0
	if [ "$loss" = watch ]; then
		measure_rules loaded 1 32 128 256
		measure loaded deleted
	fi
	ok "the module unloads" unload_module
	measure_rules unloaded 0
	if [ "$loss" = watch ]; then
		measure_rules unloaded 1 32 128 256
		measure unloaded deleted
	fi
else
	skip "with the module" "there is no $MODULE"
fi

# -- the loss: a module that is loaded afterwards finds what it left behind,
# a loaded one sees another happen
lose stock
measure stock lost
if [ -e "$MODULE" ]; then
	ok "the module loads after the loss" load_module
	measure loaded lost
	lose loaded
	measure loaded again
	ok "the module unloads after the loss" unload_module
	measure unloaded lost
fi

table | sed 's, *$,,' >/tmp/seed.table
while IFS= read -r line; do
	say "$line"
done </tmp/seed.table

# -- what the module promises
# promise DESC A OP B
promise() {
	if [ -e "$MODULE" ]; then
		ok "$1" holds "$2" "$3" "$4"
	else
		skip "$1" "there is no $MODULE"
	fi
}

none=$(cost_of stock 0)
if [ "$loss" = watch ]; then
	promise "1 to 256 rules cost the same: max/min <= 1.01" \
		"$(spread loaded)" '<=' 1.01
	promise "256 rules: at most 1.60 x no rules" \
		"$(cost_of loaded 256)" '<=' "1.60 * $none"
	for row in 0 1 32 128 256; do
		promise "$row rules after rmmod: the cost of before within 1" \
			"$(apart "$(cost_of unloaded $row)" \
				"$(cost_of stock $row)")" '<=' 1
	done
fi
for row in lost again; do
	promise "a rule lost with its directory costs nothing: row $row" \
		"$(apart "$(cost_of loaded $row)" "$none")" '<=' 1
done
