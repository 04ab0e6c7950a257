/* SPDX-License-Identifier: MIT */
#include "host/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "host/memory.h"

static const struct result *find_in(const struct matrix *matrix, unsigned column, const char *id)
{
	return run_find((struct run *)matrix->columns[column].run, id);
}

/* What was not tried in one column tells nothing about a difference. */
static bool cells_differ(const struct side cells[], unsigned n)
{
	const struct side *first = NULL;

	for (unsigned i = 0; i < n; i++) {
		if (!cells[i].present)
			continue;
		if (first && change_of(first, &cells[i]) != CHANGE_NONE)
			return true;
		first = first ? first : &cells[i];
	}
	return false;
}

static struct matrix_row *add_row(struct matrix *matrix, const struct catalogue_entry *entry,
				  const char *name)
{
	struct matrix_row *row;

	matrix->rows = grow_array(matrix->rows, matrix->n_rows + 1, sizeof *matrix->rows);
	row = &matrix->rows[matrix->n_rows++];
	*row = (struct matrix_row){ .entry = entry, .name = name };
	row->cells = new_array(matrix->n_columns, sizeof *row->cells);
	return row;
}

static bool has_row(const struct matrix *matrix, const char *id)
{
	for (unsigned i = 0; i < matrix->n_rows; i++)
		if (!matrix->rows[i].name && strcmp(matrix->rows[i].entry->id, id) == 0)
			return true;
	return false;
}

static bool has_case_row(const struct matrix *matrix, unsigned from, const char *name)
{
	for (unsigned i = from; i < matrix->n_rows; i++)
		if (matrix->rows[i].name && strcmp(matrix->rows[i].name, name) == 0)
			return true;
	return false;
}

static struct side cell_of_case(const struct result *result, const struct case_result *like)
{
	for (unsigned i = 0; result && i < result->n_cases; i++)
		if (strcmp(result->cases[i].name, like->name) == 0)
			return side_of_case(&result->cases[i]);
	if (result && result->n_cases == 0 && result->status == STATUS_UNKNOWN)
		return side_unmeasured(result, like->severity);
	return (struct side){ .present = false };
}

static void add_case_rows(struct matrix *matrix, const struct catalogue_entry *entry)
{
	unsigned scenario = matrix->n_rows - 1;

	for (unsigned column = 0; column < matrix->n_columns; column++) {
		const struct result *result = find_in(matrix, column, entry->id);

		for (unsigned i = 0; result && i < result->n_cases; i++) {
			const struct case_result *one = &result->cases[i];
			struct matrix_row *row;

			if (has_case_row(matrix, scenario + 1, one->name))
				continue;
			row = add_row(matrix, entry, one->name);
			for (unsigned k = 0; k < matrix->n_columns; k++)
				row->cells[k] = cell_of_case(find_in(matrix, k, entry->id), one);
			row->differs = cells_differ(row->cells, matrix->n_columns);
			matrix->rows[scenario].below_differs |= row->differs;
		}
	}
}

static void add_scenario(struct matrix *matrix, const struct catalogue_entry *entry)
{
	struct matrix_row *row;
	unsigned scenario = matrix->n_rows;

	if (has_row(matrix, entry->id))
		return;
	row = add_row(matrix, entry, NULL);
	for (unsigned k = 0; k < matrix->n_columns; k++)
		row->cells[k] = side_of_result(find_in(matrix, k, entry->id));
	row->differs = cells_differ(row->cells, matrix->n_columns);
	add_case_rows(matrix, entry);
	row = &matrix->rows[scenario];
	matrix->n_scenarios++;
	matrix->n_differing += row->differs || row->below_differs;
}

static bool is_tried(const struct matrix *matrix, const char *id)
{
	for (unsigned column = 0; column < matrix->n_columns; column++)
		if (find_in(matrix, column, id))
			return true;
	return false;
}

struct matrix matrix_of(struct matrix_column columns[], unsigned n_columns)
{
	struct matrix matrix = { .columns = columns, .n_columns = n_columns };

	/* In the catalogue's order; then what only older catalogues had. */
	for (unsigned i = 0; i < catalogue_count; i++)
		if (is_tried(&matrix, catalogue[i].id))
			add_scenario(&matrix, &catalogue[i]);
	for (unsigned column = 0; column < n_columns; column++)
		for (unsigned i = 0; i < columns[column].run->n_results; i++)
			add_scenario(&matrix, columns[column].run->results[i].entry);
	return matrix;
}

void matrix_free(struct matrix *matrix)
{
	for (unsigned i = 0; i < matrix->n_rows; i++)
		free(matrix->rows[i].cells);
	free(matrix->rows);
	*matrix = (struct matrix){ 0 };
}

bool matrix_cases(const struct matrix *matrix, const struct matrix_row *row, unsigned column,
		  unsigned *ret_open, unsigned *ret_all)
{
	const struct result *result =
		row->name ? NULL : find_in(matrix, column, row->entry->id);

	if (!result || result->n_cases == 0)
		return false;
	*ret_open = 0;
	*ret_all = result->n_cases;
	for (unsigned i = 0; i < result->n_cases; i++)
		*ret_open += result->cases[i].status == STATUS_ACCESSED;
	return true;
}
