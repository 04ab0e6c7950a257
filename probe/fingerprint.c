/* SPDX-License-Identifier: MIT */
/*
 * The fingerprint of the catalogue. The probe computes it from its own registry, and
 * tools/catalogue links this same file for the host: equal exactly when both know the same
 * scenarios and cases.
 */
#include "scenarios/registry.h"

#include <string.h>

#include "base/fnv.h"

static uint64_t add_text(uint64_t hash, const char *text)
{
	return fnv_add(hash, text, strlen(text) + 1);
}

static uint64_t add_case(uint64_t hash, const struct scenario *scenario,
			 const struct case_def *definition)
{
	enum severity severity = definition->severity == SEVERITY_INHERIT ? scenario->severity
									  : definition->severity;
	const unsigned char bytes[2] = { (unsigned char)severity,
					 (unsigned char)definition->level };

	return fnv_add(add_text(hash, definition->name), bytes, sizeof(bytes));
}

uint64_t catalogue_fingerprint(void)
{
	uint64_t hash = FNV_START;

	for (unsigned i = 0; i < scenario_registry_count; i++) {
		const struct scenario *scenario = scenario_registry[i].scenario;

		hash = add_text(hash, scenario_registry[i].id);
		for (unsigned c = 0; c < scenario->n_cases; c++)
			hash = add_case(hash, scenario, &cases_of(scenario)[c]);
	}
	return hash;
}
