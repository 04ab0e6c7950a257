/* SPDX-License-Identifier: MIT */
/*
 * Text for XML and HTML. A format string is markup, every string given to it is text: it is
 * escaped, so that nothing from inside a sandbox can become an element, an attribute or a
 * reference. What a reader could not see (control characters, marks that reorder or hide text,
 * bytes that are not UTF-8) becomes a visible escape, as on a terminal (host/escape.h).
 *
 *	markup_print(out, "<td title=\"%s\">%s of %u</td>", path, name, n);
 */
#pragma once

#include <stdio.h>

/* A malloc'd text that may stand between tags and, in either kind of quotes, in an attribute. */
char *markup_text(const char *text);
void markup_put(FILE *out, const char *text);
/*
 * Knows %s (escaped, and cut where it is longer than a person would read), %u, %zu and %%;
 * anything else ends the program: the format is our own.
 */
#define MARKUP_MOST_TEXT 2000
void markup_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
