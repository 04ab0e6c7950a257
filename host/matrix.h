/* SPDX-License-Identifier: MIT */
/*
 * Several runs side by side: one row per scenario and, below it, per case; one column per run.
 * It is data, made of runs that somebody else owns; what it looks like is the renderers' matter.
 *
 *	struct matrix matrix = matrix_of(columns, n);
 *	for (unsigned i = 0; i < matrix.n_rows; i++)
 *		… matrix.rows[i].cells[column] …
 *	matrix_free(&matrix);
 */
#pragma once

#include "host/difference.h"

struct matrix_column {
	char *title; /* short: the sandbox's name or its label */
	const struct run *run;
};

struct matrix_row {
	const struct catalogue_entry *entry;
	const char *name;     /* the case, or NULL: the scenario itself */
	struct side *cells;   /* one per column */
	bool differs;         /* in status or, where all deny, in barriers */
	bool below_differs;   /* the row is a scenario's, and one of its cases differs */
};

struct matrix {
	struct matrix_column *columns; /* borrowed */
	unsigned n_columns;
	struct matrix_row *rows; /* a scenario's cases follow it */
	unsigned n_rows;
	unsigned n_scenarios, n_differing; /* scenarios, and those where anything differs */
};

struct matrix matrix_of(struct matrix_column columns[], unsigned n_columns);
void matrix_free(struct matrix *matrix);
/* Open cases of a scenario in a column, and all of them. False: it has none there. */
bool matrix_cases(const struct matrix *matrix, const struct matrix_row *row, unsigned column,
		  unsigned *ret_open, unsigned *ret_all);
