#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The build says what is missing instead of failing with a compiler's error, and the shell
# completion offers what the files in the folders offer.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
MAKEFLAGS=
export MAKEFLAGS

said=$(PKG_CONFIG_LIBDIR=$build make BUILD="$build" "$build/host/host/catalogue.o" 2>&1)
echo "$said" | grep -q 'missing libraries: .*jansson.*apt-get install .*libjansson-dev'
ok $? "missing libraries are named with their packages"

said=$(make BUILD="$build" PROBE_CC=no-such-musl-gcc "$build/probe/base/fnv.o" 2>&1)
echo "$said" | grep -q 'apt-get install musl-tools.*make PROBE_CC=cc'
ok $? "a missing musl-gcc is named with its package and the fallback"

make help | grep -q '^  unit  *build and run'
ok $? "make help lists the targets"

make BUILD="$build" -j2 "$build/completion/sandboxeval" >"$build/log" 2>&1
ok $? "the catalogue is printed without the probe's and the host's code"
said=$(make BUILD="$build" "$build/completion/sandboxeval" "$build/gen/catalogue.c" \
	"$build/gen/catalogue.c" 2>&1 && make BUILD="$build" "$build/completion/sandboxeval" 2>&1)
! echo "$said" | grep -qE 'CC|LINK|rror'
ok $? "a second make compiles nothing"

# What completion offers for a command line, given as the words.
offers() {
	bash -c 'source "$1"
		shift
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_sandboxeval sandboxeval
		echo " ${COMPREPLY[*]} "' bash "$build/completion/sandboxeval" "$@" 2>/dev/null
}
offers sandboxeval r | grep -q ' run '
ok $? "completion offers the commands"
offers sandboxeval run b | grep -q ' bwrap '
ok $? "completion offers the sandboxes"
offers sandboxeval explain system.loc | grep -q ' system.locale '
ok $? "completion offers the scenarios"
offers sandboxeval run bwrap --report j | grep -q ' json= '
ok $? "completion offers the report formats"

finish
