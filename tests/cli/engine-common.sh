#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What docker.t and podman.t have in common. Sourced by them; they set $engine and, once the
# engine runs, $client (its command) and $words (engine arguments that this machine needs).
# shellcheck disable=SC2154 # $engine is theirs
# shellcheck source=tests/tap.sh
. tests/tap.sh
need_program
folder=$(mktemp -d)
output=$folder/output
report=$folder/report
mkdir -m 1777 "$folder/tmp"
TMPDIR=$folder/tmp
export TMPDIR
client=
words=
about="$engine "

# assess STATUS NAME "OPTION…" ["ENGINE ARGUMENT…"]
assess() {
	# shellcheck disable=SC2086 # words on purpose
	"$program" run $engine -q -r json="$report" $3 -- $words ${4:-} >"$output" 2>&1 </dev/null
	status=$?
	[ "$status" -eq "$1" ]
	ok $? "$2: ends with $1 (got $status)"
}
says() {
	grep -qF -- "$1" "$output" "$report" 2>/dev/null
	ok $? "says: $1"
}
nothing_left() {
	{
		$client ps --all --format '{{.Names}}' | grep sandboxeval-
		$client images --all --format '{{.Repository}}:{{.Tag}}' | grep sandboxeval-empty
		find "$TMPDIR" -mindepth 1
		grep sandboxeval- /proc/self/mountinfo
	} >"$output" 2>&1
	[ ! -s "$output" ]
	ok $? "$1: leaves nothing behind"
}
states() {
	jq -r '.results[] | .id + " " + .status' "$report" | sort
}

# The same before and after, word for word: no mount point of ours in the user's image.
image_layers() {
	$client image inspect --format '{{.Id}} {{.RootFS.Layers}}' sandboxeval-test:busybox
}

# in_background "OPTION…" ["ENGINE ARGUMENT…"]: sets $pid
in_background() {
	# shellcheck disable=SC2086 # words on purpose
	"$program" run $engine -q -r json="$report" $1 -- $words ${2:-} >"$output" 2>&1 </dev/null &
	pid=$!
}
# The engine's client that the program's worker runs once the container was made.
await_start() {
	for _ in $(seq 500); do
		workers=$(pgrep -d, -P "$pid") &&
			pgrep -P "$workers" -f "$engine .*start --attach" >/dev/null && return 0
		kill -0 "$pid" 2>/dev/null || return 1
		sleep 0.01
	done
	return 1
}
# await_end SECONDS: sets $status; a run that does not end is killed, and that is a failure
await_end() {
	for _ in $(seq $(($1 * 10))); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL "$pid" 2>/dev/null
	wait "$pid"
	status=$?
	[ "$status" -ne 137 ]
}

# ---------------------------------------------------------------- for every engine

hardened='--network none --cap-drop ALL --security-opt no-new-privileges --read-only --user 65534
	--pids-limit 64 --memory 256m'

# compare ID…: accessed with the engine's defaults, denied with the hardened line, and no
# scenario the other way round
compare() {
	assess 0 'with an image' '--image sandboxeval-test:busybox'
	says 'sandboxeval-test:busybox ('
	states >"$folder/plain"
	nothing_left 'with an image'
	assess 0 'hardened' '--image sandboxeval-test:busybox' "$hardened"
	states >"$folder/hardened"
	nothing_left 'hardened'
	for id; do
		grep -qx "$id accessed" "$folder/plain" && grep -qx "$id denied" "$folder/hardened"
		ok $? "the hardened line closes $id"
	done
	join "$folder/plain" "$folder/hardened" | grep ' denied accessed$' >"$output"
	[ ! -s "$output" ]
	ok $? 'the hardened line opens nothing'
}

without_and_with_image() {
	assess 0 'with an empty image' ''
	says '"empty image"'
	[ "$(states | wc -l)" -eq "$("$program" list | wc -l)" ] && ! states | grep -q crashed
	ok $? 'tries every scenario'
	nothing_left 'with an empty image'
	assess 0 'hardened, with an empty image' '' "$hardened"
	nothing_left 'hardened, with an empty image'
	before=$(image_layers)
	compare "$@"
	[ "$(image_layers)" = "$before" ]
	ok $? 'leaves the image as it was'
}

wrong_words() {
	assess 2 'with an image that is not there' '--image sandboxeval-test:absent'
	says "$engine pull sandboxeval-test:absent"
	assess 2 'with an unknown argument' '' --bogus
	says 'unknown flag: --bogus'
	assess 2 'with an unknown network' '' '--network sandboxeval-absent'
	says sandboxeval-absent
	assess 64 'with an image among the arguments' '' '--read-only sandboxeval-test:busybox'
	says '--image NAME'
	assess 64 'with a name' '' '--name=other'
	says 'leave it out'
	assess 64 'with an option for an image' '--image=--privileged'
	nothing_left 'wrong words'
}
