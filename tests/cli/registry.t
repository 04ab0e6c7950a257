#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The folder is the registry: what a new, a deleted, a hidden and a misnamed file do to the table.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
root=$PWD
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/tools" "$tree/scenarios/system" "$tree/scenarios/danger" "$tree/scenarios/clock" \
	"$tree/host/sandboxes"
cp "$root/tools/registry.sh" "$tree/tools/"

write() {
	"$tree/tools/registry.sh" "$1" "$tree/$1.c"
}
# The values between the first pair of quotes with a dot in them: ids, one a line.
ids() {
	sed -n 's/^\tROW("[a-z-]*", "\([^"]*\)".*/\1/p' "$tree/scenarios.c" | tr '\n' ' '
}

touch "$tree/scenarios/danger/kill_all.c" "$tree/scenarios/danger/kill.c" \
	"$tree/scenarios/clock/set.c" "$tree/scenarios/system/cpu.c" \
	"$tree/scenarios/system/.#cpu.c" "$tree/scenarios/system/.cpu.c"
write scenarios
[ "$(ids)" = "system.cpu danger.kill danger.kill-all clock.set " ]
ok $? "the paper's categories come first, ids are sorted, hidden files are left out"
grep -q 'scenario_registry_count = 4;' "$tree/scenarios.c"
ok $? "the count is the number of files"
grep -q '"scenarios/danger/kill_all.c", &scenario_danger_kill_all)' "$tree/scenarios.c"
ok $? "source and symbol come from the path"

touch -d @1 "$tree/scenarios.c"
write scenarios
[ "$(stat -c %Y "$tree/scenarios.c")" = 1 ]
ok $? "an unchanged table keeps its time stamp"

rm "$tree/scenarios/danger/kill.c"
write scenarios
[ "$(ids)" = "system.cpu danger.kill-all clock.set " ]
ok $? "a deleted file is dropped"

cp "$root/tools/new-scenario.sh" "$tree/tools/"
"$tree/tools/new-scenario.sh" system/disk >"$tree/said" 2>&1
! grep -q "new category" "$tree/said" && [ -e "$tree/scenarios/system/disk.c" ]
ok $? "a new scenario of a category that is there"
"$tree/tools/new-scenario.sh" sytem/disk >"$tree/said" 2>&1
grep -q "makes a new category, 'sytem'; those that there are: clock danger system" "$tree/said"
ok $? "a new category is told, with those that there are"

touch "$tree/host/sandboxes/none.c" "$tree/host/sandboxes/command.c" "$tree/host/sandboxes/runc.c"
write sandboxes
[ "$(sed -n 's/.*&\(sandbox_[a-z]*\).*/\1/p' "$tree/sandboxes.c" | tr '\n' ' ')" = \
	"sandbox_runc sandbox_none sandbox_command " ]
ok $? "the sandboxes that are none come last"

mkdir -p "$tree/host/policies"
printf 'a: "b"\nc: \\d\n' >"$tree/host/policies/mine.yaml"
echo '# 2' >"$tree/host/policies/other.yaml"
write policies
printf '#include <stdio.h>\nint main(void){for(int i=0;policy_texts[i].name;i++)printf("%%s:%%s",
	policy_texts[i].name,policy_texts[i].text);}\n' >"$tree/main.c"
mkdir -p "$tree/include/host"
echo 'struct policy_text { const char *name, *text; };' >"$tree/include/host/policy.h"
"${CC:-cc}" -I"$tree/include" -include "$tree/policies.c" -o "$tree/main" "$tree/main.c" &&
	[ "$("$tree/main")" = "$(printf 'mine:a: "b"\nc: \\d\nother:# 2')" ]
ok $? "a policy's text is in the program as it is in its file"

write nonsense 2>/dev/null
[ $? -eq 64 ] && [ ! -e "$tree/nonsense.c" ]
ok $? "an unknown kind is a misuse and writes nothing"

finish
