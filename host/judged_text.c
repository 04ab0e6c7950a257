/* SPDX-License-Identifier: MIT */
#include "host/judged_text.h"

#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "host/table.h"

#define MOST_NAMES 4

void judged_text_standing(const struct screen *screen, const struct run *run)
{
	struct summary summary = run_summary(run);

	switch (run->verdict) {
	case VERDICT_NONE:
		return;
	case VERDICT_SATISFIED:
		screen_put(screen, INK_GOOD, "satisfies the policy ");
		break;
	case VERDICT_VIOLATED:
		screen_put(screen, INK_BAD, "violates the policy ");
		break;
	case VERDICT_INCOMPLETE:
		screen_put(screen, INK_WARN, "not known to satisfy the policy ");
		break;
	}
	screen_put(screen, INK_BOLD, run->policy ? run->policy : "?");
	if (run->verdict == VERDICT_VIOLATED)
		screen_print(screen, INK_PLAIN, " in %u of %u", summary.violates, run->n_results);
	screen_put(screen, INK_PLAIN, ";");
}

/* Which judgements a list holds. */
struct list {
	enum judgement judgement;
	enum tolerance tolerance; /* of what is unmeasured */
	enum ink ink;
	const char *heading;
};

static bool is_in(const struct list *list, const struct judged *judged)
{
	return judged->judgement == list->judgement &&
	       (judged->judgement != JUDGEMENT_UNMEASURED || judged->tolerance == list->tolerance);
}

static const char *rule_of(const struct judged *judged)
{
	return judged->rule ? judged->rule : "";
}

/* One rule that decided, for one scenario, and the cases that it decided. */
struct row {
	const struct result *result;
	const char *rule;
	char *cases; /* NULL: the scenario as a whole */
	enum severity severity;
};

static char *add_name(char *so_far, unsigned n, unsigned all, const char *name)
{
	char *text;

	if (n > MOST_NAMES)
		return so_far;
	if (n == MOST_NAMES && all > MOST_NAMES)
		text = print_text("%s and %u more", so_far, all - MOST_NAMES);
	else
		text = print_text("%s%s%s", so_far ? so_far : "", so_far ? ", " : "", name);
	free(so_far);
	return text;
}

/* The row of the case and of all later ones of the same rule; false when an earlier one has it. */
static bool fill_row(const struct list *list, const struct result *result, unsigned first,
		     struct row *ret)
{
	const char *rule = rule_of(&result->cases[first].judged);
	unsigned all = 0, n = 0;

	for (unsigned i = 0; i < result->n_cases; i++) {
		const struct case_result *one = &result->cases[i];

		if (!is_in(list, &one->judged) || strcmp(rule_of(&one->judged), rule) != 0)
			continue;
		if (i < first)
			return false;
		all++;
	}
	*ret = (struct row){ .result = result, .rule = rule };
	for (unsigned i = first; i < result->n_cases; i++) {
		const struct case_result *one = &result->cases[i];

		if (!is_in(list, &one->judged) || strcmp(rule_of(&one->judged), rule) != 0)
			continue;
		ret->cases = add_name(ret->cases, n++, all, one->name);
		if (one->severity > ret->severity)
			ret->severity = one->severity;
	}
	return true;
}

static struct row *find_rows(const struct run *run, const struct list *list, unsigned *ret_n)
{
	struct row *rows = NULL, row;

	*ret_n = 0;
	for (unsigned i = 0; i < run->n_results; i++) {
		const struct result *result = &run->results[i];
		bool by_case = false;

		for (unsigned k = 0; k < result->n_cases; k++) {
			if (!is_in(list, &result->cases[k].judged))
				continue;
			by_case = true;
			if (!fill_row(list, result, k, &row))
				continue;
			rows = grow_array(rows, *ret_n + 1, sizeof row);
			rows[(*ret_n)++] = row;
		}
		if (by_case || !is_in(list, &result->judged))
			continue;
		rows = grow_array(rows, *ret_n + 1, sizeof row);
		rows[(*ret_n)++] = (struct row){ .result = result,
						 .rule = rule_of(&result->judged),
						 .severity = result->entry->severity };
	}
	return rows;
}

