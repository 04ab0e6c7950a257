/* SPDX-License-Identifier: MIT */
/*
 * In Markdown, prose keeps its looks and code is closed by nothing that stands inside; what is
 * cut is cut between characters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/markdown.h"
#include "host/report_text.h"

static char *written(const char *text, size_t limit)
{
	char *markdown = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&markdown, &size);

	assert_non_null(out);
	if (limit)
		markdown_put_code(out, text, limit);
	else
		markdown_put(out, text);
	fclose(out);
	return markdown;
}

static const struct {
	const char *given, *code;
} codes[] = {
	{ "/etc/passwd", "`/etc/passwd`" },
	{ "a`b", "``a`b``" },
	{ "`", "`` ` ``" },
	{ "``` end", "```` ``` end ````" },
	{ " x ", "`  x  `" },
	{ "", "`  `" },
	{ NULL, "`  `" },
	{ "a|b \\| c", "`a¦b \\¦ c`" },
	{ "one\ntwo\x1b[2J", "`one\\x0atwo\\x1b[2J`" },
	{ "0123456789abcdefghijklmnopqrstuvwxyz", "`0123456789abcdefghij…`" },
	{ "0123456789abcdefghié", "`0123456789abcdefghi…`" },
	{ "0123456789abcdefgh\xff", "`0123456789abcdefgh\\x…`" },
};

static void code_is_closed_by_nothing_inside(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
		char *code = written(codes[i].given, 20);

		assert_string_equal(code, codes[i].code);
		free(code);
	}
}

static void prose_means_nothing_else(void **state)
{
	char *prose = written("Read /etc/ssh/*_key & <b> [x](y) | `z` \\ @a #1\n", 0);

	(void)state;
	assert_string_equal(prose, "Read /etc/ssh/&#42;&#95;key &#38; &#60;b&#62; &#91;x&#93;(y) "
				   "&#124; &#96;z&#96; &#92; &#64;a &#35;1&#92;x0a");
	free(prose);
}

static void seconds_are_never_absurd(void **state)
{
	static const struct {
		double given;
		const char *text;
	} pairs[] = {
		{ 0, "0.000000" },	  { 0.0002, "0.000200" },  { 1.25, "1.250000" },
		{ -1, "0.000000" },	  { 1e300, "0.000000" },   { 0.0 / 0.0, "0.000000" },
		{ 0.9999999, "1.000000" }, { 86400, "86400.000000" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		char *text = report_seconds(pairs[i].given);

		assert_string_equal(text, pairs[i].text);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_is_closed_by_nothing_inside),
		cmocka_unit_test(prose_means_nothing_else),
		cmocka_unit_test(seconds_are_never_absurd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
