/* SPDX-License-Identifier: MIT */
#include "host/suggest.h"

#include <string.h>

#define LONGEST 64

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t edit_distance(const char *one, const char *other)
{
	size_t n = strnlen(one, LONGEST), m = strnlen(other, LONGEST);
	size_t rows[LONGEST + 1][LONGEST + 1];

	for (size_t i = 0; i <= n; i++)
		rows[i][0] = i;
	for (size_t j = 0; j <= m; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		for (size_t j = 1; j <= m; j++) {
			size_t cost = one[i - 1] != other[j - 1];

			rows[i][j] = least(least(rows[i - 1][j], rows[i][j - 1]) + 1,
					   rows[i - 1][j - 1] + cost);
			if (i > 1 && j > 1 && one[i - 1] == other[j - 2] &&
			    one[i - 2] == other[j - 1])
				rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1);
		}
	}
	return rows[n][m];
}

const char *suggest(const char *word, const char *const names[], size_t n)
{
	size_t length = strnlen(word, LONGEST), best = 1 + length / 4;
	const char *nearest = NULL;

	/* A distance as long as the word itself says nothing about it. */
	if (best >= length)
		best = length ? length - 1 : 0;
	for (size_t i = 0; i < n; i++) {
		size_t distance = edit_distance(word, names[i]);

		if (distance < best || (distance == best && !nearest && best > 0)) {
			best = distance;
			nearest = names[i];
		}
	}
	return nearest;
}
