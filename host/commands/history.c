/* SPDX-License-Identifier: MIT */
/*
 * sandboxeval history: the runs of the past, the newest first. Through a pipe every line is one
 * run: number, time, sandbox, how much is open, denied and unknown, its state, its label.
 */
#include <argp.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "host/commands/commands.h"
#include "host/commands/options.h"
#include "host/commands/words.h"
#include "host/history.h"
#include "host/memory.h"
#include "host/run_text.h"
#include "host/table.h"

struct options {
	const char *history;
	struct history_filter filter;
	char **remove; /* runs as they were named */
	unsigned keep; /* 0: all */
	bool json;
};

enum { KEY_HISTORY = 0x100, KEY_SANDBOX, KEY_LABEL, KEY_REMOVE, KEY_KEEP };

static const struct argp_option option_table[] = {
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ "limit", 'n', "N", 0, "Only the newest N", 0 },
	{ "sandbox", KEY_SANDBOX, "NAME", 0, "Only runs of this sandbox", 0 },
	{ "label", KEY_LABEL, "TEXT", 0, "Only runs with this label", 0 },
	{ "history", KEY_HISTORY, "FILE", 0,
	  "The history's file ($XDG_DATA_HOME/sandboxeval/history.db, or below ~/.local/share)", 0 },
	{ "remove", KEY_REMOVE, "RUN", 0, "Remove this run; may be given several times", 0 },
	{ "keep", KEY_KEEP, "N", 0, "Remove all runs but the newest N", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'j':
		options->json = true;
		return 0;
	case 'n':
		options->filter.limit = parse_count(state, "--limit", value, 1, 1000000000);
		return 0;
	case KEY_SANDBOX:
		options->filter.sandbox = value;
		return 0;
	case KEY_LABEL:
		options->filter.label = value;
		return 0;
	case KEY_HISTORY:
		options->history = value;
		return 0;
	case KEY_REMOVE:
		options->remove = list_add(options->remove, copy_text(value));
		return 0;
	case KEY_KEEP:
		options->keep = parse_count(state, "--keep", value, 1, 1000000000);
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'; 'sandboxeval show %s' shows a run",
			   value, value);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
	option_table, parse_option, NULL,
	"List the runs of the past, the newest first. A run is named by its number, the eight "
	"first digits of its id, 'latest', 'latest~1' (the one before), or its label."
	"\v"
	"Examples:\n"
	"  sandboxeval history --sandbox bwrap --limit 5\n"
	"  sandboxeval history --keep 100\n"
	"  sandboxeval show latest\n"
	"  sandboxeval diff latest~1 latest\n",
	NULL, NULL, NULL,
};

/* ---------------------------------------------------------------- JSON */

static json_t *row_json(const struct history_row *row)
{
	return json_pack("{sI ss so ss ss? ss? ss? sb sb si si si}", "run",
			 (json_int_t)row->number, "id", row->id, "started", time_json(row->started),
			 "sandbox", row->sandbox, "version", row->version, "image", row->image,
			 "label", row->label, "complete", row->complete, "clean", row->clean,
			 "accessed", (int)row->accessed, "denied", (int)row->denied, "unknown",
			 (int)row->unknown);
}

static int list_json(const struct history_rows *rows)
{
	json_t *array = json_array();
	int failed;

	for (unsigned i = 0; i < rows->n; i++)
		json_array_append_new(array, row_json(&rows->rows[i]));
	failed = json_dumpf(array, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII);
	putchar('\n');
	json_decref(array);
	return failed ? complain_output() : EXIT_SATISFIED;
}

/* ---------------------------------------------------------------- the table */

enum column {
	COLUMN_NUMBER,
	COLUMN_TIME,
	COLUMN_SANDBOX,
	COLUMN_OPEN,
	COLUMN_DENIED,
	COLUMN_UNKNOWN,
	COLUMN_STATE,
	COLUMN_LABEL,
};
#define N_COLUMNS 8

static void count_cell(struct table *table, unsigned column, unsigned n, const char *what)
{
	char *text = print_text("%u %s", n, what);

	table_cell(table, column, INK_PLAIN, text);
	free(text);
}

