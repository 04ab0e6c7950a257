/* SPDX-License-Identifier: MIT */
/*
 * The sockets of engines that start containers and virtual machines. Whoever may connect may have
 * a container started that sees the host's disk; a read-only mount of the socket does not help.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = {
	{ "docker", "/run/docker.sock|/var/run/docker.sock|docker.sock|docker.*.sock|$DOCKER_HOST",
	  0, 0, 0 },
	{ "containerd",
	  "/run/containerd/containerd.sock|/run/k3s/containerd/containerd.sock|containerd.sock*|"
	  "docker-containerd.sock|$CONTAINERD_ADDRESS", 0, 0, 0 },
	{ "podman", "/run/podman/podman.sock|/run/user/UID/podman/podman.sock|podman.sock|"
	  "podman-machine*.sock|$CONTAINER_HOST", 0, 0, 0 },
	{ "crio", "/run/crio/crio.sock|/var/run/crio/crio.sock|crio.sock|cri-dockerd.sock|"
	  "dockershim.sock|$CONTAINER_RUNTIME_ENDPOINT", 0, 0, 0 },
	{ "buildkit", "/run/buildkit/buildkitd.sock|buildkitd.sock|$BUILDKIT_HOST", 0, 0, 0 },
	{ "lxd", "/var/lib/lxd/unix.socket|/var/snap/lxd/common/lxd/unix.socket|"
	  "/var/lib/incus/unix.socket|/run/incus/unix.socket|unix.socket|unix.socket.user|"
	  "$LXD_SOCKET|$INCUS_SOCKET", 0, 0, 0 },
	{ "libvirt", "/run/libvirt/libvirt-sock|/var/run/libvirt/libvirt-sock|libvirt-sock*|"
	  "libvirt-admin-sock|virtqemud-sock*|virtlxcd-sock*|virtproxyd-sock*", 0, 0, 0 },
	{ "kubelet", "/var/lib/kubelet/device-plugins/kubelet.sock|"
	  "/var/lib/kubelet/pod-resources/kubelet.sock|kubelet.sock", 0, 0, 0 },
};

static void attempt(struct trial *trial)
{
	settle_sockets(trial);
}

const struct scenario scenario_socket_runtime_api = {
	.about = ABOUT(
		.title = "Reach the socket of a container or machine engine",
		.accessed = "Code in the sandbox can connect to an engine that starts containers "
			    "or virtual machines.",
		.denied = "Code in the sandbox cannot connect to any engine that starts "
			  "containers or virtual machines.",
		.why = "An engine does what its clients ask, with its own rights: a client may "
		       "start a container that has the whole disk of the host, so this socket is "
		       "the host.",
		.see = "T1609, T1611",
		.open = "B +listener:$D/run/docker.sock --ro-bind $D/run /run",
		.closed = "B --ro-bind $D/none /run",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.views = VIEW_SOCKETS,
	.fix = FIX(SOCK),
	CASES(cases),
	.attempt = attempt,
};
