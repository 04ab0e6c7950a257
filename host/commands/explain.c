/* SPDX-License-Identifier: MIT */
/*
 * sandboxeval explain: what a scenario tries and why that matters, what its answers mean, and
 * what closes it in every launcher's words; or what a barrier or a reason is. It is printed from
 * the catalogue and the launchers themselves and says nothing of its own about a scenario.
 */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "host/catalogue.h"
#include "host/commands/commands.h"
#include "host/commands/words.h"
#include "host/error.h"
#include "host/memory.h"
#include "host/sandbox.h"
#include "host/screen.h"
#include "host/table.h"

#define HANG 14
/* More than this many cases make no table that anybody reads. */
#define MANY_CASES 100

static const char *const level_meanings[N_LEVELS] = {
	[LEVEL_OBSERVE] = "observe: reads only",
	[LEVEL_TOUCH] = "touch: also creates and removes inert markers of its own",
	[LEVEL_ACT] = "act: also has bounded real effects; never done unasked",
};

static const char *const need_meanings[N_NEEDS] = {
	"a witness outside", "a second launch", "a baseline", "a target that the owner declares",
};

/* ---------------------------------------------------------------- a scenario */

static void print_needs(const struct screen *screen, unsigned needs)
{
	char *text = NULL;

	for (unsigned i = 0; i < N_NEEDS; i++) {
		char *longer;

		if (!(needs & (1U << i)))
			continue;
		longer = print_text("%s%s%s", text ? text : "", text ? ", " : "", need_meanings[i]);
		free(text);
		text = longer;
	}
	if (text)
		screen_paragraph(screen, 2, "needs", HANG, text);
	free(text);
}

static void print_origin(const struct screen *screen, const struct catalogue_entry *entry)
{
	char *text = copy_text("beyond the paper's 51 scenarios");

	if (entry->paper) {
		free(text);
		text = print_text("\"%s\"%s", entry->paper,
				  entry->ours ? "; the paper names the group, this member is our reading" :
						"");
	}
	screen_paragraph(screen, 2, "paper", HANG, text);
	free(text);
}

/* Their names alone, those of one severity together. */
static void print_many_cases(const struct screen *screen, const struct catalogue_entry *entry)
{
	for (unsigned severity = N_SEVERITIES; severity-- > 0;) {
		char *names = copy_text("");

		for (unsigned i = 0; i < entry->n_cases; i++) {
			char *longer;

			if (entry->cases[i].severity != severity)
				continue;
			longer = print_text("%s%s%s", names, *names ? " " : "", entry->cases[i].name);
			free(names);
			names = longer;
		}
		if (*names)
			screen_paragraph(screen, 4, severity_name(severity), HANG, names);
		free(names);
	}
}

static bool print_cases(const struct screen *screen, const struct catalogue_entry *entry)
{
	struct table *table;
	bool printed;

	if (entry->n_cases > MANY_CASES) {
		screen_paragraph(screen, 2, "cases", HANG, "");
		print_many_cases(screen, entry);
		return true;
	}
	table = table_new(screen, 4, 3);
	table_indent(table, 4);
	for (unsigned i = 0; i < entry->n_cases; i++) {
		const struct catalogue_case *one = &entry->cases[i];

		table_cell(table, 0, INK_PLAIN, one->name);
		table_cell(table, 1, severity_ink(one->severity), severity_name(one->severity));
		table_cell(table, 2, INK_PLAIN, level_name(one->level));
		table_cell(table, 3, INK_FAINT, one->path ? one->path : "");
		table_end_row(table);
	}
	if (entry->n_cases)
		screen_paragraph(screen, 2, "cases", HANG, "");
	printed = table_print(table);
	table_free(table);
	return printed;
}

/* One row per launcher that has words for the code; the code alone when none has. */
static void add_remedy(struct table *table, enum remedy code)
{
	bool found = false;

	for (const struct sandbox_row *row = sandboxes; row->sandbox; row++) {
		const char *const *remedies = row->sandbox->remedies;

		if (!remedies || !remedies[code])
			continue;
		table_cell(table, 0, INK_FAINT, found ? "" : remedy_name(code));
		table_cell(table, 1, INK_PLAIN, row->sandbox->name);
		table_cell(table, 2, INK_PLAIN, remedies[code]);
		table_end_row(table);
		found = true;
	}
	if (!found) {
		table_cell(table, 0, INK_FAINT, remedy_name(code));
		table_cell(table, 2, INK_PLAIN, "no launcher here has an option for it");
		table_end_row(table);
	}
}

