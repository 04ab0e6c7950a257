/* SPDX-License-Identifier: MIT */
/*
 * A launch of the probe in a container of docker or podman, which take the same words. Without an
 * image of the user's a temporary one is made that holds the probe alone; the user's own is never
 * pulled and never changed. Container and temporary image bear a name that nobody else has, and
 * are removed by it however the launch ended.
 */
#pragma once

#include "host/sandbox.h"

struct container_engine {
	const char *program;
	/*
	 * How the probe is mounted beside an image of the user's: an option, and the text before
	 * and after the probe's path. A missing source must be an error, never a new folder.
	 */
	const char *mount_option, *mount_before, *mount_after;
	const char *absent;   /* what the engine says of a container or image that is not there */
	bool takes_rootfs;
	bool has_daemon; /* that goes on when its client is ended */
	/* Options of the engine itself that may stand among the user's: each has a value, all other
	 * commands need them, too. Ends with NULL; or NULL. */
	const char *const *everywhere;
	const struct symptom *symptoms; /* ends with a NULL text */
};

bool container_prepare(const struct container_engine *engine, const struct sandbox_request *request,
		       const char *probe, char *const probe_options[], struct launch *ret_launch,
		       struct error *error);
void container_clean_up(struct launch *launch);

/* What closes a finding in the words that both engines take. */
#define CONTAINER_REMEDIES                                                                         \
	[REMEDY_NET] = "--network none",                                                           \
	[REMEDY_UID] = "--user 65534",                                                             \
	[REMEDY_CAP] = "--cap-drop ALL",                                                           \
	[REMEDY_NNP] = "--security-opt no-new-privileges",                                         \
	[REMEDY_SEC] = "the default seccomp profile, or stricter: --security-opt seccomp=FILE",    \
	[REMEDY_NUN] = "--security-opt seccomp=FILE, without CLONE_NEWUSER",                       \
	[REMEDY_BIND] = "-v only what is needed, with :ro",                                        \
	[REMEDY_TMP] = "--tmpfs /tmp:noexec,nosuid,nodev,size=64m",                                \
	[REMEDY_PID] = "no --pid host",                                                            \
	[REMEDY_IPC] = "no --ipc host",                                                            \
	[REMEDY_UTS] = "no --uts host; --hostname NAME",                                           \
	[REMEDY_CG] = "--cgroupns private, no writable cgroup mount",                              \
	[REMEDY_DEV] = "no --device, no --privileged",                                             \
	[REMEDY_TTY] = "no -t",                                                                    \
	[REMEDY_MEM] = "--memory 256m --memory-swap 256m",                                         \
	[REMEDY_PRC] = "--pids-limit 64",                                                          \
	[REMEDY_CPU] = "--cpus 1",                                                                 \
	[REMEDY_RL] = "--ulimit NAME=N",                                                           \
	[REMEDY_ONE] = "--rm, one container for each",                                             \
	[REMEDY_MD] = "--network none, or a metadata service with hop limit 1",                    \
	[REMEDY_SOCK] = "no bind of a daemon's socket (:ro does not help)",                        \
	[REMEDY_OUT] = "the collector opens beneath and refuses links",                            \
	[REMEDY_KEY] = "a recent engine: a session keyring of its own",                            \
	[REMEDY_KRN] = "a patched kernel and engine, gVisor (--runtime runsc) or a VM",            \
	[REMEDY_APART] = "keep it outside the sandbox, under another uid, or strip it"
