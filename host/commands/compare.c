/* SPDX-License-Identifier: MIT */
/*
 * sandboxeval compare: several sandboxes, each launched with options of its own, and runs of the
 * past, side by side. All that the user wrote is checked before anything is launched; one that
 * cannot be started costs its own column only.
 */
#include <argp.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/assess.h"
#include "host/child.h"
#include "host/commands/commands.h"
#include "host/commands/options.h"
#include "host/commands/past.h"
#include "host/commands/words.h"
#include "host/compared.h"
#include "host/matrix_text.h"
#include "host/memory.h"
#include "host/report_file.h"
#include "host/suggest.h"
#include "host/worker.h"

#define DEFAULT_SECONDS 120
#define MOST_SECONDS 86400

struct options {
	struct assess_plan plan; /* what is the same for all */
	const char *history;
	char *const *given;
	char **reports;
	bool no_history, quiet, json, differing, cases;
};

/* What is compared, and what came of it. */
struct column {
	struct compared compared;
	struct named_run named;
	bool usable; /* there is a run to show */
};

enum {
	KEY_ONLY = 0x100,
	KEY_SKIP,
	KEY_TIMEOUT,
	KEY_NO_BASELINE,
	KEY_SINGLE,
	KEY_HISTORY,
	KEY_NO_HISTORY,
	KEY_ALL,
	KEY_CASES,
};

static const struct argp_option option_table[] = {
	{ NULL, 0, NULL, 0, "What is tried (in the sandboxes that are launched):", 1 },
	{ "only", KEY_ONLY, "LIST", 0, "Only these scenarios or categories, separated by commas", 1 },
	{ "skip", KEY_SKIP, "LIST", 0, "All but these", 1 },
	{ "level", 'l', "LEVEL", 0, "observe, touch (the default) or act", 1 },
	{ "timeout", KEY_TIMEOUT, "SECONDS", 0, "How long one launch may take (120)", 1 },
	{ "no-baseline", KEY_NO_BASELINE, NULL, 0, "Do not try the same outside", 1 },
	{ "single", KEY_SINGLE, NULL, 0, "One launch only of each", 1 },
	{ NULL, 0, NULL, 0, "What comes out:", 2 },
	{ "differing", 'd', NULL, 0, "Only scenarios in which something differs", 2 },
	{ "all", KEY_ALL, NULL, 0, "All scenarios (the default)", 2 },
	{ "cases", KEY_CASES, NULL, 0, "Cases too (else only where the scenario itself looks the same)", 2 },
	{ "json", 'j', NULL, 0, "Print JSON", 2 },
	{ "report", 'r', "FORMAT=FILE", 0,
	  "Write the matrix to a file, too: html (a page for a browser); repeatable", 2 },
	{ "history", KEY_HISTORY, "FILE", 0, "The history's file", 2 },
	{ "no-history", KEY_NO_HISTORY, NULL, 0, "Do not keep the runs that are made", 2 },
	{ "quiet", 'q', NULL, 0, "No progress", 2 },
	{ NULL, 0, NULL, 0, "Help:", -1 },
	{ 0 },
};

static error_t parse_plan_option(int key, char *value, struct argp_state *state)
{
	struct assess_plan *plan = &((struct options *)state->input)->plan;

	switch (key) {
	case KEY_ONLY:
		plan->only = value;
		return 0;
	case KEY_SKIP:
		plan->skip = value;
		return 0;
	case 'l':
		plan->level = parse_level(state, value);
		return 0;
	case KEY_TIMEOUT:
		plan->seconds = parse_count(state, "--timeout", value, 1, MOST_SECONDS);
		return 0;
	case KEY_NO_BASELINE:
		plan->no_baseline = true;
		return 0;
	case KEY_SINGLE:
		plan->single = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'd':
		options->differing = true;
		return 0;
	case KEY_ALL:
		options->differing = false;
		return 0;
	case KEY_CASES:
		options->cases = true;
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case 'r':
		options->reports = list_add(options->reports, copy_text(value));
		return 0;
	case KEY_HISTORY:
		options->history = value;
		return 0;
	case KEY_NO_HISTORY:
		options->no_history = true;
		return 0;
	case 'q':
		options->quiet = true;
		return 0;
	case ARGP_KEY_ARGS:
		options->given = state->argv + state->next;
		return 0;
	default:
		return parse_plan_option(key, value, state);
	}
}

