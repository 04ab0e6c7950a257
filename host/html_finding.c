/* SPDX-License-Identifier: MIT */
#include "host/html_finding.h"

#include <stdlib.h>
#include <string.h>

#include "host/html_layers.h"
#include "host/html_page.h"
#include "host/markup.h"
#include "host/report_text.h"

/* More than this many cases make no table that anybody reads. */
#define MANY_CASES 100

const char *html_short_id(const struct catalogue_entry *entry)
{
	const char *dot = strchr(entry->id, '.');

	return dot ? dot + 1 : entry->id;
}

unsigned html_accessed_cases(const struct result *result)
{
	unsigned n = 0;

	for (unsigned i = 0; i < result->n_cases; i++)
		n += result->cases[i].status == STATUS_ACCESSED;
	return n;
}

void html_status_class(FILE *out, const struct result *result)
{
	bool contained = result->has_baseline && result->baseline == STATUS_ACCESSED;

	markup_print(out, "%s", status_name(result->status));
	if (result->status == STATUS_ACCESSED)
		markup_print(out, " %s", severity_name(result_severity(result)));
	else if (result->status == STATUS_DENIED && contained)
		fputs(" contained", out);
}

/* ---------------------------------------------------------------- values */

static void put_text(FILE *out, const char *text)
{
	size_t length = strlen(text);

	markup_print(out, "%s", text);
	if (length > MARKUP_MOST_TEXT)
		markup_print(out, " <span class=\"note\">%zu bytes in all</span>", length);
}

static void put_value(FILE *out, const json_t *value)
{
	char *text;

	if (json_is_string(value)) {
		put_text(out, json_string_value(value));
		return;
	}
	text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
	put_text(out, text ? text : "?");
	free(text);
}

static void put_pairs(FILE *out, const json_t *object)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)object, name, value) {
		/* How long a trial took says nothing about the sandbox. */
		if (strcmp(name, "seconds") == 0)
			continue;
		fputs("<div><dt>", out);
		put_text(out, name);
		fputs("</dt><dd>", out);
		put_value(out, value);
		fputs("</dd></div>", out);
	}
}

static void put_values(FILE *out, const char *heading, const json_t *object)
{
	if (json_object_size(object) == (json_object_get(object, "seconds") ? 1 : 0))
		return;
	markup_print(out, "<h5>%s</h5><dl class=\"values\">", heading);
	put_pairs(out, object);
	fputs("</dl>\n", out);
}

static void put_objects(FILE *out, const struct result *result)
{
	size_t n = json_array_size(result->objects);

	if (n == 0)
		return;
	fputs("<h5>Found</h5><ul class=\"objects\">", out);
	for (size_t i = 0; i < n; i++) {
		const json_t *object = json_array_get(result->objects, i);
		const char *kind = json_string_value(json_object_get(object, "kind"));
		const json_t *path = json_object_get(object, "path");

		fputs("<li><code>", out);
		put_value(out, path ? path : object);
		markup_print(out, "</code> <span class=\"note\">%s</span></li>", kind ? kind : "");
	}
	fputs("</ul>\n", out);
}

/* ---------------------------------------------------------------- cases */

static void put_case_status(FILE *out, const struct case_result *one)
{
	bool contained = one->status == STATUS_DENIED && one->has_baseline &&
			 one->baseline == STATUS_ACCESSED;

	markup_print(out, "<td><span class=\"state %s %s\"><span class=\"mark\" "
		     "aria-hidden=\"true\">%s</span>%s</span>", status_name(one->status),
		     one->status == STATUS_ACCESSED ? severity_name(one->severity) :
		     contained ? "contained" : "", html_mark(one->status, one->severity),
		     status_name(one->status));
	fputs("</td><td>", out);
	if (one->status == STATUS_DENIED)
		html_barriers(out, one->barriers);
	else if (one->status == STATUS_UNKNOWN)
		markup_print(out, "<span title=\"%s\">%s</span>", reason_meaning(one->reason),
			     reason_name(one->reason));
	fputs("</td>", out);
}

static void put_case(FILE *out, const struct run *run, const struct case_result *one)
{
	markup_print(out, "<tr><th scope=\"row\">%s", one->name);
	if (one->definition && one->definition->path)
		markup_print(out, " <span class=\"note\">%s</span>", one->definition->path);
	markup_print(out, "</th><td>%s</td>", severity_name(one->severity));
	put_case_status(out, one);
	if (run->has_baseline)
		markup_print(out, "<td>%s</td>", one->has_baseline ? status_name(one->baseline) : "");
	if (run->verdict != VERDICT_NONE)
		markup_print(out, "<td title=\"%s\">%s</td>", one->judged.rule,
			     one->judged.judgement == JUDGEMENT_NONE ?
				     "" : judgement_name(one->judged.judgement));
	fputs("<td class=\"seen\"><dl>", out);
	put_pairs(out, one->evidence);
	fputs("</dl></td></tr>\n", out);
}

