/* SPDX-License-Identifier: MIT */
/*
 * Text for GitHub-flavoured Markdown. Text of others goes into code, where nothing means anything
 * and nobody is mentioned; what a reader could not see becomes a visible escape (host/escape.h).
 *
 *	markdown_put(out, entry->title);            our own prose, in a paragraph or a table
 *	markdown_put_code(out, path, 200);          anything, as `code`
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

/*
 * Prose that Markdown leaves as it is. GitHub looks for mentions and references in what Markdown
 * has made of it, so this is no place for text of others.
 */
void markdown_put(FILE *out, const char *text);
/* A code span of at most `limit` bytes of text. A bar, which would end a cell, becomes "¦". */
void markdown_put_code(FILE *out, const char *text, size_t limit);
