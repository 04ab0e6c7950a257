#!/bin/sh
# SPDX-License-Identifier: MIT
#
# engines.sh FOLDER: sets up, below FOLDER, what each container engine needs to run "true" in an
# image or a root folder of its own, and prints how to: one line per engine,
#
#	NAME <tab> command that runs its "true" <tab> arguments for "sandboxeval run"
#
# then waits for the end of its input, and takes everything down. The machine's own storage and
# daemons are not touched. Run by tools/bench.py, as root.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/boxes/engines.sh
. tests/boxes/engines.sh
folder=$1
tab=$(printf '\t')
image=sandboxeval-bench:true

busybox_root "$folder/root" || exit 1
mkdir -p "$folder/root/dev" "$folder/root/proc" "$folder/root/sys" "$folder/root/usr"
echo ID=bench >"$folder/root/etc/os-release"
bundle() {
	mkdir -p "$folder/$1"
	"$1" spec --bundle "$folder/$1" 2>/dev/null ||
		(cd "$folder/$1" && "$1" spec) || return 1
	jq --arg root "$folder/root" '.root.path = $root | .process.terminal = false |
		.process.args = ["/bin/busybox", "true"]' "$folder/$1/config.json" \
		>"$folder/$1/new" && mv "$folder/$1/new" "$folder/$1/config.json"
}

if command -v runc >/dev/null && bundle runc; then
	echo "runc${tab}runc --root $folder/state run --bundle $folder/runc {name}$tab"
fi
if command -v runsc >/dev/null && bundle runsc; then
	echo "gvisor${tab}runsc --root $folder/state-gvisor --network=none run --bundle $folder/runsc {name}$tab"
fi
if command -v systemd-nspawn >/dev/null; then
	words='--quiet --register=no --keep-unit --as-pid2'
	echo "nspawn${tab}systemd-nspawn $words -M {name} -D $folder/root /bin/busybox true$tab"
fi
if command -v lxc-execute >/dev/null; then
	printf 'lxc.rootfs.path = dir:%s\nlxc.include = /usr/share/lxc/config/common.conf\nlxc.net.0.type = empty\n' \
		"$folder/root" >"$folder/lxc.conf"
	echo "lxc${tab}lxc-execute --lxcpath=$folder --name={name} --rcfile=$folder/lxc.conf -- /bin/busybox true$tab"
fi
# Short names: podman takes no longer path than 50 characters for its state.
if podman_prepare "$folder/p"; then
	tar -C "$folder/root" -c . | $podman import - $image >/dev/null 2>&1
	echo "podman${tab}podman run --rm --pull never --network none $podman_words $image /bin/busybox true${tab}--image $image -- --network none $podman_words"
fi
if docker_start "$folder/docker"; then
	tar -C "$folder/root" -c . | docker import - $image >/dev/null 2>&1
	host="env DOCKER_HOST=$DOCKER_HOST DOCKER_CONFIG=$DOCKER_CONFIG"
	echo "docker$tab$host docker run --rm --pull never --network none $image /bin/busybox true${tab}$host --image $image -- --network none"
fi
echo .
cat >/dev/null
docker_stop
