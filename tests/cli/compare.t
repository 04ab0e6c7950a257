#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The matrix of sandboxes and runs: how columns are named, what differs, that it can be read at
# 80 columns, and that one sandbox that cannot start does not take the others with it.
# shellcheck disable=SC2016
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/cli/past-common.sh
. tests/cli/past-common.sh

few="system.locale,system.cpu,system.users,content.read"
denies='command --label denies -- sh -c '\''{probe} | sed -u "/system.cpu/s/\"status\":\"accessed\"/\"status\":\"denied\",\"barriers\":[\"seccomp\",\"dac\"]/g; s/\"accessed\":[0-9]*,\"denied\":[0-9]*/\"accessed\":2,\"denied\":2/"'\'
unset LANG LC_ALL LANGUAGE LC_MESSAGES LC_CTYPE

# ---- columns
ends 0 "a sandbox with itself" compare none 'none --label "a second"' --only "$few" --no-baseline
says "1:none"
says "2:a second"
says "0 of 4 scenarios differ."
ends 0 "history" history
[ "$(wc -l <"$output")" -eq 2 ] && [ "$(grep -c 'a second$' "$output")" -eq 1 ]
ok $? "what was launched is kept, with its label"
ends 0 "two that differ" compare none "$denies" --only "$few" --no-baseline
says "1 of 4 scenarios differ (*)."
grep -qE '^\* +cpu +open [0-9]+/[0-9]+ +dac, seccomp$' "$output"
ok $? "the scenario, its cases and its barriers"
ends 0 "runs of the past" compare 1 denies latest~1 --differing
says "3:none"
says "cpu"
! grep -q locale "$output"
ok $? "only what differs"
ends 0 "cases" compare 1 denies --differing --cases
says "/affinity"
! grep -q '/passwd' "$output"
ok $? "only cases that differ"
ends 0 "all cases" compare 1 denies --cases
says "/passwd"
"$program" show 1 --json >"$folder/one.json"
ends 0 "a file and a launch" compare "$folder/one.json" none --only "$few" --no-history --no-baseline
says "0 of 4 scenarios differ."
ends 0 "history" history
[ "$(wc -l <"$output")" -eq 4 ]
ok $? "--no-history keeps nothing"
ends 0 "not tried is no difference" compare 1 none --only system.locale --no-history --no-baseline
says "0 of 4 scenarios differ."
grep -qE '^ +cpu +open [0-9]+/[0-9]+ +-$' "$output"
ok $? "and is said to be not tried"

# ---- JSON
ends 0 "JSON" compare 1 denies --json
jq -e '.format == "sandboxeval-matrix/1" and (.columns | length) == 2 and .scenarios == 4 and
	.differing == 1 and (.columns[1].label == "denies") and
	([.rows[] | select(.case == null)] | length) == 4 and
	([.rows[] | select(.case == null and .differs) | .id] == ["system.cpu"]) and
	([.rows[] | select(.id == "system.cpu" and .case == null) | .cells[1].barriers] ==
		[["dac", "seccomp"]])' "$output" >/dev/null
ok $? "the matrix as JSON"
is_valid matrix "the matrix"
ends 0 "JSON of what differs" compare 1 denies --json --differing
[ "$(jq -r '.rows[].id' "$output" | sort -u)" = system.cpu ]
ok $? "only what differs"

is_valid matrix "the matrix of what differs"

# ---- how it looks
if command -v script >/dev/null; then
	for columns in 80 200; do
		COLUMNS=$columns TERM=xterm NO_COLOR=1 script -qec "'$program' compare 1 2 denies 1 denies 2 1" \
			/dev/null </dev/null 2>"$output.err" | tr -d '\r' >"$output"
		[ "$(wc -L <"$output")" -le "$columns" ]
		ok $? "seven columns of cells fit $columns columns"
	done
	says "dac, seccomp"
	COLUMNS=80 TERM=xterm NO_COLOR=1 script -qec "'$program' compare 1 2 denies 1 denies 2 1" \
		/dev/null </dev/null 2>"$output.err" | tr -d '\r' >"$output"
	says "dac+1"
	says "? unknown, - not tried"
	COLUMNS=80 TERM=xterm NO_COLOR='' script -qec "'$program' compare 1 denies" /dev/null \
		</dev/null 2>"$output.err" | tr -d '\r' >"$output"
	says "$(printf '\033[32mdac')"
else
	skip "how it looks" "script is missing"
fi

# ---- what fails
PATH=/nonexistent ends 2 "one cannot start" compare bwrap none --only "$few" --no-baseline
complains "cannot start bwrap"
says "1:none"
ends 2 "one is incomplete" compare none 'command -- sh -c ": {probe}"' --only "$few" --no-baseline
says "INCOMPLETE"
ends 64 "nothing" compare
ends 64 "neither a sandbox nor a run" compare bwrpa none
complains "did you mean 'bwrap'?"
ends 64 "arguments that are not quoted" compare none -- --network none
complains "quote a sandbox with its arguments"
ends 64 "nothing near" compare zzzzzzzzzz
complains "neither a sandbox nor a run"
ends 64 "a quote that is not closed" compare "bwrap -- 'x"
complains "a quote is not closed"
ends 64 "an option of no sandbox" compare 'bwrap --imgae x'
complains "did you mean '--image'?"
ends 64 "an engine argument without --" compare 'bwrap --unshare-net'
complains "stands after '--'"
ends 64 "an option without a value" compare 'bwrap --image'
complains "needs a value"
ends 64 "an unknown scenario" compare none --only system.lcale
complains "did you mean 'system.locale'?"
ends 64 "too many" compare 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
complains "at most 16"
ends 0 "a label with a quote is a run" run none -q --only system.locale --label "it's mine"
ends 0 "and is found" compare "it's mine"

# ---- as several engines have it
if as_user bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
	as_user "$program" compare none bwrap 'bwrap --label net -- --ro-bind / / --dev /dev --unshare-all --share-net' \
		--only system,network --no-history >"$output" 2>"$output.err"
	ok $? "three sandboxes at once"
	says "3:net"
	grep -qE '^\* +network-interfaces ' "$output"
	ok $? "the network differs"
else
	skip "three sandboxes at once" "bubblewrap cannot run here"
fi

finish
