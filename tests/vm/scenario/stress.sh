# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# run: cpus=2 timeout=1800 manual=yes
#
# For tests/vm/verify, which brings stress-ng: its system calls, as root and as
# a user, under rules that ask for some of them, each decision compared with
# what the kernel does.

# Those that ask the kernel for many different things; what a version does not
# have, or this kernel does not allow, is left out.
STRESSORS="access affinity chdir chmod chown clock clone close context dentry
dir dirdeep dup epoll eventfd exec fault fcntl fiemap flock fork fpunch fstat
get getdent getrandom handle inotify itimer kill lease link locka lockf mincore
mknod mlock mmap mprotect mq msg msync nanosleep null open personality pidfd
pipe poll prctl ptrace rename resources revio rlimit seal seccomp seek sem
sem-sysv sendfile session set shm shm-sysv sigpending sigq sigsuspend sock
sockfd sockmany sockpair splice symlink sysinfo sync-file tee timer timerfd
udp udp-flood unlink urandom userfaultfd utime vfork vm-splice wait xattr
yield zero"

# Records are made and thrown away: nobody is to wait for them.
auditctl -b 1024 -r 1 -f 0 --backlog_wait_time 0 >/dev/null
rules_clear
ok "rules" rules_load /rules/30-stig.rules /rules/all-fields.rules
auditctl -b 1024 -r 1 -f 0 --backlog_wait_time 0 >/dev/null
mkdir -p /st
mount -t tmpfs -o size=256m stress /st
chmod 1777 /st
ok "the module loads" load_module level=verify
wait_for "it is active" 60 sysfs_is state active
ran=0
for stressor in $STRESSORS; do
	for user in root user; do
		su $user -s /bin/sh -c "stress-ng --temp-path /st --quiet \
			--timeout 1 --$stressor 2" >/dev/null 2>&1 &&
			ran=$((ran + 1))
	done
	sysfs_is state active || break
done
ok "$ran runs of stressors" [ $ran -gt 100 ]
ok "$(sysfs selfcheck/checked) decisions were compared" \
	[ "$(sysfs selfcheck/checked)" -gt 200000 ]
is "no mismatch" 0 "$(sysfs selfcheck/mismatches)"
is "it is still active: $(sysfs reason)" active "$(sysfs state)"
rules_clear
ok "the module unloads" unload_module
