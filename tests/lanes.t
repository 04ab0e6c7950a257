#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The build in its other forms: every make target that judges the code is one test.
cd "$(dirname "$0")/.." || exit 1

n=0
failed=0
lane() {
	n=$((n + 1))
	if output=$(make --no-print-directory -j"$(nproc)" "$@" 2>&1); then
		echo "ok $n - make $*"
	else
		failed=1
		echo "not ok $n - make $*"
		printf '%s\n' "$output" | tail -40 | sed 's/^/# /'
	fi
}

echo 1..6
lane lint
lane sanitize
lane analyze
lane tidy
lane clang
lane BUILD=build/glibc PROBE_CC=cc WERROR=1 all
exit $failed
