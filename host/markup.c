/* SPDX-License-Identifier: MIT */
#include "host/markup.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host/escape.h"
#include "host/report_text.h"

/* &#39; because HTML 4 has no name for it. */
static const char *reference_of(char byte)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return "";
	}
}

void markup_put(FILE *out, const char *text)
{
	char *visible = escape_terminal(text, true);

	for (const char *s = visible; *s;) {
		size_t plain = strcspn(s, "&<>\"'");

		fwrite(s, 1, plain, out);
		s += plain;
		if (*s)
			fputs(reference_of(*s++), out);
	}
	free(visible);
}

char *markup_text(const char *text)
{
	char *markup = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&markup, &size);

	if (!out)
		abort();
	markup_put(out, text);
	if (fclose(out) != 0)
		abort();
	return markup;
}

static void put_short(FILE *out, const char *text)
{
	char *cut = short_text(text, MARKUP_MOST_TEXT);

	markup_put(out, cut);
	free(cut);
}

void markup_print(FILE *out, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	while (*format) {
		size_t plain = strcspn(format, "%");

		fwrite(format, 1, plain, out);
		format += plain;
		if (!*format)
			break;
		if (strncmp(format, "%zu", 3) == 0)
			fprintf(out, "%zu", va_arg(arguments, size_t));
		else if (format[1] == 's')
			put_short(out, va_arg(arguments, const char *));
		else if (format[1] == 'u')
			fprintf(out, "%u", va_arg(arguments, unsigned));
		else if (format[1] == '%')
			fputc('%', out);
		else
			abort();
		format += format[1] == 'z' ? 3 : 2;
	}
	va_end(arguments);
}
