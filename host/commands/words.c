/* SPDX-License-Identifier: MIT */
#include "host/commands/words.h"

#include <stdlib.h>
#include <string.h>

#include "host/catalogue.h"
#include "host/error.h"
#include "host/memory.h"
#include "host/screen.h"
#include "host/suggest.h"

/* All known words of the kinds; malloc'd, the strings are borrowed. */
static const char **known_words(unsigned words, size_t *ret_n)
{
	const char **known =
		new_array(2 * catalogue_count + N_BARRIERS + N_REASONS, sizeof *known);
	const char *category = "";
	size_t n = 0;

	for (unsigned i = 0; i < catalogue_count; i++) {
		if (words & WORDS_IDS)
			known[n++] = catalogue[i].id;
		if ((words & WORDS_CATEGORIES) && strcmp(category, catalogue[i].category) != 0)
			known[n++] = catalogue[i].category;
		category = catalogue[i].category;
	}
	for (unsigned b = 0; (words & WORDS_BARRIERS) && b < N_BARRIERS; b++)
		known[n++] = barrier_name((enum barrier)b);
	for (unsigned r = 0; (words & WORDS_REASONS) && r < N_REASONS; r++)
		known[n++] = reason_name((enum reason)r);
	*ret_n = n;
	return known;
}

int complain_output(void)
{
	fputs("sandboxeval: cannot write the output\n", stderr);
	return EXIT_INTERNAL;
}

int complain_unknown_word(const char *word, unsigned words)
{
	struct screen screen = { .out = stderr, .utf8 = locale_is_utf8() };
	size_t n;
	const char **known = known_words(words, &n);
	const char *near = suggest(word, known, n);

	screen_print(&screen, INK_PLAIN, "sandboxeval: there is no '%s' in the catalogue", word);
	if (near)
		screen_print(&screen, INK_PLAIN, "; did you mean '%s'?", near);
	else
		screen_put(&screen, INK_PLAIN, "; 'sandboxeval list' shows what there is");
	fputc('\n', stderr);
	free(known);
	return EXIT_MISUSE;
}

int complain_file(char *const faults[], const struct error *error)
{
	struct screen screen = { .out = stderr, .utf8 = locale_is_utf8() };

	/* "file:line:column: …" at the start of the line is what editors look for. */
	for (size_t i = 0; faults && faults[i]; i++) {
		screen_put(&screen, INK_PLAIN, faults[i]);
		fputc('\n', stderr);
	}
	if (!faults) {
		screen_print(&screen, INK_PLAIN, "sandboxeval: %s", error->text);
		fputs(error->hint[0] ? "; " : "", stderr);
		screen_put(&screen, INK_PLAIN, error->hint);
		fputc('\n', stderr);
	}
	return faults ? EXIT_MISUSE : (int)error->status;
}

int complain_unknown_selection(const char *list)
{
	char *unknown = list ? catalogue_unknown_element(list) : NULL;
	int status = unknown ? complain_unknown_word(unknown, WORDS_IDS | WORDS_CATEGORIES) :
			       EXIT_SATISFIED;

	free(unknown);
	return status;
}
