/* SPDX-License-Identifier: MIT */
/*
 * The report for people: one sentence that says how it stands, a table of all scenarios by
 * category, and the worst findings with what they mean and what would close them. It is read
 * at 80 columns, without colour, or through a pipe, and says the same everywhere.
 */
#include <stdlib.h>
#include <string.h>

#include "host/escape.h"
#include "host/judged_text.h"
#include "host/memory.h"
#include "host/report.h"
#include "host/report_text.h"
#include "host/screen.h"
#include "host/table.h"
#include "host/targets.h"

#define MOST_FINDINGS 8
#define MOST_CASES 4
#define MOST_VALUES 4
#define MOST_TEXT 48 /* bytes of one evidence value */
#define HANG 11      /* where the text of a finding begins */
#define NARROW 76    /* columns that the table takes with whole phrases */
#define ROOMY 90     /* and with the barriers outside named, too */
#define BY_OTHERS "by others outside"

enum column { COLUMN_MARK, COLUMN_NAME, COLUMN_STATUS, COLUMN_DETAIL, COLUMN_OUTSIDE };

/* Adds a word to a comma-separated text, which is freed. */
static char *join(char *so_far, const char *separator, const char *word)
{
	char *text = *so_far ? print_text("%s%s%s", so_far, separator, word) : copy_text(word);

	free(so_far);
	return text;
}

static char *barrier_text(barrier_set set)
{
	char *text = copy_text("");

	for (unsigned b = 0; b < N_BARRIERS; b++)
		if (set & BARRIER_BIT(b))
			text = join(text, ", ", barrier_name((enum barrier)b));
	return *text ? text : join(text, "", barrier_name(BARRIER_UNATTRIBUTED));
}

static unsigned accessed_cases(const struct result *result)
{
	unsigned n = 0;

	for (unsigned i = 0; i < result->n_cases; i++)
		n += result->cases[i].status == STATUS_ACCESSED;
	return n;
}

/* Where there is little room the last column is one word, and the legend says what it means. */
static bool is_narrow(const struct screen *screen)
{
	return screen_columns(screen) < NARROW;
}

static bool is_close(const struct screen *screen)
{
	return !is_narrow(screen) && screen_columns(screen) < ROOMY;
}

/* ---------------------------------------------------------------- the opening */

static void print_subject(const struct screen *screen, const struct run *run)
{
	screen_put(screen, INK_BOLD, run->sandbox ? run->sandbox : "unnamed sandbox");
	if (run->version && *run->version)
		screen_print(screen, INK_PLAIN, " (%s)", run->version);
	if (run->image && *run->image)
		screen_print(screen, INK_PLAIN, ", %s", run->image);
	screen_put(screen, INK_PLAIN, ":");
}

static enum ink open_ink(const struct run *run, unsigned accessed)
{
	if (run_shows_no_isolation(run))
		return INK_BAD;
	return accessed ? INK_BOLD : INK_GOOD;
}

/* `after_judgement`: what comes between the policy's part of the sentence and the rest. */
static void print_standing(const struct screen *screen, const struct run *run,
			   const char *after_judgement)
{
	struct summary summary = run_summary(run);
	const struct result *worst[1] = { NULL };

	if (!run->complete)
		screen_put(screen, INK_BAD, "INCOMPLETE, ");
	judged_text_standing(screen, run);
	if (run->verdict != VERDICT_NONE)
		fputs(after_judgement, screen->out);
	if (run->n_results == 0 || !run_began(run)) {
		screen_put(screen, INK_BAD, "nothing was measured");
	} else {
		char *open = report_open(run);

		screen_put(screen, open_ink(run, summary.accessed), open);
		free(open);
	}
	if (summary.unknown > 0 && run_began(run))
		screen_print(screen, INK_PLAIN, ", %u unknown", summary.unknown);
	if (run_worst(run, worst, 1) > 0) {
		enum severity severity = result_severity(worst[0]);

		fputs(is_narrow(screen) ? ";\n" : "; ", screen->out);
		screen_print(screen, INK_PLAIN, "worst: %s (", worst[0]->entry->id);
		screen_put(screen, severity_ink(severity), severity_name(severity));
		screen_put(screen, INK_PLAIN, ")");
	}
	screen_put(screen, INK_PLAIN, ".");
}

