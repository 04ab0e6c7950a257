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
