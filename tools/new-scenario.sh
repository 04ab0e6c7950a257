#!/bin/sh
# SPDX-License-Identifier: MIT
#
# new-scenario.sh category/name: writes the skeleton of a scenario. It compiles and says
# "unknown" until somebody fills it in; the build finds it by its place.
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.."

case ${1-} in
*/*/* | */ | /* | *[!a-z0-9_/-]* | '')
	echo "usage: make scenario NAME=category/name (lower case, digits, _ or -)" >&2
	exit 64
	;;
*/*) ;;
*)
	echo "usage: make scenario NAME=category/name" >&2
	exit 64
	;;
esac

path=$(printf %s "$1" | tr - _)
file=scenarios/$path.c
symbol=scenario_$(printf %s "$path" | tr / _)
if [ -e "$file" ]; then
	echo "$file is there already" >&2
	exit 1
fi

folder=$(dirname "$file")
if [ ! -d "$folder" ]; then
	echo "this makes a new category, '$(basename "$folder")'; those that there are:" \
		"$(basename -a scenarios/*/ | tr '\n' ' ')" >&2
	mkdir "$folder"
fi
cat >"$file" <<END
/* SPDX-License-Identifier: MIT */
/*
 * TODO: what is tried and why that is the honest way to find out, in three to eight lines.
 */
#include "scenarios/scenario.h"

static const char path[] = "/proc/version";

static void attempt(struct trial *trial)
{
	char text[256];
	struct attempt a = try_read(trial, path, text, sizeof(text));

	/* TODO: settle(trial, WHOLE, a, .path = path, .right = RIGHT_READ); */
	(void)a;
	settle_unknown(trial, WHOLE, REASON_UNSUPPORTED);
}

const struct scenario $symbol = {
	.about = ABOUT(
		.title = "TODO: a title in the imperative, without a full stop",
		.accessed = "Code in the sandbox can TODO.",
		.denied = "Code in the sandbox cannot TODO.",
		.why = "TODO: why it matters.",
		.see = "TODO",
		.open = "B",
		.closed = "B --tmpfs /proc"),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.fix = FIX(MASK),
	.attempt = attempt,
};
END
echo "wrote $file: fill in each TODO, then: make check"
