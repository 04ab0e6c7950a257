/* SPDX-License-Identifier: MIT */
#include "host/report_text.h"

#include <stdlib.h>
#include <string.h>

#include "host/escape.h"
#include "host/memory.h"

#define MOST_NAME 64
#define MOST_VALUE 120
#define MOST_SEEN 4

char *short_text(const char *text, size_t limit)
{
	/* Escapes never shorten, so that what lies beyond the limit need not be looked at. */
	size_t length = text ? strnlen(text, limit + 4) : 0;
	char *raw = copy_bytes(text ? text : "", length);
	char *safe = escape_terminal(raw, true), *cut;

	free(raw);
	if (strlen(safe) <= limit)
		return safe;
	for (length = limit; length > 0 && (safe[length] & 0xc0) == 0x80;)
		length--;
	cut = print_text("%.*s…", (int)length, safe);
	free(safe);
	return cut;
}

/* Takes over `so_far`. */
static char *join(char *so_far, const char *separator, const char *text)
{
	char *longer = print_text("%s%s%s", so_far, *so_far ? separator : "", text);

	free(so_far);
	return longer;
}

static char *add_verdict(char *text, const struct run *run)
{
	struct summary summary = run_summary(run);
	char *violated;

	switch (run->verdict) {
	case VERDICT_NONE:
		return text;
	case VERDICT_SATISFIED:
		return join(text, " ", "satisfies its policy;");
	case VERDICT_INCOMPLETE:
		return join(text, " ", "not known to satisfy its policy;");
	case VERDICT_VIOLATED:
		break;
	}
	violated = print_text("violates its policy in %u of %u;", summary.violates, run->n_results);
	text = join(text, " ", violated);
	free(violated);
	return text;
}

char *report_open(const struct run *run)
{
	unsigned open = run_summary(run).accessed, n = run->n_results;

	if (!run_shows_no_isolation(run))
		return print_text("%u of %u open", open, n);
	if (run_is_whole(run))
		return print_text("no isolation found in %u scenarios, %u open", n, open);
	if (n == 1)
		return copy_text("nothing kept out in this one scenario, which is open");
	return print_text("nothing kept out in these %u scenarios, %u open", n, open);
}

char *report_merit(const struct run *run)
{
	struct summary summary = run_summary(run);
	char *parts = summary.partly ? print_text(summary.contained ? ", and parts of %u more" :
								      ", but parts of %u",
						  summary.partly) :
				       copy_text("");
	char *text = print_text("Kept out by the sandbox (denied here, accessed outside): %u%s.",
				summary.contained, parts);

	free(parts);
	return text;
}

char *report_open_outside(const struct result *result)
{
	unsigned inside = 0, outside = 0;

	for (unsigned i = 0; i < result->n_cases; i++) {
		inside += result->cases[i].status == STATUS_ACCESSED;
		outside += result->cases[i].has_baseline &&
			   result->cases[i].baseline == STATUS_ACCESSED;
	}
	if (!result_cases_differ(result))
		return copy_text("same outside");
	/* As many, but others. */
	if (inside == outside)
		return print_text("other %u outside", outside);
	return print_text("%u of %u outside", outside, result->n_cases);
}

char *report_standing(const struct run *run)
{
	struct summary summary = run_summary(run);
	const struct result *worst[1] = { NULL };
	char *text = copy_text(run->complete ? "" : "INCOMPLETE,");
	char *part;

	text = add_verdict(text, run);
	if (run->n_results == 0 || !run_began(run))
		return join(text, " ", "nothing was measured");
	part = report_open(run);
	text = join(text, " ", part);
	free(part);
	if (summary.unknown > 0) {
		part = print_text("%u unknown", summary.unknown);
		text = join(text, ", ", part);
		free(part);
	}
	if (run_worst(run, worst, 1) > 0) {
		part = print_text("worst: %s (%s)", worst[0]->entry->id,
				  severity_name(result_severity(worst[0])));
		text = join(text, "; ", part);
		free(part);
	}
	return text;
}

unsigned report_findings(const struct run *run, const struct result *findings[], unsigned n)
{
	const struct result **worst = new_array(run->n_results + 1, sizeof *worst);
	unsigned all = run_worst(run, worst, run->n_results), n_found = 0;

	for (unsigned i = 0; i < all; i++) {
		if (run->verdict != VERDICT_NONE &&
		    worst[i]->judged.judgement != JUDGEMENT_VIOLATES)
			continue;
		if (n_found < n)
			findings[n_found] = worst[i];
		n_found++;
	}
	free(worst);
	return n_found;
}

/* Those of one severity: by name where they matter, else their number. Takes over `text`. */
static char *add_further(char *text, const struct result *const findings[], unsigned n,
			 enum severity severity)
{
	char *part = copy_text("");
	unsigned found = 0;

