/* SPDX-License-Identifier: MIT */
/*
 * An OCI bundle for the probe: the engine's own default configuration, or the user's, on the
 * user's root folder or an empty one. Bundle and state live in a throw-away folder. The probe is
 * mounted below a tmpfs of the container. What an engine leaves in the user's root folder, namely
 * empty mount points, is removed afterwards.
 *
 *	if (!bundle_make(&engine, request, probe, options, ret_launch, error))
 *		return false;                            nothing is left behind
 *	const struct bundle *bundle = ret_launch->state;
 *	ret_launch->argv = …  bundle->root, ret_launch->folder, bundle->id …
 *	…
 *	bundle_undo(ret_launch);                         after the end
 */
#pragma once

#include "host/sandbox.h"

struct oci_engine {
	const char *program; /* "runc" */
	const char *install; /* "apt-get install runc" */
	bool spec_is_rootless; /* "spec" must be told that it is for an ordinary user */
	/* Mount points are made in the host's root folder even where a tmpfs covers them inside. */
	bool mounts_below;
};

/* What stays of a launch until bundle_undo(). */
struct bundle {
	const struct oci_engine *engine;
	char *root, *id;    /* the engine's state folder, the container's name */
	char *config;       /* the user's --config FILE, or NULL */
	char **words;       /* the user's other arguments, or NULL */
	char **made;        /* mount points that the engine makes in the user's root */
};

/* Fills everything but the two command lines; the state is a struct bundle. */
bool bundle_make(const struct oci_engine *engine, const struct sandbox_request *given,
		 const char *probe, char *const options[], struct launch *ret_launch,
		 struct error *error);
/* Removes container, mount points and state. */
void bundle_undo(struct launch *launch);
/* For sandbox.find. */
void bundle_find_engine(const struct oci_engine *oci, struct engine *engine);
