#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The command line of sandboxeval: help comes from one table, mistakes end with 64 and the word
# that was meant, output that cannot be written is an error, and a reader may leave early.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
need_program
output=$(mktemp)
trap 'rm -f "$output" "$output.err"' EXIT

ends 64 "no command"
complains "Usage: sandboxeval COMMAND"
ends 0 "--help" --help
says "Usage: sandboxeval COMMAND"
commands=$(sed -n 's/^  \([a-z]*\)  .*/\1/p' "$output")
for command in $commands; do
	ends 0 "$command --help" "$command" --help
	says "Usage: sandboxeval $command"
done
ends 0 "--version" --version
says "sandboxeval "
ends 64 "a mistyped command" lsit
complains "did you mean 'list'?"
ends 64 "a hostile command" "$(printf 'a\033[2Jb')"
complains 'a\x1b[2Jb'
ends 64 "an unknown option" list --nonsense
ends 64 "a level that is none" list --level all
ends 64 "an unknown category" list system.
complains "did you mean 'system"

ends 0 "list" list
first=$(awk 'NR == 1 { print $1 }' "$output")
! grep -vE '^[a-z-]+\.[a-z0-9-]+ +(info|low|medium|high|critical) +(observe|touch|act) +([0-9]+|-)  ' "$output"
ok $? "every line through a pipe is one scenario"
ends 0 "list --json" list --json
[ "$(jq -r '.[0].id' "$output")" = "$first" ]
ok $? "the JSON list begins with the same scenario"
ends 0 "list --level observe" list --level observe
! grep -qE ' (touch|act) ' "$output"
ok $? "only what the level attempts"

ends 0 "explain ID" explain "$first"
says "$first"
says "accessed"
ends 0 "explain BARRIER REASON" explain seccomp no-view
says "a system-call filter"
says "cannot be seen from inside"
ends 64 "explain an unknown word" explain seccmp
complains "did you mean 'seccomp'?"
ends 64 "explain nothing" explain
ends 0 "explain a category" explain content
says "content.read"
says "category of"
ends 64 "explain a mistyped category" explain contnet
complains "did you mean 'content'?"
ends 0 "explain a reason that has a way out" explain no-view
says "/sys/fs/cgroup"
ends 0 "a command's --version" run --version
says "sandboxeval "
"$program" --help | grep -q "130 interrupted"
ok $? "the help names each exit status"
# ---- the probe alone
probe=$(dirname "$(realpath "${SANDBOXEVAL:-${BUILD:-build}/sandboxeval}")")/sandboxeval-probe
if [ -x "$probe" ]; then
	for word in onyl --onyl; do
		"$probe" "$word" >"$output" 2>"$output.err"
		[ $? -eq 64 ]
		ok $? "the probe with $word"
		complains "did you mean '--only'?"
	done
	"$probe" elsewhere >"$output" 2>"$output.err"
	complains "unexpected argument 'elsewhere'"
	"$probe" --paper >"$output" 2>"$output.err"
	[ "$(grep -cE '^  (Accessed|Denied|Unknown) ' "$output")" -eq 51 ] &&
		grep -q '^51 of 51 scenarios tried' "$output"
	ok $? "the probe with --paper tries the paper's 51, and no more"
	"$probe" --only network.http --format text >"$output" 2>"$output.err"
	if grep -q no-witness "$output"; then
		says "'sandboxeval run' launches this probe and brings a witness"
	else
		skip "the probe alone" "the network is shut"
	fi
else
	skip "the probe alone" "$probe is not built"
fi

ends 0 "sandboxes" sandboxes
grep -q '^none *yes' "$output"
ok $? "no sandbox is always available"
ends 0 "sandboxes --json" sandboxes --json
jq -e 'all(.available or (.lacks | length > 0))' "$output" >/dev/null
ok $? "what cannot run says what it lacks"

"$program" list >/dev/full 2>"$output.err"
[ $? -eq 70 ]
ok $? "a full disk is an error"
"$program" list >&- 2>"$output.err"
[ $? -eq 70 ]
ok $? "a closed output is an error"
{
	"$program" explain barriers reasons barriers reasons 2>"$output.err"
	echo $? >"$output"
} | sed 1q >/dev/null
[ "$(cat "$output")" = 0 ] && [ ! -s "$output.err" ]
ok $? "a reader may leave early"

finish
