/* SPDX-License-Identifier: MIT */
/*
 * A difference (host/difference.h) for people and for programs. Both renderings only read it.
 */
#pragma once

#include <jansson.h>

#include "host/difference.h"
#include "host/screen.h"

struct difference_view {
	const struct run *before, *after;
	const char *before_name, *after_name; /* "run 3" */
	const struct difference *difference;
	bool evidence; /* also what was seen otherwise */
};

/* Tables by kind of change, and a last line that counts. False: memory ran out. */
bool difference_print(const struct screen *screen, const struct difference_view *view);
/* Only these kinds of change (a set of 1 << change), without the two headers. */
bool difference_print_changes(const struct screen *screen, const struct difference_view *view,
			      unsigned changes);
/* The object sandboxeval-diff/1. */
json_t *difference_json(const struct difference_view *view);
/* "denied: dac, seccomp", "unknown: timed-out", "accessed"; malloc'd. */
char *side_text(const struct side *side);
