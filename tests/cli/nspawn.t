#!/bin/sh
# SPDX-License-Identifier: MIT
#
# systemd-nspawn: complete on an empty root and on a user's, which stays as it was; each flag that
# hardens changes what it should; a few answers agree with busybox's; nothing is left, however a
# run ends.
cd "$(dirname "$0")/../.." || exit 1
engine=nspawn
command=systemd-nspawn
# shellcheck source=tests/boxes/containers.sh
. tests/boxes/containers.sh

# Without systemd the engine must be told that there is no one to register with.
here=
[ -d /run/systemd/system ] || here="--register=no --keep-unit"

assess "an empty root"
whole
says "empty image"
is accessed system.memory
is denied system.users
is denied system.processes

assess "a root folder" --rootfs "$folder/root"
whole
says "files of $folder/root"
as_it_was
is accessed system.users
is accessed content.read
is accessed content.execute
is accessed structure.create
is accessed danger.seek-root
is accessed system.network-interfaces

# Independent answers, from busybox in the same place.
inside() {
	# shellcheck disable=SC2086 # words on purpose
	$command --quiet --pipe $here --volatile=overlay --machine=sandboxeval-inside \
		--directory="$folder/root" "$@" 2>/dev/null </dev/null
}
[ "$(inside /bin/id -u)" = 0 ]
ok $? "busybox is root, too"
inside /bin/touch /etc/new
ok $? "busybox can create in /etc, too"
inside /bin/cat /etc/shadow | grep -q root
ok $? "busybox can read the shadow file, too"
[ "$(inside /bin/sh -c 'ls -d /proc/[0-9]*' | wc -l)" -le 2 ]
ok $? "busybox sees no process of others, either"

assess "a network of its own" --rootfs "$folder/root" -- --private-network
is denied system.network-interfaces
is denied network.http
[ "$(inside --private-network /bin/sh -c 'ls /sys/class/net')" = lo ]
ok $? "busybox sees no interface, either"
assess "no capabilities" --rootfs "$folder/root" -- --drop-capability=all
is denied network.ping
chmod 4755 "$folder/root/bin/busybox"
assess "a set-id program" --rootfs "$folder/root" -- --user=alice
is accessed danger.seek-root
assess "no new privileges" --rootfs "$folder/root" -- --user=alice --no-new-privileges=yes
is denied danger.seek-root
chmod 755 "$folder/root/bin/busybox"
as_it_was
assess "another uid" --rootfs "$folder/root" -- --user=alice
is denied structure.create
is denied content.write
is denied danger.seek-root
[ "$(inside --user=alice /bin/id -u)" = 1000 ]
ok $? "busybox has that uid, too"
! inside --user=alice /bin/touch /etc/new
ok $? "busybox cannot create in /etc, either"
! inside --user=alice /bin/cat /etc/shadow
ok $? "nor read the shadow file"
assess "read-only" --rootfs "$folder/root" -- --read-only
is denied structure.create
is denied content.write
as_it_was
! inside --volatile=no --read-only /bin/touch /etc/new
ok $? "busybox cannot create in /etc, either"
as_it_was
assess "ids of its own" --rootfs "$folder/root" -- --private-users=pick
as_it_was
assess "ids of its own on an empty root" -- -U
assess "a copy of the root" --rootfs "$folder/root" -- --ephemeral --as-pid2
as_it_was
assess "a network of two ends" --only network -- -n
[ -z "$(find /sys/class/net -name 've-*')" ]
ok $? "of which none is left"

"$program" run nspawn -q -- --bogus >"$output" 2>"$output.err" </dev/null
[ $? -eq 2 ]
ok $? "an unknown option"
says bogus
for words in "true" "--boot" "-D /" "--machine=m" "-x --private-network true"; do
	# shellcheck disable=SC2086 # words on purpose
	"$program" run nspawn -q -- $words >"$output" 2>"$output.err" </dev/null
	[ $? -eq 64 ]
	ok $? "refuses: $words"
done
"$program" run nspawn -q --rootfs /nonexistent >"$output" 2>"$output.err" </dev/null
[ $? -eq 64 ]
ok $? "refuses a root folder that is not there"
nothing_left "refusals"

ended TERM us 130 --rootfs "$folder/root"
as_it_was
ended KILL engine 0 --rootfs "$folder/root"
as_it_was
ended KILL engine "0 2" --single -- -U
ended KILL engine "0 2" --single --rootfs "$folder/root" -- --ephemeral
as_it_was
ended STOP engine "0 2" --rootfs "$folder/root" --timeout 2 --single
as_it_was
without_engine
finish
