/* SPDX-License-Identifier: MIT */
/*
 * The runs of the past, in one SQLite file ($XDG_DATA_HOME/sandboxeval/history.db). A run is kept
 * whole or not at all, by records that a report can be made of again: the JSON report is not
 * stored beside them, it is rendered when somebody asks. What cannot be kept costs a run nothing
 * but that: the caller gets a sentence.
 *
 *	if (!history_keep(path, run, &number, &error))
 *		… warn …
 *	struct history *history = history_open(path, error);
 *	int64_t number = history_find(history, "latest~1", error);
 *	struct run *run = number ? history_load(history, number, error) : NULL;
 *	history_close(history);
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "host/error.h"
#include "host/results.h"

/* What a list of runs tells of one. */
struct history_row {
	int64_t number; /* short, never used twice in one file */
	char id[17];    /* stable, unique everywhere */
	time_t started;
	char *sandbox, *version, *image, *label; /* the last three may be NULL */
	bool complete, clean;
	unsigned accessed, denied, unknown;
};

struct history_rows {
	struct history_row *rows; /* the newest first */
	unsigned n;
};

/* Which runs: NULL and 0 restrict nothing. */
struct history_filter {
	const char *sandbox, *label;
	bool unlabelled; /* only runs without a label */
	bool complete;   /* only runs that measured everything */
	unsigned limit;
	int64_t number; /* this one only */
};

/* Where the history is, or NULL when neither a variable nor the user's record names a home. */
char *history_default_path(void);
/* With NULL, the default path is meant. Makes the folders of the default path, no others. */
bool history_keep(const char *path, const struct run *run, int64_t *ret_number,
		  struct error *error);

struct history;

/* A file that does not exist is an empty history, and is not made. NULL: it cannot be used. */
struct history *history_open(const char *path, struct error *error);
void history_close(struct history *history); /* accepts NULL */
const char *history_path(const struct history *history);
bool history_list(struct history *history, const struct history_filter *filter,
		  struct history_rows *ret_rows, struct error *error);
void history_rows_free(struct history_rows *rows);
/*
 * The number of the run that a word names: a number, an id (or its first eight digits and more),
 * `latest`, a label (its newest run); `~N` after the last two goes back N runs. 0: there is none.
 */
int64_t history_find(struct history *history, const char *word, struct error *error);
/* Removes these runs, all or none. */
bool history_remove(const char *path, const int64_t numbers[], unsigned n, struct error *error);
/* Removes all but the newest `keep`; counts those that went. */
bool history_keep_newest(const char *path, unsigned keep, unsigned *ret_removed,
			 struct error *error);
/* NULL: there is no such run, or it cannot be read. */
struct run *history_load(struct history *history, int64_t number, struct error *error);
