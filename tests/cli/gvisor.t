#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The gVisor launcher: with an empty image, on a root folder, by root and by an ordinary user. Its
# kernel lacks things and filters none; it is slow, and nothing is too late for that. The answers
# are those of a shell in the same sandbox, and a root folder stays as it was.
# The scripts in single quotes are for the shell inside.
# shellcheck disable=SC2016
cd "$(dirname "$0")/../.." || exit 1
engine=gvisor
# shellcheck source=tests/cli/inside-common.sh
. tests/cli/inside-common.sh
need_engine
busybox=$(command -v busybox)
if [ -z "$busybox" ] || ldd "$busybox" >/dev/null 2>&1; then
	[ "${CI:-}" = true ] && { echo "Bail out! busybox is not here, or not static"; exit 1; }
	echo '1..0 # SKIP busybox-static is not installed'
	exit 0
fi

# A bundle as "runsc spec" makes it, with busybox in it.
mkdir -p "$folder/bundle/rootfs/bin" "$folder/bundle/rootfs/etc"
cp "$busybox" "$folder/bundle/rootfs/bin/busybox"
echo root:x:0:0::/:/bin/sh >"$folder/bundle/rootfs/etc/passwd"
runsc spec --bundle "$folder/bundle" -- /bin/busybox sh /script
mkdir -m 1777 "$folder/state"
runs=0
inside() {
	runs=$((runs + 1))
	printf '%s\n' "$1" >"$folder/bundle/rootfs/script"
	rootless=
	[ "$(as id -u)" -eq 0 ] || rootless='--rootless --ignore-cgroups'
	# shellcheck disable=SC2086 # words on purpose
	as runsc --root="$folder/state/$account" --network=none $rootless run \
		--bundle="$folder/bundle" "test-$$-$runs"
}
files() {
	find "$folder/bundle/rootfs" -printf '%p %y %m %u %s\n' | sort
}
barriers() {
	jq -r '.results[] | .barriers[]?, (.cases[]? | .barriers[]?)' "$report" | sort -u
}

for account in $accounts; do
	about="$account: "
	assess 0 'an empty image' ''
	whole 'an empty image'
	says '"empty image"'
	barriers | grep -qx unimplemented && ! barriers | grep -qx seccomp
	ok $? 'what it lacks is unimplemented, not filtered'
	! grep -q '"timed-out"' "$report"
	ok $? 'slow as it is, nothing is too late'

	inside 'busybox true' >/dev/null 2>&1 # makes the mount points of a root folder
	printf 'true\n' >"$folder/bundle/rootfs/script"
	chown -R "$account" "$folder/bundle/rootfs"
	files >"$folder/before"
	assess 0 'a root folder' "--no-baseline --rootfs $folder/bundle/rootfs"
	whole 'a root folder'
	says 'files of '
	files | diff "$folder/before" - >"$output"
	ok $? 'leaves the root folder as it was'
	agree structure.create root-folder '/bin/busybox touch /x'
	agree structure.create etc '/bin/busybox touch /etc/x'
	agree content.read etc-passwd '/bin/busybox head -c 1 /etc/passwd'
	agree content.read etc-shadow '/bin/busybox head -c 1 /etc/shadow'
	agree content.write etc-passwd ': >>/etc/passwd'
	agree permission.widen-rights etc-passwd '/bin/busybox chmod 666 /etc/passwd'
	agree permission.widen-rights root-folder '/bin/busybox chmod 777 /'
	agree system.operating-system kernel '/bin/busybox uname -r'
	agree danger.seek-root own-id '[ "$(/bin/busybox id -u)" = 0 ]'
	agree system.network-interfaces interfaces '/bin/busybox ip -o link | /bin/busybox grep -v " lo:"'
done

account=
about=
assess 0 'a network of the user' '--only system.cpu --no-baseline' --network=none --platform=ptrace
says '"--platform=ptrace"'
assess 2 'an unknown option' '--only system.cpu --no-baseline' --bogus=1
says bogus
assess 64 'a command' '' ls
assess 64 'a state folder' '' --root=/tmp/x
assess 64 'an image' '--image alpine'
assess 64 'no such root folder' '--rootfs /nonexistent'
without_engine 'apt-get install runsc'
finish