static const struct argp parser = {
	option_table, parse_option, "SANDBOX|RUN...",
	"Compare sandboxes and runs: which scenarios are open where, and what denies them "
	"elsewhere. A sandbox is launched; with options of its own it is one quoted word: 'NAME "
	"[--image NAME] [--rootfs FOLDER] [--label TEXT] [-- ENGINE ARGUMENT...]'. A run is a "
	"number, an id, a label, 'latest', 'latest~1', or the path of a JSON report."
	"\v"
	"Exit status: 0 all that was launched was measured, whatever differs; 2 something was not; "
	"64 usage.\n\n"
	"Examples:\n"
	"  sandboxeval compare none bwrap\n"
	"  sandboxeval compare bwrap 'bwrap --label bare -- --ro-bind / /' --differing\n"
	"  sandboxeval compare bwrap 'docker -- --network none' latest\n"
	"  sandboxeval compare before.json after.json --json\n"
	"  sandboxeval compare none bwrap runc --report html=matrix.html\n",
	NULL, NULL, NULL,
};

/* ---------------------------------------------------------------- what is compared */

/* Neither a sandbox nor a run: the error speaks of runs, the near word may be a sandbox. */
static void suggest_sandbox(const char *given, struct error *error)
{
	const char *sandbox_names[64], *near;
	size_t n = 0;

	for (const struct sandbox_row *row = sandboxes; row->sandbox && n < 64; row++)
		sandbox_names[n++] = row->sandbox->name;
	near = suggest(given, sandbox_names, n);
	error_set(error, EXIT_MISUSE, "'%s' is neither a sandbox nor a run", given);
	if (*given == '-')
		error_hint(error, "quote a sandbox with its arguments: 'docker -- --network none'");
	else if (near)
		error_hint(error, "did you mean '%s'?", near);
	else
		error_hint(error, "'sandboxeval sandboxes' and 'sandboxeval history' name them");
}

static bool prepare_column(const struct options *options, struct column *column,
			   const char *given, struct error *error)
{
	if (!compared_parse(&column->compared, given, error))
		return false;
	if (column->compared.sandbox)
		return true;
	column->usable = named_run_get(&column->named, given, options->history, error);
	if (!column->usable && error->status == EXIT_MISUSE && !strchr(given, '/') &&
	    strstr(error->text, "there is no run"))
		suggest_sandbox(given, error);
	return column->usable;
}

static void show_progress(void *context, const char *stage, unsigned arrived, unsigned planned)
{
	(void)context;
	fprintf(stderr, "\r\033[K%s: %u/%u", stage, arrived < planned ? arrived : planned,
		planned);
}

static int launch(const struct options *options, struct column *column)
{
	struct past past = { .history = options->history, .no_history = options->no_history,
			     .quiet = true };
	struct assess_plan plan = options->plan;
	struct error error = { 0 };

	plan.sandbox = column->compared.sandbox;
	plan.request = column->compared.request;
	plan.label = column->compared.label;
	column->named.run = assess(&plan, &error);
	if (plan.progress)
		fputs("\r\033[K", stderr);
	if (!column->named.run)
		return complain_error(&error);
	column->named.name = copy_text(column->compared.given);
	column->usable = true;
	past_keep(&past, column->named.run);
	return column->named.run->complete && column->named.run->clean ? EXIT_SATISFIED :
									 EXIT_INCOMPLETE;
}

static int launch_all(const struct options *options, struct column columns[], size_t n)
{
	int status = EXIT_SATISFIED;

	for (size_t i = 0; i < n; i++) {
		int one = columns[i].compared.sandbox ? launch(options, &columns[i]) :
							EXIT_SATISFIED;

		if (one == EXIT_INTERRUPTED)
			return one;
		status = one ? one : status;
	}
	return status;
}

/* ---------------------------------------------------------------- the matrix */

static const char *short_title(const struct run *run)
{
	return run->label && *run->label ? run->label : run->sandbox ? run->sandbox : "?";
}

static bool print_json(const struct matrix_view *view)
{
	json_t *object = matrix_json(view);
	bool printed = object && json_dumpf(object, stdout, JSON_INDENT(1) | JSON_ENSURE_ASCII) == 0;

	putchar('\n');
	json_decref(object);
	return printed;
}

