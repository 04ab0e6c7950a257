/* SPDX-License-Identifier: MIT */
/* format_text against the C library's own, lines, fields and numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "probe/text.h"
#include "scenarios/scenario.h"

#define assert_same(...)                                                                           \
	do {                                                                                       \
		char ours[200], theirs[200];                                                       \
		int n = format_text(ours, sizeof ours, __VA_ARGS__);                               \
		assert_int_equal(n, snprintf(theirs, sizeof theirs, __VA_ARGS__));                 \
		assert_string_equal(ours, theirs);                                                 \
	} while (0)

static void test_formats(void **state)
{
	(void)state;
	assert_same("%s|%d|%u|%x", "a", -5, 7u, 255u);
	assert_same("%ld %lu %lx %zu %c%%", INT64_MIN, ~0ul, ~0ul, (size_t)9, 'x');
	assert_same("%-8s|%8s|%08x|%05d|%-5d|%3u", "ab", "cd", 0xabcu, -42, 7, 12345u);
	assert_same("%04o", 022u);
	assert_same("%s", "");
}

static void test_stays_in_the_buffer(void **state)
{
	char buffer[8] = "XXXXXXX";

	(void)state;
	assert_int_equal(format_text(buffer, 4, "%s", "abcdef"), 3);
	assert_string_equal(buffer, "abc");
	assert_int_equal(buffer[4], 'X');
	assert_int_equal(format_text(buffer, 0, "abc"), 0);
	assert_string_equal(buffer, "abc");
	assert_int_equal(add_text(buffer, sizeof buffer, 3, "defghij"), 7);
	assert_string_equal(buffer, "abcdefg");
}

static bool join(void *context, char *line)
{
	strcat(context, "[");
	strcat(context, line);
	strcat(context, "]");
	return strcmp(line, "stop") != 0;
}

static void test_lines(void **state)
{
	char text[] = "a\nb b\n\nc", more[] = "a\nstop\nb", joined[64] = "";

	(void)state;
	each_line(text, join, joined);
	assert_string_equal(joined, "[a][b b][][c]");
	joined[0] = '\0';
	each_line(more, join, joined);
	assert_string_equal(joined, "[a][stop]");
}

static void test_fields(void **state)
{
	char field[4];

	(void)state;
	assert_true(line_field("  a \t bb  c ", 1, field, sizeof field));
	assert_string_equal(field, "bb");
	assert_true(line_field("abcdef", 0, field, sizeof field));
	assert_string_equal(field, "abc");
	assert_false(line_field("  a bb  c ", 3, field, sizeof field));
	assert_false(line_field("", 0, field, sizeof field));
}

static void test_patterns(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool matches;
	} samples[] = {
		{ "docker.sock", "docker.sock", true },	   { "docker.sock", "docker.socks", false },
		{ "*.sock", "docker.sock", true },	   { "*.sock", "docker.sockets", false },
		{ "S.gpg*", "S.gpg-agent.ssh", true },	   { "*auth*.json", ".oauth_a.json", true },
		{ "*auth*.json", "auth.json.old", false }, { "a*b*c", "abcbc", true },
		{ "a*b*c", "abcb", false },		   { "*", "", true },
		{ "**", "x", true },			   { "", "", true },
		{ "", "x", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
		if (matches_pattern(samples[i].pattern, samples[i].text) != samples[i].matches)
			fail_msg("%s %s", samples[i].pattern, samples[i].text);
}

static void test_numbers(void **state)
{
	uint64_t number = 0;
	const char *rest;
	char digits[17];

	(void)state;
	assert_true(read_number("18446744073709551615", &number) && number == UINT64_MAX);
	assert_false(read_number("18446744073709551616", &number));
	assert_false(read_number("", &number));
	assert_false(read_number("12x", &number));
	assert_true(leading_number(" \t4294967294 kB", &rest) == 4294967294 &&
		    strcmp(rest, " kB") == 0);
	assert_true(leading_number("max", &rest) == 0 && strcmp(rest, "max") == 0);
	assert_true(leading_number("99999999999999999999.", &rest) == UINT64_MAX &&
		    strcmp(rest, ".") == 0);
	assert_true(leading_hex("00000000a80425FB\n") == 0xa80425fb && leading_hex("x") == 0);
	hex_text(digits, 0x0123456789abcdef);
	assert_string_equal(digits, "0123456789abcdef");
	assert_true(read_hex("0123456789ABCDEF", &number) && number == 0x0123456789abcdef);
	assert_false(read_hex("0123", &number));
	assert_false(read_hex("0123456789abcdefg", &number));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats), cmocka_unit_test(test_stays_in_the_buffer),
		cmocka_unit_test(test_lines), cmocka_unit_test(test_fields),
		cmocka_unit_test(test_patterns), cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
