#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sandboxeval run against sandboxes that misbehave: the launcher "command" puts a shell between
# the probe and the host, which talks, lies, dawdles, cuts the output off or ends the probe.
# The scripts in single quotes are for the shell in between.
# shellcheck disable=SC2016
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
need_program
folder=$(mktemp -d)
output=$folder/output
# Throw-away folders go here, so that one left behind is seen.
TMPDIR=$folder/tmp
export TMPDIR
mkdir "$TMPDIR"
trap 'rm -rf "$folder"' EXIT

ends() {
	expected=$1
	name=$2
	shift 2
	PATH=${engines:-$PATH} "$program" "$@" >"$output" 2>"$output.err" </dev/null
	status=$?
	[ "$status" -eq "$expected" ]
	ok $? "$name: ends with $expected (got $status)"
	[ -z "$(ls -A "$TMPDIR")" ]
	ok $? "$name: leaves nothing behind"
}
# shell STATUS NAME SCRIPT OPTION...: the script stands between probe and host.
few=system.locale,content.list-readable,directory.recursive
shell() {
	expected=$1
	name=$2
	script=$3
	shift 3
	ends "$expected" "$name" run command --no-baseline --only "$few" --report json "$@" \
		-- sh -c "$script"
}

# ---- what is only in the way
shell 0 "a plain command" 'exec {probe}'
says '"complete": true'
shell 0 "banners before, between and after" \
	'echo Welcome; echo "{\"x\":1}"; {probe} | sed -u "s/^{\"try/note\\n&/"; echo bye'
says '"complete": true'
shell 0 "a banner without a line break" 'printf "loading... "; exec {probe}'
shell 0 "carriage returns of a terminal" '{probe} | sed -u "s/\$/\\r/"'
shell 0 "a slow start" 'sleep 2; exec {probe}' --timeout 10
shell 0 "noise on standard error" 'yes | head -c 3000000 >&2; exec {probe}'
shell 0 "another place and user limits" 'cd /; ulimit -n 64; exec {probe}'
ends 0 "words, not a shell" run command --only "$few" --no-baseline -q -- env -i '{probe}'

# ---- what is lied about
shell 2 "a repeated result" '{probe} | sed -u "/^{\"id/p"'
says "is reported twice"
shell 2 "a forged result" 'echo "{\"id\":\"system.locale\",\"status\":\"denied\"}"; {probe}'
says "comes before the header"
shell 2 "a forged footer" \
	'{probe} | sed -u "2i {\"end\":1,\"trials\":0,\"accessed\":0,\"denied\":0,\"unknown\":0,\"clean\":true}"'
says "comes after the footer"
shell 2 "a footer that counts wrongly" '{probe} | sed -u "s/\"trials\":3/\"trials\":2/"'
says "the footer counts"
shell 2 "a scenario nobody asked for" '{probe}| sed -u "s/\"id\":\"system.locale/\"id\":\"content.list-writable/"'
says "was not planned"
shell 2 "an unknown status" '{probe} | sed -u "s/\"status\":\"[a-z]*\"/\"status\":\"fine\"/"'
says "has an unknown status"
shell 2 "another catalogue" '{probe} | sed -u "s/\"catalogue\":\"[0-9a-f]*/&0/"'
says "another catalogue"
shell 2 "a line without end" '{probe} | head -n 2; yes | tr -d "\n" | head -c 20000000'
says "16 MiB"
shell 2 "lines without end" '{probe} | head -n 2; yes'
says "20000 lines"
shell 2 "it says it is not clean" '{probe} | sed -u "s/\"clean\":true/\"clean\":false/"'
says '"clean": false'

# ---- what is lost
shell 2 "nothing at all" ': {probe}'
says "the probe did not start"
shell 2 "not executable" 'exec /etc/passwd; : {probe}'
says "may not be executed"
shell 2 "not there" 'exec /nonexistent/probe {probe}'
says "not found"
shell 2 "output that is cut off" '{probe} | head -n 3'
says '"complete": false'
shell 2 "a sandbox that hangs at once" ': {probe}; sleep 60' --timeout 1
says "the time limit of 1 s"
shell 2 "a sandbox that hangs in the middle" '{probe} | head -n 2; sleep 60' --timeout 1
says "the time limit of 1 s"
ends 2 "no such command" run command -q -- /nonexistent/wrapper '{probe}'
complains "cannot start /nonexistent/wrapper: No such file or directory"
shell 2 "nothing is selected" 'exec {probe}' --skip system,content,directory
says "nothing was tried"

# The sandbox ends whenever the culprit is tried: the rest is still measured, and it is denied.
killer='{probe} | while read -r line; do echo "$line"; case $line in *try*list-readable*) kill -9 0;; esac; done'
shell 0 "a sandbox that kills what tries this" "$killer"
says '"killed"'
says '"complete": true'
grep -q '"status": "accessed"' "$output"
ok $? "the others were tried all the same"
shell 2 "the same, with a single launch" "$killer" --single
says "the sandbox was lost at content.list-readable"
! grep -q '"killed"' "$output"
ok $? "nothing is called denied after one launch"
# It ends at the first try of anything: no trial lives, so that nothing can be told.
shell 2 "a sandbox that kills everything" \
	'{probe} | while read -r line; do echo "$line"; case $line in *try*) kill -9 0;; esac; done'