/* Before the long runs, so that a wrong path is known at once. */
static bool open_reports(const struct options *options, struct report_file files[],
			 struct error *error)
{
	for (size_t i = 0; i < list_length(options->reports); i++) {
		if (!report_file_open(&files[i], options->reports[i], error))
			return false;
		if (!files[i].report->compare)
			return error_set(error, EXIT_MISUSE, "the format %s is for one run; several "
					 "side by side: --report html=FILE, or --json",
					 files[i].report->name);
		if (report_file_is_standard_output(&files[i]))
			return error_set(error, EXIT_MISUSE, "--report %s names no file: the matrix "
					 "itself is on standard output", options->reports[i]);
	}
	return true;
}

static int write_reports(const struct options *options, const struct matrix_view *view,
			 struct report_file files[], int status)
{
	struct report_context context = { .matrix = view };
	struct error error = { 0 };

	for (size_t i = 0; i < list_length(options->reports); i++)
		if (!report_file_write(&files[i], &context, &error))
			return complain_error(&error);
	return status;
}

static int show(const struct options *options, struct column columns[], size_t n,
		struct report_file files[], int status)
{
	struct matrix_column *shown = new_array(n, sizeof *shown);
	char **names = new_array(n, sizeof *names);
	struct screen screen = screen_of(stdout);
	struct matrix matrix;
	struct matrix_view view = { .matrix = &matrix, .names = names,
				    .differing = options->differing, .cases = options->cases };
	unsigned n_shown = 0;
	bool printed;

	for (size_t i = 0; i < n; i++) {
		if (!columns[i].usable)
			continue;
		names[n_shown] = columns[i].named.name;
		shown[n_shown++] = (struct matrix_column){
			.title = (char *)short_title(columns[i].named.run),
			.run = columns[i].named.run,
		};
	}
	matrix = matrix_of(shown, n_shown);
	status = write_reports(options, &view, files, status);
	printed = n_shown == 0 || (options->json ? print_json(&view) : matrix_print(&screen, &view));
	matrix_free(&matrix);
	free(shown);
	free(names);
	return printed ? status : complain_output();
}

static int compare_all(struct options *options, size_t n)
{
	size_t n_reports = list_length(options->reports);
	struct column *columns = new_array(n, sizeof *columns);
	struct report_file *files = new_array(n_reports, sizeof *files);
	struct error error = { 0 };
	int status = EXIT_SATISFIED;

	work_apart();
	if (!open_reports(options, files, &error))
		status = complain_error(&error);
	for (size_t i = 0; i < n && status == EXIT_SATISFIED; i++)
		if (!prepare_column(options, &columns[i], options->given[i], &error))
			status = complain_error(&error);
	if (status == EXIT_SATISFIED) {
		interrupt_catch();
		status = launch_all(options, columns, n);
		interrupt_release();
		if (status != EXIT_INTERRUPTED)
			status = show(options, columns, n, files, status);
	}
	for (size_t i = 0; i < n; i++) {
		compared_free(&columns[i].compared);
		named_run_free(&columns[i].named);
	}
	for (size_t i = 0; i < n_reports; i++)
		report_file_close(&files[i]);
	free(files);
	free(columns);
	return status;
}

int command_compare(int argc, char *argv[])
{
	struct options options = {
		.plan = { .level = LEVEL_TOUCH, .seconds = DEFAULT_SECONDS },
	};
	size_t n;
	int status;

	if (!options_are_known(option_table, argc, argv))
		return EXIT_MISUSE;
	argp_parse(&parser, argc, argv, 0, NULL, &options);
	n = list_length(options.given);
	if (n == 0)
		fputs("sandboxeval compare: compare what? Name sandboxes or runs ('sandboxeval compare "
		      "--help' has examples)\n", stderr);
	if (n > MATRIX_MOST_COLUMNS)
		fprintf(stderr, "sandboxeval compare: at most %d at a time\n", MATRIX_MOST_COLUMNS);
	if (n == 0 || n > MATRIX_MOST_COLUMNS)
		return EXIT_MISUSE;
	status = complain_unknown_selection(options.plan.only);
	if (status == EXIT_SATISFIED)
		status = complain_unknown_selection(options.plan.skip);
	if (!options.quiet && isatty(STDERR_FILENO))
		options.plan.progress = show_progress;
	if (status == EXIT_SATISFIED)
		status = compare_all(&options, n);
	list_free(options.reports);
	return status;
}
