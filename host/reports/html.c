/* SPDX-License-Identifier: MIT */
/*
 * The report as one HTML page, for people: it loads nothing, runs under a policy of its own
 * (host/html_page.h), is complete without its script, and prints whole. What stands above the
 * findings fits a slide: the sentence, the numbers, a map of all scenarios, the layers that hold.
 */
#include <stdlib.h>
#include <string.h>

#include "host/html_finding.h"
#include "host/html_layers.h"
#include "host/html_matrix.h"
#include "host/html_page.h"
#include "host/markup.h"
#include "host/memory.h"
#include "host/report.h"
#include "host/report_text.h"
#include "host/targets.h"

#define MOST_FINDINGS 6
#define MOST_NAME 120 /* bytes of what stands in large letters */

/* ---------------------------------------------------------------- the opening */

static const char *subject(const struct run *run)
{
	return run->sandbox && *run->sandbox ? run->sandbox : "unnamed sandbox";
}

/* For headings: cut more than other texts. */
static void put_name(FILE *out, const char *before, const char *text, const char *after)
{
	char *cut;

	if (!text || !*text)
		return;
	cut = short_text(text, MOST_NAME);
	fputs(before, out);
	markup_put(out, cut);
	fputs(after, out);
	free(cut);
}

static void put_verdict(FILE *out, const struct run *run)
{
	static const char *const words[N_VERDICTS] = {
		[VERDICT_SATISFIED] = "satisfies the policy",
		[VERDICT_VIOLATED] = "violates the policy",
		[VERDICT_INCOMPLETE] = "not known to satisfy the policy",
	};

	if (run->verdict == VERDICT_NONE)
		return;
	markup_print(out, "<b class=\"%s\">%s</b>", verdict_name(run->verdict), words[run->verdict]);
	put_name(out, " ", run->policy, "");
	if (run->verdict == VERDICT_VIOLATED)
		markup_print(out, " in %u of %u", run_summary(run).violates, run->n_results);
	fputs("; ", out);
}

static void put_open(FILE *out, const struct run *run)
{
	char *open = report_open(run);

	if (run_shows_no_isolation(run))
		markup_print(out, "<b class=\"violated\">%s</b>", open);
	else
		markup_print(out, run->complete ? "<b>%s</b>" : "%s", open);
	free(open);
}

static void put_standing(FILE *out, const struct run *run)
{
	struct summary summary = run_summary(run);
	const struct result *worst[1] = { NULL };

	if (!run->complete)
		fputs("<b class=\"incomplete\">incomplete</b>, ", out);
	put_verdict(out, run);
	if (run->n_results == 0 || !run_began(run))
		fputs("nothing was measured", out);
	else
		put_open(out, run);
	if (summary.unknown > 0 && run_began(run))
		markup_print(out, ", %u unknown", summary.unknown);
	if (run_worst(run, worst, 1) > 0)
		markup_print(out, "; worst: <a href=\"#%s\">%s</a> (%s)", worst[0]->entry->id,
			     worst[0]->entry->id, severity_name(result_severity(worst[0])));
	fputc('.', out);
}

static void put_opening(FILE *out, const struct run *run)
{
	char *targets = run->targets ? targets_text(run->targets, "; ") : NULL;

	fputs("<section class=\"opening\" aria-labelledby=\"h-opening\">\n"
	      "<h1 id=\"h-opening\"><span class=\"subject\">", out);
	put_name(out, "<b>", subject(run), "</b>");
	put_name(out, " (", run->version, ")");
	put_name(out, ", ", run->image, "");
	fputs(":</span> <span class=\"standing\">", out);
	put_standing(out, run);
	fputs("</span></h1>\n<p class=\"when\">", out);
	html_time(out, run->started);
	put_name(out, " · <span class=\"tag\">", run->label, "</span>");
	put_name(out, " · targets: ", targets, "");
	fputs("</p>\n", out);
	free(targets);
}

static void put_alarms(FILE *out, const struct run *run)
{
	if (!run->complete) {
		markup_print(out, "<div class=\"alarm\" role=\"note\"><p><b>Incomplete.</b> %s</p><ul>",
			     run_began(run) ? "What did not arrive was not measured." :
					      "No trial began, so nothing was measured.");
		for (size_t i = 0; run->incomplete_because && run->incomplete_because[i]; i++)
			markup_print(out, "<li>%s</li>", run->incomplete_because[i]);
		fputs("</ul></div>\n", out);
	}
	if (!run->clean)
		fputs("<div class=\"alarm\" role=\"note\"><p><b>Not clean.</b> Something of the "
		      "probe&#39;s own may be left behind.</p></div>\n", out);
	if (run_shows_no_isolation(run) && run_is_whole(run))
		fputs("<div class=\"alarm\" role=\"note\"><p><b>Nothing isolates here.</b> Every answer "
		      "is the same as outside.</p></div>\n", out);
}

