#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# usage: tests/unit/rules.sh
#
# Test the reader of rule files of tools/audit-fastpath, under sanitizers, with
# each compiler that is there.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
"$top/tests/vm/need" gcc libc6-dev libaudit-dev

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$top"
status=0
for cc in gcc clang; do
	command -v "$cc" >/dev/null || continue
	mkdir "$tmp/$cc"
	"$cc" -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror \
		-fsanitize=address,undefined -fno-sanitize-recover=undefined \
		-I tools/audit-fastpath tests/unit/rules.c \
		tools/audit-fastpath/rulefile.c -laudit -o "$tmp/rules.$cc"
	"$tmp/rules.$cc" "$tmp/$cc" || status=1
done
exit $status
