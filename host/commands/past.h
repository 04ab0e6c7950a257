/* SPDX-License-Identifier: MIT */
/*
 * What a command that measures does with the runs of before: it looks for the one to compare
 * with before anything is launched, keeps the new run, and says what is open that was not.
 *
 *	if (!past_prepare(&past, "bwrap", label, &error))
 *		return complain_error(&error);
 *	… the run …
 *	past_keep(&past, run);                 a failure is a warning, and nothing more
 *	status = past_judge(&past, run);       after the reports
 *	past_free(&past);
 */
#pragma once

#include "host/named_run.h"

struct past {
	/* What the user asked for; borrowed. */
	const char *history; /* file, or NULL */
	bool no_history;
	const char *against; /* RUN, or NULL: the previous run of the same sandbox and label */
	bool fail_on_new;
	bool quiet;
	/* What is made of it. */
	struct named_run reference;
	int64_t number; /* of the run that was kept, or 0 */
};

bool past_prepare(struct past *past, const char *sandbox, const char *label, struct error *error);
void past_keep(struct past *past, const struct run *run);
/*
 * EXIT_SATISFIED, EXIT_VIOLATED when something is open that was not seen to be in the reference,
 * EXIT_INCOMPLETE when there is no reference.
 */
int past_judge(const struct past *past, const struct run *run);
void past_free(struct past *past);
