/* SPDX-License-Identifier: MIT */
#include "host/markdown.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "host/escape.h"
#include "host/report_text.h"

void markdown_put(FILE *out, const char *text)
{
	char *safe = escape_terminal(text, true);

	/* As numbers, these are never part of a structure: not even of a table. */
	for (const char *s = safe; *s; s++) {
		if (strchr("&<>|*_`[]\\~@#$", *s))
			fprintf(out, "&#%d;", *s);
		else
			fputc(*s, out);
	}
	free(safe);
}

/* The fence must be longer than any run of backticks inside. */
static size_t longest_run(const char *text)
{
	size_t longest = 0, run = 0;

	for (; *text; text++) {
		run = *text == '`' ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest;
}

void markdown_put_code(FILE *out, const char *text, size_t limit)
{
	char *safe = short_text(text, limit);
	size_t fence = longest_run(safe) + 1, n = strlen(safe);
	/* Markdown takes one blank from both ends: of those that we add, or of the text's own. */
	bool padded = n == 0 || *safe == '`' || *safe == ' ' || safe[n - 1] == '`' ||
		      safe[n - 1] == ' ';

	for (size_t i = 0; i < fence; i++)
		fputc('`', out);
	fputs(padded ? " " : "", out);
	/* A cell ends at a bar even inside code, and outside of a table its escape would show. */
	for (const char *s = safe; *s; s++) {
		if (*s == '|')
			fputs("¦", out);
		else
			fputc(*s, out);
	}
	fputs(padded ? " " : "", out);
	for (size_t i = 0; i < fence; i++)
		fputc('`', out);
	free(safe);
}
