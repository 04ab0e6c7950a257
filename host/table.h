/* SPDX-License-Identifier: MIT */
/*
 * A table for people, laid out by libsmartcols: every cell is escaped, columns are as wide as
 * they must be, and one flexible column is wrapped at words to what the screen leaves. The rows
 * of all groups share the same widths, with a heading before each group.
 *
 *	struct table *table = table_new(&screen, 3, 2);
 *	table_heading(table, "system", "3 open");
 *	table_cell(table, 0, INK_BOLD, "cpu");
 *	table_end_row(table);
 *	table_print(table);
 *	table_free(table);
 */
#pragma once

#include <stdbool.h>

#include "host/screen.h"

#define TABLE_COLUMNS 18

struct table;

/* `flexible` is the column that may be wrapped. */
struct table *table_new(const struct screen *screen, unsigned n_columns, unsigned flexible);
void table_free(struct table *table); /* accepts NULL */
/* Columns to the left of the first column. */
void table_indent(struct table *table, unsigned indent);
/*
 * Another column that may be wrapped at words, where the flexible one would get fewer than
 * `comfort` columns.
 */
void table_may_wrap(struct table *table, unsigned column, unsigned comfort);
/* Right-aligned, for numbers. */
void table_align_right(struct table *table, unsigned column);
/* A line before the next row: a name in bold and a remark (may be NULL) in faint. */
void table_heading(struct table *table, const char *name, const char *remark);
/* A cell of the current row; cells that are not given stay empty. */
void table_cell(struct table *table, unsigned column, enum ink ink, const char *text);
void table_end_row(struct table *table);
bool table_print(const struct table *table); /* false when memory ran out */
