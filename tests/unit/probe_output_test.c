/* SPDX-License-Identifier: MIT */
/* What hostile text becomes on the wire and at a terminal; and what a lost byte does. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "probe/output.h"

static int stdout_before;

/* Descriptor 1 becomes a pipe that is read back into `text`. */
static void begin(int pipes[2])
{
	assert_int_equal(pipe(pipes), 0);
	stdout_before = dup(1);
	dup2(pipes[1], 1);
}

static void finish(int pipes[2], char *text, size_t size)
{
	ssize_t n;

	put_out();
	dup2(stdout_before, 1);
	close(stdout_before);
	close(pipes[1]);
	n = read(pipes[0], text, size - 1);
	text[n > 0 ? n : 0] = '\0';
	close(pipes[0]);
}

static const struct {
	const char *raw, *json, *clean;
} samples[] = {
	{ "plain", "\"plain\"", "plain" },
	{ "a\"\\b", "\"a\\\"\\\\b\"", "a\"\\b" },
	{ "\n\t\x01", "\"\\n\\t\\u0001\"", "???" },
	{ "\x1b[2J", "\"\\u001b[2J\"", "?[2J" },
	{ "\x7f", "\"\\u007f\"", "?" },
	{ "\xc2\x9b", "\"\\u009b\"", "?" },
	{ "\xc3\xa9\xf0\x9f\x98\x80", "\"\xc3\xa9\xf0\x9f\x98\x80\"", "\xc3\xa9\xf0\x9f\x98\x80" },
	{ "\xff", "\"\xef\xbf\xbd\"", "?" },
	{ "\xc3", "\"\xef\xbf\xbd\"", "?" },
	{ "\xc0\xaf", /* overlong */
	  "\"\xef\xbf\xbd\xef\xbf\xbd\"", "??" },
	{ "\xed\xa0\x80", /* surrogate */
	  "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"", "???" },
	{ "\xf4\x90\x80\x80", /* beyond Unicode */
	  "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"", "????" },
	{ "\xe2\x80\xae" "x", "\"\\u202ex\"", "?x" }, /* would turn the text */
};

static void test_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		char got[256];
		int pipes[2];

		begin(pipes);
		put_json(samples[i].raw, strlen(samples[i].raw));
		finish(pipes, got, sizeof got);
		assert_string_equal(got, samples[i].json);
		begin(pipes);
		put_clean(samples[i].raw, 0);
		finish(pipes, got, sizeof got);
		assert_string_equal(got, samples[i].clean);
	}
}

static void test_prose(void **state)
{
	char got[512];
	int pipes[2];

	(void)state;
	begin(pipes);
	put_prose("Whole words in lines of at most eighty characters, each begun with blanks, "
		  "and no more.", 2);
	finish(pipes, got, sizeof got);
	assert_string_equal(got, "  Whole words in lines of at most eighty characters, each begun "
				 "with blanks, and\n  no more.\n");
}

/* Last, since what is lost stays lost. */
static void test_full_disk(void **state)
{
	int full = open("/dev/full", O_WRONLY), before = dup(1);
	bool kept, still;

	(void)state;
	if (full < 0)
		skip();
	dup2(full, 1);
	put("x");
	kept = put_out();
	dup2(before, 1);
	still = put_out();
	close(full);
	close(before);
	assert_false(kept);
	assert_false(still);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_prose),
		cmocka_unit_test(test_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
