/* SPDX-License-Identifier: MIT */
#include "host/matrix_text.h"

#include <stdlib.h>
#include <string.h>

#include "host/escape.h"
#include "host/memory.h"
#include "host/run_text.h"
#include "host/table.h"

#define GAP 2

/* How much room a cell takes: words, a few letters per barrier, the first barrier only. */
enum form { FORM_WORDS, FORM_LETTERS, FORM_FIRST };
#define N_FORMS 3

enum column { COLUMN_MARK, COLUMN_NAME, COLUMN_FIRST };

static const char *const letters[N_BARRIERS] = {
	[BARRIER_ABSENT] = "abs",	 [BARRIER_MASKED] = "mask",
	[BARRIER_READ_ONLY] = "ro",	 [BARRIER_DAC] = "dac",
	[BARRIER_IMMUTABLE] = "imm",	 [BARRIER_CAPABILITY] = "cap",
	[BARRIER_NAMESPACE] = "ns",	 [BARRIER_SECCOMP] = "sec",
	[BARRIER_LSM] = "lsm",		 [BARRIER_SYSCTL] = "ctl",
	[BARRIER_SUPERVISOR] = "sup",	 [BARRIER_UNIMPLEMENTED] = "nimp",
	[BARRIER_NO_ROUTE] = "nort",	 [BARRIER_FILTERED] = "filt",
	[BARRIER_PROXY_REFUSED] = "prox", [BARRIER_INTERPOSED] = "itp",
	[BARRIER_AUTH_REFUSED] = "auth", [BARRIER_RLIMIT] = "rlim",
	[BARRIER_CGROUP] = "cg",	 [BARRIER_FS_LIMIT] = "fsl",
	[BARRIER_NOSUID] = "nosu",	 [BARRIER_NODEV] = "nodv",
	[BARRIER_NOEXEC] = "nox",	 [BARRIER_NOSYMFOLLOW] = "nosy",
	[BARRIER_NO_NEW_PRIVS] = "nnp",	 [BARRIER_TIMEOUT] = "time",
	[BARRIER_KILLED] = "kill",	 [BARRIER_UNATTRIBUTED] = "shut",
};

static const char *barrier_word(enum barrier barrier, enum form form)
{
	const char *word = form == FORM_WORDS ? barrier_name(barrier) : letters[barrier];

	return word ? word : barrier_name(barrier);
}

/* ---------------------------------------------------------------- cells */

static char *denied_text(barrier_set set, enum form form)
{
	char *text = copy_text("");
	unsigned n = 0;

	if (!set)
		set = BARRIER_BIT(BARRIER_UNATTRIBUTED);
	for (unsigned b = 0; b < N_BARRIERS; b++) {
		char *longer;

		if (!(set & BARRIER_BIT(b)) || (++n > 1 && form == FORM_FIRST))
			continue;
		longer = print_text("%s%s%s", text, *text ? (form == FORM_WORDS ? ", " : ",") : "",
				    barrier_word((enum barrier)b, form));
		free(text);
		text = longer;
	}
	if (form == FORM_FIRST && n > 1) {
		char *longer = print_text("%s+%u", text, n - 1);

		free(text);
		text = longer;
	}
	return text;
}

static char *open_text(const struct matrix *matrix, const struct matrix_row *row, unsigned column,
		       enum form form)
{
	unsigned open, all;

	if (form == FORM_FIRST || !matrix_cases(matrix, row, column, &open, &all) || open == 0)
		return copy_text("open");
	return print_text("open %u/%u", open, all);
}

static char *cell_text(const struct matrix *matrix, const struct matrix_row *row, unsigned column,
		       enum form form)
{
	const struct side *cell = &row->cells[column];

	if (!cell->present)
		return copy_text("-");
	switch (cell->status) {
	case STATUS_ACCESSED:
		return open_text(matrix, row, column, form);
	case STATUS_DENIED:
		return denied_text(cell->barriers, form);
	case STATUS_UNKNOWN:
		break;
	}
	return form == FORM_WORDS ? print_text("unknown: %s", reason_name(cell->reason)) :
				    copy_text("?");
}

/* Colour is for what differs: the rest stays quiet. */
static enum ink cell_ink(const struct matrix_row *row, const struct side *cell)
{
	if (!cell->present || (!row->differs && !row->below_differs))
		return INK_FAINT;
	if (cell->status == STATUS_ACCESSED)
		return cell->severity >= SEVERITY_MEDIUM ? severity_ink(cell->severity) : INK_BOLD;
	return cell->status == STATUS_DENIED ? INK_GOOD : INK_WARN;
}

/* ---------------------------------------------------------------- rows */

