/* SPDX-License-Identifier: MIT */
#include "host/difference.h"

#include <stdlib.h>
#include <string.h>

#include "host/memory.h"

static const struct {
	const char *name, *title;
} changes[N_CHANGES] = {
	[CHANGE_OPENED] = { "opened", "Opened: denied before, accessed now" },
	[CHANGE_FOUND_OPEN] = { "found-open", "Found open: unknown before, accessed now" },
	[CHANGE_LOST] = { "lost", "No longer measured: unknown now, which is not closed" },
	[CHANGE_BARRIERS] = { "barriers", "Denied by other barriers" },
	[CHANGE_CLOSED] = { "closed", "Closed: accessed before, denied now" },
	[CHANGE_FOUND_CLOSED] = { "found-closed", "Found closed: unknown before, denied now" },
	[CHANGE_ADDED] = { "added", "Tried only in the later run" },
	[CHANGE_REMOVED] = { "removed", "Tried only in the earlier run" },
	[CHANGE_NONE] = { "none", "The same" },
};

const char *change_name(enum change change)
{
	return changes[change].name;
}

const char *change_title(enum change change)
{
	return changes[change].title;
}

enum change change_of(const struct side *before, const struct side *after)
{
	static const enum change by_status[N_STATUSES][N_STATUSES] = {
		[STATUS_UNKNOWN] = { [STATUS_UNKNOWN] = CHANGE_NONE,
				     [STATUS_ACCESSED] = CHANGE_FOUND_OPEN,
				     [STATUS_DENIED] = CHANGE_FOUND_CLOSED },
		[STATUS_ACCESSED] = { [STATUS_UNKNOWN] = CHANGE_LOST,
				      [STATUS_ACCESSED] = CHANGE_NONE,
				      [STATUS_DENIED] = CHANGE_CLOSED },
		[STATUS_DENIED] = { [STATUS_UNKNOWN] = CHANGE_LOST,
				    [STATUS_ACCESSED] = CHANGE_OPENED,
				    [STATUS_DENIED] = CHANGE_NONE },
	};

	if (!before->present || !after->present)
		return before->present ? CHANGE_REMOVED :
		       after->present  ? CHANGE_ADDED :
					 CHANGE_NONE;
	if (before->status == STATUS_DENIED && after->status == STATUS_DENIED &&
	    before->barriers != after->barriers)
		return CHANGE_BARRIERS;
	return by_status[before->status][after->status];
}

struct side side_of_result(const struct result *result)
{
	if (!result)
		return (struct side){ .present = false };
	return (struct side){
		.present = true,
		.status = result->status,
		.reason = result->reason,
		.barriers = result->barriers,
		.severity = result_severity(result),
		.evidence = result->evidence,
		.objects = result->objects,
	};
}

struct side side_of_case(const struct case_result *one)
{
	if (!one)
		return (struct side){ .present = false };
	return (struct side){
		.present = true,
		.status = one->status,
		.reason = one->reason,
		.barriers = one->barriers,
		.severity = one->severity,
		.evidence = one->evidence,
	};
}

struct side side_unmeasured(const struct result *result, enum severity severity)
{
	return (struct side){ .present = true, .whole = true, .reason = result->reason,
			      .severity = severity };
}

bool evidence_differs(const json_t *before, const json_t *after)
{
	size_t n_before = before ? json_object_size(before) + json_array_size(before) : 0;
	size_t n_after = after ? json_object_size(after) + json_array_size(after) : 0;

	if (n_before == 0 || n_after == 0)
		return n_before != n_after;
	return !json_equal(before, after);
}

/* ---------------------------------------------------------------- one scenario */

static void add_row(struct difference *difference, const struct catalogue_entry *entry,
		    const char *name, struct side before, struct side after)
{
	enum change change = change_of(&before, &after);

	difference->rows = grow_array(difference->rows, difference->n + 1,
				      sizeof *difference->rows);
	difference->rows[difference->n++] = (struct difference_row){
		.entry = entry, .name = name, .change = change, .before = before, .after = after,
	};
	difference->count[change]++;
}

static const struct case_result *find_case(const struct result *result, const char *name)
{
	for (unsigned i = 0; i < result->n_cases; i++)
		if (strcmp(result->cases[i].name, name) == 0)
			return &result->cases[i];
	return NULL;
}

static struct side side_in(const struct result *result, const struct case_result *other)
{
	if (result->n_cases == 0)
		return side_unmeasured(result, other->severity);
	return side_of_case(find_case(result, other->name));
}

static bool has_change(const struct difference *difference, unsigned from, enum change change)
{
	for (unsigned i = from; i < difference->n; i++)
		if (difference->rows[i].change == change)
			return true;
	return false;
}

static void compare_cases(struct difference *difference, const struct result *before,
			  const struct result *after)
{
	struct side whole_before = side_of_result(before), whole_after = side_of_result(after);
	enum change change = change_of(&whole_before, &whole_after);
	unsigned from = difference->n;

	for (unsigned i = 0; i < before->n_cases; i++) {
		const struct case_result *one = &before->cases[i];

		add_row(difference, after->entry, one->name, side_of_case(one),
			side_in(after, one));
	}
	for (unsigned i = 0; i < after->n_cases; i++) {
		const struct case_result *one = &after->cases[i];

		if (!find_case(before, one->name))
			add_row(difference, after->entry, one->name, side_in(before, one),
				side_of_case(one));
	}
	/* Statuses of a scenario may rest on more than its cases. */
	if (change != CHANGE_NONE && !has_change(difference, from, change))
		add_row(difference, after->entry, NULL, whole_before, whole_after);
}

static bool are_cases_comparable(const struct result *before, const struct result *after)
{
	if (!before || !after || before->n_cases + after->n_cases == 0)
		return false;
	return (before->n_cases || before->status == STATUS_UNKNOWN) &&
	       (after->n_cases || after->status == STATUS_UNKNOWN);
}

static void compare(struct difference *difference, const struct result *before,
		    const struct result *after)
{
	if (are_cases_comparable(before, after))
		compare_cases(difference, before, after);
	else
		add_row(difference, after ? after->entry : before->entry, NULL,
			side_of_result(before), side_of_result(after));
}

/* ---------------------------------------------------------------- the whole */

struct difference difference_of(const struct run *before, const struct run *after)
{
	struct difference difference = { 0 };

	for (unsigned i = 0; i < after->n_results; i++) {
		const struct result *result = &after->results[i];

		compare(&difference, run_find((struct run *)before, result->entry->id), result);
	}
	for (unsigned i = 0; i < before->n_results; i++) {
		const struct result *result = &before->results[i];

		if (!run_find((struct run *)after, result->entry->id))
			compare(&difference, result, NULL);
	}
	return difference;
}

void difference_free(struct difference *difference)
{
	free(difference->rows);
	*difference = (struct difference){ 0 };
}
