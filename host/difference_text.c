/* SPDX-License-Identifier: MIT */
#include "host/difference_text.h"

#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "host/run_text.h"
#include "host/table.h"

#define MOST_TEXT 60 /* bytes of one evidence value */

enum column { COLUMN_NAME, COLUMN_SEVERITY, COLUMN_DETAIL };
#define N_COLUMNS 3

static char *denial_text(const struct side *side)
{
	char *text = barriers_text(side->barriers, ", ");

	if (*text)
		return text;
	free(text);
	return copy_text(barrier_name(BARRIER_UNATTRIBUTED));
}

char *side_text(const struct side *side)
{
	char *barriers, *text;

	if (!side->present)
		return copy_text("not tried");
	if (side->status == STATUS_UNKNOWN)
		return print_text("unknown: %s", reason_name(side->reason));
	if (side->status == STATUS_ACCESSED)
		return copy_text("accessed");
	barriers = denial_text(side);
	text = print_text("denied: %s", barriers);
	free(barriers);
	return text;
}

static char *row_name(const struct difference_row *row)
{
	return row->name ? print_text("%s/%s", row->entry->id, row->name) :
			   copy_text(row->entry->id);
}

static enum severity row_severity(const struct difference_row *row)
{
	return row->after.present ? row->after.severity : row->before.severity;
}

/* ---------------------------------------------------------------- evidence */

static char *value_text(const json_t *value)
{
	char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12)) :
			     copy_text("nothing");
	char *shown;

	if (!text)
		return copy_text("?");
	if (strlen(text) <= MOST_TEXT)
		return text;
	shown = print_text("%.*s...", MOST_TEXT, text);
	free(text);
	return shown;
}

static void add_value(struct table *table, const char *name, const json_t *before,
		      const json_t *after)
{
	char *was = value_text(before), *is = value_text(after);
	char *text = print_text("%s: %s → %s", name, was, is);

	if (!json_equal(before, after)) {
		table_cell(table, COLUMN_DETAIL, INK_FAINT, text);
		table_end_row(table);
	}
	free(text);
	free(was);
	free(is);
}

static bool has_object(const json_t *array, const json_t *object)
{
	const json_t *value;
	size_t i;

	json_array_foreach(array, i, value)
		if (json_equal(value, object))
			return true;
	return false;
}

/* Discovered things are a set: their order says nothing. */
static void add_objects(struct table *table, const char *sign, const json_t *objects,
			const json_t *others)
{
	const json_t *value;
	size_t i;

	json_array_foreach(objects, i, value) {
		char *text;

		if (has_object(others, value))
			continue;
		text = print_text("%s %s %s", sign, json_string_value(json_object_get(value, "kind")),
				  json_string_value(json_object_get(value, "path")));
		table_cell(table, COLUMN_DETAIL, INK_FAINT, text);
		table_end_row(table);
		free(text);
	}
}

static void add_evidence(struct table *table, const struct difference_row *row)
{
	json_t *before = (json_t *)row->before.evidence, *after = (json_t *)row->after.evidence;
	const char *name;
	json_t *value;

	json_object_foreach(before, name, value)
		add_value(table, name, value, json_object_get(after, name));
	json_object_foreach(after, name, value)
		if (!json_object_get(before, name))
			add_value(table, name, NULL, value);
	add_objects(table, "-", row->before.objects, row->after.objects);
	add_objects(table, "+", row->after.objects, row->before.objects);
}

static bool objects_differ(const json_t *one, const json_t *other)
{
	const json_t *value;
	size_t i;

	if (json_array_size(one) != json_array_size(other))
		return true;
	json_array_foreach(one, i, value)
		if (!has_object(other, value))
			return true;
	return false;
}

static bool row_evidence_differs(const struct difference_row *row)
{
	return row->before.present && row->after.present &&
	       (evidence_differs(row->before.evidence, row->after.evidence) ||
		objects_differ(row->before.objects, row->after.objects));
}

/* ---------------------------------------------------------------- for people */

static enum ink change_ink(enum change change)
{
	static const enum ink inks[N_CHANGES] = {
		[CHANGE_OPENED] = INK_BAD,   [CHANGE_FOUND_OPEN] = INK_BAD,
		[CHANGE_LOST] = INK_WARN,    [CHANGE_BARRIERS] = INK_WARN,
		[CHANGE_CLOSED] = INK_GOOD,  [CHANGE_FOUND_CLOSED] = INK_GOOD,
	};

	return inks[change];
}

