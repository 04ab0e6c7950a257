/* SPDX-License-Identifier: MIT */
/*
 * The report for a comment on a pull request: one sentence, the worst findings with what would
 * close them, and all the rest folded away. GitHub takes 65,536 characters, so there is a limit
 * on bytes: what comes last is left out, and the report says so.
 */
#include <stdlib.h>
#include <string.h>

#include "host/markdown.h"
#include "host/memory.h"
#include "host/report.h"
#include "host/report_text.h"
#include "host/targets.h"

#define MOST_BYTES 57000
#define MOST_FINDINGS 8
#define MOST_CASES 6
#define MOST_SENTENCES 10
#define MOST_WORD 80   /* bytes of a name of others */
#define MOST_TEXT 400  /* bytes of a text of others */
#define LAST_BYTES 300 /* kept for what closes the report */

/* What is written is measured piece by piece; after the first that does not fit nothing is. */
struct page {
	FILE *out, *piece;
	char *text;
	size_t size, written;
	bool full;
};

static FILE *begin(struct page *page)
{
	rewind(page->piece);
	return page->piece;
}

/* False: it did not fit. */
static bool end(struct page *page)
{
	fflush(page->piece);
	page->full = page->full || page->written + page->size + LAST_BYTES > MOST_BYTES;
	if (page->full)
		return false;
	fwrite(page->text, 1, page->size, page->out);
	page->written += page->size;
	return true;
}

static bool has_policy(const struct run *run)
{
	return run->verdict != VERDICT_NONE;
}

/* ---------------------------------------------------------------- the opening */

static void put_opening(struct page *page, const struct run *run)
{
	FILE *out = begin(page);
	char *standing = report_standing(run);

	fputs("**SandboxEval** of ", out);
	markdown_put_code(out, run->sandbox ? run->sandbox : "unnamed sandbox", MOST_WORD);
	if (run->version && *run->version) {
		fputs(" (", out);
		markdown_put_code(out, run->version, MOST_WORD);
		fputs(")", out);
	}
	if (run->image && *run->image) {
		fputs(", ", out);
		markdown_put_code(out, run->image, MOST_WORD);
	}
	fputs(": **", out);
	markdown_put(out, standing);
	fputs(".**\n\n", out);
	end(page);
	free(standing);
}

static void put_count(FILE *out, const char *name, unsigned n)
{
	fprintf(out, "| %s | %u |\n", name, n);
}

static void put_counts(struct page *page, const struct run *run)
{
	struct summary summary = run_summary(run);
	FILE *out = begin(page);

	fputs("| | scenarios |\n|---|---:|\n", out);
	put_count(out, "accessed", summary.accessed);
	put_count(out, "denied", summary.denied);
	if (run->has_baseline)
		put_count(out, "of these kept out by the sandbox (accessed outside)",
			  summary.contained);
	put_count(out, "unknown", summary.unknown);
	if (has_policy(run)) {
		put_count(out, "violates the policy", summary.violates);
		put_count(out, "conforms", summary.conforms);
		put_count(out, "unmeasured", summary.unmeasured);
		put_count(out, "waived", summary.waived);
	}
	fputc('\n', out);
	end(page);
}

static void put_label(FILE *out, const char *name, const char *text)
{
	if (!text || !*text)
		return;
	fprintf(out, "%s: ", name);
	markdown_put_code(out, text, MOST_TEXT);
	fputs("\n\n", out);
}

static void put_alarms(struct page *page, const struct run *run)
{
	char *targets = run->targets ? targets_text(run->targets, "; ") : NULL;
	FILE *out = begin(page);
	size_t n = list_length(run->incomplete_because);

	if (!run->complete) {
		fputs("> **Incomplete**: what did not arrive was not measured.\n", out);
		for (size_t i = 0; i < n && i < MOST_SENTENCES; i++) {
			fputs("> - ", out);
			markdown_put_code(out, run->incomplete_because[i], MOST_TEXT);
			fputc('\n', out);
		}
		fputc('\n', out);
	}
	if (!run->clean)
		fputs("> **Not clean**: something of the probe's own may be left behind.\n\n", out);
	put_label(out, "Policy", run->policy);
	put_label(out, "Label", run->label);
	put_label(out, "Targets", targets);
	free(targets);
	end(page);
}

/* ---------------------------------------------------------------- findings */

static void put_item(FILE *out, const char *label, const char *text)
{
	if (!text || !*text)
		return;
	fprintf(out, "- %s: ", label);
	markdown_put_code(out, text, MOST_TEXT);
	fputc('\n', out);
}

static void put_remedies(FILE *out, const struct report_context *context,
			 const struct result *result)
{
	char *left = report_left_open(result);
	const char *remedy = NULL;
	unsigned code = 0;

	while ((remedy = report_remedy(context->sandbox, result->entry, &code)))
		put_item(out, "remedy", remedy);
	if (code > 0)
		put_item(out, "hides files only; stays open", left);
	free(left);
}

/* The title, and with a policy the rule that decided. */
static bool put_finding(struct page *page, const struct report_context *context,
			const struct result *result)
{
	FILE *out = begin(page);
	const struct catalogue_entry *entry = result->entry;
	char *cases = report_open_cases(result, MOST_CASES), *seen = report_seen(result);

	fputs("**", out);
	markdown_put(out, entry->id);
	fprintf(out, "** (%s): ", severity_name(result_severity(result)));
	markdown_put(out, result->status == STATUS_ACCESSED ? entry->accessed : entry->denied);
	fputs("\n\n", out);
	if (has_policy(context->run))
		put_item(out, "rule", result->judged.rule);
	put_item(out, "open", cases);
	put_item(out, "seen", seen);
	if (result->status == STATUS_ACCESSED)
		put_remedies(out, context, result);
	fputc('\n', out);
	free(cases);
	free(seen);
	return end(page);
}

