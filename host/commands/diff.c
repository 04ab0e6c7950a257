/* SPDX-License-Identifier: MIT */
/*
 * sandboxeval diff: what changed between two runs, by scenario and case: what opened, what
 * closed, which barriers went or came. Without --fail-on a difference is no failure.
 */
#include <argp.h>
#include <jansson.h>
#include <string.h>

#include "host/commands/commands.h"
#include "host/commands/options.h"
#include "host/commands/words.h"
#include "host/difference_text.h"
#include "host/named_run.h"

enum gate { GATE_NONE, GATE_NEW, GATE_CHANGE };

struct options {
	const char *history, *runs[2];
	bool json, evidence;
	enum gate gate;
};

enum { KEY_HISTORY = 0x100, KEY_FAIL_ON };

static const struct argp_option option_table[] = {
	{ "evidence", 'e', NULL, 0, "Also what was seen otherwise where the answer is the same", 0 },
	{ "fail-on", KEY_FAIL_ON, "WHAT", 0,
	  "End with 1 on: new (something is open that was not seen to be), change (anything "
	  "differs)", 0 },
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ "history", KEY_HISTORY, "FILE", 0, "The history's file", 0 },
	{ 0 },
};

static enum gate parse_gate(struct argp_state *state, const char *value)
{
	if (strcmp(value, "new") == 0)
		return GATE_NEW;
	if (strcmp(value, "change") != 0)
		argp_error(state, "--fail-on takes new or change, not '%s'", value);
	return GATE_CHANGE;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'e':
		options->evidence = true;
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case KEY_FAIL_ON:
		options->gate = parse_gate(state, value);
		return 0;
	case KEY_HISTORY:
		options->history = value;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 1)
			argp_error(state, "two runs, not three; 'sandboxeval compare' takes many");
		options->runs[state->arg_num] = value;
		return 0;
	case ARGP_KEY_END:
		if (!options->runs[1])
			argp_error(state, "which two runs? 'sandboxeval history' lists them");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
	option_table, parse_option, "BEFORE AFTER",
	"Tell what changed between two runs: what opened, what closed, which barriers went or came. "
	"A run is a number, an id, a label (its newest run), 'latest', 'latest~1' (the one before), "
	"or the path of a JSON report. What is unknown is never taken for closed."
	"\v"
	"Exit status: 0, whatever differs, unless --fail-on is given; 64 no such run.\n\n"
	"Examples:\n"
	"  sandboxeval diff latest~1 latest\n"
	"  sandboxeval diff before.json after.json --fail-on new\n",
	NULL, NULL, NULL,
};

static bool print_json(const struct difference_view *view)
{
	json_t *object = difference_json(view);
	bool printed = object && json_dumpf(object, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII |
								    JSON_REAL_PRECISION(12)) == 0;

	putchar('\n');
	json_decref(object);
	return printed;
}

static bool is_refused(enum gate gate, const struct difference *difference)
{
	unsigned opened = difference->count[CHANGE_OPENED] + difference->count[CHANGE_FOUND_OPEN];

	return (gate == GATE_NEW && opened > 0) ||
	       (gate == GATE_CHANGE && difference->count[CHANGE_NONE] < difference->n);
}

static int tell(const struct options *options, const struct named_run *before,
		const struct named_run *after)
{
	struct difference difference = difference_of(before->run, after->run);
	struct difference_view view = {
		.before = before->run, .after = after->run,
		.before_name = before->name, .after_name = after->name,
		.difference = &difference, .evidence = options->evidence,
	};
	struct screen screen = screen_of(stdout);
	bool printed = options->json ? print_json(&view) : difference_print(&screen, &view);
	bool refused = is_refused(options->gate, &difference);

	difference_free(&difference);
	if (!printed)
		return complain_output();
	return refused ? EXIT_VIOLATED : EXIT_SATISFIED;
}

int command_diff(int argc, char *argv[])
{
	struct named_run before = { 0 }, after = { 0 };
	struct options options = { 0 };
	struct error error = { 0 };
	int status;

	if (!options_are_known(option_table, argc, argv))
		return EXIT_MISUSE;
	argp_parse(&parser, argc, argv, 0, NULL, &options);
	if (named_run_get(&before, options.runs[0], options.history, &error) &&
	    named_run_get(&after, options.runs[1], options.history, &error))
		status = tell(&options, &before, &after);
	else
		status = complain_error(&error);
	named_run_free(&before);
	named_run_free(&after);
	return status;
}
