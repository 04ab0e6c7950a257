#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The history: every run is kept, found by every name, and shown again. Whatever happens to the
# file costs a run nothing but its place in the history, with a sentence that says so.
# Scripts in single quotes are for the shell in between.
# shellcheck disable=SC2016
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/cli/past-common.sh
. tests/cli/past-common.sh

few="none -q --no-baseline --only system.locale,system.cpu"
# keep ARGUMENT...: a short run
keep() {
	# shellcheck disable=SC2086
	ends 0 "a run" run $few "$@"
}
# warns NAME CAUSE ARGUMENT...: the run is not kept, its report and its exit status stay
warns() {
	name=$1
	cause=$2
	shift 2
	# shellcheck disable=SC2086
	ends 0 "$name" run $few --report json "$@"
	says '"complete": true'
	complains "this run is not in the history"
	complains "$cause"
	complains "--no-history keeps none"
}
runs() {
	[ "$(sql "SELECT count(*) FROM run")" = "$1" ]
	ok $? "$1 runs are kept"
}

# ---- keeping and finding
ends 0 "no history yet" history
complains "no such run"
[ ! -e "$history" ]
ok $? "looking makes no file"
ends 64 "show a run that does not exist" show latest
complains "there is no run 'latest'"
keep
keep --label nightly
keep --label nightly
keep --label "it's; DROP TABLE run;--"
runs 4
[ "$(stat -c %a "$history")" = 600 ] && [ "$(stat -c %a "$(dirname "$history")")" = 700 ]
ok $? "nobody else may read it"
ends 0 "history" history
[ "$(cut -c1 "$output" | tr -d '\n')" = 4321 ]
ok $? "the newest first, one line each"
ends 0 "history --json" history --json
jq -e 'length == 4 and .[1].label == "nightly" and .[3].label == null and .[0].run == 4 and
	all(.complete and (.id | test("^[0-9a-f]{16}$")))' "$output" >/dev/null
ok $? "the same as JSON"
is_valid history "the list"
id=$(jq -r '.[2].id' "$output")
ends 0 "history --label" history --label nightly --limit 1
[ "$(cut -c1 "$output")" = 3 ]
ok $? "filtered and limited"
ends 0 "history --sandbox" history --sandbox bwrap
[ ! -s "$output" ]
ok $? "no run of that sandbox"
for name in 2 nightly~1 latest~2 "$id" "$(echo "$id" | cut -c1-8)"; do
	ends 0 "show $name" show "$name" --json
	"$program" show 2 --json | cmp -s - "$output"
	ok $? "$name is run 2"
done
ends 0 "report" report 2 --report "json=$folder/two.json" --report terminal
says "label: nightly"
"$program" show 2 --json | cmp -s - "$folder/two.json"
ok $? "the JSON report is the same"
ends 0 "show a JSON report" show "$folder/two.json" --json
cmp -s "$output" "$folder/two.json"
ok $? "a report read back is the same"
ends 64 "a near label" show nihgtly
complains "did you mean 'nightly'?"
ends 64 "a report without a format" report 2
ends 64 "an unknown format" report 2 --report jsno
complains "did you mean 'json'?"
ends 64 "a limit that is none" history --limit x
ends 64 "show nothing" show

# What was measured comes back whole: the JSON report of the run itself is the witness.
# shellcheck disable=SC2086
ends 0 "a whole run" run none -q --report "json=$folder/whole.json"
ends 0 "show it" show latest --json
cmp -s "$output" "$folder/whole.json"
ok $? "every byte of its report comes back"

# ---- where
keep --no-history
keep --history "$folder/other.db"
runs 5
ends 0 "another file" show 1 --history "$folder/other.db"
cd "$folder" || exit 1
keep --history :memory:
[ -s ":memory:" ]
ok $? "a file's name is a file's name"
cd - >/dev/null || exit 1
XDG_DATA_HOME='' keep
[ -s "$folder/home/.local/share/sandboxeval/history.db" ]
ok $? "below ~/.local/share without XDG_DATA_HOME"

