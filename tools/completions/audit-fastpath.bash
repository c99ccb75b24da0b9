# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Completion of audit-fastpath(8) for bash; loaded by bash-completion.

_audit_fastpath_words()
{
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_audit_fastpath_files()
{
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
	compopt -o filenames 2>/dev/null || true
}

_audit_fastpath()
{
	local commands="status check explain stats doctor level version"
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local command="" i

	for ((i = 1; i < COMP_CWORD; i++)); do
		case " $commands " in
		*" ${COMP_WORDS[i]} "*)
			command=${COMP_WORDS[i]}
			break
			;;
		esac
	done
	# "--option=" comes as three words.
	[[ $word != "=" ]] || word=
	[[ $before != "=" ]] || before=${COMP_WORDS[COMP_CWORD - 2]}
	case $before in
	--kernel)
		_audit_fastpath_words "5.10 6.1 6.12 7.2 7.3 $(uname -r)" "$word"
		return
		;;
	--fail-on)
		_audit_fastpath_words "warnings limit daemon= root= user= admin=" "$word"
		return
		;;
	--syscall)
		_audit_fastpath_words "$(ausyscall --dump 2>/dev/null |
			while read -r number name; do
				[[ $number != [0-9]* ]] || echo "$name"
			done)" "$word"
		return
		;;
	--prometheus)
		_audit_fastpath_files "$word"
		return
		;;
	esac
	case $command in
	"")
		_audit_fastpath_words "$commands --json --help --version" "$word"
		;;
	check)
		if [[ $word == -* ]]; then
			_audit_fastpath_words "--ignore --loaded --kernel --syscall --all
				--fail-on --json --help" "$word"
		else
			_audit_fastpath_files "$word"
		fi
		;;
	explain)
		if [[ $word == -* ]]; then
			_audit_fastpath_words "--ignore --loaded --kernel --json --help" "$word"
		else
			_audit_fastpath_files "$word"
		fi
		;;
	stats)
		_audit_fastpath_words "--syscalls --prometheus --json --help" "$word"
		;;
	level)
		_audit_fastpath_words "off verify filter collect entry --json --help" "$word"
		;;
	*)
		_audit_fastpath_words "--json --help" "$word"
		;;
	esac
} && complete -F _audit_fastpath audit-fastpath
