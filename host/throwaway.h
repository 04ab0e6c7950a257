/* SPDX-License-Identifier: MIT */
/*
 * Throw-away folders: made with a name that nobody can guess, mode 0755, and removed whole.
 *
 *	char *folder = throwaway_folder("/tmp", error);
 *	…
 *	throwaway_remove(folder);               frees the path; accepts NULL
 *
 * Interrupts are only noted (see child.h), so that removal in the normal way out is enough.
 */
#pragma once

#include <stddef.h>

#include "host/error.h"

/* Below `parent`, or with NULL the first place that takes one ($TMPDIR, /tmp, …). NULL: error. */
char *throwaway_folder(const char *parent, struct error *error);
void throwaway_remove(char *folder);
/* The places tried, in order; entries may be missing ($TMPDIR unset). Returns how many. */
#define THROWAWAY_PLACES 5
unsigned throwaway_places(const char *places[THROWAWAY_PLACES]);
/* `n` random bytes as 2n hexadecimal digits and NUL. Ends the program if the kernel has none. */
void random_digits(char *digits, size_t n);
