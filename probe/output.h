/* SPDX-License-Identifier: MIT */
/*
 * The one buffer to descriptor 1. Text goes in raw, as a JSON string, or cleaned for a terminal;
 * it comes out when the buffer is full or put_out() is called. A lost byte (closed pipe, full
 * disk) is remembered and never fatal.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void put(const char *text);
void put_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A JSON string with its quotes: what is not sound UTF-8 becomes U+FFFD, controls are escaped. */
void put_json(const char *text, size_t length);
/* For people: no control character passes; padded to `width` characters. */
void put_clean(const char *text, unsigned width);
/* Whole words in lines of at most 80, each begun with `indent` blanks; ends the line. */
void put_prose(const char *text, unsigned indent);
/* Seconds with microseconds, as a JSON number. */
void put_seconds(double seconds);
/* Writes all out; false when some output was ever lost. */
bool put_out(void);