/* Do the scenario's own cells look the same everywhere, so that only its cases can tell? */
static bool looks_the_same(const struct matrix *matrix, const struct matrix_row *scenario)
{
	unsigned first = 0, open, all;
	bool seen = false;

	for (unsigned column = 0; column < matrix->n_columns; column++) {
		if (!matrix_cases(matrix, scenario, column, &open, &all))
			continue;
		if (seen && open != first)
			return false;
		first = open;
		seen = true;
	}
	return !scenario->differs;
}

/* Row `at` is shown; a case's scenario is the nearest row above it without a case. */
static bool is_shown(const struct matrix_view *view, unsigned at)
{
	const struct matrix_row *row = &view->matrix->rows[at], *scenario = row;

	if (!row->name)
		return row->differs || row->below_differs || !view->differing;
	if (view->cases)
		return row->differs || !view->differing;
	while (scenario->name)
		scenario--;
	return row->differs && looks_the_same(view->matrix, scenario);
}

static char *row_name(const struct matrix_row *row)
{
	const char *dot = strchr(row->entry->id, '.');

	if (row->name)
		return print_text("  /%s", row->name);
	return copy_text(dot ? dot + 1 : row->entry->id);
}

static char *column_title(const struct matrix *matrix, unsigned column)
{
	return print_text("%u:%s", column + 1, matrix->columns[column].title);
}

static size_t name_columns(const struct matrix_view *view)
{
	size_t widest = strlen("open of all");

	for (unsigned i = 0; i < view->matrix->n_rows; i++) {
		char *name = row_name(&view->matrix->rows[i]);
		size_t columns = is_shown(view, i) ? text_columns(name) : 0;

		widest = columns > widest ? columns : widest;
		free(name);
	}
	return widest;
}

/* The widest cell of a column below its title. */
static size_t cell_columns(const struct matrix_view *view, unsigned column, enum form form)
{
	size_t widest = 8;

	for (unsigned i = 0; i < view->matrix->n_rows; i++) {
		const struct matrix_row *row = &view->matrix->rows[i];
		char *text = cell_text(view->matrix, row, column, form);
		size_t columns = is_shown(view, i) ? text_columns(text) : 0;

		widest = columns > widest ? columns : widest;
		free(text);
	}
	return widest;
}

static enum form choose_form(const struct screen *screen, const struct matrix_view *view)
{
	size_t room = screen_columns(screen), names = 1 + GAP + name_columns(view);

	for (unsigned form = 0; form < FORM_FIRST; form++) {
		size_t taken = names;

		for (unsigned column = 0; column < view->matrix->n_columns; column++)
			taken += GAP + cell_columns(view, column, (enum form)form);
		if (taken <= room)
			return (enum form)form;
	}
	return FORM_FIRST;
}

/* Cuts a safe text to that many columns, between two characters. */
static void cut(char *text, size_t room)
{
	size_t length = strlen(text);

	while (length > 0 && text_columns(text) > room) {
		do
			length--;
		while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80);
		text[length] = '\0';
	}
}

/* A title that is wider than its column is cut: the list above the table has it whole. */
static void add_titles(struct table *table, const struct matrix_view *view, enum form form)
{
	for (unsigned column = 0; column < view->matrix->n_columns; column++) {
		char *title = column_title(view->matrix, column);
		char *safe = escape_terminal(title, locale_is_utf8());

		cut(safe, cell_columns(view, column, form));
		table_cell(table, COLUMN_FIRST + column, INK_BOLD, safe);
		free(safe);
		free(title);
	}
	table_end_row(table);
}

static void add_totals(struct table *table, const struct matrix_view *view)
{
	table_cell(table, COLUMN_NAME, INK_BOLD, "open of all");
	for (unsigned column = 0; column < view->matrix->n_columns; column++) {
		const struct run *run = view->matrix->columns[column].run;
		struct summary summary = run_summary(run);
		char *text = print_text("%u/%u", summary.accessed, run->n_results);

		table_cell(table, COLUMN_FIRST + column, INK_BOLD, text);
		free(text);
	}
	table_end_row(table);
}

static void add_row(struct table *table, const struct matrix_view *view,
		    const struct matrix_row *row, enum form form)
{
	bool differs = row->differs || row->below_differs;
	char *name = row_name(row);

	table_cell(table, COLUMN_MARK, INK_BOLD, differs && !row->name ? "*" : "");
	table_cell(table, COLUMN_NAME, differs ? INK_PLAIN : INK_FAINT, name);
	for (unsigned column = 0; column < view->matrix->n_columns; column++) {
		char *text = cell_text(view->matrix, row, column, form);

		table_cell(table, COLUMN_FIRST + column, cell_ink(row, &row->cells[column]), text);
		free(text);
	}
	table_end_row(table);
	free(name);
}

static bool print_table(const struct screen *screen, const struct matrix_view *view,
			enum form form)
{
	struct table *table =
		table_new(screen, COLUMN_FIRST + view->matrix->n_columns, TABLE_COLUMNS);
	const char *category = "";
	bool printed;

