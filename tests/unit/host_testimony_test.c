/* SPDX-License-Identifier: MIT */
/*
 * What the probe says against what the witness saw: only where both agree is it witnessed, and a
 * claim that is contradicted is no result.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/memory.h"
#include "host/testimony.h"

#define PLACE "0123456789abcdef"

struct scene {
	struct result *results;
	struct arrivals *arrivals;
	unsigned ftp, dns;
};

static unsigned index_of(const char *id)
{
	const struct catalogue_entry *entry = catalogue_find(id);

	assert_non_null(entry);
	return (unsigned)(entry - catalogue);
}

static int set_up(void **state)
{
	struct scene *scene = new_array(1, sizeof *scene);

	scene->results = new_array(catalogue_count, sizeof *scene->results);
	scene->arrivals = new_array(1, sizeof *scene->arrivals);
	for (unsigned i = 0; i < catalogue_count; i++)
		scene->results[i] = (struct result){ .entry = &catalogue[i],
						     .evidence = json_object() };
	scene->ftp = index_of("network.ftp");
	scene->dns = index_of("network.dns");
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	for (unsigned i = 0; i < catalogue_count; i++) {
		json_decref(scene->results[i].evidence);
		for (unsigned k = 0; k < scene->results[i].n_cases; k++)
			json_decref(scene->results[i].cases[k].evidence);
		free(scene->results[i].cases);
	}
	free(scene->results);
	free(scene->arrivals);
	free(scene);
	return 0;
}

static struct result *say(struct scene *scene, unsigned index, enum status status)
{
	scene->results[index].arrived = true;
	scene->results[index].status = status;
	if (status == STATUS_DENIED)
		scene->results[index].barriers = BARRIER_BIT(BARRIER_FILTERED);
	return &scene->results[index];
}

static void arrive(struct scene *scene, unsigned index)
{
	struct arrival arrival = { .protocol = "ftp", .port = 21, .family = 4 };

	snprintf(arrival.nonce, sizeof arrival.nonce, PLACE "%04x", index);
	arrivals_add(scene->arrivals, &arrival);
}

static const char *saw(const struct result *result)
{
	return json_string_value(json_object_get(result->evidence, "witness_saw"));
}

/* ---------------------------------------------------------------- a whole */

static void both_agree_that_it_arrived(void **state)
{
	struct scene *scene = *state;
	struct result *result = say(scene, scene->ftp, STATUS_ACCESSED);

	arrive(scene, scene->ftp);
	testify(scene->results, scene->arrivals, PLACE);
	assert_true(result->witnessed);
	assert_int_equal(result->status, STATUS_ACCESSED);
	assert_string_equal(saw(result), "ftp 21 ipv4");
}

static void a_claim_that_nobody_saw(void **state)
{
	struct scene *scene = *state;
	struct result *result = say(scene, scene->ftp, STATUS_ACCESSED);

	/* Of another scenario, and from another place. */
	arrive(scene, scene->ftp + 1);
	testify(scene->results, scene->arrivals, PLACE);
	assert_false(result->witnessed);
	assert_int_equal(result->status, STATUS_UNKNOWN);
	assert_int_equal(result->reason, REASON_CONTRADICTORY);
	assert_string_equal(saw(result), "nothing");
}

static void an_arrival_from_elsewhere_is_not_ours(void **state)
{
	struct scene *scene = *state;
	struct result *result = say(scene, scene->ftp, STATUS_ACCESSED);

	arrive(scene, scene->ftp);
	testify(scene->results, scene->arrivals, "ffffffffffffffff");
	assert_int_equal(result->status, STATUS_UNKNOWN);
}

static void an_arrival_that_is_denied(void **state)
{
	struct scene *scene = *state;
	struct result *result = say(scene, scene->ftp, STATUS_DENIED);

	arrive(scene, scene->ftp);
	testify(scene->results, scene->arrivals, PLACE);
	assert_false(result->witnessed);
	assert_int_equal(result->status, STATUS_UNKNOWN);
	assert_int_equal(result->reason, REASON_CONTRADICTORY);
	assert_int_equal(result->barriers, 0);
	assert_string_equal(saw(result), "ftp 21 ipv4");
}