/* What violates a policy though nothing is open: what it requires, and is denied. */
static bool is_missing(const struct run *run, const struct result *result)
{
	return has_policy(run) && result->judged.judgement == JUDGEMENT_VIOLATES &&
	       result->status != STATUS_ACCESSED;
}

static void put_further(struct page *page, const struct run *run, unsigned shown)
{
	char *further = report_further(run, shown);

	if (*further) {
		FILE *out = begin(page);

		fputs("**Also open**: ", out);
		markdown_put(out, further);
		fputs("\n\n", out);
		end(page);
	}
	free(further);
}

static void put_findings(struct page *page, const struct report_context *context)
{
	const struct run *run = context->run;
	const struct result *findings[MOST_FINDINGS];
	unsigned all = report_findings(run, findings, MOST_FINDINGS);
	unsigned n = all < MOST_FINDINGS ? all : MOST_FINDINGS, missing = 0;
	FILE *out;

	for (unsigned i = 0; i < run->n_results; i++)
		missing += is_missing(run, &run->results[i]);
	if (all + missing == 0)
		return;
	out = begin(page);
	fprintf(out, "### %s", has_policy(run) ? "What violates the policy" : "The worst findings");
	if (all > n)
		fprintf(out, " (%u of %u)", n, all);
	fputs("\n\n", out);
	end(page);
	for (unsigned i = 0; i < n; i++)
		put_finding(page, context, findings[i]);
	for (unsigned i = 0, k = 0; i < run->n_results && k < MOST_FINDINGS; i++)
		if (is_missing(run, &run->results[i]) && ++k)
			put_finding(page, context, &run->results[i]);
	put_further(page, run, n);
}

/* ---------------------------------------------------------------- everything, folded */

static void put_outside(FILE *out, const struct result *result)
{
	char *barriers = barriers_text(result->baseline_barriers, ", ");

	if (result->has_baseline)
		fputs(status_name(result->baseline), out);
	if (result->has_baseline && result->baseline == STATUS_DENIED && *barriers)
		fprintf(out, " (%s)", barriers);
	free(barriers);
}

/* What the status rests on: open cases, barriers, or the reason. */
static void put_detail(FILE *out, const struct result *result)
{
	char *cases = NULL, *barriers = NULL;

	switch (result->status) {
	case STATUS_ACCESSED:
		cases = report_open_cases(result, MOST_CASES);
		if (*cases)
			markdown_put_code(out, cases, MOST_TEXT);
		break;
	case STATUS_DENIED:
		barriers = barriers_text(result->barriers, ", ");
		fputs(*barriers ? barriers : barrier_name(BARRIER_UNATTRIBUTED), out);
		break;
	case STATUS_UNKNOWN:
		fputs(reason_name(result->reason), out);
		break;
	}
	free(cases);
	free(barriers);
}

static bool put_row(struct page *page, const struct run *run, const struct result *result)
{
	FILE *out = begin(page);

	fputs("| ", out);
	markdown_put(out, result->entry->id);
	fprintf(out, " | %s | %s | ", severity_name(result_severity(result)),
		status_name(result->status));
	put_detail(out, result);
	fputs(" | ", out);
	put_outside(out, result);
	if (has_policy(run))
		fprintf(out, " | %s", result->judged.judgement == JUDGEMENT_NONE ?
					      "" : judgement_name(result->judged.judgement));
	fputs(" |\n", out);
	return end(page);
}

static void put_everything(struct page *page, const struct run *run)
{
	FILE *out = begin(page);
	unsigned n = 0;

	if (run->n_results == 0)
		return;
	/* The empty lines make a table of what stands inside of HTML. */
	fprintf(out, "<details><summary>All %u scenarios</summary>\n\n", run->n_results);
	fprintf(out, "| scenario | severity | status | open, barriers or reason | outside |%s\n",
		has_policy(run) ? " judgement |" : "");
	fprintf(out, "|---|---|---|---|---|%s\n", has_policy(run) ? "---|" : "");
	if (!end(page))
		return;
	while (n < run->n_results && put_row(page, run, &run->results[n]))
		n++;
	fprintf(page->out, "\n</details>\n\n");
}

static bool write_markdown(const struct report_context *context, FILE *out, struct error *error)
{
	struct page page = { .out = out };

	page.piece = open_memstream(&page.text, &page.size);
	if (!page.piece)
		return error_set(error, EXIT_INTERNAL, "cannot build the report: out of memory");
	put_opening(&page, context->run);
	put_alarms(&page, context->run);
	put_counts(&page, context->run);
	put_findings(&page, context);
	put_everything(&page, context->run);
	if (page.full)
		fputs("*The rest is left out: a comment has a limit. The JSON report has all.*\n",
		      out);
	else
		fputs("More about each: `sandboxeval explain ID`\n", out);
	fclose(page.piece);
	free(page.text);
	return true;
}

const struct report report_markdown = {
	.name = "markdown",
	.summary = "for a comment on a pull request",
	.write = write_markdown,
};
