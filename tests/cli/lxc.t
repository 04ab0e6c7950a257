#!/bin/sh
# SPDX-License-Identifier: MIT
#
# LXC: complete on an empty root and on a user's, which stays as it was; each key that hardens
# changes what it should; a few answers agree with busybox's; nothing is left, however a run ends,
# but LXC's own empty control groups "lxc.pivot".
cd "$(dirname "$0")/../.." || exit 1
engine=lxc
command=lxc-execute
# shellcheck source=tests/boxes/containers.sh
. tests/boxes/containers.sh

assess "an empty root"
whole
says "empty image"
is accessed system.memory
is denied system.users
is denied system.processes
is denied network.http
is denied system.network-interfaces

assess "a root folder" --rootfs "$folder/root"
whole
says "files of $folder/root"
as_it_was
is accessed system.users
is accessed content.read
is accessed content.execute
is accessed structure.create
is accessed danger.seek-root

# Independent answers, from busybox in the same place.
mkdir "$folder/path"
printf '%s\n' 'lxc.include = /usr/share/lxc/config/common.conf' \
	"lxc.rootfs.path = dir:$folder/root" 'lxc.net.0.type = empty' >"$folder/path/config"
definition=
inside() {
	# shellcheck disable=SC2086 # words on purpose
	$command --lxcpath="$folder/path" --name=sandboxeval-inside --rcfile="$folder/path/config" \
		$definition -- "$@" 2>/dev/null </dev/null
	result=$?
	rm -rf "/run/lxc/lock/$folder"
	return $result
}
[ "$(inside /bin/id -u)" = 0 ]
ok $? "busybox is root, too"
inside /bin/touch /etc/new && rm "$folder/root/etc/new"
ok $? "busybox can create in /etc, too"
inside /bin/cat /etc/shadow | grep -q root
ok $? "busybox can read the shadow file, too"
[ "$(inside /bin/sh -c 'ls /sys/class/net')" = lo ]
ok $? "busybox sees no interface, either"
as_it_was

assess "no capabilities" --rootfs "$folder/root" -- -s lxc.cap.drop= -s lxc.cap.keep=none
is denied network.ping
chmod 4755 "$folder/root/bin/busybox"
assess "a set-id program" --rootfs "$folder/root" -- -s lxc.init.uid=1000 -s lxc.init.gid=1000
is accessed danger.seek-root
assess "no new privileges" --rootfs "$folder/root" -- -s lxc.init.uid=1000 -s lxc.init.gid=1000 \
	--define=lxc.no_new_privs=1
is denied danger.seek-root
chmod 755 "$folder/root/bin/busybox"
assess "read-only" --rootfs "$folder/root" -- -s lxc.rootfs.options=ro
is denied structure.create
is denied content.write
definition="-s lxc.rootfs.options=ro"
! inside /bin/touch /etc/new
ok $? "busybox cannot create in /etc, either"
assess "another uid" --rootfs "$folder/root" -- -s lxc.init.uid=65534 -s lxc.init.gid=65534
is denied structure.create
is denied danger.seek-root
definition="-s lxc.init.uid=65534 -s lxc.init.gid=65534"
! inside /bin/touch /etc/new
ok $? "busybox cannot create in /etc, either"
[ "$(inside /bin/id -u)" = 65534 ]
ok $? "busybox has that uid, too"
assess "the host's network" --rootfs "$folder/root" -- -s lxc.net.0.type=none
is accessed system.network-interfaces
as_it_was
assess "no /dev of its own" --rootfs "$folder/root" --only system.users -- -s lxc.autodev=0
as_it_was
mkdir "$folder/bare"
assess "a root folder without places" --rootfs "$folder/bare" --only system.users
[ -z "$(ls -A "$folder/bare")" ]
ok $? "which stays as it was"

printf 'lxc.uts.name = own\n' >"$folder/own.conf"
assess "a configuration" -- --config "$folder/own.conf"
says "empty image"
says "--rcfile=$folder/own.conf"
printf 'lxc.rootfs.path = dir:%s\n' "$folder/root" >"$folder/own.conf"
assess "a configuration with a root" -- "--config=$folder/own.conf"
says "root of $folder/own.conf"
is accessed system.users

"$program" run lxc -q -- -s lxc.bogus=1 >"$output" 2>"$output.err" </dev/null
[ $? -eq 2 ]
ok $? "an unknown key"
says bogus
for words in "true" "-f /etc/hosts" "-s lxc.rootfs.path=/" "--config=/nonexistent"; do
	# shellcheck disable=SC2086 # words on purpose
	"$program" run lxc -q -- $words >"$output" 2>"$output.err" </dev/null
	[ $? -eq 64 ]
	ok $? "refuses: $words"
done
nothing_left "refusals"

ended TERM us 130 --rootfs "$folder/root"
as_it_was
ended KILL engine 0 --rootfs "$folder/root"
as_it_was
ended STOP engine "0 2" --rootfs "$folder/root" --timeout 2 --single
as_it_was
without_engine
finish
