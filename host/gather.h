/* SPDX-License-Identifier: MIT */
/*
 * All results of one place, from as many launches as it takes: when the sandbox ends the probe
 * in a trial, the rest is launched again without it, and it is tried again alone.
 */
#pragma once

#include "host/launch.h"
#include "host/results.h"

struct gathering {
	struct launch_order order; /* facts, progress and wanted are filled in per launch */
	const char *stage;         /* "baseline" or the sandbox's name */
	char *facts;               /* without filter=off */
	const bool *planned;       /* by catalogue index */
	bool single;
	struct run *run; /* takes the sentences */
	void (*progress)(void *context, const char *stage, unsigned arrived, unsigned planned);
	void *context;

	/* What comes of it. */
	struct result *results; /* by catalogue index */
	bool clean, footer;
	char *left; /* what the launcher could not remove, and how to; or NULL */
	char *probe_version, *probe_arch, *image;
	char **report_argv;
	json_t *origin;

	/* Its own. */
	bool *wanted, *lost;
	bool filter_off;
	unsigned n_planned, n_arrived, n_launches, n_timeouts;
	double seconds;
};

/* False: interrupted, or the sandbox could not be prepared. */
bool gather(struct gathering *gathering, struct error *error);
void gathering_free(struct gathering *gathering);