/* Of a set of several hundred, what is denied everywhere and has nothing to show needs no row. */
static bool is_one_of_many(const struct result *result, const struct case_result *one)
{
	return result->n_cases > MANY_CASES && one->status == STATUS_DENIED &&
	       (!one->has_baseline || one->baseline == STATUS_DENIED) &&
	       json_object_size(one->evidence) == 0 &&
	       (one->judged.judgement == JUDGEMENT_NONE ||
		one->judged.judgement == JUDGEMENT_CONFORMS);
}

/* The names of all that the same barriers deny, from case `first` on; nothing if it is not first. */
static void put_denied_alike(FILE *out, const struct result *result, unsigned first)
{
	barrier_set barriers = result->cases[first].barriers;
	char *by = barriers_text(barriers, ", ");
	const char *before = "";

	for (unsigned i = 0; i < result->n_cases; i++) {
		const struct case_result *one = &result->cases[i];

		if (!is_one_of_many(result, one) || one->barriers != barriers)
			continue;
		if (i < first)
			break;
		if (i == first)
			markup_print(out, "<p class=\"note\">Denied (%s): ", by);
		markup_print(out, "%s%s", before, one->name);
		before = ", ";
	}
	fputs(*before ? ".</p>\n" : "", out);
	free(by);
}

static void put_rest(FILE *out, const struct result *result)
{
	for (unsigned i = 0; i < result->n_cases; i++)
		if (is_one_of_many(result, &result->cases[i]))
			put_denied_alike(out, result, i);
}

static void put_cases(FILE *out, const struct run *run, const struct result *result)
{
	if (result->n_cases == 0)
		return;
	markup_print(out, "<h5 id=\"%s-cases\">Cases: %u of %u accessed</h5>\n<div class=\"scroll\" "
		     "tabindex=\"0\" role=\"group\" aria-labelledby=\"%s-cases\"><table "
		     "class=\"cases\"><thead><tr><th scope=\"col\">Case</th><th scope=\"col\">"
		     "Severity</th><th scope=\"col\">Status</th><th scope=\"col\">By</th>",
		     result->entry->id, html_accessed_cases(result), result->n_cases,
		     result->entry->id);
	if (run->has_baseline)
		fputs("<th scope=\"col\">Outside</th>", out);
	if (run->verdict != VERDICT_NONE)
		fputs("<th scope=\"col\">Policy</th>", out);
	fputs("<th scope=\"col\">Evidence</th></tr></thead>\n<tbody>\n", out);
	for (unsigned i = 0; i < result->n_cases; i++)
		if (!is_one_of_many(result, &result->cases[i]))
			put_case(out, run, &result->cases[i]);
	fputs("</tbody></table></div>\n", out);
	put_rest(out, result);
}

/* ---------------------------------------------------------------- the line */

static void put_detail(FILE *out, const struct result *result)
{
	switch (result->status) {
	case STATUS_ACCESSED:
		markup_print(out, "<span class=\"severity %s\">%s</span>",
			     severity_name(result_severity(result)),
			     severity_name(result_severity(result)));
		if (result->n_cases > 1)
			markup_print(out, " %u of %u", html_accessed_cases(result),
				     result->n_cases);
		break;
	case STATUS_DENIED:
		html_barriers(out, result->barriers);
		break;
	case STATUS_UNKNOWN:
		markup_print(out, "<span title=\"%s\">%s</span>", reason_meaning(result->reason),
			     reason_name(result->reason));
		break;
	}
}

static void put_outside(FILE *out, const struct result *result)
{
	bool contained = result->status == STATUS_DENIED && result->baseline == STATUS_ACCESSED;

	if (!result->has_baseline)
		return;
	if (result->status == STATUS_ACCESSED && result->baseline == STATUS_ACCESSED) {
		char *text = report_open_outside(result);

		markup_print(out, "<span class=\"outside\">%s</span>", text);
		free(text);
		return;
	}
	markup_print(out, "<span class=\"outside%s\"><span class=\"label\">outside </span>%s</span>",
		     contained ? " contained" : "", status_name(result->baseline));
}

/* What the script filters by; names of closed lists, but for the category. */
static void put_data(FILE *out, const struct result *result)
{
	bool contained = result->status == STATUS_DENIED && result->has_baseline &&
			 result->baseline == STATUS_ACCESSED;
	char *barriers = barriers_text(result->barriers, " ");

	markup_print(out, " data-status=\"%s\" data-severity=\"%u\" data-category=\"%s\" "
		     "data-barriers=\"%s\"%s", status_name(result->status),
		     (unsigned)result_severity(result), result->entry->category,
		     result->status == STATUS_DENIED ? barriers : "",
		     contained ? " data-contained" : "");
	markup_print(out, " data-judgement=\"%s\"", judgement_name(result->judged.judgement));
	free(barriers);
}

