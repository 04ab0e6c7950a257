/* SPDX-License-Identifier: MIT */
/*
 * The catalogue as data: what tools/catalogue printed at build time from the scenarios' own
 * initialisers. The host holds no attempt code.
 *
 *	for (unsigned i = 0; i < catalogue_count; i++)
 *		puts(catalogue[i].id);
 */
#pragma once

#include "base/vocabulary.h"

struct catalogue_case {
	const char *name, *path; /* path may be NULL */
	enum severity severity;  /* never SEVERITY_INHERIT: resolved */
	enum level level;
};

struct catalogue_entry {
	const char *id, *category, *source; /* "system.cpu", "system", "scenarios/system/cpu.c" */
	const char *title, *accessed, *denied, *why, *how, *see;
	const char *paper; /* its name in the paper's list, or NULL */
	bool ours, compares, overlaps;
	enum severity severity;
	enum level level;
	unsigned needs;
	remedy_set fix;
	const char *open, *closed;
	const struct catalogue_case *cases;
	unsigned n_cases;
};

extern const struct catalogue_entry catalogue[];
extern const unsigned catalogue_count;
extern const char catalogue_hash[]; /* equals the probe's "catalogue" in its header */

/* The entry of that id, or NULL. */
const struct catalogue_entry *catalogue_find(const char *id);
/* The case of that name, or NULL. */
const struct catalogue_case *catalogue_case_find(const struct catalogue_entry *entry,
						 const char *name);
/*
 * Does the comma-separated list (ids or categories) select this entry? `ret_unknown` (may be
 * NULL) becomes a malloc'd copy of the first element that names nothing.
 */
bool catalogue_selects(const char *list, const struct catalogue_entry *entry);
char *catalogue_unknown_element(const char *list);
