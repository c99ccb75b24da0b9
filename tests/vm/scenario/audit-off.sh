# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=1 timeout=300 append="audit=0" test="7.3"
#
# The kernel is booted with audit=0. Its lists of rules are not even set up, and
# there is no way to load a rule: the module hooks nothing and says so.

refuses "there is no audit" auditctl -a always,exit -S fchmodat
traces >/tmp/before
ok "it loads" load_module
is "it is passive" passive "$(sysfs state)"
ok "it says why: $(sysfs reason)" \
	grep -q '^the kernel was booted with audit=0' "$SYSFS/reason"
is "nothing is hooked" 0 "$(hooked)"
is "nothing is decided" 0 "$(sysfs stats/calls)"
for level in off verify entry filter; do
	ok "level $level" sh -c \
		"echo $level >/sys/module/audit_fastpath/parameters/level"
done
is "nothing is decided after that" 0 "$(sysfs stats/calls)"
ok "it unloads" unload_module
traces >/tmp/after
same "nothing is left" /tmp/before /tmp/after