# ---- several at once
rm -f "$history"
for i in 1 2 3 4 5 6 7 8; do
	# shellcheck disable=SC2086
	"$program" run $few --label "writer $i" >/dev/null 2>"$output.err.$i" &
done
wait
cat "$output.err".? >"$output"
runs 8
[ "$(sql "SELECT count(DISTINCT label) FROM run")" = 8 ] && [ ! -s "$output" ]
ok $? "eight writers lose nothing"
python3 -c 'import sqlite3, sys, time
base = sqlite3.connect(sys.argv[1]); base.execute("BEGIN EXCLUSIVE"); time.sleep(2)' "$history" &
sleep 0.5
keep
wait
runs 9

# ---- killed in the middle: at any moment, and at the moments that matter
delay=1
while [ "$delay" -le 12 ]; do
	# shellcheck disable=SC2086
	timeout -s KILL "0.0$((delay * 7 % 10))" "$program" run $few >/dev/null 2>&1
	delay=$((delay + 1))
done
cat >"$folder/killed.gdb" <<-'EOF'
	set breakpoint pending on
	# The first fork makes the worker; those after it are engines and probes.
	set follow-fork-mode child
	break assess
	run
	set follow-fork-mode parent
	break history_record_results
	continue
	finish
	kill
EOF
if command -v gdb >/dev/null; then
	before=$(sql "SELECT count(*) FROM run")
	# shellcheck disable=SC2086
	gdb -nx -batch -x "$folder/killed.gdb" --args "$program" run $few \
		>"$output" 2>"$output.err" </dev/null
	grep -q 'history_record_results (' "$output"
	ok $? "it is killed before it is sure of the whole"
	runs "$before"
else
	skip "killed in the middle" "gdb is missing"
