# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=300 append="audit=0" test="none"
#
# The kernel is booted with audit=0: there is nothing to do, and no way to give
# the module something to do.

refuses "there is no audit" auditctl -a always,exit -S chmod
traces >/tmp/before
ok "it loads" load_module
is "it is idle" idle "$(sysfs state)"
is "it says why" "no rule that the kernel counts" "$(sysfs reason)"
is "nothing is decided" 0 "$(sysfs stats/calls)"
for level in off verify entry filter; do
	ok "level $level" sh -c \
		"echo $level >/sys/module/audit_fastpath/parameters/level"
done
is "nothing is decided after that" 0 "$(sysfs stats/calls)"
ok "it unloads" unload_module
traces >/tmp/after
same "nothing is left" /tmp/before /tmp/after
