/* SPDX-License-Identifier: MIT */
#include "host/escape.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "host/memory.h"

struct range {
	uint32_t first, last;
};

/* Code points that move, reorder, join or hide what stands around them. */
static const struct range unsafe[] = {
	{ 0x00, 0x1f },       /* C0: escape, newline, backspace … */
	{ 0x7f, 0x9f },       /* DEL and C1: 0x9b alone starts a sequence */
	{ 0xad, 0xad },       /* soft hyphen */
	{ 0x34f, 0x34f },     /* combining grapheme joiner */
	{ 0x61c, 0x61c },     /* Arabic letter mark */
	{ 0x115f, 0x1160 },   /* Hangul fillers: blank letters */
	{ 0x17b4, 0x17b5 },   /* invisible vowels */
	{ 0x180b, 0x180f },   /* Mongolian selectors and vowel separator */
	{ 0x2000, 0x200f },   /* odd spaces, zero widths, direction marks */
	{ 0x2028, 0x202f },   /* line and paragraph separator, embeddings, overrides */
	{ 0x205f, 0x206f },   /* invisible operators, isolates */
	{ 0x2800, 0x2800 },   /* blank Braille */
	{ 0x3164, 0x3164 },   /* Hangul filler */
	{ 0xd800, 0xf8ff },   /* surrogates; private use: no agreed look */
	{ 0xfe00, 0xfe0f },   /* variation selectors */
	{ 0xfeff, 0xfeff },   /* byte order mark */
	{ 0xffa0, 0xffa0 },   /* half-width filler */
	{ 0xfff0, 0xfffb },   /* annotations */
	{ 0xfffe, 0xffff },   /* non-characters */
	{ 0xe0000, 0x10ffff } /* tags, selectors, private use */
};

/* Our own prose uses these; a terminal without UTF-8 gets the likeness. */
static const struct {
	uint32_t code;
	const char *likeness;
} likenesses[] = {
	{ 0xa0, " " },   { 0xb7, "-" },   { 0xd7, "x" },   { 0x2011, "-" }, { 0x2013, "-" },
	{ 0x2014, "-" }, { 0x2018, "'" }, { 0x2019, "'" }, { 0x201c, "\"" }, { 0x201d, "\"" },
	{ 0x2022, "*" }, { 0x2026, "..." }, { 0x2192, "->" }, { 0x2212, "-" }, { 0x2265, ">=" },
	{ 0x2713, "+" }, { 0xfffd, "?" },
};

/*
 * Decodes one code point; returns its length in bytes, 0 when the bytes are not UTF-8 (overlong
 * forms and surrogates included: two spellings of one character are a way around every filter).
 */
static size_t decode(const unsigned char *s, uint32_t *ret_code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = *s < 0x80 ? 1 : *s >> 5 == 6 ? 2 : *s >> 4 == 14 ? 3 : *s >> 3 == 30 ? 4 : 0;
	uint32_t code = n == 1 ? *s : *s & (0x7fU >> n);

	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	if (n == 0 || code < least[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret_code = code;
	return n;
}

static bool is_unsafe(uint32_t code)
{
	for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++)
		if (code >= unsafe[i].first && code <= unsafe[i].last)
			return true;
	return false;
}

static const char *likeness_of(uint32_t code)
{
	for (size_t i = 0; i < sizeof likenesses / sizeof *likenesses; i++)
		if (likenesses[i].code == code)
			return likenesses[i].likeness;
	return NULL;
}

/* Writes one code point at `out` (which has room for 12 bytes) and returns the end. */
static char *put(char *out, const unsigned char *s, size_t n, uint32_t code, bool utf8)
{
	const char *likeness = utf8 ? NULL : likeness_of(code);

	if (n == 0)
		return out + sprintf(out, "\\x%02x", *s);
	if (likeness)
		return stpcpy(out, likeness);
	if (is_unsafe(code) && code < 0x80)
		return out + sprintf(out, "\\x%02x", code);
	if (is_unsafe(code) || (!utf8 && code >= 0x80))
		return out + sprintf(out, "\\u{%x}", code);
	memcpy(out, s, n);
	return out + n;
}

char *escape_terminal(const char *text, bool utf8)
{
	const unsigned char *s = (const unsigned char *)(text ? text : "");
	char *copy = new_array(strlen((const char *)s) + 1, 12);
	char *out = copy;

	while (*s) {
		uint32_t code = 0;
		size_t n = decode(s, &code);

		out = put(out, s, n, code, utf8);
		s += n ? n : 1;
	}
	*out = '\0';
	return copy;
}

size_t text_columns(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t columns = 0;

	while (*s) {
		uint32_t code = 0;
		size_t n = decode(s, &code);
		int width = n > 1 ? wcwidth((wchar_t)code) : 1;

		columns += width >= 0 ? (size_t)width : 1;
		s += n ? n : 1;
	}
	return columns;
}
