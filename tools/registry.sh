#!/bin/sh
# SPDX-License-Identifier: MIT
#
# registry.sh KIND OUT: writes the table of all scenarios, sandboxes, reports or policies, one row
# per source file in the folder. The path gives category, id and symbol, so that nothing is listed
# by hand, and a misnamed record stops the link. OUT keeps its time stamp when nothing changed.
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.."

kind=$1
out=$2
mkdir -p "$(dirname "$out")"
temporary=$out.new
trap 'rm -f "$temporary" "$temporary.rows"' EXIT

# From paths to "rank category id path symbol", sorted. The paper's categories come first and in
# its order; of the sandboxes, those that are none come last. By way of a file, because a pipe
# would hide a failure and leave an empty table.
rows() {
	printf '%s\n' "$@" | awk '
		BEGIN {
			n = split("system directory metadata structure content permission " \
				"network danger", paper, " ")
			for (i = 1; i <= n; i++)
				rank["scenarios", paper[i]] = i
			rank["sandboxes", "none"] = "z1"
			rank["sandboxes", "command"] = "z2"
		}
		/\*/ { next } # the pattern itself: an empty folder
		{
			n = split($0, part, "/")
			name = substr(part[n], 1, length(part[n]) - 2)
			symbol = part[1] == "scenarios" ? part[2] "_" name : name
			key = part[1] == "scenarios" ? part[2] : name
			kind = part[1] == "scenarios" ? part[1] : part[2]
			place = kind == "scenarios" ? "9" key : "a"
			if ((kind, key) in rank)
				place = rank[kind, key]
			category = part[n - 1]
			gsub(/_/, "-", category)
			gsub(/_/, "-", name)
			gsub(/-/, "_", symbol)
			print place, category, name, $0, symbol
		}' >"$temporary.rows"
	sort -o "$temporary.rows" "$temporary.rows"
}

head='/* Written by tools/registry.sh from the names in the folder: do not edit. */'

# The last row keeps the table from being empty, which C does not allow.
scenarios() {
	rows scenarios/*/*.c
	awk -v head="$head" '
		BEGIN { print head "\n#include \"scenarios/registry.h\"\n" }
		{
			print "extern const struct scenario scenario_" $5 ";"
			table = table sprintf("\tROW(\"%s\", \"%s.%s\", \"%s\", &scenario_%s),\n",
				$2, $2, $3, $4, $5)
		}
		END {
			print "\n#ifdef COMPACT_RECORDS"
			print "#define ROW(category, id, source, record) { category, id, record }"
			print "#else"
			print "#define ROW(...) { __VA_ARGS__ }"
			print "#endif"
			print "\nconst struct scenario_row scenario_registry[] = {"
			print table "\t{ .id = NULL },\n};"
			print "const unsigned scenario_registry_count = " NR ";"
		}' "$temporary.rows"
}

# Folder below host/, and the name of the type of its records.
host_table() {
	rows host/"$1"/*.c
	awk -v head="$head" -v plural="$1" -v type="$2" '
		BEGIN { print head "\n#include \"host/" type ".h\"\n\n#include <stddef.h>\n" }
		{
			print "extern const struct " type " " type "_" $5 ";"
			table = table sprintf("\t{ \"%s\", &%s_%s },\n", $4, type, $5)
		}
		END {
			print "\nconst struct " type "_row " plural "[] = {"
			print table "\t{ NULL, NULL },\n};"
		}' "$temporary.rows"
}

# A policy is data: its whole text becomes a string of the program.
policies() {
	echo "$head"
	printf '#include "host/policy.h"\n\n#include <stddef.h>\n\n'
	echo 'const struct policy_text policy_texts[] = {'
	for file in host/policies/*.yaml; do
		[ -e "$file" ] || continue
		name=$(basename "$file" .yaml)
		printf '\t{ "%s",\n' "$name"
		sed 's/[\\"]/\\&/g; s/.*/\t  "&\\n"/' "$file"
		printf '\t},\n'
	done
	printf '\t{ NULL, NULL },\n};\n'
}

case $kind in
scenarios) scenarios ;;
sandboxes) host_table sandboxes sandbox ;;
reports) host_table reports report ;;
policies) policies ;;
*)
	echo "registry.sh: no such kind: $kind" >&2
	exit 64
	;;
esac >"$temporary"
cmp -s "$temporary" "$out" || mv "$temporary" "$out"