/* Worst first; the catalogue's order among equals. */
static void put_rows(struct table *table, const struct row rows[], unsigned n)
{
	for (int severity = N_SEVERITIES - 1; severity >= 0; severity--) {
		for (unsigned i = 0; i < n; i++) {
			char *text;

			if ((int)rows[i].severity != severity)
				continue;
			text = print_text("%s%s%s", rows[i].cases ? rows[i].cases : "",
					  rows[i].cases ? ": " : "", rows[i].rule);
			table_cell(table, 0, INK_PLAIN, rows[i].result->entry->id);
			table_cell(table, 1, severity_ink(rows[i].severity),
				   severity_name(rows[i].severity));
			table_cell(table, 2, INK_PLAIN, text);
			table_end_row(table);
			free(text);
		}
	}
}

static bool print_list(const struct screen *screen, const struct run *run, const struct list *list)
{
	struct table *table;
	unsigned n;
	struct row *rows = find_rows(run, list, &n);
	bool printed;

	if (n == 0)
		return true;
	fputc('\n', screen->out);
	screen_put(screen, list->ink, list->heading);
	fputc('\n', screen->out);
	table = table_new(screen, 3, 2);
	table_indent(table, 2);
	put_rows(table, rows, n);
	printed = table_print(table);
	table_free(table);
	for (unsigned i = 0; i < n; i++)
		free(rows[i].cases);
	free(rows);
	return printed;
}

static void print_satisfied(const struct screen *screen, const struct run *run)
{
	struct summary summary = run_summary(run);

	fputc('\n', screen->out);
	screen_put(screen, INK_GOOD, "SATISFIED");
	screen_print(screen, INK_PLAIN, ": %u of %u scenarios conform to the policy",
		     summary.conforms, run->n_results);
	if (summary.waived > 0)
		screen_print(screen, INK_PLAIN, ", %u waived", summary.waived);
	if (summary.unmeasured > 0)
		screen_print(screen, INK_PLAIN, ", %u unmeasured", summary.unmeasured);
	screen_put(screen, INK_PLAIN, ".");
	fputc('\n', screen->out);
}

bool judged_text_lists(const struct screen *screen, const struct run *run)
{
	static const struct list lists[] = {
		{ JUDGEMENT_VIOLATES, 0, INK_BAD, "Violates the policy" },
		{ JUDGEMENT_UNMEASURED, TOLERANCE_FAIL, INK_BAD,
		  "Unmeasured, and the policy needs to know" },
		{ JUDGEMENT_UNMEASURED, TOLERANCE_WARN, INK_WARN,
		  "Unmeasured, and the policy lets it pass with a warning" },
		{ JUDGEMENT_WAIVED, 0, INK_WARN, "Waived" },
	};
	bool printed = true;

	if (run->verdict == VERDICT_SATISFIED)
		print_satisfied(screen, run);
	for (size_t i = 0; i < sizeof lists / sizeof *lists && printed; i++)
		if (run->verdict != VERDICT_NONE)
			printed = print_list(screen, run, &lists[i]);
	return printed;
}

void judged_text_line(const struct screen *screen, const struct run *run)
{
	bool violated = run->verdict == VERDICT_VIOLATED;
	unsigned n = 0;

	if (!violated && run->verdict != VERDICT_INCOMPLETE)
		return;
	screen_print(screen, INK_PLAIN, "sandboxeval: %s the policy %s",
		     violated ? "violates" : "not known to satisfy", run->policy);
	for (unsigned i = 0; i < run->n_results; i++) {
		const struct judged *judged = &run->results[i].judged;

		if (violated ? judged->judgement != JUDGEMENT_VIOLATES
			     : judged->judgement != JUDGEMENT_UNMEASURED ||
				       judged->tolerance != TOLERANCE_FAIL)
			continue;
		if (n++ < MOST_NAMES)
			screen_print(screen, INK_PLAIN, "%s%s", n == 1 ? ": " : ", ",
				     run->results[i].entry->id);
	}
	if (n > MOST_NAMES)
		screen_print(screen, INK_PLAIN, " and %u more", n - MOST_NAMES);
	fputc('\n', screen->out);
}
