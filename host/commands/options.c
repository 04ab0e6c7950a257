/* SPDX-License-Identifier: MIT */
#include "host/commands/options.h"

#include <stdlib.h>
#include <string.h>

#include "host/screen.h"
#include "host/suggest.h"

#define MOST_OPTIONS 64

static const struct argp_option *find_option(const struct argp_option table[], const char *word,
					     size_t length)
{
	for (const struct argp_option *o = table; o->name || o->doc; o++)
		if (o->name && strncmp(o->name, word, length) == 0)
			return o;
	return NULL;
}

static const char *nearest_option(const struct argp_option table[], const char *word)
{
	const char *names[MOST_OPTIONS];
	size_t n = 0;

	for (const struct argp_option *o = table; (o->name || o->doc) && n < MOST_OPTIONS; o++)
		if (o->name)
			names[n++] = o->name;
	return suggest(word, names, n);
}

bool options_are_known(const struct argp_option table[], int argc, char *argv[])
{
	struct screen screen = { .out = stderr, .utf8 = locale_is_utf8() };

	for (int i = 1; i < argc; i++) {
		const char *word = argv[i] + 2, *near;
		size_t length;
		const struct argp_option *option;

		if (strncmp(argv[i], "--", 2) != 0 || strcmp(word, "help") == 0 ||
		    strcmp(word, "usage") == 0)
			continue;
		length = strcspn(word, "=");
		option = find_option(table, word, length);
		if (option && option->arg && !word[length])
			i++;
		near = option ? NULL : nearest_option(table, word);
		if (!near)
			continue;
		/* argv[0] is "sandboxeval run". */
		screen_print(&screen, INK_PLAIN, "%s: there is no option '--%.*s'; did you mean '--%s'?",
			     argv[0], (int)length, word, near);
		fputc('\n', stderr);
		return false;
	}
	return true;
}

int option_words(const struct argp_option table[], int argc, char *argv[], int place)
{
	const char *word = argv[place];
	const struct argp_option *option = NULL;
	bool is_long = strncmp(word, "--", 2) == 0, joined;

	if (word[0] != '-' || !word[1])
		return 0;
	if (strcmp(word, "--help") == 0 || strcmp(word, "--usage") == 0 || strcmp(word, "-?") == 0)
		return 1;
	if (is_long)
		option = find_option(table, word + 2, strcspn(word + 2, "="));
	for (const struct argp_option *o = table; !is_long && (o->name || o->doc); o++)
		if (o->name && o->key == word[1])
			option = o;
	if (!option)
		return 0;
	joined = is_long ? strchr(word, '=') != NULL : word[2] != '\0';
	return option->arg && !joined && place + 1 < argc ? 2 : 1;
}

int find_foreign_option(const struct argp_option table[], int first, int argc, char *argv[])
{
	for (int i = first, n; i < argc; i += n ? n : 1) {
		n = option_words(table, argc, argv, i);
		if (n || argv[i][0] != '-' || !argv[i][1])
			continue;
		if (strncmp(argv[i], "--", 2) != 0 || !nearest_option(table, argv[i] + 2))
			return i;
	}
	return 0;
}

int complain_error(const struct error *error)
{
	struct screen screen = { .out = stderr, .utf8 = locale_is_utf8() };

	screen_print(&screen, INK_PLAIN, "sandboxeval: %s", error->text);
	fputc('\n', stderr);
	if (error->hint[0]) {
		screen_print(&screen, INK_PLAIN, "sandboxeval: %s", error->hint);
		fputc('\n', stderr);
	}
	return (int)error->status;
}

unsigned parse_count(struct argp_state *state, const char *option, const char *value,
		     unsigned least, unsigned most)
{
	char *end;
	unsigned long number = strtoul(value, &end, 10);

	if (end == value || *end || *value == '-' || number < least || number > most)
		argp_error(state, "%s takes a whole number from %u to %u, not '%s'", option, least,
			   most, value);
	return (unsigned)number;
}

enum level parse_level(struct argp_state *state, const char *value)
{
	int level = level_from_name(value);

	if (level < 0)
		argp_error(state, "'%s' is no level: observe, touch or act", value);
	return (enum level)level;
}