static size_t opening_columns(const struct screen *screen, const struct run *run, bool with_subject)
{
	struct screen plain = *screen;
	char *sentence = NULL;
	size_t size = 0, columns;

	plain.color = false;
	plain.out = open_memstream(&sentence, &size);
	if (!plain.out)
		return 0;
	if (with_subject)
		print_subject(&plain, run);
	print_standing(&plain, run, " ");
	fclose(plain.out);
	columns = text_columns(sentence) + with_subject;
	free(sentence);
	return columns;
}

/*
 * One sentence; where it does not fit, what was measured and how it stands get a line each, and
 * where that does not, what the policy says gets another.
 */
static void print_opening(const struct screen *screen, const struct run *run)
{
	size_t room = screen_columns(screen);

	print_subject(screen, run);
	fputs(opening_columns(screen, run, true) > room ? "\n" : " ", screen->out);
	print_standing(screen, run, opening_columns(screen, run, false) > room ? "\n" : " ");
	fputc('\n', screen->out);
	if (run->label && *run->label)
		screen_paragraph(screen, 0, "label:", 7, run->label);
	if (run->targets) {
		char *text = targets_text(run->targets, screen->utf8 ? " · " : "; ");

		screen_paragraph(screen, 0, "targets:", 9, text);
		free(text);
	}
}

static void print_alarms(const struct screen *screen, const struct run *run)
{
	if (!run->clean) {
		fputc('\n', screen->out);
		screen_put(screen, INK_BAD, "NOT CLEAN");
		screen_put(screen, INK_PLAIN, ": something of the probe's own may be left behind.");
		fputc('\n', screen->out);
	}
	if (run->complete)
		return;
	fputc('\n', screen->out);
	screen_put(screen, INK_BAD, "INCOMPLETE");
	screen_put(screen, INK_PLAIN, run_began(run) ?
		   ": what did not arrive was not measured. Why:" :
		   ": no trial began, so nothing was measured. Why:");
	fputc('\n', screen->out);
	for (size_t i = 0; run->incomplete_because && run->incomplete_because[i]; i++)
		screen_paragraph(screen, 2, "-", 4, run->incomplete_because[i]);
}

/* ---------------------------------------------------------------- the table */

static void put_status(struct table *table, const struct result *result)
{
	enum severity severity = result_severity(result);
	bool contained = result->has_baseline && result->baseline == STATUS_ACCESSED;

	switch (result->status) {
	case STATUS_ACCESSED:
		table_cell(table, COLUMN_MARK, severity_ink(severity),
			   severity >= SEVERITY_HIGH ? "!" : "•");
		table_cell(table, COLUMN_STATUS, severity_ink(severity), "accessed");
		break;
	case STATUS_DENIED:
		table_cell(table, COLUMN_MARK, INK_GOOD, contained ? "✓" : "");
		table_cell(table, COLUMN_STATUS, contained ? INK_GOOD : INK_PLAIN, "denied");
		break;
	case STATUS_UNKNOWN:
		table_cell(table, COLUMN_MARK, INK_WARN, "?");
		table_cell(table, COLUMN_STATUS, INK_WARN, "unknown");
		break;
	}
}

/* The severity of what is open, the barriers of what is denied, the reason of the rest. */
static void put_detail(struct table *table, const struct result *result)
{
	enum severity severity = result_severity(result);
	char *text = NULL;

	switch (result->status) {
	case STATUS_ACCESSED:
		if (result->n_cases > 1)
			text = print_text("%s, %u of %u", severity_name(severity),
					  accessed_cases(result), result->n_cases);
		else
			text = copy_text(severity_name(severity));
		table_cell(table, COLUMN_DETAIL, severity_ink(severity), text);
		break;
	case STATUS_DENIED:
		text = barrier_text(result->barriers);
		table_cell(table, COLUMN_DETAIL, INK_PLAIN, text);
		break;
	case STATUS_UNKNOWN:
		table_cell(table, COLUMN_DETAIL, INK_PLAIN, reason_name(result->reason));
		break;
	}
	free(text);
}

/* Denied outside by somebody else: the sandbox adds a layer, or takes the outer one away. */
static bool has_other_barriers(const struct result *result)
{
	return result->has_baseline && result->status == STATUS_DENIED &&
	       result->baseline == STATUS_DENIED && result->barriers != result->baseline_barriers;
}

static char *other_barrier_text(const struct screen *screen, barrier_set set)
{
	char *all = barrier_text(set);
	char *text = print_text("denied outside: %.*s%s", (int)strcspn(all, ","), all,
				strchr(all, ',') ? ", …" : "");

	free(all);
	if (is_close(screen) && text_columns(text) > strlen("also denied outside")) {
		free(text);
		text = copy_text(BY_OTHERS);
	}
	return text;
}

