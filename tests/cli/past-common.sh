# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034
#
# What tests of runs and of their history share: a throw-away home, the account that bubblewrap is
# started by. Sourced from the root of the tree.
# shellcheck source=tests/tap.sh
. tests/tap.sh
need_program
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Where every account may read it: the tree may stand in somebody's home.
cp "$program" "$folder/sandboxeval"
program=$folder/sandboxeval
chmod 0755 "$folder" "$program"
mkdir "$folder/home" "$folder/tmp"
chmod 0777 "$folder/home" "$folder/tmp"
export HOME="$folder/home" TMPDIR="$folder/tmp" XDG_DATA_HOME="$folder/home/data"
history=$XDG_DATA_HOME/sandboxeval/history.db
output=$folder/output

# Root starts bubblewrap as somebody else: root's sandbox is another one.
as_user() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
	else
		"$@"
	fi
}

# Nothing that a terminal would obey, and nothing that reorders text.
is_inert() {
	! cat "$output" "$output.err" | LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xaa-\xae]'
	ok $? "$1: inert"
}
# is_valid NAME WHAT: $output is as docs/schemas/NAME.schema.json says
is_valid() {
	if ! python3 -c 'import jsonschema' 2>/dev/null; then
		skip "$2: as its schema says" "python3-jsonschema is missing"
		return
	fi
	python3 - "docs/schemas/$1.schema.json" "$output" >>"$output.err" 2>&1 <<-'EOF'
		import json, sys
		from jsonschema import Draft202012Validator
		schema, value = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
		Draft202012Validator.check_schema(schema)
		Draft202012Validator(schema).validate(value)
	EOF
	ok $? "$2: as its schema says"
}
# sql STATEMENT...: in the history, by another reader than ours
sql() {
	python3 - "$history" "$@" <<-'EOF'
		import sqlite3, sys
		base = sqlite3.connect(sys.argv[1])
		for statement in sys.argv[2:]:
		    for row in base.execute(statement):
		        print(*row)
		base.commit()
	EOF
}
