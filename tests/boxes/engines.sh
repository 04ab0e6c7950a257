#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Engines for tests, each with a storage of its own below a folder of the test's, so that what
# the machine has is never touched. Sourced:
#
#	docker_start FOLDER || skip "docker: $engine_reason"    sets DOCKER_HOST
#	docker_stop, docker_kill                                wait for the end
#	podman_prepare FOLDER || skip "podman: $engine_reason"  sets $podman and $podman_words
#	busybox_root FOLDER                                     a root with one static program
#
# $podman_words are the engine arguments that podman needs on this machine, its storage included.

engine_reason=
docker_pid=

# engine_end PID SECONDS: asked, then killed
engine_end() {
	kill "$1" 2>/dev/null || return 0
	for _ in $(seq $(($2 * 10))); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.1
	done
	kill -KILL "$1" 2>/dev/null || :
}

# docker_start FOLDER: again with the same folder, it finds what it left there
docker_start() {
	docker_stop
	docker_folder=$1
	for engine_program in docker dockerd containerd runc; do
		command -v "$engine_program" >/dev/null || {
			engine_reason="there is no $engine_program"
			return 1
		}
	done
	[ "$(id -u)" -eq 0 ] || {
		engine_reason='only root may start dockerd'
		return 1
	}
	mkdir -p "$docker_folder/config" "$docker_folder/tmp"
	echo '{}' >"$docker_folder/config/config.json"
	DOCKER_HOST=unix://$docker_folder/socket
	DOCKER_CONFIG=$docker_folder/config
	export DOCKER_HOST DOCKER_CONFIG
	unset DOCKER_CONTEXT
	# No bridge and no packet rules: the machine's network stays as it is. A caller with a
	# network namespace of its own sets docker_network.
	# shellcheck disable=SC2086 # words on purpose
	TMPDIR=$docker_folder/tmp dockerd \
		${docker_network---iptables=false --ip6tables=false --bridge=none} --storage-driver=vfs \
		--data-root "$docker_folder/data" --exec-root "$docker_folder/exec" \
		--pidfile "$docker_folder/pid" --host "$DOCKER_HOST" \
		>>"$docker_folder/log" 2>&1 </dev/null &
	docker_pid=$!
	for _ in $(seq 300); do
		docker version >/dev/null 2>&1 && return 0
		kill -0 "$docker_pid" 2>/dev/null || break
		sleep 0.1
	done
	engine_reason="dockerd does not answer: $(tail -n 1 "$docker_folder/log")"
	docker_stop
	return 1
}

docker_stop() {
	[ -n "$docker_pid" ] || return 0
	engine_end "$docker_pid" 30
	wait "$docker_pid" 2>/dev/null
	docker_pid=
}

# Killed, so that it can set nothing right; its containerd, which it would have ended, goes, too.
docker_kill() {
	[ -n "$docker_pid" ] || return 0
	kill -KILL "$docker_pid"
	wait "$docker_pid" 2>/dev/null
	docker_pid=
	file=$docker_folder/exec/containerd/containerd.pid
	containerd=$(cat "$file" 2>/dev/null)
	if [ -n "$containerd" ] && grep -qF "$docker_folder" "/proc/$containerd/cmdline"; then
		engine_end "$containerd" 10
	fi
	rm -f "$docker_folder/pid" "$file"
}

# engine_unmount FOLDER: what engines left mounted below it, deepest first
engine_unmount() {
	awk -v folder="$1/" 'index($5, folder) == 1 { print $5 }' /proc/self/mountinfo | sort -r |
		while read -r place; do
			umount "$place" 2>/dev/null || umount -l "$place"
		done
}

# podman_prepare FOLDER
podman_prepare() {
	podman_folder=$1
	command -v podman >/dev/null || {
		engine_reason='there is no podman'
		return 1
	}
	mkdir -p "$podman_folder"
	podman_storage="--root $podman_folder/root --runroot $podman_folder/run --storage-driver vfs"
	podman="podman $podman_storage"
	busybox_root "$podman_folder/busybox" || return 1
	# shellcheck disable=SC2086 # words on purpose
	tar -C "$podman_folder/busybox" -c . | $podman import - sandboxeval-test:try >/dev/null 2>&1 || {
		engine_reason='podman cannot import an image'
		return 1
	}
	# Its plain defaults, lower limits (for accounts that may not raise them), another runtime.
	limits='--ulimit nofile=1024:1024 --ulimit nproc=1024:1024'
	for podman_words in '' "$limits" "$limits --runtime runc"; do
		# shellcheck disable=SC2086 # words on purpose
		engine_reason=$($podman run --rm --pull never $podman_words sandboxeval-test:try \
			/bin/busybox true 2>&1) && break
	done || {
		engine_reason=$(echo "$engine_reason" | tail -n 1)
		return 1
	}
	podman_words="$podman_storage $podman_words"
	# shellcheck disable=SC2086 # words on purpose
	$podman image rm --force sandboxeval-test:try >/dev/null 2>&1
}

# busybox_root FOLDER
busybox_root() {
	busybox=$(command -v busybox) || {
		engine_reason='there is no busybox'
		return 1
	}
	mkdir -p "$1/bin" "$1/etc" "$1/tmp" "$1/var/log"
	chmod 1777 "$1/tmp"
	cp "$busybox" "$1/bin/busybox"
	for name in sh ls cat touch id env mount sleep true; do
		ln -sf busybox "$1/bin/$name"
	done
	echo 'root:x:0:0:root:/:/bin/sh' >"$1/etc/passwd"
	echo 'root:x:0:' >"$1/etc/group"
}
