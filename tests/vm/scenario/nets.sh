# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=120 debug=yes kernels="6.12-kasan"
# run: expect="circular locking dependency|BUG: sleeping function called from invalid context at .*provoke.c|unreferenced object .*size 20000|KASAN: slab-use-after-free in afp_plant"
#
# The sanitizers see what they are there for: a mistake of each kind, made on purpose
# by the module, is reported. tests/vm/run looks for the reports, and that there is no
# other. The last is the one after which lockdep is off.

plant() {
	echo "$1" >/sys/module/audit_fastpath/parameters/plant
}

ok "the module loads" load_module
for mistake in lock sleep leak free; do
	ok "a mistake is made: $mistake" plant $mistake
done
ok "the module unloads" unload_module
