/* SPDX-License-Identifier: MIT */
#include "host/results.h"

#include <stdlib.h>
#include <string.h>

#include "host/memory.h"

char *barriers_text(barrier_set set, const char *separator)
{
	char *text = copy_text("");

	for (unsigned b = 0; b < N_BARRIERS; b++) {
		char *longer;

		if (!(set & BARRIER_BIT(b)))
			continue;
		longer = print_text("%s%s%s", text, *text ? separator : "",
				    barrier_name((enum barrier)b));
		free(text);
		text = longer;
	}
	return text;
}

struct run *run_new(void)
{
	struct run *run = new_array(1, sizeof *run);

	run->complete = true;
	run->clean = true;
	return run;
}

static void result_done(struct result *result)
{
	for (unsigned i = 0; i < result->n_cases; i++) {
		free(result->cases[i].name);
		free(result->cases[i].judged.rule);
		json_decref(result->cases[i].evidence);
		json_decref(result->cases[i].measured);
	}
	free(result->cases);
	free(result->judged.rule);
	json_decref(result->objects);
	json_decref(result->evidence);
	json_decref(result->measured);
}

static void retired_done(struct run *run)
{
	for (unsigned i = 0; i < run->n_retired; i++) {
		free((char *)run->retired[i]->id);
		free((char *)run->retired[i]->category);
		free(run->retired[i]);
	}
	free(run->retired);
}

void run_free(struct run *run)
{
	if (!run)
		return;
	for (unsigned i = 0; i < run->n_results; i++)
		result_done(&run->results[i]);
	free(run->results);
	retired_done(run);
	list_free(run->argv);
	list_free(run->incomplete_because);
	free(run->sandbox);
	free(run->version);
	free(run->image);
	free(run->label);
	json_decref(run->targets);
	free(run->policy);
	free(run->policy_source);
	free(run->probe_version);
	free(run->probe_arch);
	json_decref(run->origin);
	free(run);
}

void run_mark_incomplete(struct run *run, const char *format, ...)
{
	va_list arguments;
	char *sentence;

	va_start(arguments, format);
	sentence = print_text_list(format, arguments);
	va_end(arguments);
	run->complete = false;
	/* Two launches often fail for one and the same reason: say it once. */
	for (size_t i = 0; run->incomplete_because && run->incomplete_because[i]; i++) {
		if (strcmp(run->incomplete_because[i], sentence) == 0) {
			free(sentence);
			return;
		}
	}
	run->incomplete_because = list_add(run->incomplete_because, sentence);
}

struct result *run_find(struct run *run, const char *id)
{
	for (unsigned i = 0; i < run->n_results; i++)
		if (strcmp(run->results[i].entry->id, id) == 0)
			return &run->results[i];
	return NULL;
}

const struct catalogue_entry *run_entry(struct run *run, const char *id, enum severity severity)
{
	static const char title[] = "A scenario that this program's catalogue does not have";
	const struct catalogue_entry *known = catalogue_find(id);
	struct catalogue_entry *retired;

	for (unsigned i = 0; !known && i < run->n_retired; i++)
		if (strcmp(run->retired[i]->id, id) == 0)
			known = run->retired[i];
	if (known)
		return known;
	retired = new_array(1, sizeof *retired);
	*retired = (struct catalogue_entry){
		.id = copy_text(id), .category = copy_bytes(id, strcspn(id, ".")), .source = "",
		.title = title, .accessed = "", .denied = "", .why = "", .see = "",
		.severity = severity, .open = "", .closed = "",
	};
	run->retired = grow_array(run->retired, run->n_retired + 1, sizeof *run->retired);
	run->retired[run->n_retired++] = retired;
	return retired;
}

/* Same status, and, where it was refused, by the same barriers. */
static bool is_same_as_baseline(const struct result *result)
{
	if (!result->has_baseline || result->status != result->baseline)
		return false;
	return result->status != STATUS_DENIED || result->barriers == result->baseline_barriers;
}

