/* SPDX-License-Identifier: MIT */
/*
 * A run in one line, for tables and comparisons: what was measured and when, and how two runs
 * were started differently.
 */
#pragma once

#include <jansson.h>

#include "host/results.h"
#include "host/screen.h"

/* "bwrap (bubblewrap 0.8.0), empty image, 2026-01-02 03:04, INCOMPLETE"; malloc'd. */
char *run_text(const struct run *run);
/* "2026-01-02 03:04" in local time; malloc'd. */
char *time_text(time_t time);
/* "label  name: text", wrapped. */
void run_text_header(const struct screen *screen, const char *label, const char *name,
		     const struct run *run);
/* The words of the command lines that only one of the two has; nothing when they are the same. */
void run_text_arguments(const struct screen *screen, const struct run *before,
			const struct run *after);
/* {"name":…,"sandbox":…,"version":…,"image":…,"label":…,"argv":[…],"started":…,"complete":…} */
json_t *run_text_json(const char *name, const struct run *run);
/* "2026-01-02T03:04:05Z" as JSON, or null. */
json_t *time_json(time_t time);
