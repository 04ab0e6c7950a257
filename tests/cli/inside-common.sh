#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What firejail.t, gvisor.t and landlock.t have in common. Sourced by them; they set $engine, the
# launcher's name, and inside(), which runs a shell script in the same sandbox without the probe,
# for an independent answer.
# shellcheck disable=SC2154 # those are theirs
# shellcheck source=tests/tap.sh
. tests/tap.sh
need_program
folder=$(mktemp -d)
chmod 755 "$folder"
cp "$program" "$folder/sandboxeval"
program=$folder/sandboxeval
output=$folder/output
report=$folder/report
mkdir -m 1777 "$folder/tmp" "$folder/home"
TMPDIR=$folder/tmp
export TMPDIR
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
account=
# shellcheck disable=SC2034 # for those that source this
if [ "$(id -u)" -eq 0 ]; then accounts='root nobody'; else accounts=$(id -un); fi

need_engine() {
	"$program" sandboxes --json >"$output" 2>&1
	jq -e --arg name "$engine" '.[] | select(.name == $name) | .available' "$output" >/dev/null &&
		return
	skip_all "$(jq -r --arg name "$engine" '.[] | select(.name == $name) | .lacks' "$output")"
}
# as COMMAND…: by the account whose turn it is
as() {
	if [ "$(id -u)" -eq 0 ] && [ "${account:-root}" != root ]; then
		setpriv --reuid "$account" --regid "$(id -g "$account")" --clear-groups \
			env HOME="$folder/home" USER="$account" LOGNAME="$account" "$@"
	else
		"$@"
	fi
}

# assess STATUS NAME "OPTION…" ENGINE-ARGUMENT…
assess() {
	expected=$1
	name=$2
	options=$3
	shift 3
	# shellcheck disable=SC2086 # words on purpose
	as "$program" run "$engine" --no-history -r json $options -- "$@" >"$report" 2>"$output" </dev/null
	status=$?
	[ "$status" -eq "$expected" ]
	ok $? "$name: ends with $expected (got $status)"
	nothing_left "$name"
}
says() {
	grep -qF -- "$1" "$output" "$report"
	ok $? "says: $1"
}
# Files, and processes that have one of our paths in their words or environment.
nothing_left() {
	{
		find "$TMPDIR" -mindepth 1
		find /dev/shm /run /var/tmp -maxdepth 1 -newer "$folder/sandboxeval" \
			-name 'sandboxeval-*' 2>/dev/null
		pgrep -af "$TMPDIR/"
		# What was started with our environment; the tools here must not find themselves.
		env -u TMPDIR grep -slzF "TMPDIR=$TMPDIR" /proc/[0-9]*/environ
		grep "$TMPDIR/sandboxeval-" /proc/self/mountinfo
	} >"$folder/left"
	[ ! -s "$folder/left" ] || cat "$folder/left" >>"$output"
	[ ! -s "$folder/left" ]
	ok $? "$1: leaves nothing behind"
}
# status_of ID [CASE]
status_of() {
	jq -r --arg id "$1" --arg case "${2:-}" '.results[] | select(.id == $id) |
		if $case == "" then . else .cases[] | select(.case == $case) end | .status' "$report"
}
# agree ID CASE SCRIPT: accessed where the script succeeds inside, denied where it does not
agree() {
	if inside "$3" >"$output" 2>&1; then expected=accessed; else expected=denied; fi
	got=$(status_of "$1" "$2")
	[ "$got" = "$expected" ]
	ok $? "$1 ${2:+$2 }is $expected, as '$3' says (got $got)"
}
# whole NAME: it all came, and no trial was lost, late or at odds with itself
whole() {
	jq -e --argjson n "$("$program" list | wc -l)" \
		'.complete and .clean and (.results | length == $n)' "$report" >/dev/null
	ok $? "$1: every scenario is tried, and it is clean"
	jq -r '.results[] | select(.reason as $r | ["crashed", "setup-failed", "contradictory",
		"no-report"] | index($r)) | .id + " " + .reason' "$report" >"$output"
	[ ! -s "$output" ]
	ok $? "$1: no trial is lost"
}

without_engine() {
	PATH=/nonexistent "$program" run "$engine" >"$output" 2>&1
	[ $? -eq 2 ]
	ok $? 'without the engine: ends with 2'
	says "$1"
}
