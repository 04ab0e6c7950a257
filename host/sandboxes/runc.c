/* SPDX-License-Identifier: MIT */
/*
 * runc, with its plain defaults ("runc spec"), on a user's root folder or an empty one. The
 * user's arguments are those of "runc run"; --config FILE replaces the configuration.
 */
#include "host/bundle.h"
#include "host/memory.h"

static const struct oci_engine runc = {
	.program = "runc",
	.install = "apt-get install runc",
	.spec_is_rootless = true,
};

static void command_line(struct launch *launch)
{
	const struct bundle *bundle = launch->state;
	char **shown, **argv = list_add(NULL, copy_text("runc"));

	argv = list_add(argv, copy_text("--root"));
	argv = list_add(argv, copy_text(bundle->root));
	argv = list_add(argv, copy_text("run"));
	argv = list_add(argv, copy_text("--bundle"));
	argv = list_add(argv, copy_text(launch->folder));
	argv = list_join(argv, bundle->words);
	shown = list_add(NULL, copy_text("runc"));
	shown = list_add(shown, copy_text("run"));
	shown = list_join(shown, bundle->words);
	if (bundle->config)
		shown = list_add(shown, print_text("--config=%s", bundle->config));
	launch->argv = list_add(argv, copy_text(bundle->id));
	launch->report_argv = list_add(shown, copy_text("{probe}"));
}

static bool prepare(const struct sandbox_request *request, const char *probe,
		    char *const probe_options[], struct launch *ret_launch, struct error *error)
{
	if (!bundle_make(&runc, request, probe, probe_options, ret_launch, error))
		return false;
	command_line(ret_launch);
	return true;
}

static void find(struct engine *engine)
{
	bundle_find_engine(&runc, engine);
}

static const char *const remedies[N_REMEDIES] = {
	[REMEDY_NET] = "linux.namespaces: network",
	[REMEDY_UID] = "process.user: uid and gid 65534",
	[REMEDY_MAP] = "linux.uidMappings, linux.gidMappings",
	[REMEDY_CAP] = "process.capabilities: five empty sets",
	[REMEDY_NNP] = "process.noNewPrivileges: true",
	[REMEDY_SEC] = "linux.seccomp, for all architectures",
	[REMEDY_NUN] = "linux.seccomp: refuse new user namespaces",
	[REMEDY_RO] = "root.readonly: true",
	[REMEDY_BIND] = "mounts: fewer, read-only",
	[REMEDY_TMP] = "mounts: noexec, nosuid, nodev, size=, nr_inodes=",
	[REMEDY_MASK] = "linux.maskedPaths, linux.readonlyPaths",
	[REMEDY_PID] = "linux.namespaces: pid",
	[REMEDY_IPC] = "linux.namespaces: ipc",
	[REMEDY_UTS] = "linux.namespaces: uts",
	[REMEDY_CG] = "linux.namespaces: cgroup; its mount read-only",
	[REMEDY_DEV] = "linux.resources.devices: deny all",
	[REMEDY_ENV] = "process.env: only what is needed",
	[REMEDY_FD] = "no --preserve-fds",
	[REMEDY_TTY] = "process.terminal: false",
	[REMEDY_MEM] = "linux.resources.memory: limit = swap",
	[REMEDY_PRC] = "linux.resources.pids.limit",
	[REMEDY_CPU] = "linux.resources.cpu.quota",
	[REMEDY_RL] = "process.rlimits",
	[REMEDY_ONE] = "a fresh bundle for each",
	[REMEDY_MD] = "linux.namespaces: network, its own",
	[REMEDY_SOCK] = "mounts: no daemon socket",
	[REMEDY_OUT] = "mounts: nosymfollow, nosuid, nodev",
	[REMEDY_KEY] = "default: no --no-new-keyring",
	[REMEDY_KRN] = "a patched kernel, gVisor or a VM",
	[REMEDY_APART] = "keep it outside the sandbox, under another uid, or strip it",
};

const struct sandbox sandbox_runc = {
	.name = "runc",
	.title = "runc",
	.summary = "an OCI container on an empty root, or on --rootfs FOLDER",
	.defaults = "the configuration of \"runc spec\"; -- --config FILE replaces it",
	.remedies = remedies,
	.find = find,
	.prepare = prepare,
	.clean_up = bundle_undo,
};