/* Under its heading, a row need not repeat the status that both sides have. */
static char *detail_text(const struct difference_row *row)
{
	bool both_deny = row->change == CHANGE_BARRIERS;
	char *before = both_deny ? denial_text(&row->before) : side_text(&row->before);
	char *after = both_deny ? denial_text(&row->after) : side_text(&row->after);
	char *text = row->change == CHANGE_NONE || row->change == CHANGE_ADDED ? copy_text(after) :
		     row->change == CHANGE_REMOVED			       ? copy_text(before) :
						     print_text("%s → %s", before, after);

	free(before);
	free(after);
	return text;
}

static void add_row(struct table *table, const struct difference_row *row, bool evidence)
{
	char *name = row_name(row), *detail = detail_text(row);
	enum severity severity = row_severity(row);

	table_cell(table, COLUMN_NAME, INK_PLAIN, name);
	table_cell(table, COLUMN_SEVERITY, severity_ink(severity), severity_name(severity));
	table_cell(table, COLUMN_DETAIL, change_ink(row->change), detail);
	table_end_row(table);
	if (evidence && row_evidence_differs(row))
		add_evidence(table, row);
	free(name);
	free(detail);
}

static bool is_told(const struct difference_row *row, enum change change)
{
	return row->change == change && (change != CHANGE_NONE || row_evidence_differs(row));
}

/* A scenario that was lost whole takes one row, not one for each of its cases. */
static void add_lost(struct table *table, const struct difference *difference, unsigned *at)
{
	const struct difference_row *first = &difference->rows[*at];
	char *name = print_text("%s/*", first->entry->id), *after, *detail;
	enum severity severity = row_severity(first);
	unsigned n = 0;

	for (; *at < difference->n; ++*at) {
		const struct difference_row *row = &difference->rows[*at];

		if (row->entry != first->entry)
			break;
		if (row->change != CHANGE_LOST)
			continue;
		severity = row_severity(row) > severity ? row_severity(row) : severity;
		n++;
	}
	--*at;
	after = side_text(&first->after);
	detail = print_text("%u measured → %s", n, after);
	table_cell(table, COLUMN_NAME, INK_PLAIN, name);
	table_cell(table, COLUMN_SEVERITY, severity_ink(severity), severity_name(severity));
	table_cell(table, COLUMN_DETAIL, change_ink(CHANGE_LOST), detail);
	table_end_row(table);
	free(detail);
	free(after);
	free(name);
}

static bool is_same_side(const struct side *one, const struct side *other)
{
	return one->present == other->present && one->status == other->status &&
	       one->reason == other->reason && one->barriers == other->barriers;
}

static bool is_alike(const struct difference_row *one, const struct difference_row *other)
{
	return one->entry == other->entry && one->name && other->name &&
	       one->change == other->change && row_severity(one) == row_severity(other) &&
	       is_same_side(&one->before, &other->before) && is_same_side(&one->after, &other->after);
}

/* Cases of a scenario to which the same happened take one row: the first of them tells it. */
static void add_alike(struct table *table, const struct difference *difference, unsigned at)
{
	const struct difference_row *row = &difference->rows[at], *first = difference->rows;
	const struct difference_row *end = first + difference->n, *next;
	enum severity severity = row_severity(row);
	char *detail, *text;
	unsigned n = 0;

	for (next = row; next > first && next[-1].entry == row->entry; next--)
		if (is_alike(next - 1, row))
			return;
	for (next = row; next < end && next->entry == row->entry; next++)
		n += is_alike(next, row);
	if (n < 2) {
		add_row(table, row, false);
		return;
	}
	detail = detail_text(row);
	text = print_text("%s (", detail);
	free(detail);
	for (next = row; next < end && next->entry == row->entry; next++) {
		if (!is_alike(next, row))
			continue;
		detail = print_text("%s%s%s%s", text, next == row ? "" : ", ", next->name,
				    --n == 0 ? ")" : "");
		free(text);
		text = detail;
	}
	table_cell(table, COLUMN_NAME, INK_PLAIN, row->entry->id);
	table_cell(table, COLUMN_SEVERITY, severity_ink(severity), severity_name(severity));
	table_cell(table, COLUMN_DETAIL, change_ink(row->change), text);
	table_end_row(table);
	free(text);
}

static void add_changes(struct table *table, const struct difference_view *view,
			enum change change)
{
	const struct difference *difference = view->difference;
	bool headed = false;

