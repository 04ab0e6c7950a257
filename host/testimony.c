/* SPDX-License-Identifier: MIT */
#include "host/testimony.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"

#define DESCRIBED_MOST 16 /* of the ways by which one nonce came */

/* The whole of a result, or one of its cases. */
struct part {
	enum status *status;
	enum reason *reason;
	barrier_set *barriers;
	json_t *evidence;
};

bool needs_testimony(const struct catalogue_entry *entry)
{
	/* Others have their witness note the end of a process, or count output. */
	return (entry->needs & NEEDS_WITNESS) && (strcmp(entry->category, "network") == 0 ||
						  strcmp(entry->category, "egress") == 0);
}

static int compare_arrivals(const void *left, const void *right)
{
	const struct arrival *a = *(const struct arrival *const *)left;
	const struct arrival *b = *(const struct arrival *const *)right;

	if (a->port != b->port)
		return (int)a->port - (int)b->port;
	return a->family != b->family ? (int)a->family - (int)b->family :
					strcmp(a->protocol, b->protocol);
}

/* "http 80 ipv4, http 8080 ipv6", the same whatever came first; NULL: nothing. Malloc'd. */
static char *describe(const struct arrivals *arrivals, const char *place, unsigned scenario)
{
	const struct arrival *seen[DESCRIBED_MOST], *one;
	unsigned n = 0, at = 0;
	char *text = NULL;

	while (arrivals && n < DESCRIBED_MOST &&
	       (one = arrivals_find(arrivals, place, scenario, &at)))
		seen[n++] = one;
	qsort(seen, n, sizeof *seen, compare_arrivals);
	for (unsigned i = 0; i < n; i++) {
		char *way = seen[i]->port ? print_text("%s %u", seen[i]->protocol, seen[i]->port) :
					    copy_text(seen[i]->protocol);
		char *longer = print_text("%s%s%s ipv%u", text ? text : "", text ? ", " : "", way,
					  seen[i]->family);

		free(way);
		free(text);
		text = longer;
	}
	return text;
}

/* True: both sides say that it arrived. */
static bool judge(const struct part *part, const char *seen, bool watched)
{
	bool claimed = *part->status == STATUS_ACCESSED;

	if (seen || (claimed && watched))
		json_object_set_new(part->evidence, "witness_saw",
				    json_string(seen ? seen : "nothing"));
	if (claimed == (seen != NULL))
		return claimed;
	*part->status = STATUS_UNKNOWN;
	*part->reason = watched ? REASON_CONTRADICTORY : REASON_NO_WITNESS;
	*part->barriers = 0;
	return false;
}

/* As the probe folds them. */
static void fold(struct result *result)
{
	enum status status = STATUS_DENIED;
	bool has_reason = false;

	result->barriers = 0;
	result->reason = REASON_NO_REPORT;
	for (unsigned i = 0; i < result->n_cases; i++) {
		const struct case_result *one = &result->cases[i];

		status = status_worse(status, one->status);
		result->barriers |= one->barriers;
		if (one->status == STATUS_UNKNOWN && !has_reason) {
			result->reason = one->reason;
			has_reason = true;
		}
	}
	result->status = status;
	if (status != STATUS_DENIED)
		result->barriers = 0;
}

static bool judge_cases(struct result *result, const char *seen, bool watched)
{
	bool agreed = false, judged = false;

	for (unsigned i = 0; i < result->n_cases; i++) {
		struct case_result *one = &result->cases[i];
		const struct part part = { &one->status, &one->reason, &one->barriers,
					   one->evidence };

		/* A case with a path is about something in there. */
		if (one->definition && one->definition->path)
			continue;
		agreed |= judge(&part, seen, watched);
		judged = true;
	}
	if (judged)
		fold(result);
	return agreed;
}

void testify(struct result results[], const struct arrivals *arrivals, const char *place)
{
	for (unsigned i = 0; i < catalogue_count; i++) {
		struct result *result = &results[i];
		const struct part whole = { &result->status, &result->reason, &result->barriers,
					    result->evidence };
		char *seen;

		if (!needs_testimony(&catalogue[i]) || !result->arrived)
			continue;
		seen = describe(arrivals, place, i);
		if (result->n_cases)
			result->witnessed = judge_cases(result, seen, arrivals != NULL);
		else
			result->witnessed = judge(&whole, seen, arrivals != NULL);
		free(seen);
	}
}

char *testimony_facts(const struct arrivals *arrivals, const char *place)
{
	/* Empty where nothing arrived: it was tried outside, too. */
	char *facts = copy_text(arrivals ? ",witness.saw=" : "");
	bool first = true;

	for (unsigned i = 0; arrivals && i < catalogue_count; i++) {
		unsigned at = 0;
		char *longer;

		if (!arrivals_find(arrivals, place, i, &at))
			continue;
		longer = print_text("%s%s%s", facts, first ? "" : "+", catalogue[i].id);
		free(facts);
		facts = longer;
		first = false;
	}
	return facts;
}
