/* SPDX-License-Identifier: MIT */
/* Words in names: whole, plural too, in any case and spelling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scenarios/scenario.h"

static void holds(void **state)
{
	static const char *const names[] = { "expected",	   "expected.txt",   "EXPECTED_OUT",
					     "my-expected-output", "ExpectedOutput", "myExpected.c",
					     "2expected2",	   "expecteds",	     "ExpectedsOf" };

	(void)state;
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		assert_true(name_has_word(names[i], "expected"));
	assert_true(name_has_word("run.log", "log"));
	assert_true(name_has_word("LOGS", "log"));
	assert_true(name_has_word("logSize", "log"));
	assert_true(name_has_word("test_case-3", "test_case"));
	assert_true(name_has_word("unlog.log", "log"));
}

static void holds_not(void **state)
{
	static const char *const names[] = { "", "log", "catalog", "logic", "blogs", "dialog.txt",
					     "LOGIN", "logss" };

	(void)state;
	for (unsigned i = 2; i < sizeof names / sizeof *names; i++)
		assert_false(name_has_word(names[i], "log"));
	assert_false(name_has_word("", "log"));
	assert_false(name_has_word("unexpected.txt", "expected"));
	assert_false(name_has_word("lo", "log"));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(holds), cmocka_unit_test(holds_not) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
