#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The folder is the registry: in a copy of the tree, CONTRIBUTING's example adds a scenario by one
# file, another file a launcher, and everything that lists them has them.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
build=${BUILD:-build}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
MAKEFLAGS=
export MAKEFLAGS

# has NAME FILE PATTERN
has() {
	grep -q -- "$3" "$2"
	ok $? "$1"
}

# Every file but what was built; then what was built, so that only the new is compiled.
tar c --exclude=./build --exclude=./.git --exclude="./$build" . | tar x -C "$copy"
mkdir -p "$copy/build"
for part in probe host native gen uapi man completion tests sources; do
	[ -e "$build/$part" ] && cp -a "$build/$part" "$copy/build/"
done
cp -a "$build/sandboxeval" "$build/sandboxeval-probe" "$copy/build/"
cd "$copy" || exit 1

# The example as the page has it: the block between the C fences.
# shellcheck disable=SC2016 # the fences of the page
sed -n '/^```c$/,/^```$/p' CONTRIBUTING.md | sed '1d;$d' >scenarios/system/uptime.c
sed 's/sandbox_none/sandbox_nothing/; s/\.name = "none"/.name = "nothing"/' \
	host/sandboxes/none.c >host/sandboxes/nothing.c
make BUILD=build all docs >said 2>&1
ok $? "two new files build, with no other edit"
sed 's/^/# /' said | grep -E '(error|warning):'

build/sandboxeval list >listed
has "the scenario is in list" listed '^system.uptime '
build/sandboxeval explain system.uptime >explained
has "it is explained" explained 'The age of the kernel tells'
has "it is in the page" docs/scenarios.md '### system.uptime: Read how long'
has "it is in the man page" build/man/sandboxeval-scenarios.7 'system.uptime'
has "completion offers it" build/completion/sandboxeval 'system.uptime'
has "its fixtures are in the test matrix" build/tests/matrix.tsv '^system.uptime	observe	B	S(sysinfo)	seccomp'
build/sandboxeval-probe --only system.uptime >tried
has "the probe tries it" tried '"id":"system.uptime","status":"accessed"'
build/sandboxeval run nothing --no-history --only system.uptime --report json=report.json >/dev/null
ok $? "the new launcher runs it"
has "the report is the launcher's" report.json '"name": *"nothing"'
build/sandboxeval sandboxes >launchers
has "the launcher is in sandboxes" launchers '^nothing '
has "completion offers the launcher" build/completion/sandboxeval '[" ]nothing[" ]'

# And gone again with its file.
rm scenarios/system/uptime.c host/sandboxes/nothing.c
make BUILD=build all >said 2>&1
ok $? "without the files it builds, too"
build/sandboxeval list | grep -q system.uptime
[ $? -eq 1 ]
ok $? "and the scenario is gone"

finish
