#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The launchers: bubblewrap with arguments of every shape finds a place for the probe and leaves
# nothing on the host; runc leaves a user's root folder as it was. Run as root, bubblewrap is
# started by an ordinary account.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
need_program
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
output=$folder/output

# as_user COMMAND...: where bubblewrap would otherwise be started by root
as_user() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"
	else
		"$@"
	fi
}
chmod 755 "$folder"
mkdir -m 1777 "$folder/tmp"
cp "$program" "$folder/sandboxeval"
chmod 755 "$folder/sandboxeval"
TMPDIR=$folder/tmp
export TMPDIR

# bwrap_with STATUS NAME ARGUMENT...
bwrap_with() {
	expected=$1
	name=$2
	shift 2
	as_user "$folder/sandboxeval" run bwrap -r json --only system.locale -- "$@" \
		>"$output" 2>"$output.err" </dev/null
	status=$?
	[ "$status" -eq "$expected" ]
	ok $? "bwrap $name: ends with $expected (got $status)"
	[ -z "$(ls -A "$folder/tmp")" ]
	ok $? "bwrap $name: leaves nothing behind"
}
says() {
	cat "$output" "$output.err" | grep -qF -- "$1"
	ok $? "says: $1"
}

if command -v bwrap >/dev/null && as_user bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
	bwrap_with 0 "with the defaults"
	says "the host's files"
	bwrap_with 0 "with an empty root" --unshare-all
	says "empty image"
	bwrap_with 0 "with an empty root, sealed" --unshare-all --remount-ro /
	bwrap_with 0 "with a sealed root of parts" --unshare-all --ro-bind /usr /usr --dev /dev \
		--proc /proc --tmpfs /tmp --remount-ro / --remount-ro /dev
	says "parts of the host's files"
	bwrap_with 0 "with a read-only root" --ro-bind / / --unshare-all
	bwrap_with 0 "with only /dev to write to" --ro-bind / / --tmpfs "$folder" --dev /dev
	bwrap_with 0 "with a trailing mark" --unshare-all --
	mkdir -m 777 "$folder/root"
	bwrap_with 2 "with no place for the probe" --unshare-all --bind "$folder/root" /
	says "leave the probe a place"
	[ -z "$(ls -A "$folder/root")" ]
	ok $? "and the bound root stays as it was"
	mkdir -m 777 "$folder/root/tmp"
	bwrap_with 2 "with a tmpfs that is covered" --tmpfs /tmp --bind "$folder/root" /
	[ -z "$(ls -A "$folder/root/tmp")" ]
	ok $? "and the bound root stays as it was"
	bwrap_with 64 "with a command" --unshare-all true
	says "leave it out"
	bwrap_with 2 "with an unknown option" --unshare-all --bogus
	says "bogus"
else
	skip bwrap "it cannot run here"
fi

if command -v runc >/dev/null && [ "$(id -u)" -eq 0 ]; then
	mkdir -p "$folder/rootfs/etc"
	"$program" run runc -r json --only system.locale >"$output" 2>"$output.err" </dev/null
	ok $? "runc on an empty root"
	says "empty image"
	"$program" run runc -q --only system.locale --rootfs "$folder/rootfs" \
		>"$output" 2>"$output.err" </dev/null
	ok $? "runc on a root folder"
	[ "$(ls -A "$folder/rootfs")" = etc ] && [ -z "$(ls -A "$folder/rootfs/etc")" ]
	ok $? "which stays as it was"
	(cd "$folder" && runc spec && sed -i 's/"hostname": "runc"/"hostname": "own"/' config.json)
	"$program" run runc -q --only system.locale -- --config "$folder/config.json" \
		>"$output" 2>"$output.err" </dev/null
	ok $? "runc with a configuration"
	"$program" run runc -q --only system.locale -- --config "$folder" \
		>"$output" 2>"$output.err" </dev/null
	ok $? "runc with the configuration of a bundle"
	"$program" run runc -q -- --bundle "$folder" >"$output" 2>"$output.err" </dev/null
	[ $? -eq 64 ] && grep -qF -- "--config $folder/config.json" "$output.err"
	ok $? "runc with a bundle: says what to write"
	"$program" run runc -q -- --config "$folder/none" >"$output" 2>"$output.err" </dev/null
	[ $? -eq 64 ] && grep -qF "cannot read $folder/none: No such file" "$output.err"
	ok $? "runc without its configuration: names it"
	"$program" run runc -q --rootfs /nonexistent >"$output" 2>"$output.err" </dev/null
	[ $? -eq 64 ]
	ok $? "runc without its root folder"
	"$program" run runc -q -- --bogus >"$output" 2>"$output.err" </dev/null
	[ $? -eq 2 ]
	ok $? "runc with an unknown option"
	says "bogus"
	[ -z "$(ls -A "$folder/tmp")" ]
	ok $? "runc leaves nothing behind"
else
	skip runc "it is not here, or this is not root"
fi

finish
