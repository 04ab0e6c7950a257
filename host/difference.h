/* SPDX-License-Identifier: MIT */
/*
 * What changed between two runs, by scenario and case. Statuses are compared and nothing is
 * guessed: what is unknown in the later run is not closed, what was unknown in the earlier one
 * may always have been open.
 *
 *	struct difference difference = difference_of(before, after);
 *	if (difference.count[CHANGE_OPENED] + difference.count[CHANGE_FOUND_OPEN])
 *		… something is open now that was not seen to be …
 *	difference_free(&difference);
 *
 * Cases are compared where both runs have some, or where one could not measure the scenario at
 * all; else the scenario's own status. A scenario's own row is given, too, where it changed and
 * none of its cases says so.
 */
#pragma once

#include "host/results.h"

/* In the order in which they are told: the worst first. */
enum change {
	CHANGE_OPENED,       /* denied, now accessed */
	CHANGE_FOUND_OPEN,   /* unknown, now accessed: nobody knows since when */
	CHANGE_LOST,         /* measured, now unknown */
	CHANGE_BARRIERS,     /* denied both times, by other barriers */
	CHANGE_CLOSED,       /* accessed, now denied */
	CHANGE_FOUND_CLOSED, /* unknown, now denied */
	CHANGE_ADDED,        /* only the later run tried it */
	CHANGE_REMOVED,      /* only the earlier run tried it */
	CHANGE_NONE,
};
#define N_CHANGES 9

/* One side of a comparison: a case, or a scenario of its own. */
struct side {
	bool present;
	bool whole; /* a case of a scenario that was not measured and has no cases */
	enum status status;
	enum reason reason;
	barrier_set barriers;
	enum severity severity;
	const json_t *evidence, *objects; /* borrowed; NULL: none */
};

struct difference_row {
	const struct catalogue_entry *entry;
	const char *name; /* the case, or NULL: the scenario itself; borrowed from a run */
	enum change change;
	struct side before, after;
};

struct difference {
	struct difference_row *rows; /* all that was compared, unchanged rows too */
	unsigned n;
	unsigned count[N_CHANGES];
};

struct difference difference_of(const struct run *before, const struct run *after);
void difference_free(struct difference *difference);
/* "opened": the word for programs; and a heading for people. */
const char *change_name(enum change change);
const char *change_title(enum change change);
enum change change_of(const struct side *before, const struct side *after);
struct side side_of_result(const struct result *result); /* NULL: not present */
struct side side_of_case(const struct case_result *one);
/* A scenario that was not measured says of each of its cases that it was not, either. */
struct side side_unmeasured(const struct result *result, enum severity severity);
/* True where the two objects do not say the same (NULL is empty). */
bool evidence_differs(const json_t *before, const json_t *after);
