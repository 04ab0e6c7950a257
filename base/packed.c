/* SPDX-License-Identifier: MIT */
#include "base/packed.h"

#include <string.h>

enum { LITERALS_MOST = 128, COPY_LEAST = 4, COPY_MOST = 131, COPY = 124, FARTHEST = 65535 };

struct copy {
	size_t length, distance;
};

/* The longest that repeats what stands at `at`. */
static struct copy find_copy(const uint8_t *text, size_t n, size_t at)
{
	struct copy best = { 0, 0 };

	for (size_t distance = 1; distance <= at && distance <= FARTHEST; distance++) {
		size_t length = 0;

		while (length < COPY_MOST && at + length < n &&
		       text[at + length] == text[at + length - distance])
			length++;
		if (length > best.length)
			best = (struct copy){ length, distance };
	}
	return best;
}

static size_t put_literals(const uint8_t *text, size_t n, uint8_t *packed)
{
	size_t used = 0;

	for (size_t part; n > 0; n -= part, text += part, used += part) {
		part = n < LITERALS_MOST ? n : LITERALS_MOST;
		packed[used++] = (uint8_t)(part - 1);
		memcpy(packed + used, text, part);
	}
	return used;
}

size_t pack(const uint8_t *text, size_t n, uint8_t *packed)
{
	size_t used = 0, literals = 0; /* literals: bytes before `at` that wait to be written */

	for (size_t at = 0; at < n;) {
		struct copy copy = find_copy(text, n, at);

		/* One byte on there may be a longer one. */
		if (copy.length < COPY_LEAST ||
		    (copy.length < 32 && find_copy(text, n, at + 1).length > copy.length + 1)) {
			at++;
			literals++;
			continue;
		}
		used += put_literals(text + at - literals, literals, packed + used);
		literals = 0;
		packed[used++] = (uint8_t)(COPY + copy.length);
		packed[used++] = (uint8_t)copy.distance;
		packed[used++] = (uint8_t)(copy.distance >> 8);
		at += copy.length;
	}
	return used + put_literals(text + n - literals, literals, packed + used);
}

size_t unpack(const uint8_t *packed, size_t n, uint8_t *text, size_t size)
{
	size_t at = 0, used = 0;

	while (at < n) {
		size_t first = packed[at++], length, from;

		if (first < LITERALS_MOST) {
			length = first + 1;
			if (length > n - at || length > size - used)
				break;
			memcpy(text + used, packed + at, length);
			at += length;
			used += length;
			continue;
		}
		if (n - at < 2)
			break;
		length = first - COPY;
		from = packed[at] | (size_t)packed[at + 1] << 8;
		at += 2;
		if (from == 0 || from > used || length > size - used)
			break;
		/* Byte by byte: what is repeated may have been written just now. */
		for (; length > 0; length--, used++)
			text[used] = text[used - from];
	}
	return used;
}