static bool print_remedies(const struct screen *screen, const struct catalogue_entry *entry)
{
	struct table *table = table_new(screen, 3, 2);
	bool printed;

	table_indent(table, 4);
	for (unsigned code = 0; code < N_REMEDIES; code++)
		if (entry->fix & ((remedy_set)1 << code))
			add_remedy(table, (enum remedy)code);
	if (entry->fix)
		screen_paragraph(screen, 2, "remedies", HANG, "");
	printed = table_print(table);
	table_free(table);
	return printed;
}

static void print_given(const struct screen *screen, const char *label, const char *text)
{
	if (text && *text)
		screen_paragraph(screen, 2, label, HANG, text);
}

static bool explain_scenario(const struct screen *screen, const struct catalogue_entry *entry)
{
	screen_put(screen, INK_BOLD, entry->id);
	screen_put(screen, INK_PLAIN, "  ");
	screen_put(screen, severity_ink(entry->severity), severity_name(entry->severity));
	fputc('\n', screen->out);
	screen_paragraph(screen, 2, "tries", HANG, entry->title);
	screen_paragraph(screen, 2, "why", HANG, entry->why);
	print_given(screen, "how", entry->how);
	screen_paragraph(screen, 2, "accessed", HANG, entry->accessed);
	screen_paragraph(screen, 2, "denied", HANG, entry->denied);
	screen_paragraph(screen, 2, "level", HANG, level_meanings[entry->level]);
	print_needs(screen, entry->needs);
	print_origin(screen, entry);
	print_given(screen, "see", entry->see);
	print_given(screen, "open box", entry->open);
	print_given(screen, "closed box", entry->closed);
	if (entry->open && *entry->open)
		screen_paragraph(screen, 2, "", HANG, "(the tests' boxes; docs/fixtures.md explains their words)");
	screen_paragraph(screen, 2, "source", HANG, entry->source);
	return print_cases(screen, entry) && print_remedies(screen, entry);
}

/* ---------------------------------------------------------------- barriers and reasons */

static void explain_barrier(const struct screen *screen, enum barrier barrier)
{
	screen_put(screen, INK_BOLD, barrier_name(barrier));
	screen_put(screen, INK_PLAIN, "  barrier");
	fputc('\n', screen->out);
	screen_paragraph(screen, 2, "is", HANG, barrier_meaning(barrier));
	screen_paragraph(screen, 2, "in reports", HANG,
			 "A denied result names every barrier that a control showed to refuse it. "
			 "An error number alone proves nothing: what no control could tell is "
			 "unattributed.");
}

/* What the user can do about it; where nothing, the reason says all. */
static const char *const ways_out[N_REASONS] = {
	[REASON_TIMED_OUT] = "Try it alone (--only ID), with more time (--timeout).",
	[REASON_CRASHED] = "Try it alone (--only ID) to see whether it is lost again.",
	[REASON_LEVEL] = "Run with a higher --level.",
	[REASON_NO_WITNESS] = ("'sandboxeval run' brings a witness, unless --no-witness forbids; for "
			       "a sandbox on another machine start 'sandboxeval witness' and name it "
			       "with --witness."),
	[REASON_NO_BASELINE] = "Run without --no-baseline.",
	[REASON_NO_VIEW] = ("The evidence names a file that is missing (not_visible: /sys/fs/cgroup, "
			    "say), a folder whose names are hidden (not_listed) or a mount that may "
			    "be kept or thrown away (not_counted). "
			    "Give the sandbox a view of it, read-only: for a control group "
			    "--ro-bind /sys/fs/cgroup /sys/fs/cgroup in bubblewrap's words. Or know "
			    "it from outside, and let the policy tolerate it (unknown: warn)."),
};

static void explain_reason(const struct screen *screen, enum reason reason)
{
	screen_put(screen, INK_BOLD, reason_name(reason));
	screen_put(screen, INK_PLAIN, "  reason of an unknown result");
	fputc('\n', screen->out);
	screen_paragraph(screen, 2, "is", HANG, reason_meaning(reason));
	screen_paragraph(screen, 2, "in reports", HANG,
			 "Unknown is neither accessed nor denied: it was not measured.");
	if (ways_out[reason])
		screen_paragraph(screen, 2, "way out", HANG, ways_out[reason]);
}

