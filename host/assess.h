/* SPDX-License-Identifier: MIT */
/*
 * The assessment of one sandbox: the baseline, the launches it takes, one run of it all.
 *
 *	struct assess_plan plan = { .sandbox = sandbox, .level = LEVEL_TOUCH, .seconds = 120, … };
 *	struct run *run = assess(&plan, error);
 *
 *	baseline ──▶ launch ──footer──▶ done
 *	               │ lost
 *	               ├─▶ launch of what is left, without the culprit ──▶ …
 *	               └─▶ the culprit alone beside a harmless trial: lost again while that one
 *	                   lives: denied/killed; else unknown/crashed
 *
 * What did not arrive is unknown/no-report and makes the run incomplete, with a sentence.
 */
#pragma once

#include "host/error.h"
#include "host/results.h"
#include "host/sandbox.h"

struct assess_plan {
	const struct sandbox *sandbox;
	struct sandbox_request request;
	const char *only, *skip; /* lists that are known to be right, or NULL */
	enum level level;
	unsigned seconds; /* a launch may take */
	bool no_baseline;
	bool single; /* one launch: what is lost stays lost */
	bool no_witness;
	const char *witness; /* the name of one started elsewhere, or NULL: ours */
	const char *label;
	const json_t *targets; /* what the owner declares (host/targets.h), or NULL */
	/* Told as results arrive: "baseline" or the sandbox's name. May be NULL. */
	void (*progress)(void *context, const char *stage, unsigned arrived, unsigned planned);
	void *context;
};

/* NULL: it could not be done at all, or was interrupted (see the error's status). */
struct run *assess(const struct assess_plan *plan, struct error *error);
