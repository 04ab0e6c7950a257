#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tools/gallery.sh PROGRAM [PAGE…]: assesses every engine that runs here, by its plain defaults and
# hardened, and writes what came of it between the marks of docs/gallery.md and README.md (or the
# pages named). Root only: it starts a dockerd of its own. Nothing is left behind, and the runs go
# into no history. KEEP=FOLDER keeps the reports, and
# those that were kept there before stand in for what is not run: ONLY="bwrap docker".
set -eu
cd "$(dirname "$0")/.."
program=$(realpath "${1:?which program? build/sandboxeval}")
shift
[ $# -gt 0 ] || set -- docs/gallery.md README.md
[ "$(id -u)" -eq 0 ] || { echo "$0: root only (it starts dockerd, LXC, …)" >&2; exit 1; }
# A network of its own, so that Docker and podman have their bridges as ever and the machine's
# network stays as it is; and an ordinary account that is nobody's (firejail takes no other).
account=sandboxeval
if [ -z "${OWN_PLACE:-}" ]; then
	OWN_PLACE=$(mktemp -d)
	export OWN_PLACE
	chmod 755 "$OWN_PLACE"
	mkdir "$OWN_PLACE/home"
	chown 31999:31999 "$OWN_PLACE/home"
	{ cat /etc/passwd && echo "$account:x:31999:31999::$OWN_PLACE/home:/bin/sh"; } >"$OWN_PLACE/passwd"
	status=0
	# shellcheck disable=SC2016 # for the shell inside
	unshare --net --mount sh -c 'ip link set lo up && mount --bind "$OWN_PLACE/passwd" /etc/passwd &&
		exec "$@"' sh "$PWD/tools/gallery.sh" "$program" "$@" || status=$?
	rm -rf "$OWN_PLACE"
	exit $status
fi
# shellcheck source=tests/boxes/engines.sh
. tests/boxes/engines.sh

folder=$(mktemp -d)
finish() {
	docker_stop
	engine_unmount "$folder"
	rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT TERM
chmod 755 "$folder"
mkdir -m 1777 "$folder/tmp"
mkdir "$folder/reports"
cp "$program" "$folder/sandboxeval"
TMPDIR=$folder/tmp
export TMPDIR
unset SSH_AUTH_SOCK

# as_root, as_user COMMAND…: with the same environment wherever this is run
as_root() {
	env -i PATH="$PATH" TMPDIR="$TMPDIR" HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
		${DOCKER_HOST:+DOCKER_HOST="$DOCKER_HOST" DOCKER_CONFIG="$DOCKER_CONFIG"} "$@"
}
as_user() {
	env -i PATH="$PATH" TMPDIR="$TMPDIR" HOME="$OWN_PLACE/home" USER=$account LOGNAME=$account \
		TERM=dumb LC_ALL=C.UTF-8 setpriv --reuid 31999 --regid 31999 --clear-groups -- "$@"
}
# assess ACCOUNT KEY WORD…: one column; what is here only is left out of the line that is shown
assess() {
	who=$1
	key=$2
	shift 2
	case " ${ONLY:-${key%-*}} " in *" ${key%-*} "*) ;; *) return 0 ;; esac
	echo "gallery: $key" >&2
	(cd / && "as_$who" "$folder/sandboxeval" run "$@") >"$folder/said" 2>&1 </dev/null || {
		echo "gallery: $key: ended with $?" >&2
		tail -n 3 "$folder/said" >&2
	}
	[ -s "$folder/tmp/report.json" ] || return 0
	jq --arg account "$who" '. + {account: $account}' "$folder/tmp/report.json" \
		>"$folder/reports/$key.json"
	rm "$folder/tmp/report.json"
}
here="--no-history --quiet --report json=$folder/tmp/report.json"
# run_here ACCOUNT KEY "OPTION…" ["ENGINE ARGUMENT…"]
run_here() {
	# shellcheck disable=SC2086 # words on purpose
	assess "$1" "$2" "${2%-*}" $here $3 -- ${4:-}
}

# ---- a root folder for engines that take one: a shell, three accounts, and little else
root=$folder/root
busybox_root "$root" || { echo "$0: $engine_reason" >&2; exit 1; }
echo 'nobody:x:65534:65534::/tmp:/bin/sh' >>"$root/etc/passwd"
mkdir "$root/usr" "$root/run" "$root/dev" "$root/proc" "$root/sys" # the engines' own places

# ---- what an unprivileged account starts
run_here user none-plain ''
run_here user bwrap-plain ''
docs/recipes/filter.py >"$folder/filter.bpf"
exec 9<"$folder/filter.bpf"
run_here user bwrap-hardened '' '--unshare-all --unshare-user --disable-userns --as-pid-1
	--hostname sandbox --die-with-parent --new-session --clearenv --cap-drop ALL --seccomp 9
	--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64
	--proc /proc --dev /dev --tmpfs /dev/shm --tmpfs /tmp --remount-ro / --remount-ro /dev
	--chdir /tmp'
