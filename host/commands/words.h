/* SPDX-License-Identifier: MIT */
/*
 * Words that the user may type for something in the catalogue, and what to say when one is not
 * known: the nearest word that is.
 *
 *	if (!entry)
 *		return complain_unknown_word(word, WORDS_IDS | WORDS_BARRIERS);
 */
#pragma once

#include "host/error.h"

enum words {
	WORDS_IDS = 1 << 0,
	WORDS_CATEGORIES = 1 << 1,
	WORDS_BARRIERS = 1 << 2,
	WORDS_REASONS = 1 << 3,
};

/* Says on standard error that the output could not be made. Returns EXIT_INTERNAL. */
int complain_output(void);
/* Says on standard error that the word is not known and what is near. Returns EXIT_MISUSE. */
int complain_unknown_word(const char *word, unsigned words);
/* Says on standard error why a file of the owner (a policy, targets) could not be opened. Returns the exit status. */
int complain_file(char *const faults[], const struct error *error);
/* The same for a list of ids and categories (or NULL), where it may also be EXIT_SATISFIED. */
int complain_unknown_selection(const char *list);
