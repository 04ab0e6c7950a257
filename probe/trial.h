/* SPDX-License-Identifier: MIT */
/*
 * A trial as the probe sees it (scenarios see it through scenario.h), and the probe's options.
 * Modules keep their views themselves: filter.h, walk.h, places.h.
 */
#pragma once

#include "probe/record.h"
#include "scenarios/registry.h"
#include "scenarios/scenario.h"

struct trial {
	const struct scenario_row *row;
	unsigned index; /* of the row in the registry */
	struct record *record;
};

enum output { OUTPUT_JSON, OUTPUT_TEXT, OUTPUT_PAPER };

struct options {
	enum level level;
	enum output output;
	const char *only, *skip;
	unsigned timeout; /* seconds a trial may take */
};
/* The one set of options, filled by main() before anything else runs. */
extern struct options options;

/* Host facts (--facts name=value,…): copied, at most 16 KiB; see facts.c. */
bool facts_parse(const char *text, const char **ret_fault);
const char *fact_value(const char *name); /* NULL when not given */

/* Before and after every raw call of a trial, so that a death tells which call it was. */
void trial_step(struct trial *trial, const char *name, long nr);
/* From here on we are a child of the trial, whose calls are not the trial's. */
void trial_descend(void);
