/* SPDX-License-Identifier: MIT */
/*
 * docker, with the engine's plain defaults: the user's arguments are those of "docker run". Which
 * daemon is asked is docker's own matter: DOCKER_HOST, DOCKER_CONTEXT and its configuration count.
 */
#include <stdio.h>
#include <string.h>

#include "host/container.h"

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
	const char *meaning = symptom_meaning(unreachable, said);

	if (meaning)
		snprintf(engine->lacks, sizeof engine->lacks, "%s", meaning);
	else if (said[0])
		snprintf(engine->lacks, sizeof engine->lacks, "the docker daemon cannot be asked: %s",
			 said);
	else
		strcpy(engine->lacks, "the docker daemon does not answer: systemctl restart docker");
}

static void find(struct engine *engine)
{
	const char *const question[] = { "docker", "version", "--format", "{{.Server.Version}}",
					 NULL };
	char said[256] = "";
	bool answers = engine_ask(engine, question, "apt-get install docker.io", said, sizeof said);

	if (!engine->available)
		return;
	engine->available = answers && said[0];
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
	CONTAINER_REMEDIES,
	[REMEDY_MAP] = "userns-remap in the daemon's configuration",
	[REMEDY_RO] = "--read-only",
	[REMEDY_MASK] = "no --privileged, no systempaths=unconfined",
	[REMEDY_ENV] = "-e only what is needed",
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
