/* SPDX-License-Identifier: MIT */
/*
 * Text for a terminal. Whatever came from inside a sandbox goes through here before it is
 * printed: control characters, marks that reorder or hide text, and bytes that are not UTF-8
 * become visible escapes, so that nothing can move the cursor or pass for our own words.
 *
 *	char *safe = escape_terminal(path, true);     "a\x1b[2J" becomes "a\x1b[2J", visibly
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * A malloc'd copy that is safe to print. Without `utf8` the copy is pure ASCII: what has a
 * plain likeness (a dash, an ellipsis) gets it, the rest is escaped as \u{…}.
 */
char *escape_terminal(const char *text, bool utf8);

/* The columns that a safe text takes; counts each code point as the locale's wcwidth does. */
size_t text_columns(const char *text);