static void add_row(struct table *table, const struct history_row *row)
{
	char *number = print_text("%lld", (long long)row->number);
	char *when = time_text(row->started);
	bool fine = row->complete && row->clean;

	table_cell(table, COLUMN_NUMBER, INK_BOLD, number);
	table_cell(table, COLUMN_TIME, INK_PLAIN, when);
	table_cell(table, COLUMN_SANDBOX, INK_PLAIN, row->sandbox);
	count_cell(table, COLUMN_OPEN, row->accessed, "open");
	count_cell(table, COLUMN_DENIED, row->denied, "denied");
	count_cell(table, COLUMN_UNKNOWN, row->unknown, "unknown");
	table_cell(table, COLUMN_STATE, fine ? INK_GOOD : INK_BAD,
		   !row->complete ? "incomplete" : !row->clean ? "not-clean" : "complete");
	table_cell(table, COLUMN_LABEL, INK_PLAIN, row->label ? row->label : "-");
	table_end_row(table);
	free(number);
	free(when);
}

static int list_table(const struct history_rows *rows)
{
	struct screen screen = screen_of(stdout);
	struct table *table =
		table_new(&screen, N_COLUMNS, screen.width ? COLUMN_LABEL : N_COLUMNS);
	bool printed;

	table_align_right(table, COLUMN_NUMBER);
	table_align_right(table, COLUMN_OPEN);
	table_align_right(table, COLUMN_DENIED);
	table_align_right(table, COLUMN_UNKNOWN);
	for (unsigned i = 0; i < rows->n; i++)
		add_row(table, &rows->rows[i]);
	printed = table_print(table);
	table_free(table);
	return printed ? EXIT_SATISFIED : complain_output();
}

/* ---------------------------------------------------------------- removing */

/* Each is found before any is removed: 'latest~1' means the same in every place. */
static int remove_runs(const struct options *options)
{
	size_t n = list_length(options->remove);
	int64_t *numbers = new_array(n, sizeof *numbers);
	struct error error = { 0 };
	struct history *history = history_open(options->history, &error);
	bool done = history != NULL;

	for (size_t i = 0; done && i < n; i++) {
		numbers[i] = history_find(history, options->remove[i], &error);
		done = numbers[i] > 0;
	}
	history_close(history);
	done = done && history_remove(options->history, numbers, (unsigned)n, &error);
	for (size_t i = 0; done && i < n; i++)
		printf("removed run %lld\n", (long long)numbers[i]);
	free(numbers);
	return done ? EXIT_SATISFIED : complain_error(&error);
}

static int keep_runs(const struct options *options)
{
	struct error error = { 0 };
	struct history *history = history_open(options->history, &error);
	struct history_rows rows = { 0 };
	unsigned removed = 0;
	bool done = history && history_list(history, &options->filter, &rows, &error);

	/* Where there is no file none is made. */
	if (done && rows.n > options->keep) {
		history_close(history);
		history = NULL;
		done = history_keep_newest(options->history, options->keep, &removed, &error);
	}
	history_rows_free(&rows);
	history_close(history);
	if (!done)
		return complain_error(&error);
	printf("removed %u run%s\n", removed, removed == 1 ? "" : "s");
	return EXIT_SATISFIED;
}

static int change(const struct options *options)
{
	const struct history_filter *filter = &options->filter;

	if ((options->remove && options->keep) || filter->sandbox || filter->label ||
	    filter->limit || options->json) {
		fputs("sandboxeval history: --remove and --keep go with --history alone, and not "
		      "with each other\n", stderr);
		return EXIT_MISUSE;
	}
	return options->remove ? remove_runs(options) : keep_runs(options);
}

/* ---------------------------------------------------------------- the command */

int command_history(int argc, char *argv[])
{
	struct options options = { 0 };
	struct history_rows rows = { 0 };
	struct error error = { 0 };
	struct history *history;
	int status;

	if (!options_are_known(option_table, argc, argv))
		return EXIT_MISUSE;
	argp_parse(&parser, argc, argv, 0, NULL, &options);
	if (options.remove || options.keep) {
		status = change(&options);
		list_free(options.remove);
		return status;
	}
	history = history_open(options.history, &error);
	if (!history || !history_list(history, &options.filter, &rows, &error))
		status = complain_error(&error);
	else
		status = options.json ? list_json(&rows) : list_table(&rows);
	if (history && rows.n == 0 && status == EXIT_SATISFIED && !options.json)
		fprintf(stderr, "sandboxeval: no such run in the history: 'sandboxeval run' keeps one\n");
	history_rows_free(&rows);
	history_close(history);
	return status;
}