/* ---------------------------------------------------------------- numbers */

static void put_number(FILE *out, const char *name, unsigned n, const char *label,
		       const char *note)
{
	markup_print(out, "<div class=\"%s\"><dt>%s</dt><dd><b>%u</b> <span class=\"note\">%s</span>"
		     "</dd></div>\n", name, label, n, note);
}

static char *severities_text(const struct run *run)
{
	char *text = copy_text("");

	for (int severity = SEVERITY_CRITICAL; severity >= SEVERITY_INFO; severity--) {
		unsigned n = html_open_of(run, (enum severity)severity);
		char *longer;

		if (n == 0)
			continue;
		longer = print_text("%s%s%u %s", text, *text ? ", " : "", n,
				    severity_name((enum severity)severity));
		free(text);
		text = longer;
	}
	return text;
}

static void put_numbers(FILE *out, const struct run *run)
{
	struct summary summary = run_summary(run);
	char *severities = severities_text(run);
	char *kept = summary.partly ?
			     print_text("denied here, accessed outside; and parts of %u more",
					summary.partly) :
			     copy_text("denied here, accessed outside");

	html_bar(out, run);
	fputs("<dl class=\"numbers\">\n", out);
	put_number(out, "open", summary.accessed, "Open", severities);
	if (run->has_baseline) {
		put_number(out, "contained", summary.contained, "Kept out by the sandbox", kept);
		put_number(out, "denied", summary.denied - summary.contained, "Denied anyway",
			   "denied here, not open outside");
	} else {
		put_number(out, "denied", summary.denied, "Denied",
			   "without a baseline nobody can tell by whom");
	}
	put_number(out, "unknown", summary.unknown, "Unknown",
		   summary.unknown ? "the reason stands with each" : "all was measured");
	fputs("</dl>\n", out);
	free(kept);
	free(severities);
}

/* ---------------------------------------------------------------- the policy */

static bool is_worth_telling(const struct judged *judged)
{
	return judged->judgement == JUDGEMENT_VIOLATES || judged->judgement == JUDGEMENT_WAIVED ||
	       judged->judgement == JUDGEMENT_UNMEASURED;
}

static void put_judged_name(FILE *out, const struct result *result)
{
	const char *id = result->entry->id;

	markup_print(out, "<tr><th scope=\"row\"><a href=\"#%s\">%s</a>", id, id);
}

static void put_judged(FILE *out, const struct judged *judged)
{
	markup_print(out, "</th><td><span class=\"judged %s\">%s</span></td><td>%s</td></tr>\n",
		     judgement_name(judged->judgement), judgement_name(judged->judgement),
		     judged->rule ? judged->rule : "");
}

static bool is_judged_alike(const struct judged *one, const struct judged *other)
{
	return one->judgement == other->judgement &&
	       strcmp(one->rule ? one->rule : "", other->rule ? other->rule : "") == 0;
}

/* One row for the case and all later ones of the same rule, unless an earlier one has it. */
static void put_judged_cases(FILE *out, const struct result *result, unsigned first)
{
	const struct judged *judged = &result->cases[first].judged;

	for (unsigned i = 0; i < first; i++)
		if (is_judged_alike(&result->cases[i].judged, judged))
			return;
	put_judged_name(out, result);
	for (unsigned i = first; i < result->n_cases; i++)
		if (is_judged_alike(&result->cases[i].judged, judged))
			markup_print(out, "%s%s", i == first ? "/" : ", ", result->cases[i].name);
	put_judged(out, judged);
}

static void put_judged_result(FILE *out, const struct result *result, enum judgement judgement)
{
	bool by_case = false;

	for (unsigned i = 0; i < result->n_cases; i++) {
		if (result->cases[i].judged.judgement != judgement)
			continue;
		put_judged_cases(out, result, i);
		by_case = true;
	}
	if (by_case || result->judged.judgement != judgement)
		return;
	put_judged_name(out, result);
	put_judged(out, &result->judged);
}

