/* SPDX-License-Identifier: MIT */
#include "host/html_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "host/html_finding.h"
#include "host/html_layers.h"
#include "host/html_page.h"
#include "host/markup.h"
#include "host/matrix_text.h"
#include "host/memory.h"

/* ---------------------------------------------------------------- the runs */

static void put_run(FILE *out, const struct matrix *matrix, unsigned column)
{
	const struct run *run = matrix->columns[column].run;
	struct summary summary = run_summary(run);

	markup_print(out, "<li class=\"card\"><h3>%u: %s</h3><p class=\"note\">%s", column + 1,
		     matrix->columns[column].title, run->sandbox ? run->sandbox : "unnamed sandbox");
	if (run->version && *run->version)
		markup_print(out, " (%s)", run->version);
	if (run->image && *run->image)
		markup_print(out, ", %s", run->image);
	fputs(", ", out);
	html_time(out, run->started);
	fputs("</p>\n", out);
	if (!run->complete)
		fputs("<p><b class=\"incomplete\">Incomplete</b>: what did not arrive was not "
		      "measured.</p>\n", out);
	if (run->n_results)
		html_bar(out, run);
	markup_print(out, "<p><b>%u of %u open</b>, %u denied, %u unknown</p>\n", summary.accessed,
		     run->n_results, summary.denied, summary.unknown);
	if (run->argv && run->argv[0]) {
		fputs("<p class=\"argv\"><code>", out);
		html_command(out, run->argv);
		fputs("</code></p>\n", out);
	}
	fputs("</li>\n", out);
}

static void put_runs(FILE *out, const struct matrix *matrix)
{
	markup_print(out, "<section class=\"opening\" aria-labelledby=\"h-opening\">\n<h1 "
		     "id=\"h-opening\"><span class=\"subject\">%u side by side:</span> <span "
		     "class=\"standing\"><b>%u of %u scenarios differ</b>.</span></h1>\n<ol "
		     "class=\"cards\">\n", matrix->n_columns, matrix->n_differing,
		     matrix->n_scenarios);
	for (unsigned column = 0; column < matrix->n_columns; column++)
		put_run(out, matrix, column);
	fputs("</ol>\n</section>\n", out);
}

/* ---------------------------------------------------------------- rows */

static void put_open(FILE *out, const struct matrix *matrix, const struct matrix_row *row,
		     unsigned column)
{
	unsigned open, all;

	fputs("open", out);
	if (matrix_cases(matrix, row, column, &open, &all) && all > 1)
		markup_print(out, " %u/%u", open, all);
	markup_print(out, " <span class=\"note\">%s</span>",
		     severity_name(row->cells[column].severity));
}

static void put_cell(FILE *out, const struct matrix *matrix, const struct matrix_row *row,
		     unsigned column)
{
	const struct side *cell = &row->cells[column];

	if (!cell->present) {
		fputs("<td class=\"cell\"><span class=\"note\">not tried</span></td>", out);
		return;
	}
	markup_print(out, "<td class=\"cell %s %s\"><span class=\"mark\" aria-hidden=\"true\">%s</span> "
		     "<span>", status_name(cell->status),
		     cell->status == STATUS_ACCESSED ? severity_name(cell->severity) : "",
		     html_mark(cell->status, cell->severity));
	switch (cell->status) {
	case STATUS_ACCESSED:
		put_open(out, matrix, row, column);
		break;
	case STATUS_DENIED:
		fputs("<span class=\"unseen\">denied: </span>", out);
		html_barriers(out, cell->barriers);
		break;
	case STATUS_UNKNOWN:
		markup_print(out, "unknown: <span title=\"%s\">%s</span>", reason_meaning(cell->reason),
			     reason_name(cell->reason));
		break;
	}
	fputs("</span></td>", out);
}

static void put_row(FILE *out, const struct matrix *matrix, const struct matrix_row *row)
{
	bool differs = row->differs || row->below_differs;

	markup_print(out, "<tr class=\"%s%s\"><th scope=\"row\">", row->name ? "case" : "whole",
		     differs ? " differs" : "");
	if (row->name)
		markup_print(out, "/%s", row->name);
	else
		markup_print(out, "<span title=\"%s\">%s</span>", row->entry->title,
			     html_short_id(row->entry));
	fputs(differs ? " <span class=\"flag\">differs</span></th>" : "</th>", out);
	for (unsigned column = 0; column < matrix->n_columns; column++)
		put_cell(out, matrix, row, column);
	fputs("</tr>\n", out);
}

