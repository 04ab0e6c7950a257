/* SPDX-License-Identifier: MIT */
/*
 * Look-ups in the catalogue: whole names only, and a slip in a list is told. The catalogue is
 * one of the test's own, so that new scenarios change nothing here.
 */
#include "host/catalogue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct catalogue_case cases[] = {
	{ "etc-shadow", "/etc/shadow", SEVERITY_HIGH, LEVEL_OBSERVE },
	{ "etc-passwd", NULL, SEVERITY_LOW, LEVEL_TOUCH },
};

const struct catalogue_entry catalogue[] = {
	{ .id = "content.read", .category = "content", .cases = cases, .n_cases = 2 },
	{ .id = "content.read-all", .category = "content" },
	{ .id = "system.cpu", .category = "system" },
};
const unsigned catalogue_count = 3;
const char catalogue_hash[] = "0000000000000000";

static void finds_whole_ids_only(void **state)
{
	(void)state;
	assert_ptr_equal(catalogue_find("content.read"), &catalogue[0]);
	assert_ptr_equal(catalogue_find("content.read-all"), &catalogue[1]);
	assert_null(catalogue_find("content.rea"));
	assert_null(catalogue_find("content"));
	assert_null(catalogue_find(""));
}

static void finds_cases_of_that_entry_only(void **state)
{
	(void)state;
	assert_ptr_equal(catalogue_case_find(&catalogue[0], "etc-passwd"), &cases[1]);
	assert_null(catalogue_case_find(&catalogue[0], "etc"));
	assert_null(catalogue_case_find(&catalogue[1], "etc-passwd"));
}

static void selects_by_id_and_by_category(void **state)
{
	(void)state;
	assert_true(catalogue_selects("content.read", &catalogue[0]));
	assert_false(catalogue_selects("content.read", &catalogue[1]));
	assert_true(catalogue_selects("system.cpu,content", &catalogue[1]));
	assert_true(catalogue_selects("content,system.cpu", &catalogue[2]));
	assert_false(catalogue_selects("", &catalogue[0]));
	assert_false(catalogue_selects("cont,content.", &catalogue[0]));
}

static void tells_the_first_unknown_element(void **state)
{
	static const char *const lists[][2] = {
		{ "content.raed,nonsense", "content.raed" },
		{ "content,system.cp", "system.cp" },
		{ "content,,system", "" },
		{ "system,", "" },
		{ "", "" },
	};

	(void)state;
	assert_null(catalogue_unknown_element("content,system.cpu"));
	for (size_t i = 0; i < sizeof(lists) / sizeof *lists; i++) {
		char *unknown = catalogue_unknown_element(lists[i][0]);

		assert_non_null(unknown);
		assert_string_equal(unknown, lists[i][1]);
		free(unknown);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_whole_ids_only),
		cmocka_unit_test(finds_cases_of_that_entry_only),
		cmocka_unit_test(selects_by_id_and_by_category),
		cmocka_unit_test(tells_the_first_unknown_element),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
