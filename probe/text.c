/* SPDX-License-Identifier: MIT */
#include "probe/text.h"

#include <string.h>

#include "scenarios/scenario.h"

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
char lower_case(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool ends_with(const char *text, const char *suffix)
{
	size_t n = strlen(text), m = strlen(suffix);

	return n >= m && memcmp(text + n - m, suffix, m) == 0;
}

bool is_at_or_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

size_t add_text(char *buffer, size_t size, size_t used, const char *text)
{
	if (used >= size)
		return used;
	while (*text && used + 1 < size)
		buffer[used++] = *text++;
	buffer[used] = '\0';
	return used;
}

/* Moves behind the digits; false: the number has no room in 64 bits. */
static bool take_digits(const char **text, uint64_t *ret_number)
{
	uint64_t number = 0;
	bool fits = true;

	for (; is_digit(**text); ++*text)
		fits = fits && !__builtin_mul_overflow(number, 10u, &number) &&
		       !__builtin_add_overflow(number, (unsigned)(**text - '0'), &number);
	*ret_number = number;
	return fits;
}

bool read_number(const char *text, uint64_t *ret_number)
{
	return *text && take_digits(&text, ret_number) && !*text;
}

uint64_t leading_number(const char *text, const char **ret_rest)
{
	uint64_t number;

	while (is_blank(*text))
		text++;
	if (!take_digits(&text, &number))
		number = UINT64_MAX;
	if (ret_rest)
		*ret_rest = text;
	return number;
}

static int hex_digit(char c)
{
	c = lower_case(c);
	return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

uint64_t leading_hex(const char *text)
{
	uint64_t bits = 0;

	for (; hex_digit(*text) >= 0; text++)
		bits = bits << 4 | (unsigned)hex_digit(*text);
	return bits;
}

void hex_text(char buffer[17], uint64_t bits)
{
	for (int i = 15; i >= 0; i--, bits >>= 4)
		buffer[i] = "0123456789abcdef"[bits & 15];
	buffer[16] = '\0';
}

bool read_hex(const char *text, uint64_t *ret_bits)
{
	size_t n = 0;

	while (hex_digit(text[n]) >= 0)
		n++;
	if (n != 16 || text[n])
		return false;
	*ret_bits = leading_hex(text);
	return true;
}

/* ---------------------------------------------------------------- patterns */

/* At the last "*" met, the text may take one character more: no other choice need be kept. */
bool matches_part(const char *pattern, size_t n, const char *text, size_t length)
{
	size_t i = 0, at = 0, star = n, taken = 0;

	while (at < length) {
		if (i < n && pattern[i] == '*') {
			star = i++;
			taken = at;
		} else if (i < n && pattern[i] == text[at]) {
			i++;
			at++;
		} else if (star < n) {
			i = star + 1;
			at = ++taken;
		} else {
			return false;
		}
	}
	while (i < n && pattern[i] == '*')
		i++;
	return i == n;
}

bool matches_pattern(const char *pattern, const char *text)
{
	return matches_part(pattern, strlen(pattern), text, strlen(text));
}

/* ---------------------------------------------------------------- format_text */

struct sink {
	char *buffer;
	size_t size, used;
};

/* How one conversion is to look. */
struct look {
	bool left, zeros, negative;
	unsigned width, base;
};

static void sink_char(struct sink *sink, char c)
{
	if (sink->used + 1 < sink->size)
		sink->buffer[sink->used++] = c;
}

static void sink_padded(struct sink *sink, const struct look *look, const char *text,
			size_t n)
{
	size_t padding = look->width > n ? look->width - n : 0;

	for (size_t i = 0; !look->left && i < padding; i++)
		sink_char(sink, look->zeros ? '0' : ' ');
	for (size_t i = 0; i < n; i++)
		sink_char(sink, text[i]);
	for (size_t i = 0; look->left && i < padding; i++)
		sink_char(sink, ' ');
}

static void sink_number(struct sink *sink, struct look look, uint64_t number)
{
	char digits[24];
	size_t at = sizeof digits;

	do
		digits[--at] = "0123456789abcdef"[number % look.base];
	while ((number /= look.base) != 0);
	if (look.negative && look.zeros) {
		sink_char(sink, '-');
		look.width -= look.width > 0;
	} else if (look.negative) {
		digits[--at] = '-';
	}
	sink_padded(sink, &look, digits + at, sizeof digits - at);
}

/* One integer argument; `length` counts the l's, and is 1 for z. */
static uint64_t next_unsigned(va_list *list, int length)
{
	if (length >= 2)
		return va_arg(*list, unsigned long long);
	return length == 1 ? va_arg(*list, unsigned long) : va_arg(*list, unsigned);
}

static int64_t next_signed(va_list *list, int length)
{
	if (length >= 2)
		return va_arg(*list, long long);
	return length == 1 ? va_arg(*list, long) : va_arg(*list, int);
}

/* `at` is behind the percent sign; returns what follows the conversion. */
static const char *convert(struct sink *sink, const char *at, va_list *list)
{
	struct look look = { .base = 10 };
	int length = 0;

	for (; *at == '-' || *at == '0'; at++)
		*(*at == '-' ? &look.left : &look.zeros) = true;
	look.width = (unsigned)leading_number(at, &at);
	for (; *at == 'l' || *at == 'z'; at++)
		length++;
	switch (*at) {
	case 's': {
		const char *text = va_arg(*list, const char *);

		sink_padded(sink, &look, text ? text : "-", text ? strlen(text) : 1);
		break;
	}
	case 'c':
		sink_char(sink, (char)va_arg(*list, int));
		break;
	case 'd': {
		int64_t number = next_signed(list, length);

		look.negative = number < 0;
		sink_number(sink, look, look.negative ? -(uint64_t)number : (uint64_t)number);
		break;
	}
	case 'u':
	case 'x':
	case 'o':
		look.base = *at == 'u' ? 10 : *at == 'x' ? 16 : 8;
		sink_number(sink, look, next_unsigned(list, length));
		break;
	case '\0':
		return at;
	default:
		sink_char(sink, *at);
	}
	return at + 1;
}

int format_text_list(char *buffer, size_t size, const char *format, va_list list)
{
	struct sink sink = { buffer, size, 0 };
	va_list rest;

	if (!size)
		return 0;
	va_copy(rest, list); /* as a parameter it may be an array: no address */
	while (*format) {
		if (*format != '%')
			sink_char(&sink, *format++);
		else
			format = convert(&sink, format + 1, &rest);
	}
	va_end(rest);
	buffer[sink.used] = '\0';
	return (int)sink.used;
}

int format_text(char *buffer, size_t size, const char *format, ...)
{
	va_list list;
	int length;

	va_start(list, format);
	length = format_text_list(buffer, size, format, list);
	va_end(list);
	return length;
}

/* ---------------------------------------------------------------- lines and fields */

void each_line(char *text, bool (*each)(void *context, char *line), void *context)
{
	while (*text) {
		char *end = strchr(text, '\n');

		if (end)
			*end = '\0';
		if (!each(context, text) || !end)
			return;
		text = end + 1;
	}
}

bool line_field(const char *line, unsigned n, char *buffer, size_t size)
{
	size_t length = 0;

	for (;; n--) {
		while (is_blank(*line))
			line++;
		if (!*line || *line == '\n')
			return false;
		while (line[length] && line[length] != '\n' && !is_blank(line[length]))
			length++;
		if (n == 0)
			break;
		line += length;
		length = 0;
	}
	if (!size)
		return false;
	if (length >= size)
		length = size - 1;
	memcpy(buffer, line, length);
	buffer[length] = '\0';
	return true;
}
