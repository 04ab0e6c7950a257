/* SPDX-License-Identifier: MIT */
/*
 * gVisor (runsc), with its plain defaults ("runsc spec"), on a user's root folder or an empty one,
 * as root or as an ordinary user. The user's arguments are the global options of runsc, those
 * before "run"; what an account needs to start it at all is added unless it is among them.
 */
#include <string.h>
#include <unistd.h>

#include "host/bundle.h"
#include "host/memory.h"

static const struct oci_engine runsc = {
	.program = "runsc",
	.install = "apt-get install runsc, or see https://gvisor.dev/docs/user_guide/install/",
	.mounts_below = true,
};

/* What is added unless the user's arguments speak of it. */
static const struct addition {
	const char *option, *value;
	bool for_ordinary_users; /* only for them */
} additions[] = {
	/*
	 * The configuration has a network of its own, with nothing in it. runsc would look for
	 * interfaces there, which it may not as an ordinary user and cannot on recent kernels.
	 */
	{ "network", "none", false },
	{ "rootless", "true", true },
	{ "ignore-cgroups", "true", true },
};

/* "--network=host" and "-network=host" speak of "network". */
static bool speaks_of(char *const words[], const char *option)
{
	size_t n = strlen(option);

	for (size_t i = 0; words && words[i]; i++) {
		const char *name = words[i] + strspn(words[i], "-");

		if (strncmp(name, option, n) == 0 && (name[n] == '=' || name[n] == '\0'))
			return true;
	}
	return false;
}

static char **global_options(char *const words[])
{
	char **options = NULL;

	for (size_t i = 0; i < sizeof additions / sizeof *additions; i++) {
		const struct addition *a = &additions[i];

		if ((!a->for_ordinary_users || geteuid() != 0) && !speaks_of(words, a->option))
			options = list_add(options, print_text("--%s=%s", a->option, a->value));
	}
	return list_join(options, words);
}

static void command_line(struct launch *launch)
{
	const struct bundle *bundle = launch->state;
	char **options = global_options(bundle->words), **argv, **shown;

	argv = list_add(NULL, copy_text("runsc"));
	argv = list_add(argv, print_text("--root=%s", bundle->root));
	shown = list_join(list_add(NULL, copy_text("runsc")), options);
	argv = list_join(argv, options);
	list_free(options);
	argv = list_add(argv, copy_text("run"));
	argv = list_add(argv, print_text("--bundle=%s", launch->folder));
	shown = list_add(shown, copy_text("run"));
	if (bundle->config)
		shown = list_add(shown, print_text("--config=%s", bundle->config));
	launch->argv = list_add(argv, copy_text(bundle->id));
	launch->report_argv = list_add(shown, copy_text("{probe}"));
}

static bool prepare(const struct sandbox_request *request, const char *probe,
		    char *const probe_options[], struct launch *ret_launch, struct error *error)
{
	if (speaks_of(request->arguments, "root"))
		return error_set(error, EXIT_MISUSE,
				 "runsc's state lives in a throw-away folder: leave out --root");
	if (!bundle_make(&runsc, request, probe, probe_options, ret_launch, error))
		return false;
	command_line(ret_launch);
	return true;
}

static void find(struct engine *engine)
{
	bundle_find_engine(&runsc, engine);
}

static const char *const remedies[N_REMEDIES] = {
	[REMEDY_NET] = "--network=none",
	[REMEDY_UID] = "process.user: uid and gid 65534",
	[REMEDY_MAP] = "--rootless, as an ordinary user",
	[REMEDY_CAP] = "process.capabilities: five empty sets",
	[REMEDY_NNP] = "process.noNewPrivileges: true",
	[REMEDY_SEC] = "linux.seccomp with --oci-seccomp; runsc has few system calls of its own",
	[REMEDY_NUN] = "linux.seccomp with --oci-seccomp: refuse new user namespaces",
	[REMEDY_RO] = "root.readonly: true, or --overlay2=root:memory",
	[REMEDY_BIND] = "mounts: fewer, read-only",
	[REMEDY_TMP] = "mounts: noexec, nosuid, nodev, size=",
	[REMEDY_MASK] = "runsc has its own /proc and /sys",
	[REMEDY_PID] = "linux.namespaces: pid",
	[REMEDY_IPC] = "linux.namespaces: ipc",
	[REMEDY_UTS] = "linux.namespaces: uts",
	[REMEDY_CG] = "no --cgroupfs",
	[REMEDY_DEV] = "linux.devices: none",
	[REMEDY_ENV] = "process.env: only what is needed",
	[REMEDY_FD] = "default: runsc passes none on",
	[REMEDY_TTY] = "process.terminal: false",
	[REMEDY_MEM] = "linux.resources.memory, without --ignore-cgroups",
	[REMEDY_PRC] = "linux.resources.pids.limit, without --ignore-cgroups",
	[REMEDY_CPU] = "linux.resources.cpu.quota, without --ignore-cgroups",
	[REMEDY_RL] = "process.rlimits",
	[REMEDY_ONE] = "a fresh bundle for each",
	[REMEDY_MD] = "--network=none",
	[REMEDY_SOCK] = "no --host-uds; mounts: no daemon socket",
	[REMEDY_OUT] = "mounts: nosymfollow, nosuid, nodev",
	[REMEDY_KEY] = "runsc has its own keyrings",
	[REMEDY_KRN] = "runsc has its own kernel; a recent release",
	[REMEDY_APART] = "keep it outside the sandbox, under another uid, or strip it",
};

static const struct symptom symptoms[] = {
	{ "root network namespace", "this release of runsc cannot take over a network on a kernel as "
				    "recent as this: use --network=none or --network=host" },
	{ "isn't supported with --rootless", "an ordinary user has no network of gVisor's: use "
					     "--network=none or --network=host" },
	{ "client sync file", "runsc could not set the container up: an ordinary user needs user "
			      "namespaces, and a root folder that takes mount points (/proc, /dev …)" },
	{ "/dev/kvm", "the platform kvm needs /dev/kvm: use --platform=ptrace or systrap" },
	{ NULL, NULL },
};

const struct sandbox sandbox_gvisor = {
	.name = "gvisor",
	.title = "gVisor",
	.summary = "a container on gVisor's own kernel (runsc), empty or on --rootfs FOLDER",
	.defaults = "the configuration of \"runsc spec\" with --network=none (as an ordinary user "
		    "also --rootless --ignore-cgroups); -- --config FILE replaces it",
	/* Its calls take up to a hundred times as long as Linux's. */
	.trial_seconds = 10,
	.remedies = remedies,
	.symptoms = symptoms,
	.find = find,
	.prepare = prepare,
	.clean_up = bundle_undo,
};