/* Takes over the text, which names the place: "denied outside: dac". */
static void put_outside_text(struct table *table, const struct screen *screen, enum ink ink,
			     char *text)
{
	char *place = strstr(text, " outside");

	if (is_narrow(screen) && place)
		*place = '\0';
	table_cell(table, COLUMN_OUTSIDE, ink, strcmp(text, "also denied") == 0 ? "same" : text);
	free(text);
}

static void put_outside(struct table *table, const struct screen *screen,
			const struct result *result)
{
	static const char *const words[N_STATUSES][N_STATUSES] = {
		[STATUS_ACCESSED] = { [STATUS_DENIED] = "denied outside",
				      [STATUS_UNKNOWN] = "unknown outside" },
		[STATUS_DENIED] = { [STATUS_ACCESSED] = "accessed outside",
				    [STATUS_DENIED] = "also denied outside",
				    [STATUS_UNKNOWN] = "unknown outside" },
		[STATUS_UNKNOWN] = { [STATUS_ACCESSED] = "accessed outside",
				     [STATUS_DENIED] = "denied outside",
				     [STATUS_UNKNOWN] = "unknown outside" },
	};
	bool adds = result->status == STATUS_ACCESSED && result->baseline == STATUS_DENIED;

	if (!result->has_baseline)
		table_cell(table, COLUMN_OUTSIDE, INK_FAINT, "no baseline");
	else if (result->status == STATUS_ACCESSED && result->baseline == STATUS_ACCESSED)
		put_outside_text(table, screen, INK_FAINT, report_open_outside(result));
	else if (has_other_barriers(result))
		put_outside_text(table, screen, INK_FAINT,
				 other_barrier_text(screen, result->baseline_barriers));
	else
		put_outside_text(table, screen, adds ? INK_WARN : INK_FAINT,
				 copy_text(words[result->status][result->baseline]));
}

/* "4 of 10 open, 1 unknown" for the category that begins at `first`. */
static char *category_remark(const struct run *run, unsigned first)
{
	const char *category = run->results[first].entry->category;
	unsigned accessed = 0, unknown = 0, all = 0;

	for (unsigned i = first; i < run->n_results; i++) {
		const struct result *result = &run->results[i];

		if (strcmp(result->entry->category, category) != 0)
			break;
		all++;
		accessed += result->status == STATUS_ACCESSED;
		unknown += result->status == STATUS_UNKNOWN;
	}
	if (unknown)
		return print_text("%u of %u open, %u unknown", accessed, all, unknown);
	return print_text("%u of %u open", accessed, all);
}

static bool print_table(const struct screen *screen, const struct run *run)
{
	struct table *table = table_new(screen, run->has_baseline ? 5 : 4, COLUMN_DETAIL);
	const char *category = "";
	bool printed;

	table_indent(table, 1);
	if (run->has_baseline)
		table_may_wrap(table, COLUMN_OUTSIDE, 12);
	for (unsigned i = 0; i < run->n_results; i++) {
		const struct result *result = &run->results[i];
		const char *dot = strchr(result->entry->id, '.');

		if (strcmp(category, result->entry->category) != 0) {
			char *remark = category_remark(run, i);

			category = result->entry->category;
			table_heading(table, category, remark);
			free(remark);
		}
		put_status(table, result);
		table_cell(table, COLUMN_NAME, INK_PLAIN, dot ? dot + 1 : result->entry->id);
		put_detail(table, result);
		if (run->has_baseline)
			put_outside(table, screen, result);
		table_end_row(table);
	}
	printed = table_print(table);
	table_free(table);
	return printed;
}

static void print_summary(const struct screen *screen, const struct run *run)
{
	struct summary summary = run_summary(run);
	char *text = print_text("%u scenario%s in %.1f s: %u accessed, %u denied, %u unknown.",
				run->n_results, run->n_results == 1 ? "" : "s", run->seconds,
				summary.accessed, summary.denied, summary.unknown);

	if (run->has_baseline) {
		char *merit = report_merit(run);

		text = join(text, " ", merit);
		free(merit);
	} else {
		text = join(text, " ", "Without a baseline nobody can tell what the sandbox adds.");
	}
	fputc('\n', screen->out);
	screen_paragraph(screen, 0, NULL, 0, text);
	free(text);
}

/* ---------------------------------------------------------------- why unknown */

