/* SPDX-License-Identifier: MIT */
/*
 * What many trials need to know of the place, found once in a guarded child: the scratch folders,
 * the security modules, and which folders to leave alone. And the names of own markers, so that one left by a killed trial is
 * removed by the probe.
 */
#pragma once

#include <stdbool.h>

#include "probe/automounts.h"
#include "probe/lsm.h"
#include "scenarios/scenario.h"

struct trial;

#define SCRATCH_FOLDERS 8
#define MARKERS 16

struct surroundings {
	struct automounts automounts;
	struct lsm_facts lsm;
	bool scratch_known; /* all candidates were tried */
	struct attempt scratch_refused; /* by a filter */
	unsigned n_scratch;
	char scratch[SCRATCH_FOLDERS][256];
};

/* Makes the view; `record` is lent to its trial. */
struct record;
void surroundings_make_view(struct record *record);
const struct surroundings *surroundings(void);

/* The next free name for a marker in `folder`, remembered until marker_gone(); false: no room. */
bool marker_name(struct trial *trial, const char *folder, char *path, unsigned size);
bool marker_name_between(struct trial *trial, const char *folder, const char *before,
			 const char *after, char *path, unsigned size);
void marker_gone(const char *path);
/* Removes the markers that are still remembered; false when one stays behind. */
bool markers_sweep(void);