fi
[ "$(sql "PRAGMA integrity_check" "SELECT count(*) FROM run WHERE number NOT IN (SELECT run FROM result)")" = "ok
0" ]
ok $? "the file is sound, every run is whole"
keep

# ---- disks and folders
if unshare -rm true 2>/dev/null; then
	mkdir "$folder/small"
	cat >"$folder/full.sh" <<-'EOF'
		mount -t tmpfs -o size=512k none "$1" && cd "$1" || exit 9
		"$2" run $3 --history "$1/h.db" || exit 8
		dd if=/dev/zero of=filler bs=4k 2>/dev/null
		"$2" run $3 --report json --history "$1/h.db"
		echo "status $?"
		rm filler
		"$2" history --history "$1/h.db" | wc -l
		"$2" run $3 --history "$1/h.db" || exit 7
		"$2" history --history "$1/h.db" | wc -l
	EOF
	unshare -rm sh "$folder/full.sh" "$folder/small" "$program" "$few" >"$output" 2>"$output.err"
	ok $? "a full disk"
	complains "the disk is full"
	says '"complete": true'
	[ "$(tail -n 3 "$output" | tr -d ' \n')" = "status012" ]
	ok $? "the exit status stays, what was kept stays, the next run is kept"
	cat >"$folder/readonly.sh" <<-'EOF'
		mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 9
		XDG_DATA_HOME=$1/new "$2" run $3 --report json || exit 8
		XDG_DATA_HOME=$1/data "$2" run $3 || exit 7
		XDG_DATA_HOME=$1/data "$2" history | wc -l
	EOF
	before=$(sql "SELECT count(*) FROM run")
	unshare -rm sh "$folder/readonly.sh" "$folder/home" "$program" "$few" >"$output" 2>"$output.err"
	ok $? "a read-only home"
	says '"complete": true'
	complains "Read-only file system"
	complains "--history FILE"
	[ "$(tail -n 1 "$output")" -eq "$before" ]
	ok $? "a history that may not be written can be read"
else
	skip "a full disk, a read-only home" "no user namespaces here"
fi
warns "a folder that does not exist" "No such file or directory" --history /nonexistent/a/b.db
warns "a device" "not a regular file" --history /dev/null
warns "a folder" "not a regular file" --history "$folder"
XDG_DATA_HOME=/proc/nowhere warns "a home that cannot be made" "cannot make the folder"
XDG_DATA_HOME=/proc/nowhere ends 0 "an empty history there" history

# ---- other versions, other files
sql "PRAGMA user_version = 99"
warns "a newer version" "a newer sandboxeval wrote it"
ends 70 "show of a newer version" show latest
complains "use the newer program"
head -c 20000 /dev/urandom >"$history"
warns "a damaged file" "damaged"
complains "mv $history $history.damaged"
ends 70 "show of a damaged file" show latest
rm "$history"
sql "CREATE TABLE theirs (x)"
warns "the file of another program" "belongs to another program"
[ "$(sql "SELECT name FROM sqlite_schema")" = theirs ]
ok $? "it is left alone"
rm "$history"
: >"$history"
keep
runs 1

# ---- removing
rm "$history"
for label in one two three four; do
	keep --label $label
done
ends 0 "remove two" history --remove latest --remove two
says "removed run 4"
says "removed run 2"
[ "$(sql "SELECT group_concat(number) FROM run")" = 1,3 ]
ok $? "the others stay"
[ "$(sql "SELECT count(*) FROM result WHERE run IN (2, 4)")" = 0 ]
ok $? "their results go with them"
ends 64 "remove one that is there and one that is not" history --remove 1 --remove nine
runs 2
ends 0 "keep the newest" history --keep 1
says "removed 1 run"
[ "$(sql "SELECT group_concat(number) FROM run")" = 3 ]
ok $? "it stays"
ends 64 "both at once" history --keep 1 --remove 3
ends 0 "nothing to remove" history --keep 1 --history "$folder/none.db"
[ ! -e "$folder/none.db" ]
ok $? "no file is made for it"

# ---- hostile strings
rm "$history"
evil=$(printf 'a\033[2J\033]0;x\007\302\233\342\200\256<b>&"\r\nz')
ends 0 "a hostile label" run none -q --no-baseline --only system.locale --label "$evil"
ends 0 "hostile evidence" run command -q --no-baseline --only system.cpu,system.users -- sh -c \
	'{probe} | sed "s/\"evidence\":{/&\"evil\":\"\\\\u001b[2J\\\\u202e<script>\",/"'
sql "INSERT INTO run SELECT 70, '0123456789abcdef', started, seconds, char(27) || '[2J', char(155), \
	char(8238), char(7), argv, complete, clean, incomplete_because, has_baseline, tool_version, \
	catalogue, probe_version, probe_arch, 'no json', accessed, denied, unknown, NULL, NULL, NULL, \
	char(27) || '[2J' \
	FROM run WHERE number = 2" \
	"INSERT INTO result (run, position, scenario, severity, arrived, status, barriers, \
	baseline_barriers, witnessed, objects, evidence, measured) VALUES (70, 0, 'x.' || char(27) || \
	'[31m', 'high', 1, 'denied', 'dac,nonsense', '', 0, '[1]', '{\"a\":{\"b\":\"\u001b\"}}', '')" \
	"INSERT INTO case_result (run, result, position, name, severity, status, barriers, evidence, \
	measured) VALUES (70, 0, 0, char(27) || '[31m', 'zzz', 'open', 'dac', '{}', '{}')"
for command in "history" "history --json" "show 1" "show 2" "show 70" "show 70 --json" "diff 2 70" \
	"diff 70 2 --evidence" "diff 2 70 --json --evidence" "compare 1 2 70" \
	"compare 70 2 --cases" "compare 70 2 --json"; do
	# shellcheck disable=SC2086
	ends 0 "$command" $command
	is_inert "$command"
	case $command in
	"history --json") is_valid history "$command" ;;
	diff*--json*) is_valid diff "$command" ;;
	compare*--json) is_valid matrix "$command" ;;
	esac
done

finish
