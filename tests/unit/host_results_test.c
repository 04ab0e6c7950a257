/* SPDX-License-Identifier: MIT */
/*
 * The run in memory: what counts as contained, as the same, as no isolation; the order of the
 * findings; and that nothing which was not measured is taken for a good answer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/memory.h"
#include "host/results.h"

static const struct catalogue_entry entries[] = {
	{ .id = "a.low", .category = "a", .severity = SEVERITY_LOW },
	{ .id = "a.high", .category = "a", .severity = SEVERITY_HIGH },
	{ .id = "b.info", .category = "b", .severity = SEVERITY_INFO },
};

static struct run *new_run(void)
{
	struct run *run = run_new();

	run->n_results = 3;
	run->results = new_array(3, sizeof *run->results);
	for (unsigned i = 0; i < 3; i++) {
		run->results[i] = (struct result){ .entry = &entries[i],
						   .arrived = true,
						   .objects = json_array(),
						   .evidence = json_object(),
						   .measured = json_object() };
	}
	return run;
}

static void set(struct result *result, enum status inside, enum status outside)
{
	result->status = inside;
	result->baseline = outside;
	result->has_baseline = true;
}

static struct case_result *give_cases(struct result *result, unsigned n)
{
	result->n_cases = n;
	result->cases = new_array(n, sizeof *result->cases);
	for (unsigned i = 0; i < n; i++) {
		result->cases[i].name = print_text("case-%u", i);
		result->cases[i].evidence = json_object();
		result->cases[i].measured = json_object();
	}
	return result->cases;
}

static void a_new_result_is_unknown(void **state)
{
	struct run *run = new_run();

	(void)state;
	assert_int_equal(run->results[0].status, STATUS_UNKNOWN);
	assert_int_equal(run_summary(run).unknown, 3);
	assert_int_equal(run_worst(run, NULL, 0), 0);
	run_free(run);
	run_free(NULL);
}

static void incomplete_says_each_reason_once(void **state)
{
	struct run *run = new_run();

	(void)state;
	assert_true(run->complete);
	run_mark_incomplete(run, "%u trials are missing.", 2u);
	run_mark_incomplete(run, "The footer is missing.");
	run_mark_incomplete(run, "%u trials are missing.", 2u);
	assert_false(run->complete);
	assert_int_equal(list_length(run->incomplete_because), 2);
	assert_string_equal(run->incomplete_because[1], "The footer is missing.");
	run_free(run);
}

static void contained_is_denied_inside_and_accessed_outside(void **state)
{
	struct run *run = new_run();
	struct summary summary;

	(void)state;
	run->has_baseline = true;
	set(&run->results[0], STATUS_DENIED, STATUS_ACCESSED);
	set(&run->results[1], STATUS_DENIED, STATUS_DENIED);
	set(&run->results[2], STATUS_ACCESSED, STATUS_ACCESSED);
	summary = run_summary(run);
	assert_int_equal(summary.denied, 2);
	assert_int_equal(summary.accessed, 1);
	assert_int_equal(summary.contained, 1);
	assert_int_equal(summary.same, 2);
	/* Another barrier is another layer. */
	run->results[1].barriers = BARRIER_BIT(BARRIER_SECCOMP);
	assert_int_equal(run_summary(run).same, 1);
	run_free(run);
}

static void no_isolation_needs_a_baseline_and_no_difference(void **state)
{
	struct run *run = new_run();
	struct case_result *cases;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		set(&run->results[i], STATUS_ACCESSED, STATUS_ACCESSED);
	assert_false(run_shows_no_isolation(run));
	run->has_baseline = true;
	assert_true(run_shows_no_isolation(run));
	cases = give_cases(&run->results[1], 1);
	cases[0].status = STATUS_DENIED;
	cases[0].has_baseline = true;
	cases[0].baseline = STATUS_ACCESSED;
	assert_false(run_shows_no_isolation(run));
	cases[0].baseline = STATUS_DENIED;
	assert_true(run_shows_no_isolation(run));
	run->results[2].has_baseline = false;
	assert_false(run_shows_no_isolation(run));
	run_free(run);
}