static void put_policy(FILE *out, const struct run *run)
{
	struct summary summary = run_summary(run);
	bool any = false;

	if (run->verdict == VERDICT_NONE)
		return;
	for (unsigned i = 0; i < run->n_results; i++)
		any = any || is_worth_telling(&run->results[i].judged);
	fputs("<section aria-labelledby=\"h-policy\">\n<h2 id=\"h-policy\">Policy", out);
	put_name(out, ": ", run->policy, "");
	markup_print(out, "</h2>\n<p class=\"lead\"><b class=\"%s\">%s</b>: %u conform, %u violate, "
		     "%u unmeasured, %u waived. <span class=\"note\">%s</span></p>\n",
		     verdict_name(run->verdict), verdict_name(run->verdict), summary.conforms,
		     summary.violates, summary.unmeasured, summary.waived,
		     run->policy_source ? run->policy_source : "");
	if (any) {
		fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"h-policy\">"
		      "<table class=\"policy\"><thead><tr><th scope=\"col\">Scenario</th><th "
		      "scope=\"col\">Judgement</th><th scope=\"col\">Rule</th></tr></thead>\n"
		      "<tbody>\n", out);
		for (int judgement = JUDGEMENT_VIOLATES; judgement > JUDGEMENT_CONFORMS; judgement--)
			for (unsigned i = 0; i < run->n_results; i++)
				put_judged_result(out, &run->results[i], (enum judgement)judgement);
		fputs("</tbody></table></div>\n", out);
	}
	fputs("</section>\n", out);
}

/* ---------------------------------------------------------------- the map */

static unsigned category_end(const struct run *run, unsigned first)
{
	unsigned end = first;

	while (end < run->n_results && strcmp(run->results[end].entry->category,
					      run->results[first].entry->category) == 0)
		end++;
	return end;
}

static void put_chip(FILE *out, const struct result *result)
{
	enum severity severity = result_severity(result);
	bool contained = result->has_baseline && result->baseline == STATUS_ACCESSED;

	fputs("<li><a class=\"chip ", out);
	html_status_class(out, result);
	markup_print(out, "\" href=\"#%s\" title=\"%s\"><span class=\"mark\" aria-hidden=\"true\">%s"
		     "</span>%s<span class=\"unseen\">: %s%s%s</span></a></li>", result->entry->id,
		     result->entry->title, html_mark(result->status, severity),
		     html_short_id(result->entry), status_name(result->status),
		     result->status == STATUS_ACCESSED ? ", " :
		     result->status == STATUS_DENIED && contained ? ", accessed outside" : "",
		     result->status == STATUS_ACCESSED ? severity_name(severity) : "");
}

static void put_map_row(FILE *out, const struct run *run, unsigned first, unsigned end)
{
	unsigned open = 0;

	for (unsigned i = first; i < end; i++)
		open += run->results[i].status == STATUS_ACCESSED;
	fputs("<tr><th scope=\"row\">", out);
	html_name(out, run->results[first].entry->category);
	markup_print(out, "</th><td class=\"number\">%u <span class=\"note\">of %u</span></td>"
		     "<td><ul class=\"chips\">", open, end - first);
	for (unsigned i = first; i < end; i++)
		put_chip(out, &run->results[i]);
	fputs("</ul></td></tr>\n", out);
}

static void put_map(FILE *out, const struct run *run)
{
	fputs("<section aria-labelledby=\"h-map\">\n<h2 id=\"h-map\">Everything that was tried</h2>\n"
	      "<ul class=\"key\"><li><span class=\"chip accessed high\"><span class=\"mark\">!</span>"
	      "open, high or critical</span></li><li><span class=\"chip accessed low\"><span "
	      "class=\"mark\">•</span>open</span></li>", out);
	if (run->has_baseline)
		fputs("<li><span class=\"chip denied contained\"><span class=\"mark\">✓</span>kept out "
		      "by the sandbox</span></li>", out);
	markup_print(out, "<li><span class=\"chip denied\"><span class=\"mark\">✓</span>%s</span></li>"
		     "<li><span class=\"chip unknown\"><span class=\"mark\">?</span>unknown</span></li>"
		     "</ul>\n<table class=\"map\"><thead><tr><th scope=\"col\">Category</th><th "
		     "scope=\"col\" class=\"number\">Open</th><th scope=\"col\">Scenarios</th></tr>"
		     "</thead>\n<tbody>\n", run->has_baseline ? "denied anyway" : "denied");
	for (unsigned i = 0; i < run->n_results; i = category_end(run, i))
		put_map_row(out, run, i, category_end(run, i));
	fputs("</tbody></table>\n</section>\n", out);
}

/* ---------------------------------------------------------------- what to close first */

