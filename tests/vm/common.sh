# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# What the scripts of tests/ on the host's side share. Sourced with $top set
# to the top of the tree.

: "${top:?}"
# shellcheck disable=SC2034 # for who sources this
build=$top/build

# So that what a script does at its exit is done then, too.
trap 'exit 130' INT
trap 'exit 143' TERM

# The kernels to test on, each with the Debian suite it comes from. A suite
# of the form RELEASE-backports brings kernel and headers into a RELEASE.
# Adding one here is all it takes.
AFP_KERNELS="5.10 6.1 6.12 7.3"
# Those that tests/vm/build-kernel makes from a release's linux-source, with
# tests/vm/config/: the name is BASE-CONFIG. Only runs that name them use them.
AFP_BUILT_KERNELS="6.12-noaudit 6.12-kasan 6.12-kcsan"
# Those of them that look for mistakes in the module, for tests/sanitize.
# shellcheck disable=SC2034 # for who sources this
AFP_SANITIZERS="6.12-kasan 6.12-kcsan"
# What only tests/run -a runs: a kernel between two of the above, and other flavours of
# the same release's packages, KERNEL-rt, KERNEL-generic and KERNEL-arm64. Any kernel above
# can be named in that way, the last from 6.12 on.
AFP_MORE_KERNELS="7.2 6.12-rt 6.12-generic 6.12-arm64 7.3-arm64"
suite_of() {
	case $1 in
	*-rt | *-generic | *-arm64) suite_of "${1%-*}" ;;
	*-*) is_built "$1" && suite_of "${1%%-*}" ;;
	5.10) echo bullseye ;;
	6.1) echo bookworm ;;
	6.12) echo trixie ;;
	7.2 | 7.3) echo trixie-backports ;;
	*) return 1 ;;
	esac
}

# is_built KERNEL: is it one of AFP_BUILT_KERNELS?
is_built() {
	case " $AFP_BUILT_KERNELS " in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
}

say() {
	echo "${0##*/}: $*" >&2
}

die() {
	say "$*"
	exit 1
}

usage() {
	sed -n '/^# usage:/,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

# clean_env COMMAND...: run it with a plain locale and little else, but through the proxy
# that apt is to use
clean_env() {
	set -- LC_ALL=C HOME=/root DEBIAN_FRONTEND=noninteractive \
		PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
	[ -z "${https_proxy-}" ] || set -- "https_proxy=$https_proxy" "$@"
	[ -z "${http_proxy-}" ] || set -- "http_proxy=$http_proxy" "$@"
	as_root env -i "$@"
}

# in_root DIR COMMAND...: run a command inside a chroot, its locale plain
in_root() {
	afp_dir=$1
	shift
	clean_env chroot "$afp_dir" "$@"
}

# in_root_proc DIR COMMAND...: the same, with /proc mounted for the command
# alone, where mounting is allowed
in_root_proc() {
	if ! as_root unshare -m true 2>/dev/null; then
		in_root "$@"
		return
	fi
	# shellcheck disable=SC2016 # for the inner shell
	clean_env unshare -m sh -c 'mount -t proc proc "$1/proc" && exec chroot "$@"' sh "$@"
}

# slowness KERNEL: how many times as long as on a stock kernel things may take
slowness() {
	case $1 in
	*-kasan) echo 8 ;;
	*-kcsan) echo 4 ;;
	*-arm64) echo 3 ;;
	*) echo 1 ;;
	esac
}

# kernel_of KERNEL: the one that it is a flavour of, or itself
kernel_of() {
	case $1 in
	*-rt | *-generic | *-arm64) echo "${1%-*}" ;;
	*) echo "$1" ;;
	esac
}

# arch_of KERNEL: Debian's name of its architecture
arch_of() {
	case $1 in
	*-arm64) echo arm64 ;;
	*) echo amd64 ;;
	esac
}

# cross_of KERNEL: what names of the compiler's programs begin with, in its kit
cross_of() {
	case $1 in
	*-arm64) echo aarch64-linux-gnu- ;;
	*) echo ;;
	esac
}

# kernel_in KERNEL LIST: is it, or what it is a flavour of, in there?
kernel_in() {
	case " $2 " in
	*" $1 "* | *" $(kernel_of "$1") "*) ;;
	*) return 1 ;;
	esac
}

kernel_known() {
	suite_of "$1" >/dev/null ||
		die "no test kernel '$1'; there are: $AFP_KERNELS" \
			"$AFP_MORE_KERNELS $AFP_BUILT_KERNELS"
}

# make_kits KERNEL...: all at a time; what is under way is not left alone, nor
# deaf to an interrupt
make_kits() {
	afp_makers=
	for afp_kernel; do
		env --default-signal=INT "$top/tests/vm/kit" "$afp_kernel" \
			>/dev/null &
		afp_makers="$afp_makers $!"
	done
	afp_missing=0
	for afp_maker in $afp_makers; do
		wait "$afp_maker" || afp_missing=1
	done
	return $afp_missing
}

# scenario_needs FILE NAME: what the scenario of this name says it needs, as
# assignments; the lines for one name come last
scenario_needs() {
	sed -n 's/^# run: //p' "$1"
	sed -n "s/^# run $2: //p" "$1"
}