static void parts_that_are_kept_out_count_apart(void **state)
{
	struct run *run = new_run();
	struct case_result *cases = give_cases(&run->results[0], 2);

	(void)state;
	run->has_baseline = true;
	for (unsigned i = 0; i < 3; i++)
		set(&run->results[i], STATUS_ACCESSED, STATUS_ACCESSED);
	for (unsigned i = 0; i < 2; i++) {
		cases[i].status = STATUS_ACCESSED;
		cases[i].has_baseline = true;
		cases[i].baseline = STATUS_ACCESSED;
	}
	assert_int_equal(run_summary(run).partly, 0);
	assert_false(result_cases_differ(&run->results[0]));
	cases[1].status = STATUS_DENIED;
	assert_int_equal(run_summary(run).partly, 1);
	assert_int_equal(run_summary(run).contained, 0);
	assert_true(result_cases_differ(&run->results[0]));
	/* What is unknown inside is nobody's merit; what is kept out whole counts there. */
	cases[1].status = STATUS_UNKNOWN;
	assert_int_equal(run_summary(run).partly, 0);
	cases[1].status = STATUS_DENIED;
	run->results[0].status = STATUS_DENIED;
	assert_int_equal(run_summary(run).partly, 0);
	assert_int_equal(run_summary(run).contained, 1);
	run_free(run);
}

static void few_scenarios_are_not_the_whole(void **state)
{
	struct run *run = new_run();
	unsigned n = run->n_results;

	(void)state;
	assert_false(run_is_whole(run));
	run->n_results = catalogue_count;
	assert_true(run_is_whole(run));
	run->n_results = n;
	run->complete = false;
	for (unsigned i = 0; i < n; i++)
		run->results[i].arrived = false;
	assert_false(run_began(run));
	run->results[1].arrived = true;
	assert_true(run_began(run));
	run_free(run);
}

static void nothing_open_is_not_no_isolation(void **state)
{
	struct run *run = new_run();

	(void)state;
	run->has_baseline = true;
	for (unsigned i = 0; i < 3; i++)
		set(&run->results[i], STATUS_UNKNOWN, STATUS_UNKNOWN);
	assert_false(run_shows_no_isolation(run));
	for (unsigned i = 0; i < 3; i++)
		set(&run->results[i], STATUS_DENIED, STATUS_DENIED);
	assert_false(run_shows_no_isolation(run));
	run->n_results = 0;
	assert_false(run_shows_no_isolation(run));
	run->n_results = 3;
	run_free(run);
}

static void severity_is_that_of_the_worst_accessed_case(void **state)
{
	struct run *run = new_run();
	struct case_result *cases = give_cases(&run->results[0], 2);

	(void)state;
	assert_int_equal(result_severity(&run->results[0]), SEVERITY_LOW);
	cases[0].status = STATUS_DENIED;
	cases[0].severity = SEVERITY_CRITICAL;
	cases[1].status = STATUS_ACCESSED;
	cases[1].severity = SEVERITY_MEDIUM;
	assert_int_equal(result_severity(&run->results[0]), SEVERITY_MEDIUM);
	run_free(run);
}

static void worst_come_first_then_by_id(void **state)
{
	struct run *run = new_run();
	const struct result *worst[2] = { NULL, NULL };
	struct case_result *cases = give_cases(&run->results[2], 1);

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		run->results[i].status = STATUS_ACCESSED;
	cases[0].status = STATUS_ACCESSED;
	cases[0].severity = SEVERITY_HIGH;
	assert_int_equal(run_worst(run, worst, 2), 3);
	assert_string_equal(worst[0]->entry->id, "a.high");
	assert_string_equal(worst[1]->entry->id, "b.info");
	assert_ptr_equal(run_find(run, "b.info"), &run->results[2]);
	assert_null(run_find(run, "b.other"));
	run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_result_is_unknown),
		cmocka_unit_test(incomplete_says_each_reason_once),
		cmocka_unit_test(contained_is_denied_inside_and_accessed_outside),
		cmocka_unit_test(no_isolation_needs_a_baseline_and_no_difference),
		cmocka_unit_test(parts_that_are_kept_out_count_apart),
		cmocka_unit_test(few_scenarios_are_not_the_whole),
		cmocka_unit_test(nothing_open_is_not_no_isolation),
		cmocka_unit_test(severity_is_that_of_the_worst_accessed_case),
		cmocka_unit_test(worst_come_first_then_by_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