static bool print_unknowns(const struct screen *screen, const struct run *run)
{
	struct table *table = table_new(screen, 3, 2);
	bool printed;

	table_indent(table, 1);
	table_align_right(table, 0);
	table_heading(table, "Unknown because", NULL);
	for (unsigned reason = 0; reason < N_REASONS; reason++) {
		unsigned n = 0;
		char *count;

		for (unsigned i = 0; i < run->n_results; i++)
			n += run->results[i].status == STATUS_UNKNOWN &&
			     run->results[i].reason == (enum reason)reason;
		if (n == 0)
			continue;
		count = print_text("%u", n);
		table_cell(table, 0, INK_WARN, count);
		table_cell(table, 1, INK_PLAIN, reason_name((enum reason)reason));
		table_cell(table, 2, INK_PLAIN, reason_meaning((enum reason)reason));
		table_end_row(table);
		free(count);
	}
	fputs(run_summary(run).unknown ? "\n" : "", screen->out);
	printed = table_print(table);
	table_free(table);
	return printed;
}

/* ---------------------------------------------------------------- the worst findings */

/* A value in few words; hostile, so escaped before it is cut. */
static char *value_text(const struct screen *screen, const json_t *value)
{
	char *given = json_is_string(value) ? copy_text(json_string_value(value)) :
					      json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
	char *text = escape_terminal(given ? given : "?", screen->utf8);
	size_t length = strlen(text);

	free(given);
	if (length > MOST_TEXT) {
		char *cut;

		for (length = MOST_TEXT; length > 0 && (text[length] & 0xc0) == 0x80;)
			length--;
		cut = print_text("%.*s…", (int)length, text);
		free(text);
		return cut;
	}
	return text;
}

static char *add_values(const struct screen *screen, char *text, const json_t *evidence)
{
	unsigned n = 0;
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)evidence, name, value) {
		char *words, *pair;

		/* How long a trial took says nothing about the sandbox. */
		if (strcmp(name, "seconds") == 0 || n++ >= MOST_VALUES)
			continue;
		words = value_text(screen, value);
		pair = print_text("%s: %s", name, words);
		text = join(text, "; ", pair);
		free(words);
		free(pair);
	}
	return text;
}

/* The open cases, worst first. */
static char *add_cases(char *text, const struct result *result)
{
	unsigned n = 0, all = accessed_cases(result);

	for (int severity = SEVERITY_CRITICAL; severity >= SEVERITY_INHERIT; severity--) {
		for (unsigned i = 0; i < result->n_cases && n < MOST_CASES; i++) {
			const struct case_result *one = &result->cases[i];

			if (one->status != STATUS_ACCESSED || (int)one->severity != severity)
				continue;
			text = join(text, ", ", one->name);
			n++;
		}
	}
	if (all > n) {
		char *more = print_text(" and %u more", all - n);

		text = join(text, "", more);
		free(more);
	}
	return text;
}

static void print_seen(const struct screen *screen, const struct result *result)
{
	char *text = add_cases(copy_text(""), result);
	const json_t *evidence = result->evidence;

	/* What the whole has to say first; else the first of the worst cases speaks for it. */
	for (unsigned i = 0; i < result->n_cases && json_object_size(evidence) == 0; i++)
		if (result->cases[i].status == STATUS_ACCESSED &&
		    result->cases[i].severity == result_severity(result))
			evidence = result->cases[i].evidence;
	text = add_values(screen, text,
			  json_object_size(evidence) ? evidence : result->measured);
	if (json_array_size(result->objects) > 0) {
		const json_t *path = json_object_get(json_array_get(result->objects, 0), "path");
		char *words = value_text(screen, path ? path : json_null());
		char *first = print_text("%zu found, such as %s", json_array_size(result->objects),
					 words);

		text = join(text, "; ", first);
		free(words);
		free(first);
	}
	if (*text)
		screen_paragraph(screen, 2, "seen", HANG, text);
	free(text);
}

/* False: the launcher has no option for it. */
static bool print_remedy(const struct screen *screen, const struct sandbox *sandbox,
			 const struct result *result)
{
	const char *remedy;
	unsigned code = 0;
	bool printed = false;
	char *left;

	while ((remedy = report_remedy(sandbox, result->entry, &code))) {
		screen_paragraph(screen, 2, printed ? "" : "remedy", HANG, remedy);
		printed = true;
	}
	left = report_left_open(result);
	if (printed && *left) {
		char *text = print_text("(hides files only: %s stays open)", left);

		screen_paragraph(screen, 2, "", HANG, text);
		free(text);
	}
	free(left);
	return printed || !sandbox || !sandbox->remedies;
}

