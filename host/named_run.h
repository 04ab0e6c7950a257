/* SPDX-License-Identifier: MIT */
/*
 * RUN, as the commands accept it: what the history knows by number, id, label or `latest`, or
 * the path of a JSON report. A word with a slash or with the ending .json is a path; any other
 * is looked for in the history first.
 *
 *	struct named_run named;
 *	if (!named_run_get(&named, "latest~1", history_path_or_NULL, error))
 *		return false;
 *	… named.run, named.name …
 *	named_run_free(&named);
 */
#pragma once

#include "host/history.h"

struct named_run {
	struct run *run;
	char *name;     /* "run 12" or the path */
	int64_t number; /* 0: it came from a file */
	char id[17];    /* "" when it came from a file */
};

bool named_run_get(struct named_run *named, const char *word, const char *history,
		   struct error *error);
/* The same by number, without a word: for runs that were chosen from a list. */
bool named_run_load(struct named_run *named, struct history *history, int64_t number,
		    struct error *error);
void named_run_free(struct named_run *named);
