/* SPDX-License-Identifier: MIT */
#include "probe/record.h"

#include <string.h>

#include "probe/trial.h"

void record_begin(struct record *record, const struct scenario *scenario, enum level level)
{
	/* Only what was used: a whole memset would touch a hundred pages per trial. */
	record->sealed = 0;
	record->calling = -1;
	record->step[0] = '\0';
	record->n_facts = record->pool_used = record->n_objects = record->objects_seen = 0;
	memset(&record->whole, 0, sizeof record->whole);
	memset(record->cases, 0, scenario->n_cases * sizeof *record->cases);
	for (unsigned i = 0; i < scenario->n_cases; i++) {
		const struct case_def *part = &cases_of(scenario)[i];

		record->cases[i].planned = part->level <= level &&
					   (!(part->kind & PLACE_TARGET) || fact_value(part->path));
	}
}

struct case_record *record_part(struct record *record, int case_index)
{
	if (case_index == WHOLE)
		return &record->whole;
	if (case_index < 0 || case_index >= RECORD_CASES)
		return NULL;
	return &record->cases[case_index];
}

const struct fact *record_fact(const struct record *record, uint32_t i, const char **ret_text)
{
	const struct fact *fact;

	*ret_text = "";
	if (i >= record->n_facts || i >= RECORD_FACTS)
		return NULL;
	fact = &record->facts[i];
	if (!memchr(fact->name, '\0', sizeof fact->name) || fact->name[0] == '\0')
		return NULL;
	if (fact->kind > FACT_MEASURED || fact->type > FACT_FLAG)
		return NULL;
	if (fact->type != FACT_TEXT)
		return fact;
	if (fact->offset >= RECORD_POOL || fact->length >= RECORD_POOL - fact->offset ||
	    record->pool[fact->offset + fact->length] != '\0')
		return NULL;
	*ret_text = record->pool + fact->offset;
	return fact;
}

static struct fact *fact_for(struct record *record, enum fact_kind kind, int case_index,
			     const char *name)
{
	struct fact *fact;

	for (uint32_t i = 0; i < record->n_facts; i++) {
		fact = &record->facts[i];
		if (fact->case_index == case_index && fact->kind == kind &&
		    strncmp(fact->name, name, sizeof fact->name - 1) == 0)
			return fact;
	}
	if (record->n_facts == RECORD_FACTS)
		return NULL;
	fact = &record->facts[record->n_facts];
	memset(fact, 0, sizeof *fact);
	strncpy(fact->name, name, sizeof fact->name - 1);
	fact->case_index = (int16_t)case_index;
	fact->kind = (uint8_t)kind;
	/* Counted last: a child killed here leaves no half fact. */
	record->n_facts++;
	return fact;
}

void record_add_fact(struct record *record, enum fact_kind kind, enum fact_type type,
		     int case_index, const char *name, const char *text, int64_t number)
{
	struct fact *fact = fact_for(record, kind, case_index, name);
	size_t n = text ? strlen(text) : 0;

	if (!fact)
		return;
	if (n > 400)
		n = 400;
	if (type == FACT_TEXT) {
		if (record->pool_used + n + 1 > RECORD_POOL)
			n = 0;
		if (record->pool_used + n + 1 > RECORD_POOL)
			return;
		memcpy(record->pool + record->pool_used, text ? text : "", n);
		record->pool[record->pool_used + n] = '\0';
		fact->offset = record->pool_used;
		fact->length = (uint32_t)n;
		record->pool_used += (uint32_t)n + 1;
	}
	fact->type = (uint8_t)type;
	fact->number = number;
}

void record_drop_fact(struct record *record, int case_index, const char *name)
{
	for (uint32_t i = 0; i < record->n_facts; i++) {
		struct fact *fact = &record->facts[i];

		if (fact->kind != FACT_EVIDENCE || fact->case_index != case_index ||
		    strcmp(fact->name, name) != 0)
			continue;
		record->n_facts--;
		memmove(fact, fact + 1, (record->n_facts - i) * sizeof *fact);
		return;
	}
}

void record_add_object(struct record *record, const char *kind, const char *path)
{
	record->objects_seen++;
	if (record->n_objects >= RECORD_OBJECTS)
		return;
	strncpy(record->objects[record->n_objects].kind, kind,
		sizeof record->objects[0].kind - 1);
	strncpy(record->objects[record->n_objects].path, path,
		sizeof record->objects[0].path - 1);
	record->objects[record->n_objects].kind[sizeof record->objects[0].kind - 1] = '\0';
	record->objects[record->n_objects].path[sizeof record->objects[0].path - 1] = '\0';
	record->n_objects++;
}

/* A value that no settle could have written was written by a broken child: not believed. */
static void repair(struct case_record *part)
{
	if (part->status >= N_STATUSES || part->reason >= N_REASONS ||
	    part->barriers >= BARRIER_BIT(N_BARRIERS)) {
		part->status = STATUS_UNKNOWN;
		part->reason = REASON_CRASHED;
	}
	if (part->status != STATUS_DENIED)
		part->barriers = 0;
	else if (part->barriers == 0)
		part->barriers = BARRIER_BIT(BARRIER_UNATTRIBUTED);
	if (part->status != STATUS_UNKNOWN)
		part->reason = 0;
}

void record_conclude(struct record *record, unsigned n_cases)
{
	enum status status = STATUS_DENIED;
	barrier_set barriers = 0;
	int reason = -1;
	unsigned planned = 0;

	repair(&record->whole);
	if (n_cases > RECORD_CASES)
		n_cases = RECORD_CASES;
	for (unsigned i = 0; i < n_cases; i++) {
		struct case_record *part = &record->cases[i];

		if (!part->planned)
			continue;
		planned++;
		repair(part);
		status = status_worse(status, part->status);
		barriers |= part->barriers;
		if (part->status == STATUS_UNKNOWN && reason < 0)
			reason = part->reason;
	}
	if (planned == 0) {
		if (n_cases) {
			record->whole.status = STATUS_UNKNOWN;
			record->whole.reason = REASON_LEVEL;
		}
		return;
	}
	record->whole.status = (uint8_t)status;
	record->whole.barriers = status == STATUS_DENIED ? barriers : 0;
	record->whole.reason = status == STATUS_UNKNOWN && reason >= 0 ? (uint8_t)reason : 0;
}
