/* SPDX-License-Identifier: MIT */
#include "probe/output.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "probe/raw.h"
#include "probe/text.h"

#define REPLACEMENT 0xfffd
#define LINE 80
/* How often a full non-blocking pipe is waited for, one second each. */
#define PATIENCE 30

static struct {
	char bytes[65536];
	size_t used;
	bool lost;
} output;

/* A non-blocking pipe is full: waits until it takes more. False: nobody reads it. */
static bool wait_for_reader(void)
{
	struct pollfd reader = { .fd = 1, .events = POLLOUT };
	struct timespec second = { .tv_sec = 1 };

	for (int i = 0; i < PATIENCE; i++) {
		long n = raw(__NR_ppoll, &reader, 1, &second, NULL, 0);

		if (n > 0)
			return true;
		if (n < 0 && n != -EINTR)
			return false;
		second = (struct timespec){ .tv_sec = 1 };
	}
	return false;
}

bool put_out(void)
{
	size_t done = 0;

	while (done < output.used && !output.lost) {
		long n = raw(__NR_write, 1, output.bytes + done, output.used - done);

		if (n > 0)
			done += (size_t)n;
		else if (n != -EINTR && !(n == -EAGAIN && wait_for_reader()))
			output.lost = true;
	}
	output.used = 0;
	return !output.lost;
}

static void put_char(char c)
{
	if (output.used == sizeof output.bytes)
		put_out();
	output.bytes[output.used++] = c;
}

static void put_bytes(const char *bytes, size_t n)
{
	while (n--)
		put_char(*bytes++);
}

void put(const char *text)
{
	put_bytes(text, strlen(text));
}

void put_format(const char *format, ...)
{
	char text[512];
	va_list list;

	va_start(list, format);
	format_text_list(text, sizeof text, format, list);
	va_end(list);
	put(text);
}

void put_seconds(double seconds)
{
	uint64_t micro = seconds > 0 && seconds < 1e9 ? (uint64_t)(seconds * 1e6) : 0;

	put_format("%lu.%06lu", (unsigned long)(micro / 1000000), (unsigned long)(micro % 1000000));
}

/* ---------------------------------------------------------------- characters */

/* The length of the sound UTF-8 sequence at the start, its code point; 1, U+FFFD if unsound. */
static size_t next_character(const char *text, size_t left, uint32_t *ret_point)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t lowest; /* anything below has a shorter form */
	} forms[] = {
		{ 0x80, 0, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 }
	};
	unsigned char first = (unsigned char)*text;

	for (size_t n = 1; n <= 4 && n <= left; n++) {
		uint32_t point = first & (unsigned char)~forms[n - 1].mask;
		size_t i = 1;

		if ((first & forms[n - 1].mask) != forms[n - 1].lead)
			continue;
		for (; i < n && ((unsigned char)text[i] & 0xc0) == 0x80; i++)
			point = point << 6 | ((unsigned char)text[i] & 0x3f);
		if (i < n || point < forms[n - 1].lowest || point > 0x10ffff ||
		    (point >= 0xd800 && point <= 0xdfff))
			break;
		*ret_point = point;
		return n;
	}
	*ret_point = REPLACEMENT;
	return 1;
}

/* Moves the cursor, clears the screen or turns the text around: C0, DEL, C1, bidi controls. */
static bool is_control(uint32_t point)
{
	return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x200e ||
	       point == 0x200f || (point >= 0x2028 && point <= 0x202e) ||
	       (point >= 0x2066 && point <= 0x2069);
}

void put_json(const char *text, size_t length)
{
	put_char('"');
	while (length) {
		uint32_t point;
		size_t n = next_character(text, length, &point);

		if (point == '"' || point == '\\')
			put_format("\\%c", (char)point);
		else if (point == '\n' || point == '\t')
			put(point == '\n' ? "\\n" : "\\t");
		else if (is_control(point))
			put_format("\\u%04x", point);
		else if (point == REPLACEMENT)
			put("\xef\xbf\xbd");
		else
			put_bytes(text, n);
		text += n;
		length -= n;
	}
	put_char('"');
}

void put_clean(const char *text, unsigned width)
{
	size_t length = strlen(text);
	unsigned shown = 0;

	for (; length; shown++) {
		uint32_t point;
		size_t n = next_character(text, length, &point);

		if (is_control(point) || point == REPLACEMENT)
			put_char('?');
		else
			put_bytes(text, n);
		text += n;
		length -= n;
	}
	for (; shown < width; shown++)
		put_char(' ');
}

void put_prose(const char *text, unsigned indent)
{
	unsigned column = 0;

	while (*text) {
		size_t n = strcspn(text, " ");

		if (column && column + 1 + n > LINE) {
			put_char('\n');
			column = 0;
		}
		if (column == 0)
			for (; column < indent; column++)
				put_char(' ');
		else if (column++ > indent)
			put_char(' ');
		put_bytes(text, n);
		column += (unsigned)n;
		text += n;
		text += strspn(text, " ");
	}
	put_char('\n');
}
