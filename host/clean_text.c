/* SPDX-License-Identifier: MIT */
#include "host/clean_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"

static const char replacement[] = "\xef\xbf\xbd";

/* Decodes one character: its length, or 0 when the bytes are not UTF-8. */
static size_t decode(const unsigned char *at, size_t left, uint32_t *ret_code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 :
			at[0] < 0xf0 ? 3 : at[0] < 0xf5 ? 4 : 0;
	uint32_t code;

	if (length == 0 || length > left)
		return 0;
	code = length == 1 ? at[0] : at[0] & (0xffu >> (length + 1));
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	if (length > 1 && (code < least[length] || (code >= 0xd800 && code < 0xe000)))
		return 0;
	if (code > 0x10ffff)
		return 0;
	*ret_code = code;
	return length;
}

static bool is_harmful(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} harmful[] = {
		{ 0x00, 0x1f },	    { 0x7f, 0x9f },	{ 0xad, 0xad },	      { 0x61c, 0x61c },
		{ 0x180e, 0x180e }, { 0x200b, 0x200f }, { 0x2028, 0x202e },   { 0x2060, 0x206f },
		{ 0xfdd0, 0xfdef }, { 0xfeff, 0xfeff }, { 0xfff0, 0xfffb },   { 0xfffe, 0xffff },
		{ 0xe0000, 0xe0fff },
	};

	for (size_t i = 0; i < sizeof harmful / sizeof *harmful; i++)
		if (code >= harmful[i].first && code <= harmful[i].last)
			return true;
	/* The last two of every plane are no characters. */
	return (code & 0xfffe) == 0xfffe;
}

struct cleaned {
	char *text;
	size_t n, limit;
	bool full;
};

static void add(struct cleaned *out, const void *bytes, size_t n)
{
	if (out->full || out->n + n > out->limit) {
		out->full = true;
		return;
	}
	memcpy(out->text + out->n, bytes, n);
	out->n += n;
}

static char *finish(struct cleaned *out)
{
	if (out->full) {
		memcpy(out->text + out->n, "…", strlen("…"));
		out->n += strlen("…");
	}
	out->text[out->n] = '\0';
	return out->text;
}

char *clean_text(const char *bytes, size_t n, size_t limit)
{
	const unsigned char *at = (const unsigned char *)bytes;
	/* The worst growth is one broken byte that becomes three. */
	size_t most = n * (sizeof replacement - 1);
	struct cleaned out = { .limit = most < limit ? most : limit };

	out.text = new_array(out.limit + sizeof "…", 1);
	for (size_t i = 0; i < n && !out.full;) {
		uint32_t code = 0;
		size_t length = decode(at + i, n - i, &code);

		if (length == 0 || is_harmful(code))
			add(&out, replacement, sizeof replacement - 1);
		else
			add(&out, at + i, length);
		i += length ? length : 1;
	}
	return finish(&out);
}

char *clean_lines(const char *bytes, size_t n, size_t limit)
{
	char *flat = new_array(3 * n + 1, 1), *text;
	size_t used = 0;
	bool blank = false, line = false;

	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == '\n' || bytes[i] == '\r') {
			line = true;
		} else if (bytes[i] == ' ' || bytes[i] == '\t') {
			blank = true;
		} else {
			const char *gap = used == 0 ? "" : line ? " / " : blank ? " " : "";

			memcpy(flat + used, gap, strlen(gap));
			used += strlen(gap);
			flat[used++] = bytes[i];
			blank = line = false;
		}
	}
	text = clean_text(flat, used, limit);
	free(flat);
	return text;
}
