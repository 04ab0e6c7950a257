/* SPDX-License-Identifier: MIT */
#include "host/compared.h"

#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "host/suggest.h"

#define BLANKS " \t\n"

/*
 * Takes one word from `*text` on into `out`, which has room for it. False: a quote is not closed.
 */
static bool take_word(const char **text, char *out)
{
	const char *s = *text;
	char quote = '\0';

	for (; *s && (quote || !strchr(BLANKS, *s)); s++) {
		if (quote && *s == quote)
			quote = '\0';
		else if (!quote && (*s == '\'' || *s == '"'))
			quote = *s;
		else if (quote != '\'' && *s == '\\' && s[1])
			*out++ = *++s;
		else
			*out++ = *s;
	}
	*out = '\0';
	*text = s;
	return quote == '\0';
}

char **split_words(const char *text, struct error *error)
{
	char **words = new_array(1, sizeof *words);
	char *word = new_array(strlen(text) + 1, 1);

	for (const char *s = text + strspn(text, BLANKS); *s; s += strspn(s, BLANKS)) {
		if (!take_word(&s, word)) {
			error_set(error, EXIT_MISUSE, "a quote is not closed in: %s", text);
			list_free(words);
			free(word);
			return NULL;
		}
		words = list_add(words, copy_text(word));
	}
	free(word);
	return words;
}

/* ---------------------------------------------------------------- its options */

static const char *const names[] = { "image", "rootfs", "label" };
#define N_NAMES (sizeof names / sizeof *names)

static void set_option(struct compared *compared, size_t which, const char *value)
{
	const char **places[N_NAMES] = {
		&compared->request.image, &compared->request.rootfs, &compared->label,
	};

	*places[which] = value;
}

static bool unknown_word(const struct compared *compared, const char *word, struct error *error)
{
	const char *near = strncmp(word, "--", 2) == 0 ? suggest(word + 2, names, N_NAMES) : NULL;

	error_set(error, EXIT_MISUSE, "'%s' is no option of one sandbox among others (in: %s)", word,
		  compared->given);
	if (near)
		return error_hint(error, "did you mean '--%s'?", near);
	return error_hint(error, "each takes --image, --rootfs and --label; what is the engine's "
				 "stands after '--'");
}

/* One option at `*at`, its value in the same word or in the next. */
static bool parse_one(struct compared *compared, size_t *at, struct error *error)
{
	const char *word = compared->words[*at];
	size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;

	for (size_t i = 0; i < N_NAMES; i++) {
		if (length != strlen(names[i]) || strncmp(word + 2, names[i], length) != 0)
			continue;
		if (word[2 + length] == '=') {
			set_option(compared, i, word + 3 + length);
			return true;
		}
		if (!compared->words[*at + 1])
			return error_set(error, EXIT_MISUSE, "%s needs a value (in: %s)", word,
					 compared->given);
		set_option(compared, i, compared->words[++*at]);
		return true;
	}
	return unknown_word(compared, word, error);
}

bool compared_parse(struct compared *compared, const char *given, struct error *error)
{
	size_t at = 1;
	char *name;

	*compared = (struct compared){ .given = given };
	name = copy_bytes(given, strcspn(given, BLANKS));
	compared->sandbox = sandbox_find(name);
	free(name);
	/* A run's label may hold anything, quotes too: it is not split. */
	if (!compared->sandbox)
		return true;
	compared->words = split_words(given, error);
	if (!compared->words)
		return false;
	for (; compared->words[at] && strcmp(compared->words[at], "--") != 0; at++)
		if (!parse_one(compared, &at, error))
			return false;
	at += compared->words[at] != NULL;
	compared->request.arguments = compared->words + at;
	compared->request.n_arguments = (unsigned)list_length(compared->words + at);
	return true;
}

void compared_free(struct compared *compared)
{
	list_free(compared->words);
	*compared = (struct compared){ 0 };
}
