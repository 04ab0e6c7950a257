/* SPDX-License-Identifier: MIT */
/* What a scenario may know of its trial, and how it writes evidence. */
#include <string.h>

#include "probe/trial.h"

const struct case_def *case_of(const struct trial *trial, int case_index)
{
	return &cases_of(trial->row->scenario)[case_index];
}

const struct question *question_of(const struct trial *trial, int index)
{
	return &asks_of(trial->row->scenario)[index];
}

const struct scenario *trial_scenario(const struct trial *trial)
{
	return trial->row->scenario;
}

enum level trial_level(const struct trial *trial)
{
	(void)trial;
	return options.level;
}

bool case_is_planned(const struct trial *trial, int case_index)
{
	const struct case_record *part = record_part(trial->record, case_index);

	return part && part->planned;
}

/*
 * A launcher that makes a box says place=inside. Else we are inside only if our root is not the
 * one that the host named: whoever says nothing is treated as outside, where proxies decide.
 */
bool trial_is_outside(const struct trial *trial)
{
	const char *place = fact_value("place"), *root = fact_value("root");
	char own[64];

	(void)trial;
	if (place && strcmp(place, "inside") == 0)
		return false;
	if (!place || strcmp(place, "unsure") != 0 || !root)
		return true;
	format_text(own, sizeof own, "%lu:%lu", (unsigned long)origin()->root_dev,
		    (unsigned long)origin()->root_ino);
	return strcmp(own, root) == 0;
}

void note_text(struct trial *trial, int case_index, const char *name, const char *text)
{
	record_add_fact(trial->record, FACT_EVIDENCE, FACT_TEXT, case_index, name, text, 0);
}

void note_number(struct trial *trial, int case_index, const char *name, int64_t number)
{
	record_add_fact(trial->record, FACT_EVIDENCE, FACT_NUMBER, case_index, name, NULL, number);
}

void note_flag(struct trial *trial, int case_index, const char *name, bool flag)
{
	record_add_fact(trial->record, FACT_EVIDENCE, FACT_FLAG, case_index, name, NULL, flag);
}

void measure_number(struct trial *trial, int case_index, const char *name, int64_t number)
{
	record_add_fact(trial->record, FACT_MEASURED, FACT_NUMBER, case_index, name, NULL, number);
}

void measure_text(struct trial *trial, int case_index, const char *name, const char *text)
{
	record_add_fact(trial->record, FACT_MEASURED, FACT_TEXT, case_index, name, text, 0);
}

void report_object(struct trial *trial, const char *kind, const char *path)
{
	record_add_object(trial->record, kind, path);
}
