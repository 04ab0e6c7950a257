#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The rules of the tree that no compiler knows.
#
#   lint.sh includes               who may include whom, and read which tables
#   lint.sh headers COMPILER ...   each header compiles alone
#   lint.sh size FILE LIMIT        the probe stays small
set -eu
cd "$(dirname "$0")/.."

bad=0
fault() {
	echo "lint: $*" >&2
	bad=1
}

# forbid FOLDER PATTERN WHY: no source file below the folder includes what the pattern says.
forbid() {
	if found=$(grep -rnE --include='*.[chS]' "^[[:space:]]*#[[:space:]]*include[[:space:]]*$2" "$1"); then
		fault "$3:"
		echo "$found" >&2
	fi
}

includes() {
	forbid probe '"(\.\./)*host/' 'what runs inside never includes what runs outside'
	forbid host '"(\.\./)*(probe|scenarios)/' 'what runs outside never includes what runs inside'
	forbid base '"(\.\./)*(host|probe|scenarios|tools)/' 'base/ includes only base/'
	for file in scenarios/*/*.c scenarios/*/*.h; do
		[ -e "$file" ] || continue
		if found=$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$file" |
			grep -v '"scenarios/scenario.h"'); then
			fault "$file: a scenario includes scenarios/scenario.h and system headers: $found"
		fi
		# What names such a table keeps it in the probe a second time.
		if found=$(grep -nE '(^|[^.>a-z_])(asks|cases)\[[a-zA-Z0-9]' "$file" |
			grep -vE '(question|case_def) (asks|cases)'); then
			fault "$file: the tables are packed: question_of() and case_of() read them: $found"
		fi
	done
	for folder in scenarios probe host base tools; do
		forbid "$folder" '"\.\.?/' 'includes are relative to the root of the tree'
	done
}

headers() {
	for header in base/*.h scenarios/*.h probe/*.h host/*.h host/*/*.h; do
		[ -e "$header" ] || continue
		"$@" -x c -fsyntax-only -include "$header" /dev/null ||
			fault "$header: it does not compile alone"
		grep -q '^#pragma once' "$header" || fault "$header: no #pragma once"
	done
}

size() {
	bytes=$(stat -c %s "$1")
	if [ "$bytes" -gt "$2" ]; then
		fault "$1: $bytes bytes, the limit is $2"
	fi
}

rule=$1
shift
case $rule in
includes) includes ;;
headers) headers "$@" ;;
size) size "$@" ;;
*)
	echo "lint.sh: no such rule: $rule" >&2
	exit 64
	;;
esac
exit $bad
