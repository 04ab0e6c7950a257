#!/bin/sh
# SPDX-License-Identifier: MIT
#
# registry.sh KIND OUT: writes the table of all scenarios, sandboxes or reports, one row per
# source file in the folder. The path gives category, id and symbol, so that nothing is listed by
# hand, and a misnamed record stops the link. OUT keeps its time stamp when nothing changed.
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.."

kind=$1
out=$2

# "rank<TAB>id<TAB>path" of every file in the folder, sorted. The paper's categories come first;
# of the sandboxes, those that are none come last.
rows() {
	for path in "$@"; do
		[ -e "$path" ] || continue # the pattern itself: an empty folder
		name=${path##*/}
		name=${name%.c}
		folder=${path%/*}
		folder=${folder##*/}
		case $folder/$name in
		system/*) rank=0 ;;
		directory/*) rank=1 ;;
		metadata/*) rank=2 ;;
		structure/*) rank=3 ;;
		content/*) rank=4 ;;
		permission/*) rank=5 ;;
		network/*) rank=6 ;;
		danger/*) rank=7 ;;
		sandboxes/none) rank=8 ;;
		sandboxes/command) rank=9 ;;
		sandboxes/* | reports/*) rank=1 ;;
		*) rank="9$folder" ;;
		esac
		printf '%s\t%s\t%s\n' "$rank" "$(printf %s "$name" | tr _ -)" "$path"
	done | sort
}

symbol() {
	printf %s "${1%.c}" | sed 's|^scenarios/|scenario_|; s|^host/sandboxes/|sandbox_|
		s|^host/reports/|report_|; s|[/-]|_|g'
}

scenarios() {
	printf '#include "scenarios/registry.h"\n\n'
	rows scenarios/*/*.c >"$temporary.rows"
	while read -r _ id path; do
		printf 'extern const struct scenario %s;\n' "$(symbol "$path")"
	done <"$temporary.rows"
	printf '\nconst struct scenario_row scenario_registry[] = {\n'
	while read -r _ id path; do
		category=${path#scenarios/}
		category=${category%%/*}
		shown=$(printf %s "$category" | tr _ -)
		printf '\t{ "%s", "%s.%s", "%s", &%s },\n' \
			"$shown" "$shown" "$id" "$path" "$(symbol "$path")"
	done <"$temporary.rows"
	# The last row keeps the table from being empty, which C does not allow.
	printf '\t{ NULL, NULL, NULL, NULL },\n};\n'
	printf 'const unsigned scenario_registry_count =\n'
	printf '\tsizeof scenario_registry / sizeof *scenario_registry - 1;\n'
}

# Folder below host/, and the name of the type of its records.
host_table() {
	printf '#include "host/%s.h"\n\n#include <stddef.h>\n\n' "$2"
	rows "host/$1"/*.c >"$temporary.rows"
	while read -r _ _ path; do
		printf 'extern const struct %s %s;\n' "$2" "$(symbol "$path")"
	done <"$temporary.rows"
	printf '\nconst struct %s_row %s[] = {\n' "$2" "$1"
	while read -r _ _ path; do
		printf '\t{ "%s", &%s },\n' "$path" "$(symbol "$path")"
	done <"$temporary.rows"
	printf '\t{ NULL, NULL },\n};\n'
}

mkdir -p "$(dirname "$out")"
temporary=$out.new
trap 'rm -f "$temporary" "$temporary.rows"' EXIT
{
	printf '/* Written by tools/registry.sh from the names in the folder: do not edit. */\n'
	case $kind in
	scenarios) scenarios ;;
	sandboxes) host_table sandboxes sandbox ;;
	reports) host_table reports report ;;
	*)
		echo "registry.sh: no such kind: $kind" >&2
		exit 64
		;;
	esac
} >"$temporary"
cmp -s "$temporary" "$out" || mv "$temporary" "$out"
