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
	bool json;
};

enum { KEY_HISTORY = 0x100, KEY_SANDBOX, KEY_LABEL };

static const struct argp_option option_table[] = {
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ "limit", 'n', "N", 0, "Only the newest N", 0 },
	{ "sandbox", KEY_SANDBOX, "NAME", 0, "Only runs of this sandbox", 0 },
	{ "label", KEY_LABEL, "TEXT", 0, "Only runs with this label", 0 },
	{ "history", KEY_HISTORY, "FILE", 0,
	  "The history's file ($XDG_DATA_HOME/sandboxeval/history.db, or below ~/.local/share)", 0 },
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