	for (unsigned i = 0; i < difference->n; i++) {
		const struct difference_row *row = &difference->rows[i];

		if (!is_told(row, change))
			continue;
		if (!headed)
			table_heading(table, change == CHANGE_NONE ? "The same, seen otherwise" :
								     change_title(change), NULL);
		headed = true;
		if (change == CHANGE_LOST && row->after.whole)
			add_lost(table, difference, &i);
		else if (view->evidence)
			add_row(table, row, true);
		else
			add_alike(table, difference, i);
	}
}

bool difference_print_changes(const struct screen *screen, const struct difference_view *view,
			      unsigned changes)
{
	struct table *table = table_new(screen, N_COLUMNS, COLUMN_DETAIL);
	bool printed;

	table_indent(table, 2);
	for (unsigned change = 0; change < N_CHANGES; change++)
		if (changes & (1U << change))
			add_changes(table, view, (enum change)change);
	printed = table_print(table);
	table_free(table);
	return printed;
}

static void print_count(const struct screen *screen, const struct difference *difference)
{
	static const char *const words[CHANGE_NONE] = {
		[CHANGE_OPENED] = "opened",
		[CHANGE_FOUND_OPEN] = "found open",
		[CHANGE_LOST] = "no longer measured",
		[CHANGE_BARRIERS] = "denied by other barriers",
		[CHANGE_CLOSED] = "closed",
		[CHANGE_FOUND_CLOSED] = "found closed",
		[CHANGE_ADDED] = "tried only later",
		[CHANGE_REMOVED] = "tried only earlier",
	};
	char *text = copy_text(""), *longer;

	for (unsigned change = 0; change < CHANGE_NONE; change++) {
		if (difference->count[change] == 0)
			continue;
		longer = print_text("%s%s%u %s", text, *text ? ", " : "", difference->count[change],
				    words[change]);
		free(text);
		text = longer;
	}
	longer = print_text("%s%s%u the same.", text, *text ? "; " : "",
			    difference->count[CHANGE_NONE]);
	screen_paragraph(screen, 0, NULL, 0, longer);
	free(longer);
	free(text);
}

static bool has_any(const struct difference_view *view, unsigned changes)
{
	for (unsigned i = 0; i < view->difference->n; i++) {
		const struct difference_row *row = &view->difference->rows[i];

		if ((changes & (1U << row->change)) && is_told(row, row->change))
			return true;
	}
	return false;
}

bool difference_print(const struct screen *screen, const struct difference_view *view)
{
	unsigned kinds = (1U << CHANGE_NONE) - 1;
	bool printed;

	run_text_header(screen, "before", view->before_name, view->before);
	run_text_header(screen, "after", view->after_name, view->after);
	run_text_arguments(screen, view->before, view->after);
	fputc('\n', screen->out);
	if (view->evidence)
		kinds |= 1U << CHANGE_NONE;
	printed = difference_print_changes(screen, view, kinds);
	if (has_any(view, kinds))
		fputc('\n', screen->out);
	print_count(screen, view->difference);
	return printed;
}

/* ---------------------------------------------------------------- for programs */

static json_t *side_json(const struct side *side)
{
	json_t *barriers = json_array();

	if (!side->present) {
		json_decref(barriers);
		return json_null();
	}
	for (unsigned b = 0; b < N_BARRIERS; b++)
		if (side->barriers & BARRIER_BIT(b))
			json_array_append_new(barriers, json_string(barrier_name((enum barrier)b)));
	return json_pack("{ss so so ss sO? sO?}", "status", status_name(side->status), "barriers",
			 barriers, "reason",
			 side->status == STATUS_UNKNOWN ? json_string(reason_name(side->reason)) :
							  json_null(),
			 "severity", severity_name(side->severity), "evidence", side->evidence,
			 "objects", side->objects);
}

static json_t *rows_json(const struct difference_view *view)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < view->difference->n; i++) {
		const struct difference_row *row = &view->difference->rows[i];

		if (row->change == CHANGE_NONE && !(view->evidence && row_evidence_differs(row)))
			continue;
		json_array_append_new(array,
				      json_pack("{ss ss? ss so so}", "id", row->entry->id, "case",
						row->name, "change", change_name(row->change),
						"before", side_json(&row->before), "after",
						side_json(&row->after)));
	}
	return array;
}

json_t *difference_json(const struct difference_view *view)
{
	json_t *counts = json_object();

	for (unsigned change = 0; change < N_CHANGES; change++)
		json_object_set_new(counts, change_name((enum change)change),
				    json_integer(view->difference->count[change]));
	return json_pack("{ss so so so so}", "format", "sandboxeval-diff/1", "before",
			 run_text_json(view->before_name, view->before), "after",
			 run_text_json(view->after_name, view->after), "changes", rows_json(view),
			 "count", counts);
}
