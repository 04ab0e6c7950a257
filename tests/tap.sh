#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What the tests in shell share, sourced from the root of the tree: $program, and answers in the Test
# Anything Protocol. They set $output: what a command prints is left there, and its complaints in
# $output.err. With $about set, all names begin with it.
set -u
# shellcheck disable=SC2034 # for those that source this
program=$(realpath -m "${SANDBOXEVAL:-${BUILD:-build}/sandboxeval}")
about=
n=0
failed=0

# Without what a whole file needs it is skipped, and under CI, where nothing may be missing, it fails.
skip_all() {
	[ "${CI:-}" = true ] && { echo "Bail out! $1"; exit 1; }
	echo "1..0 # SKIP $1"
	exit 0
}
need_program() {
	[ -x "$program" ] || skip_all "$program is not built"
}
# ok STATUS NAME
ok() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $about$2"
	else
		failed=1
		echo "not ok $n - $about$2"
		details | sed 's/^/# /'
	fi
}
# What is shown of a failure.
details() {
	[ -z "${output:-}" ] || tail -n 20 "$output" "$output.err" 2>/dev/null
}
# skip NAME WHY
skip() {
	n=$((n + 1))
	if [ "${CI:-}" = true ]; then
		failed=1
		echo "not ok $n - $about$1: $2"
	else
		echo "ok $n - # SKIP $about$1: $2"
	fi
}
# ends STATUS NAME ARGUMENT...: of the program
ends() {
	expected=$1
	name=$2
	shift 2
	"$program" "$@" >"$output" 2>"$output.err" </dev/null
	status=$?
	[ "$status" -eq "$expected" ]
	ok $? "$name: ends with $expected (got $status)"
}
says() {
	grep -qF -- "$1" "$output"
	ok $? "says: $1"
}
complains() {
	grep -qF -- "$1" "$output.err"
	ok $? "complains: $1"
}
finish() {
	echo "1..$n"
	exit $failed
}
