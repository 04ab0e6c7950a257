/* SPDX-License-Identifier: MIT */
/*
 * Where text for people goes: how wide it is, whether colour and more than ASCII are welcome,
 * and paragraphs that are wrapped to it. Every text is escaped on its way (host/escape.h).
 *
 *	struct screen screen = screen_of(stdout);
 *	screen_paragraph(&screen, 4, "why", 12, entry->why);
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/vocabulary.h"

enum ink { INK_PLAIN, INK_BOLD, INK_FAINT, INK_GOOD, INK_WARN, INK_BAD };
#define N_INKS 6

/* The ink of a severity, the same in every table. */
enum ink severity_ink(enum severity severity);

struct screen {
	FILE *out;
	bool color, utf8;
	unsigned width; /* columns; 0: not a terminal */
};

/* What the stream is; NO_COLOR, TERM=dumb and COLUMNS are obeyed. */
struct screen screen_of(FILE *out);
bool locale_is_utf8(void);
/* The width to wrap to: the terminal's, 100 when there is none. */
unsigned screen_columns(const struct screen *screen);

/* Prints escaped text in an ink, nothing around it. */
void screen_put(const struct screen *screen, enum ink ink, const char *text);
/* The same, formatted: for our own words and numbers. */
void screen_print(const struct screen *screen, enum ink ink, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * A paragraph: `label` (may be NULL or "") stands at column `indent`, the text begins at column
 * `hang` of the same line and is wrapped there, at 100 columns on a wider screen. A word wider
 * than the line is not broken, so that paths and commands can be copied. Text without a word
 * prints the label alone.
 */
void screen_paragraph(const struct screen *screen, unsigned indent, const char *label,
		      unsigned hang, const char *text);
