/* SPDX-License-Identifier: MIT */
/*
 * An error is a sentence that names the thing, the cause and the way out, and the exit status it
 * leads to. Library code fills it and returns false; only commands print it.
 *
 *	if (!open_it(path, error))
 *		return false;
 *	return error_set(error, EXIT_INCOMPLETE, "cannot start %s: %s", name, strerror(errno));
 */
#pragma once

#include <stdbool.h>

/* The exit status of the program: a contract (see the README). */
enum exit_status {
	EXIT_SATISFIED = 0,
	EXIT_VIOLATED = 1,
	EXIT_INCOMPLETE = 2,
	EXIT_MISUSE = 64,
	EXIT_INTERNAL = 70,
	EXIT_INTERRUPTED = 130,
};

struct error {
	enum exit_status status;
	char text[1024];
	char hint[512]; /* the way out; "" when there is none */
};

/* Fills the error and returns false, so that "return error_set(…)" reads well. */
bool error_set(struct error *error, enum exit_status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds the way out ("install it with: apt-get install bubblewrap"). Returns false. */
bool error_hint(struct error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Puts context before the text: "cannot assess bwrap: " + text. Returns false. */
bool error_context(struct error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