static void put_card(FILE *out, const struct report_context *context, const struct result *result)
{
	enum severity severity = result_severity(result);

	markup_print(out, "<li class=\"card accessed %s\"><h3><a href=\"#%s\">%s</a></h3><p "
		     "class=\"severity %s\"><span class=\"mark\" aria-hidden=\"true\">%s</span>%s",
		     severity_name(severity), result->entry->id, result->entry->id,
		     severity_name(severity), html_mark(STATUS_ACCESSED, severity),
		     severity_name(severity));
	if (result->n_cases > 1)
		markup_print(out, ", %u of %u cases", html_accessed_cases(result), result->n_cases);
	markup_print(out, "</p><p>%s</p>", result->entry->accessed);
	if (context->sandbox && !context->sandbox->outside)
		html_remedies(out, context->sandbox, result);
	fputs("</li>\n", out);
}

static void put_further(FILE *out, const struct run *run)
{
	char *further = report_further(run, MOST_FINDINGS);

	if (*further)
		markup_print(out, "<p><strong>Also open</strong> %s</p>\n", further);
	free(further);
}

static void put_worst(FILE *out, const struct report_context *context)
{
	const struct result *worst[MOST_FINDINGS];
	unsigned all = report_findings(context->run, worst, MOST_FINDINGS);

	if (all == 0)
		return;
	fputs("<section aria-labelledby=\"h-worst\">\n<h2 id=\"h-worst\">What to close first", out);
	if (all > MOST_FINDINGS)
		markup_print(out, " <span class=\"note\">%u of %u</span>", MOST_FINDINGS, all);
	fputs("</h2>\n<ol class=\"cards\">\n", out);
	for (unsigned i = 0; i < MOST_FINDINGS && i < all; i++)
		put_card(out, context, worst[i]);
	fputs("</ol>\n", out);
	put_further(out, context->run);
	fputs("</section>\n", out);
}

/* ---------------------------------------------------------------- findings */

static void put_categories(FILE *out, const struct run *run)
{
	fputs("<label>Category <select name=\"category\"><option value=\"\">all</option>", out);
	for (unsigned i = 0; i < run->n_results; i = category_end(run, i))
		html_option(out, run->results[i].entry->category);
	fputs("</select></label>\n<label>Severity <select name=\"severity\"><option value=\"0\">all"
	      "</option>", out);
	for (unsigned s = SEVERITY_LOW; s <= SEVERITY_CRITICAL; s++)
		markup_print(out, "<option value=\"%u\">%s%s</option>", s,
			     severity_name((enum severity)s),
			     s < SEVERITY_CRITICAL ? " or worse" : "");
	fputs("</select></label>\n", out);
}

static void put_barriers(FILE *out, const struct run *run)
{
	barrier_set seen = 0;

	for (unsigned i = 0; i < run->n_results; i++)
		if (run->results[i].status == STATUS_DENIED)
			seen |= run->results[i].barriers;
	fputs("<label>Barrier <select name=\"barrier\"><option value=\"\">all</option>", out);
	for (unsigned b = 0; b < N_BARRIERS; b++)
		if (seen & BARRIER_BIT(b))
			html_option(out, barrier_name((enum barrier)b));
	fputs("</select></label>\n", out);
	if (run->verdict == VERDICT_NONE)
		return;
	fputs("<label>Judgement <select name=\"judgement\"><option value=\"\">all</option>", out);
	for (unsigned j = JUDGEMENT_CONFORMS; j < N_JUDGEMENTS; j++)
		html_option(out, judgement_name((enum judgement)j));
	fputs("</select></label>\n", out);
}

/* Hidden until the script, which it is made for, shows it. */
static void put_filters(FILE *out, const struct run *run)
{
	fputs("<form class=\"filters\" role=\"search\" aria-label=\"Filter the findings\" hidden>\n"
	      "<fieldset><legend class=\"unseen\">Status</legend>", out);
	for (unsigned i = 0; i < N_STATUSES; i++) {
		static const enum status statuses[] = { STATUS_ACCESSED, STATUS_DENIED,
							STATUS_UNKNOWN };

		markup_print(out, "<label class=\"choice\"><input type=\"checkbox\" name=\"status\" "
			     "value=\"%s\" checked> %s</label>", status_name(statuses[i]),
			     status_name(statuses[i]));
	}
	fputs("</fieldset>\n", out);
	put_categories(out, run);
	put_barriers(out, run);
	fputs("<label class=\"text\">Text <input type=\"search\" name=\"text\" autocomplete=\"off\" "
	      "spellcheck=\"false\"></label>\n<p class=\"outcome\"><span aria-live=\"polite\" "
	      "id=\"outcome\"></span> <button type=\"reset\">Reset</button> <button type=\"button\" "
	      "id=\"all\">Open all</button></p>\n</form>\n", out);
}

