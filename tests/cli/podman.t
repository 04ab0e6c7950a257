#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The podman launcher, on storage of the test's own: with an empty image, with the user's, on a
# root folder, with a hardened line; wrong words; and nothing left behind however a run ends.
cd "$(dirname "$0")/../.." || exit 1
engine=podman
# shellcheck source=tests/cli/engine-common.sh
. tests/cli/engine-common.sh
# shellcheck source=tests/boxes/engines.sh
. tests/boxes/engines.sh
trap 'engine_unmount "$folder"; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

podman_prepare "$folder/podman" || skip_all "$engine_reason"
client=$podman
words=$podman_words
# shellcheck disable=SC2086 # words on purpose
tar -C "$folder/podman/busybox" -c . | $podman import - sandboxeval-test:busybox >"$output" 2>&1
ok $? 'has an image for the test'

without_and_with_image content.list-writable content.write structure.create structure.delete \
	structure.move structure.rename permission.narrow-rights permission.own-to-root \
	permission.own-to-self permission.widen-rights danger.alter-system-files \
	danger.delete-system-files danger.exhaust-memory danger.seek-root
wrong_words

find "$folder/podman/busybox" -ls >"$folder/before"
assess 0 'on a root folder' "--rootfs $folder/podman/busybox"
says 'files of '
find "$folder/podman/busybox" -ls >"$folder/after"
cmp "$folder/before" "$folder/after" >"$output" 2>&1
ok $? 'leaves the root folder as it was'
assess 64 'on a root folder that is not there' '--rootfs /nonexistent'
nothing_left 'on a root folder'

assess 2 'with a runtime that is not there' '' '--runtime sandboxeval-absent'
says 'runtime is not installed'
nothing_left 'with a runtime that is not there'
finish