	for (unsigned i = 0; i < n; i++) {
		if (result_severity(findings[i]) != severity)
			continue;
		found++;
		if (severity >= SEVERITY_HIGH)
			part = join(part, ", ", findings[i]->entry->id);
	}
	if (found > 0) {
		char *named = severity >= SEVERITY_HIGH ?
			print_text("%s: %s", severity_name(severity), part) :
			print_text("%u %s", found, severity_name(severity));

		text = join(text, "; ", named);
		free(named);
	}
	free(part);
	return text;
}

char *report_further(const struct run *run, unsigned shown)
{
	const struct result **findings = new_array(run->n_results + 1, sizeof *findings);
	unsigned all = report_findings(run, findings, run->n_results);
	char *text = copy_text("");

	for (int s = N_SEVERITIES - 1; s >= 0 && run->verdict == VERDICT_NONE && all > shown; s--)
		text = add_further(text, findings + shown, all - shown, (enum severity)s);
	free(findings);
	return text;
}

char *report_open_cases(const struct result *result, unsigned most)
{
	char *text = copy_text(""), *part;
	unsigned n = 0, all = 0;

	for (int severity = N_SEVERITIES - 1; severity >= 0; severity--) {
		for (unsigned i = 0; i < result->n_cases; i++) {
			const struct case_result *one = &result->cases[i];

			if (one->status != STATUS_ACCESSED || (int)one->severity != severity)
				continue;
			all++;
			if (n >= most)
				continue;
			part = short_text(one->name, MOST_NAME);
			text = join(text, ", ", part);
			free(part);
			n++;
		}
	}
	if (all == n)
		return text;
	part = print_text("and %u more", all - n);
	text = join(text, " ", part);
	free(part);
	return text;
}

/* A value in few words. */
static char *value_text(const json_t *value)
{
	char *dumped, *text;

	if (json_is_string(value))
		return short_text(json_string_value(value), MOST_VALUE);
	dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(6));
	text = short_text(dumped ? dumped : "?", MOST_VALUE);
	free(dumped);
	return text;
}

char *report_values(const json_t *object, unsigned most)
{
	char *text = copy_text("");
	const char *name;
	json_t *value;
	unsigned n = 0;

	json_object_foreach((json_t *)object, name, value) {
		char *label, *words, *pair;

		/* How long a trial took says nothing about the sandbox. */
		if (strcmp(name, "seconds") == 0 || n++ >= most)
			continue;
		label = short_text(name, MOST_NAME);
		words = value_text(value);
		pair = print_text("%s: %s", label, words);
		text = join(text, "; ", pair);
		free(label);
		free(words);
		free(pair);
	}
	return text;
}

char *report_seen(const struct result *result)
{
	const json_t *evidence = result->evidence;
	size_t n_objects = json_array_size(result->objects);
	char *text;

	for (unsigned i = 0; i < result->n_cases && json_object_size(evidence) == 0; i++)
		if (result->cases[i].status == STATUS_ACCESSED &&
		    result->cases[i].severity == result_severity(result))
			evidence = result->cases[i].evidence;
	text = report_values(json_object_size(evidence) ? evidence : result->measured, MOST_SEEN);
	if (n_objects > 0) {
		const json_t *path = json_object_get(json_array_get(result->objects, 0), "path");
		char *words = value_text(path ? path : json_null());
		char *first = print_text("%zu found, such as %s", n_objects, words);

		text = join(text, "; ", first);
		free(words);
		free(first);
	}
	return text;
}

const char *report_remedy(const struct sandbox *sandbox, const struct catalogue_entry *entry,
			  unsigned *code)
{
	while (sandbox && sandbox->remedies && *code < N_REMEDIES) {
		unsigned this = (*code)++;

		if ((entry->fix & ((remedy_set)1 << this)) && sandbox->remedies[this])
			return sandbox->remedies[this];
	}
	return NULL;
}

char *report_left_open(const struct result *result)
{
	char *text = copy_text("");

	for (unsigned i = 0; result->entry->fix == FIX(MASK) && i < result->n_cases; i++) {
		const struct case_result *one = &result->cases[i];
		char *name;

		if (one->status != STATUS_ACCESSED || !one->definition || one->definition->path)
			continue;
		name = short_text(one->name, MOST_NAME);
		text = join(text, ", ", name);
		free(name);
	}
	return text;
}

char *report_seconds(double seconds)
{
	/* Also false for what is not a number. */
	bool sane = seconds > 0 && seconds < 1e9;
	unsigned long long millionths = sane ? (unsigned long long)(seconds * 1e6 + 0.5) : 0;

	return print_text("%llu.%06llu", millionths / 1000000, millionths % 1000000);
}