static void put_findings(FILE *out, const struct report_context *context)
{
	const struct run *run = context->run;

	fputs("<section aria-labelledby=\"h-findings\" id=\"findings\">\n<h2 id=\"h-findings\">One by "
	      "one</h2>\n<p class=\"lead\">Each scenario opens. In its drawing a bar is a layer that "
	      "was shown to refuse; a ring is one that was not shown to: it may have let the attempt "
	      "pass, or was never asked.</p>\n", out);
	put_filters(out, run);
	for (unsigned first = 0; first < run->n_results; first = category_end(run, first)) {
		markup_print(out, "<section class=\"category\" aria-labelledby=\"c-%s\"><h3 "
			     "id=\"c-%s\">", run->results[first].entry->category,
			     run->results[first].entry->category);
		html_name(out, run->results[first].entry->category);
		fputs("</h3>\n", out);
		for (unsigned i = first; i < category_end(run, first); i++)
			html_finding(out, context, &run->results[i]);
		fputs("</section>\n", out);
	}
	fputs("</section>\n", out);
}

/* ---------------------------------------------------------------- about the run */

static void put_fact(FILE *out, const char *name, const char *value)
{
	if (value && *value)
		markup_print(out, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, value);
}

static void put_words(FILE *out)
{
	fputs("<h3>Words</h3>\n<dl class=\"words\">"
	      "<div><dt>accessed</dt><dd>the attempt succeeded and returned what it should; of several "
	      "cases, at least one</dd></div>"
	      "<div><dt>denied</dt><dd>it was refused, and the barriers named are all those that a "
	      "control attempt showed to refuse</dd></div>"
	      "<div><dt>unknown</dt><dd>it could not be told, and the reason is named</dd></div>"
	      "<div><dt>outside</dt><dd>the baseline: the same attempt by the same user without the "
	      "sandbox</dd></div></dl>\n<h3>Barriers</h3>\n<dl class=\"words\">", out);
	for (unsigned b = 0; b < N_BARRIERS; b++)
		put_fact(out, barrier_name((enum barrier)b), barrier_meaning((enum barrier)b));
	fputs("</dl>\n", out);
}

static void put_about(FILE *out, const struct run *run)
{
	char *seconds = print_text("%.1f s, %u scenarios", run->seconds, run->n_results);

	fputs("<section class=\"about\" aria-labelledby=\"h-about\">\n<h2 id=\"h-about\">About this "
	      "run</h2>\n", out);
	if (run->argv && run->argv[0]) {
		fputs("<pre class=\"command\" tabindex=\"0\"><code>", out);
		html_command(out, run->argv);
		fputs("</code></pre>\n", out);
	}
	fputs("<dl class=\"words\">", out);
	put_fact(out, "sandbox", subject(run));
	put_fact(out, "engine", run->version);
	put_fact(out, "inside", run->image);
	put_fact(out, "took", seconds);
	put_fact(out, "probe", run->probe_version);
	put_fact(out, "architecture", run->probe_arch);
	put_fact(out, "catalogue", catalogue_hash);
	put_fact(out, "baseline", run->has_baseline ? "the same attempts outside" : "none");
	fputs("</dl>\n", out);
	put_words(out);
	fputs("</section>\n", out);
	free(seconds);
}

static bool write_html(const struct report_context *context, FILE *out, struct error *error)
{
	const struct run *run = context->run;
	/* Where nothing began only the cause says anything. */
	bool measured = run->n_results > 0 && run_began(run);
	char *name = short_text(subject(run), MOST_NAME);
	char *title = print_text("%s: %u of %u open – SandboxEval", name,
				 run_summary(run).accessed, run->n_results);

	(void)error;
	html_begin(out, title);
	free(title);
	free(name);
	put_opening(out, run);
	put_alarms(out, run);
	if (measured)
		put_numbers(out, run);
	fputs("</section>\n", out);
	if (measured)
		put_policy(out, run);
	if (measured)
		put_map(out, run);
	if (measured && run_summary(run).denied > 0)
		html_layers_section(out, run);
	if (measured) {
		put_worst(out, context);
		put_findings(out, context);
	}
	put_about(out, run);
	html_end(out);
	return true;
}

const struct report report_html = {
	.name = "html",
	.summary = "one page for a browser, complete in itself",
	.write = write_html,
	.compare = html_compare,
};
