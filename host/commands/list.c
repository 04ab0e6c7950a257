/* SPDX-License-Identifier: MIT */
/*
 * sandboxeval list: the catalogue, by category. On a terminal it is a table for people; through
 * a pipe every line is one scenario, with the title last, so that cut and awk can read it.
 */
#include <argp.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "host/catalogue.h"
#include "host/commands/commands.h"
#include "host/commands/words.h"
#include "host/error.h"
#include "host/memory.h"
#include "host/screen.h"
#include "host/table.h"

struct options {
	bool json;
	enum level level;
	char *const *wanted; /* categories and ids, NULL-terminated */
};

static const struct argp_option option_table[] = {
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ "level", 'l', "LEVEL", 0,
	  "Only what this level attempts: observe, touch or act (default: everything)", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	int level;

	switch (key) {
	case 'j':
		options->json = true;
		return 0;
	case 'l':
		level = level_from_name(value);
		if (level < 0)
			argp_error(state, "'%s' is no level: observe, touch or act", value);
		options->level = (enum level)level;
		return 0;
	case ARGP_KEY_ARGS:
		options->wanted = state->argv + state->next;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static bool is_selected(const struct options *options, const struct catalogue_entry *entry)
{
	bool named = !options->wanted;

	for (size_t i = 0; options->wanted && options->wanted[i]; i++)
		named = named || catalogue_selects(options->wanted[i], entry);
	return named && entry->level <= options->level;
}

/* ---------------------------------------------------------------- JSON */

static json_t *case_list(const struct catalogue_entry *entry)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < entry->n_cases; i++)
		json_array_append_new(array,
				      json_pack("{ss ss ss}", "case", entry->cases[i].name,
						"severity", severity_name(entry->cases[i].severity),
						"level", level_name(entry->cases[i].level)));
	return array;
}

static json_t *need_list(unsigned needs)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < N_NEEDS; i++)
		if (needs & (1U << i))
			json_array_append_new(array, json_string(need_name(i)));
	return array;
}

static int list_json(const struct options *options)
{
	json_t *array = json_array();
	int failed;

	for (unsigned i = 0; i < catalogue_count; i++) {
		const struct catalogue_entry *entry = &catalogue[i];

		if (is_selected(options, entry))
			json_array_append_new(
				array, json_pack("{ss ss ss ss ss so ss? so}", "id", entry->id,
						 "category", entry->category, "title", entry->title,
						 "severity", severity_name(entry->severity),
						 "level", level_name(entry->level),
						 "needs", need_list(entry->needs),
						 "paper", entry->paper, "cases", case_list(entry)));
	}
	failed = json_dumpf(array, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(array);
	return failed ? complain_output() : EXIT_SATISFIED;
}

/* ---------------------------------------------------------------- the table */

/* Under a heading the category would only be repeated; in a pipe there are no headings. */
static void add_row(struct table *table, const struct catalogue_entry *entry, bool headed)
{
	const char *dot = headed ? strchr(entry->id, '.') : NULL;
	char *name = headed ? print_text("  %s", dot ? dot + 1 : entry->id) : copy_text(entry->id);
	char *cases = entry->n_cases ? print_text("%u", entry->n_cases) : copy_text("-");

	table_cell(table, 0, INK_PLAIN, name);
	table_cell(table, 1, severity_ink(entry->severity), severity_name(entry->severity));
	table_cell(table, 2, INK_PLAIN, level_name(entry->level));
	table_cell(table, 3, INK_FAINT, cases);
	table_cell(table, 4, INK_PLAIN, entry->title);
	table_end_row(table);
	free(cases);
	free(name);
}

static int list_table(const struct options *options)
{
	struct screen screen = screen_of(stdout);
	struct table *table = table_new(&screen, 5, screen.width ? 4 : TABLE_COLUMNS);
	const char *category = "";
	unsigned n = 0, cases = 0, paper = 0;
	bool printed;

	table_align_right(table, 3);
	for (unsigned i = 0; i < catalogue_count; i++) {
		const struct catalogue_entry *entry = &catalogue[i];

		if (!is_selected(options, entry))
			continue;
		if (screen.width && strcmp(category, entry->category) != 0)
			table_heading(table, entry->category, NULL);
		category = entry->category;
		add_row(table, entry, screen.width > 0);
		n++;
		cases += entry->n_cases;
		paper += entry->paper != NULL;
	}
	printed = table_print(table);
	table_free(table);
	if (screen.width) {
		putchar('\n');
		screen_print(&screen, INK_FAINT, "%u scenarios (%u of them the paper's), %u cases", n,
			     paper, cases);
		putchar('\n');
	}
	return printed ? EXIT_SATISFIED : complain_output();
}

int command_list(int argc, char *argv[])
{
	static const struct argp argp = {
		option_table, parse_option, "[CATEGORY|ID]...",
		"List what is tried: id, severity, level, number of cases, title.", NULL, NULL, NULL
	};
	struct options options = { .level = LEVEL_ACT };

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	for (size_t i = 0; options.wanted && options.wanted[i]; i++) {
		char *unknown = catalogue_unknown_element(options.wanted[i]);

		if (unknown) {
			int status = complain_unknown_word(unknown, WORDS_IDS | WORDS_CATEGORIES);

			free(unknown);
			return status;
		}
	}
	return options.json ? list_json(&options) : list_table(&options);
}
