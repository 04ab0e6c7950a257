/* SPDX-License-Identifier: MIT */
/*
 * What was meant by a mistyped word: near ones are found, far ones are not guessed at.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/suggest.h"

static const char *const names[] = { "bwrap", "runc", "none", "command", "content.list-readable" };

static void distances_are_counted(void **state)
{
	(void)state;
	assert_int_equal(edit_distance("", ""), 0);
	assert_int_equal(edit_distance("abc", ""), 3);
	assert_int_equal(edit_distance("kitten", "sitting"), 3);
	assert_int_equal(edit_distance("bwarp", "bwrap"), 1);
	assert_int_equal(edit_distance("a", "b"), 1);
}

static void near_words_are_found(void **state)
{
	(void)state;
	assert_string_equal(suggest("bwarp", names, 5), "bwrap");
	assert_string_equal(suggest("runk", names, 5), "runc");
	assert_string_equal(suggest("comand", names, 5), "command");
	assert_string_equal(suggest("content.list-redable", names, 5), "content.list-readable");
}

static void far_words_are_not(void **state)
{
	(void)state;
	assert_null(suggest("podman", names, 5));
	assert_null(suggest("", names, 5));
	assert_null(suggest("x", names, 5));
	assert_null(suggest("json", names, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_are_counted),
		cmocka_unit_test(near_words_are_found),
		cmocka_unit_test(far_words_are_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
