/* SPDX-License-Identifier: MIT */
/*
 * sandboxeval show and report: a run of the past, or a JSON report, rendered again. Nothing is
 * measured and nothing launched.
 */
#include <argp.h>
#include <jansson.h>
#include <stdlib.h>

#include "host/commands/commands.h"
#include "host/commands/options.h"
#include "host/memory.h"
#include "host/named_run.h"
#include "host/report_file.h"
#include "host/screen.h"

struct options {
	const char *run, *history;
	char **reports;
	bool json;
};

enum { KEY_HISTORY = 0x100 };

#define RUN_IN_SHORT \
	"RUN is a number, an id, a label (its newest run), 'latest', 'latest~1' (the one before), " \
	"or the path of a JSON report."
static const struct argp_option history_option = {
	"history", KEY_HISTORY, "FILE", 0, "The history's file", 0
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'j':
		options->json = true;
		return 0;
	case 'r':
		options->reports = list_add(options->reports, copy_text(value));
		return 0;
	case KEY_HISTORY:
		options->history = value;
		return 0;
	case ARGP_KEY_ARG:
		if (options->run)
			argp_error(state, "one run at a time: '%s' is a second one", value);
		options->run = value;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which run? 'sandboxeval history' lists them; 'latest' is the newest");
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static bool write_all(const struct options *options, const struct named_run *named,
		      struct report_file files[], struct error *error)
{
	struct screen screen = screen_of(stdout);
	struct report_context context = {
		.run = named->run,
		.sandbox = named->run->sandbox ? sandbox_find(named->run->sandbox) : NULL,
		.color = screen.color,
		.width = screen.width,
	};

	for (size_t i = 0; i < list_length(options->reports); i++)
		if (!report_file_open(&files[i], options->reports[i], error))
			return false;
	for (size_t i = 0; i < list_length(options->reports); i++)
		if (!report_file_write(&files[i], &context, error))
			return false;
	return true;
}

static int render(const struct options *options)
{
	size_t n = list_length(options->reports);
	struct report_file *files = new_array(n, sizeof *files);
	struct named_run named = { 0 };
	struct error error = { 0 };
	bool written = named_run_get(&named, options->run, options->history, &error) &&
		       write_all(options, &named, files, &error);

	for (size_t i = 0; i < n; i++)
		report_file_close(&files[i]);
	free(files);
	named_run_free(&named);
	return written ? EXIT_SATISFIED : complain_error(&error);
}

int command_show(int argc, char *argv[])
{
	const struct argp_option table[] = {
		{ "json", 'j', NULL, 0, "Print the JSON report", 0 }, history_option, { 0 },
	};
	const struct argp argp = {
		table, parse_option, "RUN",
		"Show the report of a run of the past. " RUN_IN_SHORT
		"\v"
		"Examples:\n"
		"  sandboxeval show latest\n"
		"  sandboxeval show report.json\n",
		NULL, NULL, NULL,
	};
	struct options options = { 0 };
	int status;

	if (!options_are_known(table, argc, argv))
		return EXIT_MISUSE;
	argp_parse(&argp, argc, argv, 0, NULL, &options);
	options.reports = list_add(NULL, copy_text(options.json ? "json" : "terminal"));
	status = render(&options);
	list_free(options.reports);
	return status;
}

int command_report(int argc, char *argv[])
{
	const struct argp_option table[] = {
		{ "report", 'r', "FORMAT[=FILE]", 0,
		  "Write this report; may be given several times. Without a file, or with '-', to "
		  "standard output ('sandboxeval run --help' names the formats)", 0 },
		history_option, { 0 },
	};
	const struct argp argp = {
		table, parse_option, "RUN",
		"Write reports of a run of the past. " RUN_IN_SHORT
		"\v"
		"Examples:\n"
		"  sandboxeval report latest --report json=report.json\n"
		"  sandboxeval report nightly~1 --report terminal\n",
		NULL, NULL, NULL,
	};
	struct options options = { 0 };
	int status;

	if (!options_are_known(table, argc, argv))
		return EXIT_MISUSE;
	argp_parse(&argp, argc, argv, 0, NULL, &options);
	if (options.reports) {
		status = render(&options);
	} else {
		fputs("sandboxeval report: which format? --report FORMAT=FILE\n", stderr);
		status = EXIT_MISUSE;
	}
	list_free(options.reports);
	return status;
}
