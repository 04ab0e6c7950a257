/* SPDX-License-Identifier: MIT */
#include "host/screen.h"

#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "host/escape.h"
#include "host/memory.h"

#define PLAIN_COLUMNS 100
#define LEAST_COLUMNS 40
#define PROSE_COLUMNS 100 /* longer lines are hard to read on */

static const char *const inks[N_INKS] = {
	[INK_PLAIN] = "", [INK_BOLD] = "\033[1m",  [INK_FAINT] = "\033[2m",
	[INK_GOOD] = "\033[32m", [INK_WARN] = "\033[33m", [INK_BAD] = "\033[1;31m",
};

enum ink severity_ink(enum severity severity)
{
	static const enum ink of[N_SEVERITIES] = {
		[SEVERITY_MEDIUM] = INK_WARN,
		[SEVERITY_HIGH] = INK_BAD,
		[SEVERITY_CRITICAL] = INK_BAD,
	};

	return of[severity];
}

bool locale_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static unsigned terminal_width(int descriptor)
{
	struct winsize size;
	const char *columns = getenv("COLUMNS");
	unsigned long wanted = columns ? strtoul(columns, NULL, 10) : 0;

	if (wanted >= LEAST_COLUMNS && wanted <= 1000)
		return (unsigned)wanted;
	if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return 80;
}

struct screen screen_of(FILE *out)
{
	struct screen screen = { .out = out, .utf8 = locale_is_utf8() };
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (!isatty(fileno(out)))
		return screen;
	screen.width = terminal_width(fileno(out));
	screen.color = !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
	return screen;
}

unsigned screen_columns(const struct screen *screen)
{
	if (screen->width == 0)
		return PLAIN_COLUMNS;
	return screen->width < LEAST_COLUMNS ? LEAST_COLUMNS : screen->width;
}

void screen_put(const struct screen *screen, enum ink ink, const char *text)
{
	bool colored = screen->color && ink != INK_PLAIN;
	char *safe = escape_terminal(text, screen->utf8);

	fprintf(screen->out, "%s%s%s", colored ? inks[ink] : "", safe, colored ? "\033[0m" : "");
	free(safe);
}

void screen_print(const struct screen *screen, enum ink ink, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = print_text_list(format, arguments);
	va_end(arguments);
	screen_put(screen, ink, text);
	free(text);
}

void screen_paragraph(const struct screen *screen, unsigned indent, const char *label,
		      unsigned hang, const char *text)
{
	char *safe = escape_terminal(text, screen->utf8);
	size_t at = indent + (label ? text_columns(label) : 0);
	size_t columns_in_all = screen_columns(screen);
	bool begun = false;
	char *rest = safe;

	if (columns_in_all > PROSE_COLUMNS)
		columns_in_all = PROSE_COLUMNS;
	fprintf(screen->out, "%*s", (int)indent, "");
	if (label && *label)
		screen_put(screen, INK_FAINT, label);
	for (char *word; (word = strsep(&rest, " "));) {
		size_t columns = text_columns(word);

		if (columns == 0)
			continue;
		if (begun && at + 1 + columns > columns_in_all) {
			fprintf(screen->out, "\n%*s", (int)hang, "");
			at = hang;
		} else if (begun) {
			fputc(' ', screen->out);
			at++;
		} else if (at < hang) {
			fprintf(screen->out, "%*s", (int)(hang - at), "");
			at = hang;
		} else if (label && *label) {
			fputc(' ', screen->out);
			at++;
		}
		fputs(word, screen->out);
		at += columns;
		begun = true;
	}
	fputc('\n', screen->out);
	free(safe);
}
