/* SPDX-License-Identifier: MIT */
/*
 * A matrix (host/matrix.h) for people and for programs. At 80 columns cells are short: "open",
 * barriers by a few letters, "?" for unknown; where there is room they are written out.
 */
#pragma once

#include <jansson.h>

#include "host/matrix.h"
#include "host/screen.h"

struct matrix_view {
	const struct matrix *matrix;
	char *const *names;  /* one per column, as the user named it */
	bool differing;      /* only the scenarios in which something differs */
	bool cases;          /* cases too; else only where their scenario looks the same */
};

/* More columns than this do not fit a table for people. */
#define MATRIX_MOST_COLUMNS 16

bool matrix_print(const struct screen *screen, const struct matrix_view *view);
/* The object sandboxeval-matrix/1: always all rows unless `differing`. */
json_t *matrix_json(const struct matrix_view *view);
