/* SPDX-License-Identifier: MIT */
/*
 * Text in a third of its room, for a program that must be small. A byte below 128 says that so many
 * and one more bytes follow as they are; any other, less 124, how many are to be repeated from the
 * distance that the next two bytes give, the low one first. (Four at least: less saves nothing.)
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* At most this much room is needed for n bytes. */
#define PACKED_MOST(n) ((n) + (n) / 128 + 1)

/* Returns the size of what it wrote to `packed`. For the build machine: it is not quick. */
size_t pack(const uint8_t *text, size_t n, uint8_t *packed);
/* Returns the size of the text; never writes more than `size`, never reads beyond n. */
size_t unpack(const uint8_t *packed, size_t n, uint8_t *text, size_t size);
