/* SPDX-License-Identifier: MIT */
/*
 * The table of all scenarios, written by tools/registry.sh from the names of the files: the
 * paper's categories first and in its order, then the others; ids alphabetical within each.
 *
 *	for (unsigned i = 0; i < scenario_registry_count; i++)
 *		plan(scenario_registry[i].id, scenario_registry[i].scenario);
 */
#pragma once

#include <stdint.h>

#include "scenarios/scenario.h"

struct scenario_row {
	const char *category, *id; /* "system", "system.cpu" */
#ifndef COMPACT_RECORDS
	const char *source; /* "scenarios/system/cpu.c" */
#endif
	const struct scenario *scenario;
};

extern const struct scenario_row scenario_registry[];
extern const unsigned scenario_registry_count;

/*
 * 64-bit FNV-1a over the ids, case names, severities (resolved) and levels, in registry order.
 * The probe and the host print it as 16 hexadecimal digits; equal means the same catalogue.
 */
uint64_t catalogue_fingerprint(void);
