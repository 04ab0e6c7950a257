/* SPDX-License-Identifier: MIT */
/*
 * One launch of the probe in one place: prepare, start, read, clean up.
 *
 *	struct launch_order order = { .sandbox = sandbox, .request = &request, … };
 *	struct launch_end end;
 *	if (!launch_probe(&order, &end, error))
 *		return false;                       it could not even be prepared
 *	… end.said->results …
 *	launch_end_free(&end);
 */
#pragma once

#include "host/child.h"
#include "host/sandbox.h"
#include "host/wire.h"

struct launch_order {
	const struct sandbox *sandbox;
	const struct sandbox_request *request;
	const char *probe; /* the probe file's path out here */
	const bool *wanted; /* by catalogue index */
	enum level level;
	const char *facts;
	double seconds;
	/* Told as results arrive; may be NULL. */
	void (*progress)(void *context, unsigned arrived);
	void *context;
};

struct launch_end {
	struct child_end end;
	struct wire *wire;
	struct wire_result *said; /* the wire's */
	char **report_argv;
	char *image;
	char *left; /* what could not be removed, and how to; or NULL */
	const struct symptom *symptoms; /* the engine's own; or NULL */
	bool started; /* false: the engine's program could not be executed; see error */
};

bool launch_probe(const struct launch_order *order, struct launch_end *ret_end,
		  struct error *error);
void launch_end_free(struct launch_end *end);
/* The signal that ended it, as far as the exit status tells (shells, engines add 128); or 0. */
int launch_signal(const struct child_end *end);
/* "exit status 3", "signal 9 (Killed)", "the time limit of 120 s": kept until the next call. */
const char *launch_ending(const struct launch_end *end, double seconds);
/* Why nothing came of a launch, as a sentence with the way out, without full stop. Malloc'd. */
char *launch_failure(const struct launch_end *end, double seconds);
