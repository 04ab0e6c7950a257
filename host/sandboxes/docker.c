/* SPDX-License-Identifier: MIT */
/*
 * docker, with the engine's plain defaults: the user's arguments are those of "docker run". Which
 * daemon is asked is docker's own matter: DOCKER_HOST, DOCKER_CONTEXT and its configuration count.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/child.h"
#include "host/container.h"
#include "host/memory.h"

static const struct symptom symptoms[] = {
	{ "bind source path does not exist",
	  "the daemon does not see this machine's files (it is remote, or a snap): name a folder "
	  "that both see with TMPDIR=/some/folder, or leave out --image" },
	{ "from daemon: network ", "docker network ls names the networks that there are" },
	{ "annot connect to the Docker daemon", "the docker daemon went away: start it again" },
	{ "unexpected EOF", "the docker daemon went away: start it again" },
	{ NULL, NULL },
};

static const struct container_engine docker = {
	.program = "docker",
	.mount_option = "--mount",
	.mount_before = "type=bind,source=",
	.mount_after = ",target=/sandboxeval-probe,readonly",
	.absent = "o such ",
	.has_daemon = true,
	.symptoms = symptoms,
};

/* What the client says when it gets no answer, and the way out. */
static const struct symptom unreachable[] = {
	{ "odman", "docker is podman here: sandboxeval run podman" },
	{ "ermission denied", "this account may not use the docker daemon: run as root, join the "
			      "group docker (which is as good as root), or use rootless docker" },
	{ "annot connect", "the docker daemon does not run: systemctl start docker (or: dockerd), or "
			   "name another one in DOCKER_HOST" },
	{ "too old", "client and daemon are of too different versions: set DOCKER_API_VERSION" },
	{ "too new", "client and daemon are of too different versions: set DOCKER_API_VERSION" },
	{ NULL, NULL },
};

static void explain_absence(const char *said, struct engine *engine)
{
	for (const struct symptom *s = unreachable; s->text; s++) {
		if (strstr(said, s->text)) {
			snprintf(engine->lacks, sizeof engine->lacks, "%s", s->meaning);
			return;
		}
	}
	if (said[0])
		snprintf(engine->lacks, sizeof engine->lacks, "the docker daemon cannot be asked: %s",
			 said);
	else
		strcpy(engine->lacks, "the docker daemon does not answer: systemctl restart docker");
}

static void find(struct engine *engine)
{
	const char *const question[] = { "docker", "version", "--format", "{{.Server.Version}}",
					 NULL };
	char *program = program_find("docker");
	char said[256] = "";

	*engine = (struct engine){ .available = false };
	if (!program) {
		strcpy(engine->lacks, "docker is not installed: apt-get install docker.io");
		return;
	}
	free(program);
	engine->available = child_first_line(question, said, sizeof said) && said[0];
	if (engine->available)
		snprintf(engine->version, sizeof engine->version, "Docker %.100s", said);
	else
		explain_absence(said, engine);
}

static bool prepare(const struct sandbox_request *request, const char *probe,
		    char *const probe_options[], struct launch *ret_launch, struct error *error)
{
	return container_prepare(&docker, request, probe, probe_options, ret_launch, error);
}

static const char *const remedies[N_REMEDIES] = {
	[REMEDY_NET] = "--network none",
	[REMEDY_UID] = "--user 65534",
	[REMEDY_MAP] = "userns-remap in the daemon's configuration",
	[REMEDY_CAP] = "--cap-drop ALL",
	[REMEDY_NNP] = "--security-opt no-new-privileges",
	[REMEDY_SEC] = "default seccomp profile, or --security-opt seccomp=FILE",
	[REMEDY_NUN] = "--security-opt seccomp=FILE, without CLONE_NEWUSER",
	[REMEDY_RO] = "--read-only",
	[REMEDY_BIND] = "-v only what is needed, with :ro",
	[REMEDY_TMP] = "--tmpfs /tmp:noexec,nosuid,nodev,size=64m",
	[REMEDY_MASK] = "no --privileged, no systempaths=unconfined",
	[REMEDY_PID] = "no --pid host",
	[REMEDY_IPC] = "no --ipc host",
	[REMEDY_UTS] = "no --uts host; --hostname NAME",
	[REMEDY_CG] = "--cgroupns private, no writable cgroup mount",
	[REMEDY_DEV] = "no --device, no --privileged",
	[REMEDY_ENV] = "-e only what is needed",
	[REMEDY_TTY] = "no -t",
	[REMEDY_MEM] = "--memory 256m --memory-swap 256m",
	[REMEDY_PRC] = "--pids-limit 64",
	[REMEDY_CPU] = "--cpus 1",
	[REMEDY_RL] = "--ulimit NAME=N",
	[REMEDY_ONE] = "--rm, one container for each",
	[REMEDY_MD] = "--network none, or a metadata service with hop limit 1",
	[REMEDY_SOCK] = "no bind of a daemon's socket (:ro does not help)",
	[REMEDY_OUT] = "the collector opens beneath and refuses links",
	[REMEDY_KEY] = "a recent engine: a session keyring of its own",
	[REMEDY_KRN] = "a patched kernel and engine, gVisor (--runtime runsc) or a VM",
	[REMEDY_APART] = "keep it outside the sandbox, under another uid, or strip it",
};

const struct sandbox sandbox_docker = {
	.name = "docker",
	.title = "docker",
	.summary = "a docker container of an empty image, or of --image NAME; the arguments are those "
		   "of \"docker run\", and DOCKER_HOST names the daemon",
	.defaults = "none: docker's own",
	.remedies = remedies,
	.symptoms = symptoms,
	.find = find,
	.prepare = prepare,
	.clean_up = container_clean_up,
};
