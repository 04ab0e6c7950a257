/* SPDX-License-Identifier: MIT */
/*
 * What a sandbox says must not act on a terminal: every control character, every mark that
 * reorders or hides, every byte that is no UTF-8 becomes visible; plain text stays as it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/escape.h"
#include "host/memory.h"
#include "host/screen.h"

static const struct {
	const char *given, *utf8, *ascii;
} pairs[] = {
	{ "plain /path with spaces", "plain /path with spaces", "plain /path with spaces" },
	{ "\x1b[2J\a\b\t\r\n\x7f", "\\x1b[2J\\x07\\x08\\x09\\x0d\\x0a\\x7f",
	  "\\x1b[2J\\x07\\x08\\x09\\x0d\\x0a\\x7f" },
	{ "\xc2\x9b" "31m", "\\u{9b}31m", "\\u{9b}31m" },
	{ "\x9b" "31m", "\\x9b31m", "\\x9b31m" },
	{ "\xe2\x80\xae" "cod.exe\xe2\x81\xa6", "\\u{202e}cod.exe\\u{2066}",
	  "\\u{202e}cod.exe\\u{2066}" },
	{ "a\xe2\x80\x8b" "b\xef\xbb\xbf", "a\\u{200b}b\\u{feff}", "a\\u{200b}b\\u{feff}" },
	{ "\xf3\xa0\x81\xa1", "\\u{e0061}", "\\u{e0061}" },
	{ "\xc0\xaf\xed\xa0\x80\xff", "\\xc0\\xaf\\xed\\xa0\\x80\\xff",
	  "\\xc0\\xaf\\xed\\xa0\\x80\\xff" },
	{ "caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x90\xa7", "caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x90\xa7",
	  "caf\\u{e9} \\u{65e5} \\u{1f427}" },
	{ "a … b – c ✓ •", "a … b – c ✓ •", "a ... b - c + *" },
	{ "\xef\xbf\xbd", "\xef\xbf\xbd", "?" },
	{ "cut \xe2\x80", "cut \\xe2\\x80", "cut \\xe2\\x80" },
	{ "", "", "" },
	{ NULL, "", "" },
};

static void everything_unsafe_becomes_visible(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		char *utf8 = escape_terminal(pairs[i].given, true);
		char *ascii = escape_terminal(pairs[i].given, false);

		assert_string_equal(utf8, pairs[i].utf8);
		assert_string_equal(ascii, pairs[i].ascii);
		free(utf8);
		free(ascii);
	}
}

static void every_text_of_two_bytes_becomes_harmless(void **state)
{
	(void)state;
	for (unsigned both = 0x0101; both <= 0xffff; both++) {
		char given[3] = { (char)(both >> 8), (char)both, '\0' };
		char *safe = escape_terminal(given, true);

		for (const unsigned char *s = (const unsigned char *)safe; *s; s++) {
			assert_true(*s >= 0x20 && *s != 0x7f);
			assert_false(*s == 0xc2 && s[1] < 0xa0);
		}
		free(safe);
	}
}

static void columns_are_those_of_the_terminal(void **state)
{
	(void)state;
	assert_non_null(setlocale(LC_ALL, "C.UTF-8"));
	assert_int_equal(text_columns("cpu"), 3);
	assert_int_equal(text_columns("caf\xc3\xa9"), 4);
	assert_int_equal(text_columns("\xe6\x97\xa5\xe6\x9c\xac"), 4);
	assert_int_equal(text_columns("e\xcc\x81"), 1);
}

static void paragraphs_are_wrapped_at_words_only(void **state)
{
	struct screen screen = { .utf8 = true, .width = 40 };
	char *text = NULL;
	size_t size = 0;

	(void)state;
	screen.out = open_memstream(&text, &size);
	assert_non_null(screen.out);
	screen_paragraph(&screen, 2, "why", 8, "one two three four five six seven eight nine");
	screen_paragraph(&screen, 2, "path", 8, "/a/very/long/path/that/nobody/may/break/at/all ends");
	screen_paragraph(&screen, 2, "longlabel", 8, "text");
	screen_paragraph(&screen, 2, "empty", 8, "");
	assert_int_equal(fclose(screen.out), 0);
	assert_string_equal(text, "  why   one two three four five six\n"
				  "        seven eight nine\n"
				  "  path  /a/very/long/path/that/nobody/may/break/at/all\n"
				  "        ends\n"
				  "  longlabel text\n"
				  "  empty\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_unsafe_becomes_visible),
		cmocka_unit_test(every_text_of_two_bytes_becomes_harmless),
		cmocka_unit_test(columns_are_those_of_the_terminal),
		cmocka_unit_test(paragraphs_are_wrapped_at_words_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
