/* SPDX-License-Identifier: MIT */
/*
 * What the filter answers to every call's number, as evidence: counts, and the passing numbers in
 * ranges. Numbers, for they are what a filter sees; names depend on who is asked.
 */
#include <string.h>

#include "probe/errno_name.h"
#include "probe/filter.h"
#include "probe/trial.h"

/* A fact holds 400 bytes; a list that is longer goes on in name_2, name_3 … */
#define FACT_BYTES 400
#define ERRORS 16

/* One list of ranges under way. */
struct list {
	struct trial *trial;
	int case_index;
	const char *name;
	unsigned part;
	size_t used;
	char text[FACT_BYTES + 1];
};

static void put_list(struct list *list)
{
	char name[40];

	if (!list->used)
		return;
	format_text(name, sizeof name, list->part ? "%s_%u" : "%s", list->name, list->part + 1);
	note_text(list->trial, list->case_index, name, list->text);
	list->part++;
	list->used = 0;
}

static void add_range(struct list *list, unsigned first, unsigned last)
{
	char range[24];
	int n = format_text(range, sizeof range, first == last ? "%u" : "%u-%u", first, last);

	if (list->used + (size_t)n + 1 > FACT_BYTES)
		put_list(list);
	list->used += (size_t)format_text(list->text + list->used, sizeof list->text - list->used,
					  list->used ? " %s" : "%s", range);
}

static bool is_listed(unsigned nr, bool passing)
{
	int error;
	enum answer answer;

	if (nr > NUMBERS_LAST)
		return false;
	answer = ask_number(nr, &error);
	return passing ? answer == ANSWER_PASSES : filter_refuses(answer);
}

static void note_ranges(struct list *list, bool passing)
{
	unsigned first = 0;
	bool within = false;

	for (unsigned nr = 0; nr <= NUMBERS_LAST + 1; nr++) {
		bool is = is_listed(nr, passing);

		if (is && !within)
			first = nr;
		else if (!is && within)
			add_range(list, first, nr - 1);
		within = is;
	}
	put_list(list);
}

struct counts {
	unsigned asked, of[ANSWER_NOT_TOLD + 1];
	unsigned n_errors;
	struct {
		int error;
		unsigned times;
	} errors[ERRORS];
};

static void count_error(struct counts *counts, int error)
{
	unsigned i = 0;

	while (i < counts->n_errors && counts->errors[i].error != error)
		i++;
	if (i == ERRORS)
		return;
	if (i == counts->n_errors)
		counts->errors[counts->n_errors++].error = error;
	counts->errors[i].times++;
}

static void count_all(struct counts *counts)
{
	for (unsigned nr = 0; nr <= NUMBERS_LAST; nr++) {
		int error;
		enum answer answer = ask_number(nr, &error);

		if (filter_never_asks(nr))
			continue;
		counts->asked++;
		counts->of[answer]++;
		if (answer == ANSWER_REFUSED)
			count_error(counts, error);
	}
}

static void note_answers(struct trial *trial, int case_index, const struct counts *counts)
{
	char text[FACT_BYTES];
	size_t used = 0;

	for (unsigned i = 0; i < counts->n_errors; i++) {
		int error = counts->errors[i].error;

		used += (size_t)format_text(text + used, sizeof text - used, "%s%s: %u",
					    used ? ", " : "", error ? errno_name(error) : "success",
					    counts->errors[i].times);
	}
	if (counts->of[ANSWER_TRAPPED])
		used += (size_t)format_text(text + used, sizeof text - used, "%strap: %u",
					    used ? ", " : "", counts->of[ANSWER_TRAPPED]);
	if (counts->of[ANSWER_KILLED])
		used += (size_t)format_text(text + used, sizeof text - used, "%skill: %u",
					    used ? ", " : "", counts->of[ANSWER_KILLED]);
	if (used)
		note_text(trial, case_index, "numbers_refused", text);
}

void note_numbers(struct trial *trial, int case_index, bool ranges)
{
	struct counts counts = { .asked = 0 };
	unsigned passing;
	struct list list = { .trial = trial, .case_index = case_index };
	char asked[64];

	count_all(&counts);
	passing = counts.of[ANSWER_PASSES];
	if (counts.of[ANSWER_NOT_TOLD] == counts.asked)
		return;
	format_text(asked, sizeof asked, "0-%u, arguments zero", NUMBERS_LAST);
	note_text(trial, case_index, "numbers_asked", asked);
	note_number(trial, case_index, "numbers_passing", passing);
	note_answers(trial, case_index, &counts);
	/* Too many of them killed who asked. */
	if (counts.of[ANSWER_NOT_TOLD])
		note_number(trial, case_index, "numbers_not_told", counts.of[ANSWER_NOT_TOLD]);
	if (!ranges || passing == counts.asked)
		return;
	/* The shorter of the two lists says as much as both. */
	list.name = passing <= counts.asked / 2 ? "numbers_that_pass" : "numbers_that_do_not";
	note_ranges(&list, passing <= counts.asked / 2);
}