static bool print_finding(const struct report_context *context, const struct screen *screen,
			  const struct result *result)
{
	enum severity severity = result_severity(result);

	fputc('\n', screen->out);
	screen_put(screen, INK_BOLD, result->entry->id);
	screen_put(screen, INK_PLAIN, "  ");
	screen_put(screen, severity_ink(severity), severity_name(severity));
	fputc('\n', screen->out);
	screen_paragraph(screen, 2, "means", HANG, result->entry->accessed);
	print_seen(screen, result);
	return print_remedy(screen, context->sandbox, result);
}

static void print_further(const struct screen *screen, const struct run *run, unsigned shown)
{
	char *further = report_further(run, shown);

	if (*further) {
		fputc('\n', screen->out);
		screen_paragraph(screen, 0, "Also open", HANG, further);
	}
	free(further);
}

/* What follows the findings: what closes none of them, and where to read on. */
static void print_advice(const struct report_context *context, const struct screen *screen,
			 const char *without)
{
	bool open = run_shows_no_isolation(context->run) && run_is_whole(context->run);

	fputc('\n', screen->out);
	if (*without) {
		char *text = print_text("%s has no option against: %s.", context->sandbox->name,
					without);

		screen_paragraph(screen, 0, NULL, 0, text);
		free(text);
	}
	if (open || (context->sandbox && context->sandbox->outside))
		screen_paragraph(screen, 0, NULL, 0,
				 "Nothing here isolates. What could: sandboxeval sandboxes");
	screen_paragraph(screen, 0, NULL, 0,
			 "More about each, and other launchers' remedies: sandboxeval explain ID");
}

static void print_findings(const struct report_context *context, const struct screen *screen)
{
	bool judged = context->run->verdict != VERDICT_NONE;
	const struct result *worst[MOST_FINDINGS];
	unsigned all = report_findings(context->run, worst, MOST_FINDINGS);
	unsigned n = all < MOST_FINDINGS ? all : MOST_FINDINGS;
	char *without = copy_text("");

	if (all > 0) {
		fputc('\n', screen->out);
		screen_put(screen, INK_BOLD, judged ? "What to close" :
					     n == 1 ? "The finding" : "The worst findings");
		if (all > n)
			screen_print(screen, INK_FAINT, "  %u of %u", n, all);
		fputc('\n', screen->out);
	}
	for (unsigned i = 0; i < n; i++)
		if (!print_finding(context, screen, worst[i]))
			without = join(without, ", ", worst[i]->entry->id);
	print_further(screen, context->run, n);
	if (all > 0)
		print_advice(context, screen, without);
	free(without);
}

/* What the table says of the last column in short, if it does. */
static const char *outside_legend(const struct screen *screen, const struct run *run)
{
	if (run->has_baseline && is_narrow(screen))
		return "; last column: outside";
	for (unsigned i = 0; i < run->n_results; i++) {
		const struct result *result = &run->results[i];
		char *text = has_other_barriers(result) ?
			other_barrier_text(screen, result->baseline_barriers) : copy_text("");
		bool in_short = strcmp(text, BY_OTHERS) == 0;

		free(text);
		if (in_short)
			return "; " BY_OTHERS ": denied there, too, by other barriers";
	}
	return "";
}

/* What the marks of the table mean; escaped to ASCII as they are. */
static void print_legend(const struct screen *screen, const struct run *run)
{
	char *text = print_text("Marks: ! open, high or critical; • open;%s ? unknown%s",
				run->has_baseline ? " ✓ kept out by the sandbox;" : "",
				outside_legend(screen, run));

	screen_paragraph(screen, 0, NULL, 0, text);
	free(text);
}

static bool write_terminal(const struct report_context *context, FILE *out, struct error *error)
{
	struct screen screen = { .out = out,
				 .color = context->color,
				 .utf8 = locale_is_utf8(),
				 .width = context->width };

	print_opening(&screen, context->run);
	print_alarms(&screen, context->run);
	if (context->run->n_results == 0 || !run_began(context->run))
		return true;
	if (!judged_text_lists(&screen, context->run))
		return error_set(error, EXIT_INTERNAL, "cannot lay out the report: out of memory");
	fputc('\n', out);
	if (!print_table(&screen, context->run) || !print_unknowns(&screen, context->run))
		return error_set(error, EXIT_INTERNAL, "cannot lay out the report: out of memory");
	print_summary(&screen, context->run);
	print_findings(context, &screen);
	print_legend(&screen, context->run);
	return true;
}

const struct report report_terminal = {
	.name = "terminal",
	.summary = "a table and the worst findings, for people",
	.write = write_terminal,
};
