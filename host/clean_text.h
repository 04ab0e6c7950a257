/* SPDX-License-Identifier: MIT */
/*
 * Text that came from inside, made fit to be shown: what a terminal would obey (control
 * characters, C1 too), what reorders or hides text (bidirectional marks, zero-width characters,
 * tags), what XML forbids (U+FFFE, U+FFFF) and broken UTF-8 become U+FFFD; the rest stays.
 *
 *	char *shown = clean_text(bytes, n, 300);    at most 300 bytes, "…" when it was cut
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A malloc'd, valid UTF-8 text without line breaks, of at most `limit` bytes (and the ellipsis). */
char *clean_text(const char *bytes, size_t n, size_t limit);
/* Blanks at both ends gone, runs of them become one, line breaks become " / ". For error output. */
char *clean_lines(const char *bytes, size_t n, size_t limit);
