#!/bin/sh
# SPDX-License-Identifier: MIT
#
# docs/gallery.md and its cut in README.md: written between marks, and nothing else of a page is
# touched; a cell says what the report says; what cannot be started is said, and is no column.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
need_program
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
output=$folder/output
: >"$output"
mkdir "$folder/reports"

"$program" run none --no-history --only system.cpu,system.users,content.read -q \
	--report "json=$folder/none.json" >"$output" 2>&1 </dev/null
jq '.account = "root"' "$folder/none.json" >"$folder/reports/none-plain.json"
# The same run as an engine's: one thing denied, one unknown, and one engine that did not start.
jq '.sandbox.name = "bwrap" | (.results[] | select(.id == "system.cpu")) |=
	(.status = "denied" | .barriers = ["seccomp", "dac"]) | (.results[] | select(.id == "system.users")) |=
	(.status = "unknown" | .reason = "timed-out")' "$folder/reports/none-plain.json" \
	>"$folder/reports/bwrap-plain.json"
jq '.results |= map(.status = "unknown")' "$folder/reports/none-plain.json" >"$folder/reports/lxc-plain.json"
cat >"$folder/page" <<'END'
before | as it was
<!-- gallery: table -->
old
<!-- gallery end -->
between
<!-- gallery: standing -->
<!-- gallery end -->
<!-- gallery: short -->
<!-- gallery end -->
<!-- gallery: lines -->
<!-- gallery end -->
<!-- gallery: machine -->
<!-- gallery end -->
after
END
render() {
	python3 tools/gallery_page.py --reports "$folder/reports" "$folder/page" >"$output" 2>&1
}
render
ok $? 'a page is written'
cp "$folder/page" "$folder/once"
render && cmp -s "$folder/page" "$folder/once"
ok $? 'again, and it is the same'
cp "$folder/page" "$output"
for line in 'before | as it was' between after '| | no sandbox | bubblewrap |' \
	'| system.cpu | **open** | seccomp +1 |' '- **LXC**: by default could not be started here.'; do
	grep -qxF -- "$line" "$folder/page"
	ok $? "says: $line"
done
grep -q '^| system.users | .* | ? |$' "$folder/page"
ok $? 'what is unknown is no denial'
grep -qx old "$folder/page"
[ $? -eq 1 ]
ok $? 'the old table is gone'
for file in host/sandboxes/*.c; do
	name=$(basename "$file" .c)
	[ "$name" != command ] || continue
	grep -q "\"$name\"" tools/gallery_page.py && grep -q "$name-plain" tools/gallery.sh
	ok $? "$name has its place in the gallery"
done
for page in docs/gallery.md README.md; do
	[ "$(grep -c '<!-- gallery: ' $page)" -eq "$(grep -c '<!-- gallery end -->' $page)" ]
	ok $? "$page has its marks"
done
finish
