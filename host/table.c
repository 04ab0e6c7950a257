/* SPDX-License-Identifier: MIT */
#include "host/table.h"

#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "host/escape.h"
#include "host/memory.h"

#define GAP "  "
#define LEAST_FLEXIBLE 12

struct cell {
	char *text; /* escaped; NULL: empty */
	enum ink ink;
};

struct row {
	struct cell cells[TABLE_COLUMNS];
	char *heading, *remark;
};

struct table {
	struct screen screen;
	unsigned n_columns, flexible, indent;
	unsigned second, comfort; /* may be wrapped, too; the flexible one: none may */
	bool right[TABLE_COLUMNS];
	struct row *rows; /* the last one is being filled */
	unsigned n_rows;
};

/* libsmartcols wants whole sequences; the names that it knows differ between versions. */
static const char *const sequences[N_INKS] = {
	[INK_BOLD] = "\033[1m", [INK_FAINT] = "\033[2m", [INK_GOOD] = "\033[32m",
	[INK_WARN] = "\033[33m", [INK_BAD] = "\033[1;31m",
};

struct table *table_new(const struct screen *screen, unsigned n_columns, unsigned flexible)
{
	struct table *table = new_array(1, sizeof *table);

	table->screen = *screen;
	table->n_columns = n_columns;
	table->flexible = table->second = flexible;
	table->comfort = LEAST_FLEXIBLE;
	table->rows = new_array(1, sizeof *table->rows);
	return table;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	for (unsigned i = 0; i <= table->n_rows; i++) {
		for (unsigned column = 0; column < TABLE_COLUMNS; column++)
			free(table->rows[i].cells[column].text);
		free(table->rows[i].heading);
		free(table->rows[i].remark);
	}
	free(table->rows);
	free(table);
}

void table_indent(struct table *table, unsigned indent)
{
	table->indent = indent;
}

void table_may_wrap(struct table *table, unsigned column, unsigned comfort)
{
	table->second = column;
	table->comfort = comfort;
}

void table_align_right(struct table *table, unsigned column)
{
	table->right[column] = true;
}

void table_heading(struct table *table, const char *name, const char *remark)
{
	struct row *row = &table->rows[table->n_rows];

	free(row->heading);
	free(row->remark);
	row->heading = copy_text(name);
	row->remark = copy_text(remark);
}

void table_cell(struct table *table, unsigned column, enum ink ink, const char *text)
{
	struct cell *cell = &table->rows[table->n_rows].cells[column];

	free(cell->text);
	cell->text = escape_terminal(text, table->screen.utf8);
	cell->ink = ink;
}

void table_end_row(struct table *table)
{
	table->n_rows++;
	table->rows = grow_array(table->rows, table->n_rows + 1, sizeof *table->rows);
	table->rows[table->n_rows] = (struct row){ 0 };
}

static size_t widest_cell(const struct table *table, unsigned column)
{
	size_t widest = 0;

	for (unsigned i = 0; i < table->n_rows; i++) {
		const char *text = table->rows[i].cells[column].text;
		size_t columns = text ? text_columns(text) : 0;

		if (columns > widest)
			widest = columns;
	}
	return widest;
}

/* No column can be narrower than that: a word is never broken. */
static size_t longest_word(const struct table *table, unsigned column)
{
	size_t longest = 0;

	for (unsigned i = 0; i < table->n_rows; i++) {
		const char *text = table->rows[i].cells[column].text;

		for (size_t length; text && *text; text += length + (text[length] == ' ')) {
			char *word = copy_bytes(text, length = strcspn(text, " "));
			size_t columns = text_columns(word);

			free(word);
			if (columns > longest)
				longest = columns;
		}
	}
	return longest;
}

/* What the other columns leave to the two that can be wrapped. */
static void share_columns(const struct table *table, size_t *ret_flexible, size_t *ret_second)
{
	size_t taken = table->indent + (table->n_columns - 1) * strlen(GAP);
	size_t all = screen_columns(&table->screen), left;

	for (unsigned column = 0; column < table->n_columns; column++)
		if (column != table->flexible && column != table->second)
			taken += widest_cell(table, column);
	left = all > taken ? all - taken : 0;
	*ret_second = table->second == table->flexible ? 0 : widest_cell(table, table->second);
	if (*ret_second && left < *ret_second + table->comfort) {
		size_t least = longest_word(table, table->second);

		*ret_second = left > table->comfort + least ? left - table->comfort : least;
	}
	*ret_flexible = left > *ret_second + LEAST_FLEXIBLE ? left - *ret_second : LEAST_FLEXIBLE;
}