	add_titles(table, view, form);
	add_totals(table, view);
	for (unsigned i = 0; i < view->matrix->n_rows; i++) {
		const struct matrix_row *row = &view->matrix->rows[i];

		if (!is_shown(view, i))
			continue;
		if (strcmp(category, row->entry->category) != 0)
			table_heading(table, row->entry->category, NULL);
		category = row->entry->category;
		add_row(table, view, row, form);
	}
	printed = table_print(table);
	table_free(table);
	return printed;
}

/* ---------------------------------------------------------------- around the table */

static void print_columns(const struct screen *screen, const struct matrix_view *view)
{
	size_t hang = 0;

	for (unsigned column = 0; column < view->matrix->n_columns; column++) {
		char *title = column_title(view->matrix, column);
		char *safe = escape_terminal(title, screen->utf8);
		size_t columns = text_columns(safe) + GAP;

		hang = columns > hang && columns < 30 ? columns : hang;
		free(safe);
		free(title);
	}
	for (unsigned column = 0; column < view->matrix->n_columns; column++) {
		char *title = column_title(view->matrix, column);
		char *what = run_text(view->matrix->columns[column].run);
		bool plain = strcmp(view->names[column], view->matrix->columns[column].title) == 0;
		char *text = plain ? copy_text(what) :
				     print_text("%s: %s", view->names[column], what);

		screen_paragraph(screen, 0, title, (unsigned)hang, text);
		free(text);
		free(what);
		free(title);
	}
	fputc('\n', screen->out);
}

static barrier_set shown_barriers(const struct matrix_view *view)
{
	barrier_set set = 0;

	for (unsigned i = 0; i < view->matrix->n_rows; i++)
		for (unsigned k = 0; k < view->matrix->n_columns; k++)
			if (is_shown(view, i))
				set |= view->matrix->rows[i].cells[k].barriers;
	return set;
}

static void print_letters(const struct screen *screen, const struct matrix_view *view)
{
	barrier_set set = shown_barriers(view);
	char *text = copy_text("? unknown, - not tried");

	for (unsigned b = 0; b < N_BARRIERS; b++) {
		char *longer;

		if (!(set & BARRIER_BIT(b)) || !letters[b] ||
		    strcmp(letters[b], barrier_name((enum barrier)b)) == 0)
			continue;
		longer = print_text("%s, %s %s", text, letters[b], barrier_name((enum barrier)b));
		free(text);
		text = longer;
	}
	screen_paragraph(screen, 0, NULL, 0, text);
	free(text);
}

bool matrix_print(const struct screen *screen, const struct matrix_view *view)
{
	enum form form = choose_form(screen, view);
	bool printed;

	print_columns(screen, view);
	printed = print_table(screen, view, form);
	fputc('\n', screen->out);
	screen_print(screen, INK_BOLD, "%u of %u scenarios differ", view->matrix->n_differing,
		     view->matrix->n_scenarios);
	screen_put(screen, INK_PLAIN, view->matrix->n_differing ? " (*)." : ".");
	fputc('\n', screen->out);
	if (form != FORM_WORDS)
		print_letters(screen, view);
	return printed;
}

/* ---------------------------------------------------------------- for programs */

static json_t *cell_json(const struct side *cell)
{
	json_t *barriers;

	if (!cell->present)
		return json_null();
	barriers = json_array();
	for (unsigned b = 0; b < N_BARRIERS; b++)
		if (cell->barriers & BARRIER_BIT(b))
			json_array_append_new(barriers, json_string(barrier_name((enum barrier)b)));
	return json_pack("{ss so so ss}", "status", status_name(cell->status), "barriers", barriers,
			 "reason",
			 cell->status == STATUS_UNKNOWN ? json_string(reason_name(cell->reason)) :
							  json_null(),
			 "severity", severity_name(cell->severity));
}

static json_t *rows_json(const struct matrix_view *view)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < view->matrix->n_rows; i++) {
		const struct matrix_row *row = &view->matrix->rows[i];
		json_t *cells;

		if (view->differing && !row->differs && !row->below_differs)
			continue;
		cells = json_array();
		for (unsigned k = 0; k < view->matrix->n_columns; k++)
			json_array_append_new(cells, cell_json(&row->cells[k]));
		json_array_append_new(array, json_pack("{ss ss? sb so}", "id", row->entry->id, "case",
						       row->name, "differs", row->differs, "cells",
						       cells));
	}
	return array;
}

json_t *matrix_json(const struct matrix_view *view)
{
	json_t *columns = json_array();

	for (unsigned k = 0; k < view->matrix->n_columns; k++)
		json_array_append_new(columns, run_text_json(view->names[k],
							     view->matrix->columns[k].run));
	return json_pack("{ss so so si si}", "format", "sandboxeval-matrix/1", "columns", columns,
			 "rows", rows_json(view), "scenarios", (int)view->matrix->n_scenarios,
			 "differing", (int)view->matrix->n_differing);
}