/* What the script filters by: every status that the scenario has in some column, the worst. */
static void put_data(FILE *out, const struct matrix *matrix, const struct matrix_row *row)
{
	bool seen[N_STATUSES] = { false };
	enum severity worst = SEVERITY_INHERIT;

	for (unsigned column = 0; column < matrix->n_columns; column++) {
		const struct side *cell = &row->cells[column];

		if (!cell->present)
			continue;
		seen[cell->status] = true;
		worst = cell->severity > worst ? cell->severity : worst;
	}
	fputs(" data-status=\"", out);
	for (unsigned i = 0; i < N_STATUSES; i++)
		if (seen[i])
			markup_print(out, "%s ", status_name((enum status)i));
	markup_print(out, "\" data-severity=\"%u\" data-category=\"%s\" data-differs=\"%s\"",
		     (unsigned)worst, row->entry->category,
		     row->differs || row->below_differs ? "yes" : "no");
}

/* The rows of one scenario, which is the row `first`; returns the next one. */
static unsigned put_scenario(FILE *out, const struct matrix_view *view, unsigned first)
{
	const struct matrix *matrix = view->matrix;
	unsigned i = first;
	bool wanted = matrix->rows[first].differs || matrix->rows[first].below_differs ||
		      !view->differing;

	if (wanted) {
		fputs("<tbody", out);
		put_data(out, matrix, &matrix->rows[first]);
		fputs(">\n", out);
	}
	do {
		if (wanted)
			put_row(out, matrix, &matrix->rows[i]);
		i++;
	} while (i < matrix->n_rows && matrix->rows[i].name);
	fputs(wanted ? "</tbody>\n" : "", out);
	return i;
}

static unsigned category_end(const struct matrix *matrix, unsigned first)
{
	unsigned end = first;

	while (end < matrix->n_rows && strcmp(matrix->rows[end].entry->category,
					      matrix->rows[first].entry->category) == 0)
		end++;
	return end;
}

static bool has_wanted(const struct matrix_view *view, unsigned first, unsigned end)
{
	for (unsigned i = first; i < end; i++)
		if (view->matrix->rows[i].differs || !view->differing)
			return true;
	return false;
}

static void put_category(FILE *out, const struct matrix_view *view, unsigned first, unsigned end)
{
	const struct matrix *matrix = view->matrix;
	const char *category = matrix->rows[first].entry->category;

	if (!has_wanted(view, first, end))
		return;
	markup_print(out, "<section class=\"category\" aria-labelledby=\"c-%s-%u\"><h3 id=\"c-%s-%u\">",
		     category, first, category, first);
	html_name(out, category);
	markup_print(out, "</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
		     "aria-labelledby=\"c-%s-%u\"><table class=\"matrix\"><thead><tr><th scope=\"col\">"
		     "Scenario</th>", category, first);
	for (unsigned column = 0; column < matrix->n_columns; column++)
		markup_print(out, "<th scope=\"col\">%u: %s</th>", column + 1,
			     matrix->columns[column].title);
	fputs("</tr></thead>\n", out);
	while (first < end)
		first = put_scenario(out, view, first);
	fputs("</table></div>\n</section>\n", out);
}

/* ---------------------------------------------------------------- the page */

static void put_filters(FILE *out, const struct matrix *matrix)
{
	fputs("<form class=\"filters\" role=\"search\" aria-label=\"Filter the scenarios\" hidden>\n"
	      "<fieldset><legend class=\"unseen\">Which</legend><label class=\"choice\"><input "
	      "type=\"checkbox\" name=\"differs\" value=\"yes\"> only what differs</label></fieldset>\n"
	      "<label>Category <select name=\"category\"><option value=\"\">all</option>", out);
	for (unsigned i = 0; i < matrix->n_rows; i = category_end(matrix, i))
		html_option(out, matrix->rows[i].entry->category);
	fputs("</select></label>\n<label class=\"text\">Text <input type=\"search\" name=\"text\" "
	      "autocomplete=\"off\" spellcheck=\"false\"></label>\n<p class=\"outcome\"><span "
	      "aria-live=\"polite\" id=\"outcome\"></span> <button type=\"reset\">Reset</button></p>\n"
	      "</form>\n", out);
}

bool html_compare(const struct report_context *context, FILE *out, struct error *error)
{
	const struct matrix_view *view = context->matrix;
	const struct matrix *matrix = view->matrix;
	char *title = print_text("%u of %u scenarios differ – SandboxEval", matrix->n_differing,
				 matrix->n_scenarios);

	(void)error;
	html_begin(out, title);
	free(title);
	put_runs(out, matrix);
	fputs("<section aria-labelledby=\"h-matrix\">\n<h2 id=\"h-matrix\">Scenario by scenario</h2>\n",
	      out);
	put_filters(out, matrix);
	/* By style alone, so that it works without the script. */
	markup_print(out, "<p class=\"also\"><label class=\"choice\"><input type=\"checkbox\" "
		     "id=\"cases\"%s> all cases, not only those that differ</label></p>\n",
		     view->cases ? " checked" : "");
	for (unsigned i = 0; i < matrix->n_rows; i = category_end(matrix, i))
		put_category(out, view, i, category_end(matrix, i));
	fputs("</section>\n", out);
	html_end(out);
	return true;
}
