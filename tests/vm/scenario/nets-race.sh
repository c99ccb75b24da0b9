# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=120 debug=yes kernels="6.12-kcsan"
# run: expect="BUG: KCSAN: data-race in afp_plant_race"
#
# KCSAN sees what it is there for: two tasks write a variable of the module.

plant() {
	while [ ! -e /tmp/seen ]; do
		echo race >/sys/module/audit_fastpath/parameters/plant
	done
}

seen() {
	dmesg | grep -q "KCSAN: data-race in afp_plant_race"
}

ok "the module loads" load_module
races_start
plant &
plant &
wait_for "the race is seen" 60 seen
: >/tmp/seen
wait
races_stop
ok "the module unloads" unload_module