/* Puts a newline for the blank at which the text has to be broken, in place. */
static void wrap(char *text, size_t width)
{
	size_t at = 0;
	char *blank = NULL;

	for (char *word = text; *word;) {
		size_t length = strcspn(word, " ");
		char after = word[length];
		size_t columns;

		word[length] = '\0';
		columns = text_columns(word);
		word[length] = after;
		if (blank && at + 1 + columns > width) {
			*blank = '\n';
			at = columns;
		} else {
			at += columns + (blank ? 1 : 0);
		}
		blank = after ? word + length : NULL;
		word += length + (after ? 1 : 0);
	}
}

static bool can_wrap(const struct table *table, unsigned column)
{
	return column == table->flexible || column == table->second;
}

static bool add_columns(const struct table *table, struct libscols_table *tb)
{
	for (unsigned column = 0; column < table->n_columns; column++) {
		int flags = (table->right[column] ? SCOLS_FL_RIGHT : 0) |
			    (can_wrap(table, column) ? SCOLS_FL_WRAP : 0);
		struct libscols_column *cl = scols_table_new_column(tb, "", 0, flags);

		if (!cl)
			return false;
		if (can_wrap(table, column))
			scols_column_set_wrapfunc(cl, scols_wrapnl_chunksize,
						  scols_wrapnl_nextchunk, NULL);
	}
	return true;
}

static bool add_rows(const struct table *table, struct libscols_table *tb)
{
	size_t width, second;

	share_columns(table, &width, &second);
	for (unsigned i = 0; i < table->n_rows; i++) {
		struct libscols_line *line = scols_table_new_line(tb, NULL);

		for (unsigned column = 0; line && column < table->n_columns; column++) {
			const struct cell *cell = &table->rows[i].cells[column];
			char *text = copy_text(cell->text ? cell->text : "");

			if (can_wrap(table, column))
				wrap(text, column == table->flexible ? width : second);
			if (scols_line_refer_data(line, column, text))
				return false;
			if (table->screen.color && sequences[cell->ink] && *text)
				scols_cell_set_color(scols_line_get_cell(line, column),
						     sequences[cell->ink]);
		}
		if (!line)
			return false;
	}
	return true;
}

/* Prints the lines of one row without the blanks that fill the last column. */
static void print_lines(const struct table *table, char *lines)
{
	for (char *line; (line = strsep(&lines, "\n"));) {
		size_t length = strlen(line);

		while (length > 0 && line[length - 1] == ' ')
			length--;
		if (length > 0)
			fprintf(table->screen.out, "%*s%.*s\n", (int)table->indent, "",
				(int)length, line);
	}
}

static bool print_rows(const struct table *table, struct libscols_table *tb)
{
	for (unsigned i = 0; i < table->n_rows; i++) {
		struct libscols_line *line = scols_table_get_line(tb, i);
		const struct row *row = &table->rows[i];
		char *lines = NULL;

		if (row->heading) {
			fputs(i > 0 ? "\n" : "", table->screen.out);
			screen_put(&table->screen, INK_BOLD, row->heading);
			if (row->remark)
				screen_print(&table->screen, INK_FAINT, GAP "%s", row->remark);
			fputc('\n', table->screen.out);
		}
		if (scols_table_print_range_to_string(tb, line, line, &lines))
			return false;
		print_lines(table, lines);
		free(lines);
	}
	return true;
}

bool table_print(const struct table *table)
{
	struct libscols_table *tb;
	bool printed = false;

	if (table->n_rows == 0)
		return true;
	tb = scols_new_table();
	if (!tb)
		return false;
	scols_table_enable_noheadings(tb, 1);
	scols_table_enable_colors(tb, table->screen.color);
	scols_table_enable_noencoding(tb, 1); /* cells are escaped already */
	scols_table_set_column_separator(tb, GAP);
	scols_table_set_termforce(tb, SCOLS_TERMFORCE_ALWAYS);
	/* Widths are ours: a cell that cannot be wrapped may stand out, but is never cut. */
	scols_table_set_termwidth(tb, 4000);
	if (add_columns(table, tb) && add_rows(table, tb))
		printed = print_rows(table, tb);
	scols_unref_table(tb);
	return printed;
}
