/* SPDX-License-Identifier: MIT */
/* Things known by their keyed hash alone: what the case says of one, and whether it is the host's. */
#include <string.h>

#include "probe/text.h"
#include "probe/trial.h"

static void hash_text(struct trial *trial, const char *text, char digits[17])
{
	hex_text(digits, keyed_hash(trial, text, strlen(text)));
}

void measure_hash(struct trial *trial, int case_index, const char *text)
{
	char digits[17];

	hash_text(trial, text, digits);
	measure_text(trial, case_index, "hash", digits);
}

enum likeness compare_hash(struct trial *trial, int case_index, const char *text)
{
	const struct scenario *scenario = trial->row->scenario;
	char name[120], digits[17];
	const char *outside;

	if (trial_is_outside(trial))
		return LIKENESS_SAME;
	format_text(name, sizeof name, "outside.%s", trial->row->id);
	if (!fact_value(name))
		return LIKENESS_NOT_TOLD;
	format_text(name, sizeof name, "outside.%s:%s", trial->row->id,
		    cases_of(scenario)[case_index].name);
	outside = fact_value(name);
	if (!outside)
		return LIKENESS_NONE;
	hash_text(trial, text, digits);
	return strcmp(outside, digits) == 0 ? LIKENESS_SAME : LIKENESS_OTHER;
}