static void put_line(FILE *out, const struct result *result)
{
	markup_print(out, "<summary><span class=\"mark\" aria-hidden=\"true\">%s</span>"
		     "<h4><span class=\"name\">%s</span> <span class=\"title\">%s</span></h4>",
		     html_mark(result->status, result_severity(result)),
		     html_short_id(result->entry), result->entry->title);
	markup_print(out, "<span class=\"status\">%s</span><span class=\"detail\">",
		     status_name(result->status));
	put_detail(out, result);
	fputs("</span>", out);
	put_outside(out, result);
	if (result->judged.judgement == JUDGEMENT_VIOLATES)
		fputs("<span class=\"flag\">violates the policy</span>", out);
	fputs("</summary>\n", out);
}

/* ---------------------------------------------------------------- below the line */

static void put_meaning(FILE *out, const struct result *result)
{
	const struct catalogue_entry *entry = result->entry;

	switch (result->status) {
	case STATUS_ACCESSED:
		markup_print(out, "<p class=\"means\">%s</p>\n", entry->accessed);
		break;
	case STATUS_DENIED:
		markup_print(out, "<p class=\"means\">%s</p>\n", entry->denied);
		break;
	case STATUS_UNKNOWN:
		markup_print(out, "<p class=\"means\">Not measured: %s (%s).</p>\n",
			     reason_meaning(result->reason), reason_name(result->reason));
		break;
	}
	if (entry->why && *entry->why)
		markup_print(out, "<p class=\"why\">%s</p>\n", entry->why);
}

static void put_judgement(FILE *out, const struct judged *judged)
{
	if (judged->judgement == JUDGEMENT_NONE)
		return;
	markup_print(out, "<p class=\"judged %s\"><b>%s</b>%s%s</p>\n",
		     judgement_name(judged->judgement), judgement_name(judged->judgement),
		     judged->rule ? ": " : "", judged->rule ? judged->rule : "");
}

bool html_remedies(FILE *out, const struct sandbox *sandbox, const struct result *result)
{
	char *left = report_left_open(result);
	const char *remedy;
	unsigned code = 0;
	bool any = false;

	while ((remedy = report_remedy(sandbox, result->entry, &code))) {
		fputs(any ? "" : "<ul class=\"remedies\">", out);
		markup_print(out, "<li><code>%s</code></li>", remedy);
		any = true;
	}
	if (any)
		fputs("</ul>\n", out);
	if (any && *left)
		markup_print(out, "<p class=\"note\">That hides files only: %s stays open.</p>\n", left);
	free(left);
	return any;
}

static void put_remedy(FILE *out, const struct report_context *context,
		       const struct result *result)
{
	const struct sandbox *sandbox = context->sandbox;

	if (result->status != STATUS_ACCESSED || !sandbox || sandbox->outside)
		return;
	markup_print(out, "<h5>What would close it in %s</h5>", sandbox->title);
	if (!html_remedies(out, sandbox, result))
		markup_print(out, "<p>%s has no option for this.</p>\n", sandbox->title);
}

static void put_facts(FILE *out, const struct result *result)
{
	const struct catalogue_entry *entry = result->entry;

	markup_print(out, "<p class=\"facts\"><code>%s</code> · level %s · severity %s · %s", entry->id,
		     level_name(entry->level), severity_name(entry->severity),
		     result->witnessed ? "witnessed from outside" : "self-reported");
	if (result->has_second)
		markup_print(out, " · second launch: %s", status_name(result->second));
	if (entry->paper)
		markup_print(out, " · in the paper: %s", entry->paper);
	if (entry->see && *entry->see)
		markup_print(out, " · see %s", entry->see);
	fputs("</p>\n", out);
}

void html_finding(FILE *out, const struct report_context *context, const struct result *result)
{
	fputs("<details class=\"finding ", out);
	html_status_class(out, result);
	fputs("\"", out);
	put_data(out, result);
	fputs(">\n", out);
	put_line(out, result);
	/* The id is inside, so that a link to it opens what is around it, without a script too. */
	markup_print(out, "<div class=\"body\" id=\"%s\">\n", result->entry->id);
	put_meaning(out, result);
	put_judgement(out, &result->judged);
	html_layers_of(out, result);
	if (result->n_cases > 1 && html_accessed_cases(result) < result->n_cases)
		markup_print(out, "<p class=\"note\">%s</p>\n", result->status == STATUS_ACCESSED ?
			     "At least one case got through; what stopped the others stands with each." :
			     "All cases together; what stopped each stands with it.");
	put_remedy(out, context, result);
	put_values(out, "Evidence", result->evidence);
	put_objects(out, result);
	put_cases(out, context->run, result);
	put_values(out, "Measured, and different each time", result->measured);
	put_facts(out, result);
	fputs("</div>\n</details>\n", out);
}
