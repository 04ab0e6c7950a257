/* SPDX-License-Identifier: MIT */
/*
 * The fingerprint tells catalogues apart by what a report relies on (ids, cases, severities,
 * levels), and by nothing else. The registry is one of the test's own.
 */
#include "scenarios/registry.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "base/fnv.h"

static struct case_def cases[2];
static struct scenario scenario;
const struct scenario_row scenario_registry[] = {
	{ "system", "system.cpu", "scenarios/system/cpu.c", &scenario },
};
const unsigned scenario_registry_count = 1;

static int reset(void **state)
{
	(void)state;
	cases[0] = (struct case_def){ .name = "a", .severity = SEVERITY_LOW };
	cases[1] = (struct case_def){ .name = "b", .path = "/b" };
	scenario = (struct scenario){ .severity = SEVERITY_HIGH, CASES(cases) };
	return 0;
}

/* Test vectors of the authors of FNV. */
static void fnv_is_fnv_1a(void **state)
{
	(void)state;
	assert_true(fnv_add(FNV_START, "", 0) == UINT64_C(0xcbf29ce484222325));
	assert_true(fnv_add(FNV_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(fnv_add(FNV_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

static void is_over_id_names_severities_and_levels(void **state)
{
	static const char bytes[] = "system.cpu\0a\0\2\0b\0\4\0";

	(void)state;
	assert_true(catalogue_fingerprint() == fnv_add(FNV_START, bytes, sizeof(bytes) - 1));
}

static void changes_with_what_a_report_relies_on(void **state)
{
	uint64_t before = catalogue_fingerprint();

	cases[0].name = "c";
	assert_true(catalogue_fingerprint() != before);
	reset(state);
	cases[0].level = LEVEL_ACT;
	assert_true(catalogue_fingerprint() != before);
	reset(state);
	scenario.severity = SEVERITY_INFO; /* case b inherits it */
	assert_true(catalogue_fingerprint() != before);
	reset(state);
	scenario.n_cases = 1;
	assert_true(catalogue_fingerprint() != before);
}

static void stays_with_prose_and_paths(void **state)
{
	uint64_t before = catalogue_fingerprint();

	(void)state;
	scenario.about.title = "Another";
	cases[1].path = "/c";
	cases[1].severity = SEVERITY_HIGH; /* what it inherited */
	assert_true(catalogue_fingerprint() == before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(fnv_is_fnv_1a, reset),
		cmocka_unit_test_setup(is_over_id_names_severities_and_levels, reset),
		cmocka_unit_test_setup(changes_with_what_a_report_relies_on, reset),
		cmocka_unit_test_setup(stays_with_prose_and_paths, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
