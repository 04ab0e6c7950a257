#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The docker launcher, against a daemon of the test's own: with an empty image, with the user's,
# with a hardened line; wrong words; a daemon that goes away.
cd "$(dirname "$0")/../.." || exit 1
engine=docker
# shellcheck source=tests/cli/engine-common.sh
. tests/cli/engine-common.sh
# shellcheck source=tests/boxes/engines.sh
. tests/boxes/engines.sh
trap 'docker_stop; engine_unmount "$folder"; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

docker_start "$folder/docker" || skip_all "$engine_reason"
busybox_root "$folder/busybox" || skip_all "$engine_reason"
client=docker
tar -C "$folder/busybox" -c . | docker import - sandboxeval-test:busybox >"$output" 2>&1
ok $? 'has an image for the test'

without_and_with_image content.list-writable content.write structure.create structure.delete \
	structure.move structure.rename permission.narrow-rights permission.own-to-root \
	permission.own-to-self permission.widen-rights danger.alter-system-files \
	danger.delete-system-files danger.exhaust-memory danger.exhaust-processes danger.seek-root
assess 0 'with a terminal' '' -t
wrong_words
assess 64 'with a root folder' "--rootfs $folder/busybox"
says 'docker import - NAME'

# ---------------------------------------------------------------- a daemon that goes away

in_background '--no-baseline'
await_start && docker_stop
await_end 120 && [ "$status" -eq 2 ]
ok $? "with its daemon stopped in the middle: ends with 2 (got $status)"
undo=$(sed -n 's/.*left behind: \(docker [^"]*\).*/\1/p' "$output" | head -n 1)
[ -n "$undo" ]
ok $? 'and says what is left behind'
assess 2 'without its daemon' ''
says 'the docker daemon does not run'
docker_start "$folder/docker"
sh -c "$undo" >"$output" 2>&1
ok $? 'what it said removes it'
nothing_left 'a stopped daemon'

in_background '--no-baseline'
await_start && docker_kill
await_end 120 && [ "$status" -eq 2 ]
ok $? "with its daemon killed in the middle: ends with 2 (got $status)"
undo=$(sed -n 's/.*left behind: \(docker [^"]*\).*/\1/p' "$output" | head -n 1)
docker_start "$folder/docker"
sh -c "$undo" >"$output" 2>&1
nothing_left 'a killed daemon'

# One that is there and never answers: within the time that its clients are given.
kill -STOP "$docker_pid"
assess 2 'with a daemon that hangs' ''
says 'does not answer'
kill -CONT "$docker_pid"
finish