exec 9<&-
run_here user landlock-plain ''
run_here user landlock-hardened '' '--exec /usr --exec /lib --exec /lib64 --rw /dev/null
	--scratch --no-network --scope'
run_here user firejail-plain ''
run_here user firejail-hardened '' '--private --private-dev --private-tmp --private-etc=passwd,group
	--net=none --caps.drop=all --nonewprivs --noroot --nogroups --seccomp --restrict-namespaces
	--disable-mnt --rlimit-nproc=64 --rlimit-as=536870912'

# ---- what root starts
# runc_config ENGINE PROCESSES
runc_config() {
	(cd "$folder" && rm -f config.json && "$1" spec) >/dev/null
	jq --argjson processes "$2" '.process.user = {uid: 65534, gid: 65534} | .process.noNewPrivileges = true
		| .process.capabilities = {bounding: [], effective: [], inheritable: [], permitted: [],
			ambient: []}
		| .process.terminal = false | .process.cwd = "/tmp"
		| .process.rlimits = [{type: "RLIMIT_NOFILE", hard: 256, soft: 256}]
		| .root.readonly = true
		| .mounts += [{destination: "/tmp", type: "tmpfs", source: "tmpfs",
			options: ["nosuid", "nodev", "noexec", "size=16m", "mode=1777"]}]
		| .linux.resources += {memory: {limit: 268435456, swap: 268435456}, pids: {limit: $processes}}' \
		"$folder/config.json" >"$folder/$1.json"
}
runc_config runc 64
# What Docker's own profile refuses first of all; runc alone has no filter.
jq '.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", syscalls: [{action: "SCMP_ACT_ERRNO", names: [
	"mount", "umount2", "pivot_root", "move_mount", "open_tree", "fsopen", "fsmount", "fsconfig",
	"unshare", "setns", "bpf", "perf_event_open", "ptrace", "process_vm_readv",
	"process_vm_writev", "keyctl", "add_key", "request_key", "init_module", "finit_module",
	"delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "userfaultfd",
	"io_uring_setup", "io_uring_enter", "io_uring_register", "open_by_handle_at", "settimeofday",
	"clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname", "acct",
	"quotactl", "syslog"]}]}' "$folder/runc.json" >"$folder/runc.new"
mv "$folder/runc.new" "$folder/runc.json"
run_here root runc-plain "--rootfs $root"
run_here root runc-hardened "--rootfs $root" "--config $folder/runc.json"
# gVisor's own threads count, too: with 64 the sandbox ends when a program is started.
runc_config runsc 512
run_here root gvisor-plain "--rootfs $root"
run_here root gvisor-hardened "--rootfs $root" "--config $folder/runsc.json"
hardened='--network none --read-only --cap-drop ALL --security-opt no-new-privileges
	--user 65534:65534 --pids-limit 64 --memory 256m --cpus 1
	--tmpfs /tmp:rw,noexec,nosuid,nodev,size=16m --workdir /tmp'
docker_network=
if docker_start "$folder/docker"; then
	tar -C "$root" -c . | docker import - gallery >/dev/null
	run_here root docker-plain '--image gallery'
	run_here root docker-hardened '--image gallery' "$hardened"
	docker_stop
else
	echo "gallery: docker: $engine_reason" >&2
fi
if podman_prepare "$folder/podman"; then
	# shellcheck disable=SC2086 # words on purpose
	tar -C "$root" -c . | $podman import - gallery >/dev/null 2>&1
	run_here root podman-plain '--image gallery' "$podman_words"
	run_here root podman-hardened '--image gallery' "$podman_words $hardened"
else
	echo "gallery: podman: $engine_reason" >&2
fi
run_here root nspawn-plain "--rootfs $root"
run_here root nspawn-hardened "--rootfs $root" '--private-network --private-users=524288:65536
	--drop-capability=all --no-new-privileges=yes --read-only --rlimit=RLIMIT_NPROC=64
	--system-call-filter=~@mount --system-call-filter=~@keyring'
run_here root lxc-plain "--rootfs $root"
# An account that is nobody else's: its limit of processes counts all that it has on the machine.
run_here root lxc-hardened "--rootfs $root" '-s lxc.cap.drop= -s lxc.cap.keep=none -s lxc.no_new_privs=1
	-s lxc.init.uid=31998 -s lxc.init.gid=31998 -s lxc.rootfs.options=ro
	-s lxc.prlimit.nproc=64 -s lxc.prlimit.nofile=256'

if [ -n "${KEEP:-}" ]; then
	mkdir -p "$KEEP"
	cp "$folder"/reports/*.json "$KEEP"
fi
python3 tools/gallery_page.py --folder "$folder" --reports "${KEEP:-$folder/reports}" "$@"