static bool explain_all(const struct screen *screen, bool barriers)
{
	struct table *table = table_new(screen, 2, 1);
	bool printed;

	for (unsigned i = 0; i < (barriers ? N_BARRIERS : N_REASONS); i++) {
		table_cell(table, 0, INK_BOLD,
			   barriers ? barrier_name((enum barrier)i) : reason_name((enum reason)i));
		table_cell(table, 1, INK_PLAIN,
			   barriers ? barrier_meaning((enum barrier)i) :
				      reason_meaning((enum reason)i));
		table_end_row(table);
	}
	printed = table_print(table);
	table_free(table);
	return printed;
}

/* A category's scenarios; false: it is none. */
static bool explain_category(const struct screen *screen, const char *word, bool *ret_printed)
{
	struct table *table = table_new(screen, 3, 2);
	unsigned n = 0;

	for (unsigned i = 0; i < catalogue_count; i++) {
		const struct catalogue_entry *entry = &catalogue[i];

		if (strcmp(entry->category, word) != 0)
			continue;
		table_cell(table, 0, INK_BOLD, entry->id);
		table_cell(table, 1, severity_ink(entry->severity), severity_name(entry->severity));
		table_cell(table, 2, INK_PLAIN, entry->title);
		table_end_row(table);
		n++;
	}
	if (n > 0) {
		screen_put(screen, INK_BOLD, word);
		screen_print(screen, INK_PLAIN, "  category of %u scenarios: explain one of", n);
		fputc('\n', screen->out);
	}
	table_indent(table, 2);
	*ret_printed = n > 0 && table_print(table);
	table_free(table);
	return n > 0;
}

/* ---------------------------------------------------------------- the command */

/* The entry of that id, or the only one whose name that is ("cpu" for "system.cpu"). */
static const struct catalogue_entry *find_entry(const char *word)
{
	const struct catalogue_entry *found = catalogue_find(word);
	unsigned n = 0;

	if (found)
		return found;
	for (unsigned i = 0; i < catalogue_count; i++) {
		const char *dot = strchr(catalogue[i].id, '.');

		if (dot && strcmp(dot + 1, word) == 0) {
			found = &catalogue[i];
			n++;
		}
	}
	return n == 1 ? found : NULL;
}

static int explain(const struct screen *screen, const char *word)
{
	const struct catalogue_entry *entry = find_entry(word);
	bool printed = true;

	if (entry)
		printed = explain_scenario(screen, entry);
	else if (barrier_from_name(word) >= 0)
		explain_barrier(screen, (enum barrier)barrier_from_name(word));
	else if (reason_from_name(word) >= 0)
		explain_reason(screen, (enum reason)reason_from_name(word));
	else if (explain_category(screen, word, &printed))
		;
	else if (strcmp(word, "barriers") == 0 || strcmp(word, "reasons") == 0)
		printed = explain_all(screen, *word == 'b');
	else
		return complain_unknown_word(word, WORDS_IDS | WORDS_CATEGORIES | WORDS_BARRIERS |
							  WORDS_REASONS);
	return printed ? EXIT_SATISFIED : complain_output();
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	char ***words = state->input;

	(void)value;
	switch (key) {
	case ARGP_KEY_ARGS:
		*words = state->argv + state->next;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "name a scenario, a barrier or a reason");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int command_explain(int argc, char *argv[])
{
	static const struct argp argp = {
		NULL, parse_option, "ID|CATEGORY|BARRIER|REASON...",
		"Explain a scenario, a category, a barrier or a reason; 'barriers' and 'reasons' name "
		"them all.",
		NULL, NULL, NULL
	};
	struct screen screen = screen_of(stdout);
	char **words = NULL;

	argp_parse(&argp, argc, argv, 0, NULL, &words);
	for (size_t i = 0; words && words[i]; i++) {
		int status;

		if (i > 0)
			putchar('\n');
		status = explain(&screen, words[i]);
		if (status != EXIT_SATISFIED)
			return status;
	}
	return EXIT_SATISFIED;
}
