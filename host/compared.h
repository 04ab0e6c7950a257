/* SPDX-License-Identifier: MIT */
/*
 * One thing to compare, as the user wrote it in one argument: a sandbox with its own options and
 * engine arguments, split as a shell would split it, or a RUN (host/named_run.h).
 *
 *	struct compared compared;
 *	if (!compared_parse(&compared, "docker --image debian -- --network none", error))
 *		return false;
 *	compared.sandbox != NULL: launch it with compared.request; else it is a RUN
 *	compared_free(&compared);
 */
#pragma once

#include "host/sandbox.h"

struct compared {
	const char *given;             /* as written; borrowed */
	const struct sandbox *sandbox; /* NULL: a RUN */
	struct sandbox_request request;
	const char *label;             /* or NULL */
	char **words;                  /* what the others point into */
};

bool compared_parse(struct compared *compared, const char *given, struct error *error);
void compared_free(struct compared *compared);
/* Splits at blanks; quotes and backslashes as in a shell, and nothing else of a shell. */
char **split_words(const char *text, struct error *error);