bool result_cases_differ(const struct result *result)
{
	for (unsigned i = 0; i < result->n_cases; i++) {
		const struct case_result *one = &result->cases[i];

		if (one->has_baseline && one->status != one->baseline)
			return true;
	}
	return false;
}

/* Open on both sides, but not in all that is open outside. */
static bool is_partly_contained(const struct result *result)
{
	if (result->status != STATUS_ACCESSED || !result->has_baseline ||
	    result->baseline != STATUS_ACCESSED)
		return false;
	for (unsigned i = 0; i < result->n_cases; i++) {
		const struct case_result *one = &result->cases[i];

		if (one->has_baseline && one->status == STATUS_DENIED &&
		    one->baseline == STATUS_ACCESSED)
			return true;
	}
	return false;
}

struct summary run_summary(const struct run *run)
{
	struct summary summary = { 0 };

	for (unsigned i = 0; i < run->n_results; i++) {
		const struct result *result = &run->results[i];

		switch (result->status) {
		case STATUS_UNKNOWN:
			summary.unknown++;
			break;
		case STATUS_ACCESSED:
			summary.accessed++;
			break;
		case STATUS_DENIED:
			summary.denied++;
			if (result->has_baseline && result->baseline == STATUS_ACCESSED)
				summary.contained++;
			break;
		}
		summary.partly += is_partly_contained(result);
		if (is_same_as_baseline(result))
			summary.same++;
		summary.conforms += result->judged.judgement == JUDGEMENT_CONFORMS;
		summary.violates += result->judged.judgement == JUDGEMENT_VIOLATES;
		summary.unmeasured += result->judged.judgement == JUDGEMENT_UNMEASURED;
		summary.waived += result->judged.judgement == JUDGEMENT_WAIVED;
	}
	return summary;
}

bool run_shows_no_isolation(const struct run *run)
{
	bool open = false;

	if (!run->has_baseline)
		return false;
	for (unsigned i = 0; i < run->n_results; i++) {
		const struct result *result = &run->results[i];

		if (!is_same_as_baseline(result) || result_cases_differ(result))
			return false;
		if (result->status == STATUS_ACCESSED)
			open = true;
	}
	/* Where nothing is open on either side there was nothing to keep out. */
	return open;
}

bool run_is_whole(const struct run *run)
{
	return run->n_results >= catalogue_count;
}

bool run_began(const struct run *run)
{
	bool began = run->origin != NULL || run->complete;

	for (unsigned i = 0; i < run->n_results; i++)
		began |= run->results[i].arrived;
	return began;
}

enum severity result_severity(const struct result *result)
{
	enum severity worst = SEVERITY_INHERIT;

	for (unsigned i = 0; i < result->n_cases; i++) {
		const struct case_result *one = &result->cases[i];

		if (one->status == STATUS_ACCESSED && one->severity > worst)
			worst = one->severity;
	}
	return worst == SEVERITY_INHERIT ? result->entry->severity : worst;
}

static int compare_worst(const void *left, const void *right)
{
	const struct result *a = *(const struct result *const *)left;
	const struct result *b = *(const struct result *const *)right;
	int difference = (int)result_severity(b) - (int)result_severity(a);

	return difference ? difference : strcmp(a->entry->id, b->entry->id);
}

unsigned run_worst(const struct run *run, const struct result *worst[], unsigned n)
{
	const struct result **found = new_array(run->n_results, sizeof *found);
	unsigned n_found = 0;

	for (unsigned i = 0; i < run->n_results; i++)
		if (run->results[i].status == STATUS_ACCESSED)
			found[n_found++] = &run->results[i];
	qsort(found, n_found, sizeof *found, compare_worst);
	for (unsigned i = 0; i < n && i < n_found; i++)
		worst[i] = found[i];
	free(found);
	return n_found;
}
