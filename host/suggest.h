/* SPDX-License-Identifier: MIT */
/*
 * "Did you mean …?": the candidate nearest to a mistyped word.
 *
 *	const char *near = suggest(word, names, n);    NULL: nothing is near
 */
#pragma once

#include <stddef.h>

/* Letters to insert, remove, replace or swap with a neighbour, at most 64 of each word. */
size_t edit_distance(const char *one, const char *other);
/* The nearest of `n` names if it is near enough to be meant; earlier among equals. */
const char *suggest(const char *word, const char *const names[], size_t n);
