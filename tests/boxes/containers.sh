# shellcheck shell=sh
# SPDX-License-Identifier: MIT
#
# For the tests of launchers that start containers as root: assertions, a root folder made from
# busybox, runs that are ended from outside, and what must not be left. Sourced with $engine (the
# launcher), $command (the engine's program); sets $folder, $output, $program, and makes $folder/root.
: "${engine:?}" "${command:?}"
# shellcheck source=tests/tap.sh
. tests/tap.sh
need_program

[ "$(id -u)" -eq 0 ] || skip_all "$engine needs root"
command -v "$command" >/dev/null || skip_all "$command is not here"
command -v busybox >/dev/null || skip_all "busybox is not here"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
output=$folder/output
mkdir -m 1777 "$folder/tmp"
TMPDIR=$folder/tmp
export TMPDIR

says() {
	grep -qF -- "$1" "$output" "$output.err"
	ok $? "says: $1"
}

# A static busybox with the few commands that the independent answers need.
make_root() {
	mkdir -p "$1/bin" "$1/usr/bin" "$1/etc" "$1/root" "$1/var/lib" "$1/home/alice"
	for place in dev proc run sys tmp; do mkdir -p "$1/$place"; done
	cp "$(command -v busybox)" "$1/bin/busybox"
	for name in sh id cat ls touch true env hostname; do ln -s busybox "$1/bin/$name"; done
	ln -s ../../bin/busybox "$1/usr/bin/env"
	printf 'root:x:0:0::/root:/bin/sh\nalice:x:1000:1000::/home/alice:/bin/sh\n' >"$1/etc/passwd"
	printf 'root:x:0:\nalice:x:1000:\n' >"$1/etc/group"
	printf 'ID=test\n' >"$1/etc/os-release"
	printf 'root:*:1::::::\n' >"$1/etc/shadow"
	chmod 600 "$1/etc/shadow"
	printf 'nameserver 127.0.0.53\n' >"$1/etc/resolv.conf"
	# systemd-nspawn asks this program, inside, who a user is.
	# shellcheck disable=SC2016 # for the shell inside
	printf '%s\n' '#!/bin/sh' '[ "$2" = alice ] || exit 2' '[ "$1" = passwd ] || exec echo alice' \
		'echo alice:x:1000:1000::/home/alice:/bin/sh' >"$1/bin/getent"
	chmod 755 "$1/bin/getent"
}

# The root folder that an engine is given, and locks that it may leave beside it.
listing() {
	find "$folder/root" -printf '%p %y %m %U %s %l\n' | sort
	find "$folder" -maxdepth 1 -name '.#*'
}
make_root "$folder/root"
listing >"$folder/listing"
as_it_was() {
	listing | diff "$folder/listing" - | sed 's/^/# /' >"$folder/difference"
	cat "$folder/difference"
	[ ! -s "$folder/difference" ]
	ok $? "the root folder stays as it was"
}

# assess NAME OPTION…: a complete run, its results in $output
assess() {
	name=$1
	shift
	"$program" run "$engine" -r json "$@" >"$output" 2>"$output.err" </dev/null
	ok $? "$name: complete"
	nothing_left "$name"
}
# status ID: of the last run
status() {
	jq -r --arg id "$1" '.results[] | select(.id == $id).status' "$output"
}
# is STATUS ID
is() {
	[ "$(status "$2")" = "$1" ]
	ok $? "$2 is $1 (got $(status "$2"): $(jq -r --arg id "$2" \
		'.results[] | select(.id == $id) | [.barriers[], .reason] | join(" ")' "$output"))"
}
# whole NUMBER: no scenario is missing, and most of them are told
whole() {
	jq -e '.complete and .clean and ([.results[] | select(.reason == "no-report")] == [])' \
		"$output" >/dev/null
	ok $? "every scenario reports, and the place is clean"
}

# What an engine of that name has on the machine: groups, mounts, folders, locks, machines.
traces() {
	find /sys/fs/cgroup -type d \( -name payload -o -name supervisor -o \
		-name 'lxc.payload.sandboxeval-*' -o -name 'lxc.monitor.sandboxeval-*' \) 2>/dev/null
	find /run/systemd/nspawn -mindepth 2 2>/dev/null
	find /run/lxc -path "*$folder*" 2>/dev/null
	find /run/systemd/nspawn-uid -mindepth 1 2>/dev/null
	find /tmp -maxdepth 1 -name 'nspawn-*'
	grep -F "$folder" /proc/self/mountinfo
	grep -F nspawn /proc/self/mountinfo
}
traces | sort >"$folder/traces"

ours() {
	traces
	find "$folder/tmp" -mindepth 1
	# Processes of ours carry the throw-away folder in their words.
	grep -laF "$folder/tmp" /proc/[0-9]*/cmdline 2>/dev/null
}

# nothing_left NAME: but what was there before. Containers of others on this machine come and go
# meanwhile; what is left stays.
nothing_left() {
	ours | sort | comm -13 "$folder/traces" - >"$folder/left"
	for _ in $(seq 25); do
		[ -s "$folder/left" ] || break
		sleep 0.2
		ours | sort | comm -12 "$folder/left" - >"$folder/left.now"
		mv "$folder/left.now" "$folder/left"
	done
	sed 's/^/# left: /' "$folder/left"
	[ ! -s "$folder/left" ]
	ok $? "$1: nothing is left"
}

# started PID: waits until PID's worker has started the engine with the probe, and prints its process
started() {
	while kill -0 "$1" 2>/dev/null; do
		workers=$(pgrep -d, -P "$1") || continue
		for each in $(pgrep -P "$workers"); do
			! grep -qaF -- --facts "/proc/$each/cmdline" 2>/dev/null ||
				{ echo "$each"; return; }
		done
	done
}

# ended SIGNAL WHOM EXPECTED OPTION…: a run, ended by a signal to "us" or to the "engine". What is
# expected may be two statuses: an engine may be hit when all results are there. A run that was
# over before the signal came is started again.
ended() {
	signal=$1
	whom=$2
	expected=$3
	shift 3
	for _ in 1 2 3 4 5; do
		"$program" run "$engine" --no-baseline -r json "$@" >"$output" 2>"$output.err" \
			</dev/null &
		us=$!
		process=$(started "$us")
		[ "$whom" = engine ] || process=${process:+$us}
		hit=false
		[ -z "$process" ] || ! kill -"$signal" "$process" 2>/dev/null || hit=true
		wait "$us"
		status=$?
		case " $expected " in *" $status "*) ! $hit || break ;; esac
		hit=false
	done
	$hit
	ok $? "SIG$signal to $whom: ends with $expected (got $status)"
	nothing_left "SIG$signal to $whom"
}

# without_engine: the same with no such program in $PATH
without_engine() {
	mkdir "$folder/empty"
	PATH=$folder/empty "$program" run "$engine" -q >"$output" 2>"$output.err" </dev/null
	[ $? -eq 2 ]
	ok $? "without $command: an error"
	says "is not installed"
	says "apt-get install"
}
