/* SPDX-License-Identifier: MIT */
#include "host/commands/past.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/commands/options.h"
#include "host/difference_text.h"

#define OPEN_NOW (1U << CHANGE_OPENED | 1U << CHANGE_FOUND_OPEN)

/*
 * The newest run of the same sandbox under the same label; without a label, of those without.
 * A run that was cut short is passed over: beside it all that is open would be new.
 */
static bool find_previous(struct past *past, const char *sandbox, const char *label,
			  struct error *error)
{
	struct history_filter filter = {
		.sandbox = sandbox, .label = label, .unlabelled = !label,
		.complete = true, .limit = 1,
	};
	struct history *history = history_open(past->history, error);
	struct history_rows rows = { 0 };
	bool found = history && history_list(history, &filter, &rows, error);

	if (found && rows.n == 1)
		found = named_run_load(&past->reference, history, rows.rows[0].number, error);
	history_rows_free(&rows);
	history_close(history);
	return found;
}

bool past_prepare(struct past *past, const char *sandbox, const char *label, struct error *error)
{
	if (past->against)
		return named_run_get(&past->reference, past->against, past->history, error);
	return !past->fail_on_new || find_previous(past, sandbox, label, error);
}

void past_keep(struct past *past, const struct run *run)
{
	struct error error = { 0 };

	if (past->no_history)
		return;
	if (!history_keep(past->history, run, &past->number, &error)) {
		past->number = 0;
		fputs("sandboxeval: warning: this run is not in the history; its reports and its "
		      "exit status are not concerned\n", stderr);
		complain_error(&error);
		fputs("sandboxeval: --no-history keeps none\n", stderr);
	} else if (!past->quiet && isatty(STDERR_FILENO)) {
		fprintf(stderr, "Kept as run %lld: 'sandboxeval show %lld' shows it again.\n",
			(long long)past->number, (long long)past->number);
	}
}

static unsigned count_open(const struct difference *difference)
{
	return difference->count[CHANGE_OPENED] + difference->count[CHANGE_FOUND_OPEN];
}

static void print_new(const struct past *past, const struct run *run,
		      const struct difference *difference)
{
	struct difference_view view = {
		.before = past->reference.run, .after = run,
		.before_name = past->reference.name, .after_name = "this run",
		.difference = difference,
	};
	struct screen screen = screen_of(stderr);
	unsigned n = count_open(difference);

	if (n == 0 && difference->count[CHANGE_LOST] == 0 && past->quiet)
		return;
	screen_print(&screen, INK_PLAIN, "sandboxeval: %u newly open since %s", n,
		     past->reference.name);
	if (difference->count[CHANGE_LOST])
		screen_print(&screen, INK_PLAIN, "; %u no longer measured, which is not closed",
			     difference->count[CHANGE_LOST]);
	if (difference->count[CHANGE_ADDED])
		screen_print(&screen, INK_PLAIN, "; %u that it did not try are not judged",
			     difference->count[CHANGE_ADDED]);
	fputs(".\n", stderr);
	difference_print_changes(&screen, &view, OPEN_NOW);
}

int past_judge(const struct past *past, const struct run *run)
{
	struct difference difference;
	bool open;

	if (!past->fail_on_new)
		return EXIT_SATISFIED;
	if (!past->reference.run) {
		fputs("sandboxeval: incomplete: there is no earlier complete run of this sandbox "
		      "and label to compare with", stderr);
		fputs(past->number ? "; the next run is compared with this one\n" : "\n", stderr);
		return EXIT_INCOMPLETE;
	}
	difference = difference_of(past->reference.run, run);
	print_new(past, run, &difference);
	open = count_open(&difference) > 0;
	difference_free(&difference);
	return open ? EXIT_VIOLATED : EXIT_SATISFIED;
}

void past_free(struct past *past)
{
	named_run_free(&past->reference);
}
