/* SPDX-License-Identifier: MIT */
/*
 * sandboxeval sandboxes: which launchers can run here, in which version, and what the others
 * lack and how to get it.
 */
#include <argp.h>
#include <jansson.h>
#include <string.h>

#include "host/commands/commands.h"
#include "host/commands/words.h"
#include "host/error.h"
#include "host/sandbox.h"
#include "host/screen.h"
#include "host/table.h"

static const struct argp_option option_table[] = {
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	bool *json = state->input;

	if (key == ARGP_KEY_ARG)
		argp_error(state, "unexpected argument '%s'", value);
	if (key != 'j')
		return ARGP_ERR_UNKNOWN;
	*json = true;
	return 0;
}

static struct engine find_engine(const struct sandbox *sandbox)
{
	struct engine engine = { .available = !sandbox->find };

	if (sandbox->find)
		sandbox->find(&engine);
	return engine;
}

static json_t *text_or_null(const char *text)
{
	/* An engine's version is whatever the engine printed, UTF-8 or not. */
	json_t *string = text && *text ? json_string(text) : NULL;

	return string ? string : json_null();
}

static int list_json(void)
{
	json_t *array = json_array();
	int failed;

	for (const struct sandbox_row *row = sandboxes; row->sandbox; row++) {
		struct engine engine = find_engine(row->sandbox);

		json_array_append_new(array,
				      json_pack("{ss ss ss sb so so so}",
						"name", row->sandbox->name,
						"title", row->sandbox->title,
						"summary", row->sandbox->summary,
						"available", engine.available,
						"version", text_or_null(engine.version),
						"lacks", text_or_null(engine.lacks),
						"defaults", text_or_null(row->sandbox->defaults)));
	}
	failed = json_dumpf(array, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII);
	putchar('\n');
	json_decref(array);
	return failed ? complain_output() : EXIT_SATISFIED;
}

static int list_table(void)
{
	struct screen screen = screen_of(stdout);
	struct table *table = table_new(&screen, 4, 3);
	bool printed;

	table_may_wrap(table, 2, 28);
	for (const struct sandbox_row *row = sandboxes; row->sandbox; row++) {
		struct engine engine = find_engine(row->sandbox);

		table_cell(table, 0, INK_BOLD, row->sandbox->name);
		table_cell(table, 1, engine.available ? INK_GOOD : INK_WARN,
			   engine.available ? "yes" : "no");
		table_cell(table, 2, INK_PLAIN, *engine.version ? engine.version : "-");
		table_cell(table, 3, INK_PLAIN,
			   *engine.lacks ? engine.lacks : row->sandbox->summary);
		table_end_row(table);
	}
	printed = table_print(table);
	table_free(table);
	return printed ? EXIT_SATISFIED : complain_output();
}

int command_sandboxes(int argc, char *argv[])
{
	static const struct argp argp = {
		option_table, parse_option, NULL,
		"List the launchers: name, whether it can run here, version, and what it does or lacks.",
		NULL, NULL, NULL
	};
	bool json = false;

	argp_parse(&argp, argc, argv, 0, NULL, &json);
	return json ? list_json() : list_table();
}
