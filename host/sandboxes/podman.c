/* SPDX-License-Identifier: MIT */
/*
 * podman, with the engine's plain defaults: the user's arguments are those of "podman run". Its
 * global options (--runtime, --root …) may stand among them; CONTAINERS_CONF counts as ever.
 */
#include <stdio.h>
#include <string.h>

#include "host/container.h"

static const char *const everywhere[] = {
	"--cgroup-manager", "--conmon",		"--connection",	    "--events-backend",
	"--hooks-dir",	    "--identity",	"--imagestore",	    "--module",
	"--root",	    "--runroot",	"--runtime",	    "--runtime-flag",
	"--storage-driver", "--storage-opt",	"--tmpdir",	    "--url",
	"--volumepath",	    "--network-config-dir", NULL,
};

static const struct symptom symptoms[] = {
	{ "RLIMIT_", "this account may not raise limits as high as podman's defaults; lower ones help: "
		     "-- --ulimit nofile=1024:1024 --ulimit nproc=1024:1024" },
	{ "setting rlimit", "this account may not raise limits as high as podman's defaults; lower "
			    "ones help: -- --ulimit nofile=1024:1024 --ulimit nproc=1024:1024" },
	{ "cgroups in hybrid mode", "crun does not take cgroups of both versions at once; another "
				    "runtime does: -- --runtime runc" },
	{ "default OCI runtime", "podman's runtime is not installed: apt-get install crun, or name "
				 "another: -- --runtime runc" },
	{ "netavark", "podman cannot set up its default network; without one: -- --network none" },
	{ "CNI", "podman cannot set up its default network; without one: -- --network none" },
	{ "slirp4netns", "podman cannot set up its default network: apt-get install slirp4netns, or "
			 "without one: -- --network none" },
	{ "pasta", "podman cannot set up its default network: apt-get install passt, or without one: "
		   "-- --network none" },
	{ NULL, NULL },
};

static const struct container_engine podman = {
	.program = "podman",
	/* "z" only tells SELinux, where there is any, that containers may run the file. */
	.mount_option = "--volume",
	.mount_before = "",
	.mount_after = ":/sandboxeval-probe:ro,z",
	.absent = "image not known",
	.takes_rootfs = true,
	.everywhere = everywhere,
	.symptoms = symptoms,
};

static void find(struct engine *engine)
{
	/* "info" opens the storage and looks for the runtime; "version" would not notice. */
	const char *const question[] = { "podman", "info", "--format", "{{.Version.Version}}", NULL };
	char said[256] = "";
	bool answers = engine_ask(engine, question, "apt-get install podman", said, sizeof said);

	if (!engine->available)
		return;
	engine->available = answers && said[0];
	if (engine->available)
		snprintf(engine->version, sizeof engine->version, "podman %.100s", said);
	else if (strstr(said, "newuidmap") || strstr(said, "subuid"))
		strcpy(engine->lacks, "podman cannot map users: apt-get install uidmap, and give this "
				      "account a range in /etc/subuid and /etc/subgid");
	else
		snprintf(engine->lacks, sizeof engine->lacks, "podman does not work here: %s",
			 said[0] ? said : "it does not answer");
}

static bool prepare(const struct sandbox_request *request, const char *probe,
		    char *const probe_options[], struct launch *ret_launch, struct error *error)
{
	return container_prepare(&podman, request, probe, probe_options, ret_launch, error);
}

static const char *const remedies[N_REMEDIES] = {
	CONTAINER_REMEDIES,
	[REMEDY_MAP] = "--userns auto",
	[REMEDY_RO] = "--read-only (--read-only-tmpfs=false for /tmp, too)",
	[REMEDY_MASK] = "no --privileged, no --security-opt unmask",
	[REMEDY_ENV] = "-e only what is needed; --http-proxy=false",
	[REMEDY_FD] = "no --preserve-fds",
};

const struct sandbox sandbox_podman = {
	.name = "podman",
	.title = "podman",
	.summary = "a podman container of an empty image, of --image NAME or on --rootfs FOLDER; the "
		   "arguments are those of \"podman run\", --runtime and --root included",
	.defaults = "none: podman's own",
	.remedies = remedies,
	.symptoms = symptoms,
	.find = find,
	.prepare = prepare,
	.clean_up = container_clean_up,
};