static void silence_on_both_sides_stays(void **state)
{
	struct scene *scene = *state;
	struct result *result = say(scene, scene->ftp, STATUS_DENIED);

	testify(scene->results, scene->arrivals, PLACE);
	assert_false(result->witnessed);
	assert_int_equal(result->status, STATUS_DENIED);
	assert_int_equal(result->barriers, BARRIER_BIT(BARRIER_FILTERED));
	assert_null(saw(result));
}

static void without_a_witness_a_claim_is_unknown(void **state)
{
	struct scene *scene = *state;
	struct result *result = say(scene, scene->ftp, STATUS_ACCESSED);

	testify(scene->results, NULL, PLACE);
	assert_int_equal(result->status, STATUS_UNKNOWN);
	assert_int_equal(result->reason, REASON_NO_WITNESS);
}

static void other_scenarios_are_left_alone(void **state)
{
	struct scene *scene = *state;
	unsigned locale = index_of("system.locale");
	struct result *result = say(scene, locale, STATUS_ACCESSED);

	arrive(scene, locale);
	testify(scene->results, scene->arrivals, PLACE);
	assert_false(result->witnessed);
	assert_int_equal(result->status, STATUS_ACCESSED);
}

/* ---------------------------------------------------------------- cases */

static struct result *say_cases(struct scene *scene, enum status resolver, enum status carried)
{
	struct result *result = say(scene, scene->dns, status_worse(resolver, carried));

	result->n_cases = 2;
	result->cases = new_array(2, sizeof *result->cases);
	result->cases[0].definition = catalogue_case_find(result->entry, "resolver");
	result->cases[1].definition = catalogue_case_find(result->entry, "carried");
	result->cases[0].status = resolver;
	result->cases[1].status = carried;
	for (unsigned i = 0; i < 2; i++) {
		assert_non_null(result->cases[i].definition);
		result->cases[i].evidence = json_object();
	}
	return result;
}

static void a_case_about_something_inside_needs_no_witness(void **state)
{
	struct scene *scene = *state;
	struct result *result = say_cases(scene, STATUS_ACCESSED, STATUS_DENIED);

	testify(scene->results, scene->arrivals, PLACE);
	assert_false(result->witnessed);
	assert_int_equal(result->status, STATUS_ACCESSED);
	assert_int_equal(result->cases[0].status, STATUS_ACCESSED);
	assert_int_equal(result->cases[1].status, STATUS_DENIED);
}

static void a_case_that_nobody_saw_changes_the_whole(void **state)
{
	struct scene *scene = *state;
	struct result *result = say_cases(scene, STATUS_DENIED, STATUS_ACCESSED);

	testify(scene->results, scene->arrivals, PLACE);
	assert_int_equal(result->status, STATUS_UNKNOWN);
	assert_int_equal(result->reason, REASON_CONTRADICTORY);
	assert_int_equal(result->cases[0].status, STATUS_DENIED);
	assert_int_equal(result->cases[1].reason, REASON_CONTRADICTORY);
}

static void a_case_that_was_seen_is_witnessed(void **state)
{
	struct scene *scene = *state;
	struct result *result = say_cases(scene, STATUS_DENIED, STATUS_ACCESSED);

	arrive(scene, scene->dns);
	testify(scene->results, scene->arrivals, PLACE);
	assert_true(result->witnessed);
	assert_int_equal(result->status, STATUS_ACCESSED);
}

/* ---------------------------------------------------------------- facts */

static void facts_name_what_was_seen(void **state)
{
	struct scene *scene = *state;
	char *facts = testimony_facts(scene->arrivals, PLACE);

	assert_string_equal(facts, ",witness.saw=");
	free(facts);
	arrive(scene, scene->ftp);
	arrive(scene, scene->dns);
	facts = testimony_facts(scene->arrivals, PLACE);
	assert_string_equal(facts, ",witness.saw=network.dns+network.ftp");
	free(facts);
	facts = testimony_facts(NULL, PLACE);
	assert_string_equal(facts, "");
	free(facts);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(both_agree_that_it_arrived),
		TEST(a_claim_that_nobody_saw),
		TEST(an_arrival_from_elsewhere_is_not_ours),
		TEST(an_arrival_that_is_denied),
		TEST(silence_on_both_sides_stays),
		TEST(without_a_witness_a_claim_is_unknown),
		TEST(other_scenarios_are_left_alone),
		TEST(a_case_about_something_inside_needs_no_witness),
		TEST(a_case_that_nobody_saw_changes_the_whole),
		TEST(a_case_that_was_seen_is_witnessed),
		TEST(facts_name_what_was_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