says '"crashed"'
! grep -q '"killed"' "$output"
ok $? "nothing is called denied where nothing lives"
# A crash of the probe is not the sandbox's doing.
shell 2 "a probe that crashes" \
	'{probe} | while read -r line; do echo "$line"; case $line in *try*list-readable*) kill -SEGV 0;; esac; done'
says '"crashed"'

# ---- Ctrl-C and its kind
for signal in INT TERM HUP; do
	# Through a program of its own: a shell starts what stands behind "&" deaf to INT.
	env --default-signal=INT "$program" run command -q --no-baseline -- \
		sh -c 'echo $$ >"$0"; setsid sleep 300 & sleep 300; : {probe}' "$folder/pid" \
		>"$output" 2>"$output.err" </dev/null &
	pid=$!
	tries=0
	while [ ! -s "$folder/pid" ] && [ $tries -lt 100 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	kill -s "$signal" "$pid"
	wait "$pid"
	[ $? -eq 130 ]
	ok $? "SIG$signal: ends with 130"
	[ -z "$(ls -A "$TMPDIR")" ]
	ok $? "SIG$signal: leaves no file"
	! kill -0 "$(cat "$folder/pid")" 2>/dev/null && ! pgrep -P "$pid" >/dev/null
	ok $? "SIG$signal: leaves no process"
	rm -f "$folder/pid"
done

# ---- files
ends 0 "a report into a file" run command -r "json=$folder/report.json" --only "$few" -- '{probe}'
grep -q '"complete": true' "$folder/report.json"
ok $? "the report is whole"
set -- "$folder"/report.json*
[ $# -eq 1 ]
ok $? "and has no companions"
echo old >"$folder/old.json"
ends 2 "a run that fails" run command -r "json=$folder/old.json" -- /nonexistent/x '{probe}'
grep -q old "$folder/old.json"
ok $? "leaves the old report alone"
ends 70 "a full disk" run command -r json=/dev/full --only system.locale -- '{probe}'
complains "/dev/full: No space left on device"
if [ "$(id -u)" -eq 0 ] && unshare --mount true 2>/dev/null; then
	mkdir "$folder/small"
	cat >"$folder/full.sh" <<-'EOF'
		mount -t tmpfs -o size=64k none "$1" && cd "$1" || exit 9
		echo old >r.json
		dd if=/dev/zero of=filler bs=4k 2>/dev/null
		"$2" run none -q -r json=r.json -r html=r.html --only system --no-baseline --no-history
		echo "status $?, $(ls -A | tr '\n' ' '), $(cat r.json)"
	EOF
	unshare --mount sh "$folder/full.sh" "$folder/small" "$program" >"$output" 2>"$output.err"
	says "status 70, filler r.json , old"
	complains "No space left on device"
	[ -z "$(ls -A "$TMPDIR")" ]
	ok $? "a full disk: leaves nothing behind"
fi
ends 70 "a place that does not exist" run command -r json=/nonexistent/a -- '{probe}'
complains "/nonexistent/a: No such file or directory"

# ---- mistakes
ends 64 "no sandbox" run
ends 64 "an unknown sandbox" run comand -- '{probe}'
complains "did you mean 'command'?"
ends 64 "an unknown option" run command --onyl x -- '{probe}'
complains "did you mean '--only'?"
ends 64 "the engine's arguments without --" run bwrap --only system --unshare-all --ro-bind / "/a b"
complains "stands after '--'"
complains "sandboxeval run bwrap --only system -- --unshare-all --ro-bind / '/a b'"
ends 64 "a short one" run bwrap -v -q
complains "sandboxeval run bwrap -q -- -v"
ends 64 "an unknown scenario" run command --only system.lcale -- '{probe}'
complains "did you mean 'system.locale'?"
ends 64 "an unknown format" run command -r jsno -- '{probe}'
complains "did you mean 'json'?"
ends 64 "a format that is near to none" run command -r xml -- '{probe}'
complains "the formats are: csv, "
ends 64 "a command without the probe" run command -- my-wrapper
complains "{probe}"
ends 64 "two reports on one output" run command -r json -r terminal -- '{probe}'
ends 64 "arguments for no sandbox" run none -- x
ends 64 "a bwrap command" run bwrap -- --tmpfs /tmp ls
engines=/nonexistent
ends 2 "no engine" run bwrap
complains "apt-get install bubblewrap"
ends 2 "no other engine" run runc
complains "apt-get install runc"
engines=
ends 0 "a plan" run bwrap --plan --only system.locale
says "nothing is attempted"

finish
