/* SPDX-License-Identifier: MIT */
/*
 * The reader of the probe's output: what is right is taken, and whatever a hostile sandbox may
 * print instead is a fault with a sentence, never a crash and never a reassuring answer. The
 * catalogue here is the test's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/clean_text.h"
#include "host/memory.h"
#include "host/wire.h"

static const struct catalogue_case cases[] = {
	{ "one", NULL, SEVERITY_HIGH, LEVEL_OBSERVE },
	{ "two", NULL, SEVERITY_LOW, LEVEL_OBSERVE },
};
const struct catalogue_entry catalogue[] = {
	{ .id = "a.first", .category = "a" },
	{ .id = "a.second", .category = "a", .cases = cases, .n_cases = 2 },
	{ .id = "b.third", .category = "b" },
};
const unsigned catalogue_count = 3;
const char catalogue_hash[] = "0123";

#define HEADER                                                                                     \
	"{\"sandboxeval\":1,\"version\":\"0.1.0\",\"arch\":\"x86_64\",\"planned\":2,"              \
	"\"catalogue\":\"0123\",\"level\":\"touch\",\"origin\":{\"uid\":0}}\n"
#define FIRST "{\"id\":\"a.first\",\"status\":\"accessed\",\"evidence\":{\"n\":2},\"measured\":{}}\n"
#define SECOND                                                                                     \
	"{\"id\":\"a.second\",\"status\":\"denied\",\"barriers\":[\"dac\"],\"cases\":["            \
	"{\"case\":\"one\",\"severity\":\"high\",\"status\":\"denied\",\"barriers\":[\"dac\"],"    \
	"\"evidence\":{}}],\"evidence\":{},\"measured\":{}}\n"
/* Of the case that the catalogue calls high. */
#define CASE(severity)                                                                             \
	"{\"id\":\"a.second\",\"status\":\"accessed\",\"cases\":[{\"case\":\"one\",\"severity\":\""       \
	severity "\",\"status\":\"accessed\",\"evidence\":{}}],\"evidence\":{},\"measured\":{}}\n"
#define FOOTER "{\"end\":1,\"trials\":2,\"accessed\":1,\"denied\":1,\"unknown\":0,\"clean\":true}\n"

static const bool planned[] = { true, true, false };

static struct wire *feed(const char *text)
{
	struct wire *wire = wire_new(planned);

	wire_feed(wire, text, strlen(text));
	return wire;
}

static void the_right_thing_is_taken(void **state)
{
	struct wire *wire = feed(HEADER "{\"try\":\"a.first\"}\n" FIRST SECOND FOOTER);
	struct wire_result *said = wire_end(wire);

	(void)state;
	assert_true(said->header && said->footer && said->clean);
	assert_int_equal(said->n_faults, 0);
	assert_int_equal(said->n_arrived, 2);
	assert_true(said->tried[0] && !said->tried[1]);
	assert_int_equal(said->results[0].status, STATUS_ACCESSED);
	assert_int_equal(json_integer_value(json_object_get(said->results[0].evidence, "n")), 2);
	assert_int_equal(said->results[1].barriers, BARRIER_BIT(BARRIER_DAC));
	assert_int_equal(said->results[1].n_cases, 1);
	assert_int_equal(said->results[1].cases[0].severity, SEVERITY_HIGH);
	assert_false(said->results[2].arrived);
	assert_string_equal(said->probe_arch, "x86_64");
	wire_free(wire);
}

static void it_may_come_in_any_pieces(void **state)
{
	static const char text[] = "motd\r\n" HEADER FIRST SECOND FOOTER "bye";

	(void)state;
	for (size_t piece = 1; piece < 40; piece++) {
		struct wire *wire = wire_new(planned);
		struct wire_result *said;

		for (size_t i = 0; i < sizeof text - 1; i += piece) {
			size_t left = sizeof text - 1 - i;

			assert_true(wire_feed(wire, text + i, left < piece ? left : piece));
		}
		said = wire_end(wire);
		assert_int_equal(said->n_faults, 0);
		assert_int_equal(said->n_foreign, 2);
		assert_true(said->footer);
		wire_free(wire);
	}
}

static void banners_are_foreign_not_faults(void **state)
{
	struct wire *wire = feed("Welcome\n{\"other\":1}\n\xff\xfe\nno line break: " HEADER
				 "warning\033[2J\n" FIRST SECOND "x\n" FOOTER "goodbye\n");
	struct wire_result *said = wire_end(wire);

	(void)state;
	assert_int_equal(said->n_faults, 0);
	assert_int_equal(said->n_foreign, 7);
	assert_string_equal(said->foreign[0], "Welcome");
	assert_string_equal(said->foreign[2], "\xef\xbf\xbd\xef\xbf\xbd");
	wire_free(wire);
}

/* What follows the header, and words of the sentence that must come of it. */
static const struct {
	const char *text, *words;
} faulty[] = {
	{ HEADER, "second header" },
	{ "{\"id\":\"b.third\",\"status\":\"accessed\"}\n", "not planned" },
	{ "{\"id\":\"c.none\",\"status\":\"accessed\"}\n", "not planned" },
	{ "{\"id\":7,\"status\":\"accessed\"}\n", "not planned" },
	{ "{\"try\":\"b.third\"}\n", "not planned" },
	{ "{\"try\":\"a.first\"}\n{\"try\":\"a.first\"}\n", "announced twice" },
	{ FIRST FIRST, "reported twice" },
	{ "{\"id\":\"a.first\",\"status\":\"open\"}\n", "unknown status" },
	{ "{\"id\":\"a.first\",\"status\":[]}\n", "unknown status" },
	{ "{\"id\":\"a.first\"}\n", "unknown status" },
	{ "{\"id\":\"a.first\",\"status\":\"unknown\",\"reason\":\"tired\"}\n", "unknown reason" },
	{ "{\"id\":\"a.first\",\"status\":\"unknown\"}\n", "gives no reason" },
	{ "{\"id\":\"a.first\",\"status\":\"accessed\",\"reason\":\"level\"}\n", "gives a reason" },
	{ "{\"id\":\"a.first\",\"status\":\"denied\",\"barriers\":[\"wall\"]}\n", "unknown barrier" },
	{ "{\"id\":\"a.first\",\"status\":\"denied\",\"barriers\":[\"dac\",\"dac\"]}\n", "twice" },
	{ "{\"id\":\"a.first\",\"status\":\"denied\",\"barriers\":\"dac\"}\n", "no list" },
	{ "{\"id\":\"a.first\",\"status\":\"denied\"}\n", "names no barrier" },
	{ "{\"id\":\"a.first\",\"status\":\"accessed\",\"barriers\":[\"dac\"]}\n", "names barriers" },
	{ "{\"id\":\"a.first\",\"status\":\"accessed\",\"more\":1}\n", "unknown member" },
	{ "{\"id\":\"a.first\",\"status\":\"accessed\",\"evidence\":{\"a\":{}}}\n", "not flat" },
	{ "{\"id\":\"a.first\",\"status\":\"accessed\",\"measured\":[]}\n", "not flat" },
	{ "{\"id\":\"a.first\",\"status\":\"accessed\",\"evidence\":{\"a\":null}}\n", "not flat" },
	{ "{\"id\":\"a.first\",\"id\":\"a.first\",\"status\":\"accessed\"}\n", "cannot be read" },
	{ "{\"id\":\"a.first\",\"status\":\"accessed\"} x\n", "cannot be read" },
	{ "{\"id\":\"a.first\",\"status\":\"acce\n", "cannot be read" },
	{ "{\"id\":\"a.first\",\"status\":\"accessed\",\"evidence\":{\"a\":\"\xff\"}}\n",
	  "cannot be read" },
	{ "{\"id\":\"a.first\",\"status\":\"accessed\",\"cases\":[{\"case\":\"one\"}]}\n", "catalogue has 0" },
	{ "{\"id\":\"a.second\",\"status\":\"accessed\",\"cases\":[{\"case\":\"six\","
	  "\"status\":\"accessed\"}]}\n", "catalogue does not have" },
	{ "{\"id\":\"a.second\",\"status\":\"accessed\",\"cases\":[{\"case\":\"one\","
	  "\"status\":\"accessed\"},{\"case\":\"one\",\"status\":\"accessed\"}]}\n", "reported twice" },
	{ "{\"id\":\"a.second\",\"status\":\"denied\",\"barriers\":[\"dac\"],\"cases\":[{"
	  "\"case\":\"one\",\"status\":\"accessed\"}]}\n", "its cases say accessed" },
	{ "{\"id\":\"a.second\",\"status\":\"accessed\",\"cases\":[{\"case\":\"one\","
	  "\"status\":\"denied\",\"barriers\":[\"dac\"]}]}\n", "its cases say denied" },
	{ "{\"id\":\"a.second\",\"status\":\"accessed\",\"cases\":[7]}\n", "without a name" },
	{ CASE("critical"), "another severity" },
	{ CASE("low"), "another severity" },
	{ CASE("odd"), "another severity" },
	{ "{\"id\":\"a.first\",\"status\":\"accessed\",\"objects\":[{\"kind\":\"x\"}]}\n",
	  "without kind and path" },
	{ "{\"id\":\"a.first\",\"status\":\"accessed\",\"objects\":{}}\n", "no list" },
	{ FIRST SECOND FOOTER FIRST, "after the footer" },
	{ FIRST SECOND FOOTER FOOTER, "after the footer" },
	{ FIRST FOOTER, "counts 2 results, but 1" },
	{ FIRST SECOND "{\"end\":1,\"trials\":2,\"accessed\":2,\"denied\":0,\"unknown\":0,"
	  "\"clean\":true}\n", "other statuses" },
	{ FIRST SECOND "{\"end\":1,\"trials\":2,\"accessed\":1,\"denied\":1,\"unknown\":0,"
	  "\"clean\":\"yes\"}\n", "footer is not" },
	{ "{\"end\":true}\n", "footer is not" },
};

static void what_is_wrong_is_a_fault(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
		char *text = print_text("%s%s", HEADER, faulty[i].text);
		struct wire *wire = feed(text);
		struct wire_result *said = wire_end(wire);

		if (said->n_faults == 0 || !strstr(said->faults[0], faulty[i].words))
			fail_msg("%s: %s instead of \"%s\"", faulty[i].text,
				 said->n_faults ? said->faults[0] : "nothing", faulty[i].words);
		wire_free(wire);
		free(text);
	}
}

static void what_was_said_twice_is_not_believed(void **state)
{
	struct wire *wire = feed(HEADER SECOND "{\"id\":\"a.second\",\"status\":\"unknown\","
					       "\"reason\":\"level\"}\n" FIRST FOOTER);
	struct wire_result *said = wire_end(wire);

	(void)state;
	assert_int_equal(said->results[1].status, STATUS_UNKNOWN);
	assert_int_equal(said->results[1].reason, REASON_CONTRADICTORY);
	assert_true(said->n_faults > 0);
	wire_free(wire);
}

static void a_case_may_matter_a_step_less(void **state)
{
	struct wire *wire = feed(HEADER CASE("medium"));
	struct wire_result *said = wire_end(wire);

	(void)state;
	assert_int_equal(said->n_faults, 0);
	assert_int_equal(said->results[1].cases[0].severity, SEVERITY_MEDIUM);
	wire_free(wire);
}

static void a_refused_line_is_no_result(void **state)
{
	struct wire *wire = feed(HEADER "{\"id\":\"a.second\",\"status\":\"denied\",\"barriers\":["
					"\"dac\"],\"cases\":[{\"case\":\"one\",\"status\":\"denied\","
					"\"barriers\":[\"dac\"],\"measured\":7}]}\n");
	struct wire_result *said = wire_end(wire);

	(void)state;
	assert_false(said->results[1].arrived);
	assert_int_equal(said->results[1].status, STATUS_UNKNOWN);
	assert_int_equal(said->results[1].n_cases, 0);
	wire_free(wire);
}

static void nothing_counts_before_the_header(void **state)
{
	struct wire *wire = feed(FIRST);

	(void)state;
	assert_int_equal(wire_end(wire)->n_arrived, 0);
	assert_non_null(strstr(wire_end(wire)->faults[0], "before the header"));
	wire_free(wire);
	wire = feed("");
	assert_int_equal(wire_end(wire)->n_faults, 0);
	assert_false(wire_end(wire)->header || wire_end(wire)->footer || wire_end(wire)->clean);
	wire_free(wire);
}

static void a_line_cut_off_by_a_kill_is_only_missing(void **state)
{
	struct wire *wire = feed(HEADER FIRST "{\"id\":\"a.second\",\"stat");
	struct wire_result *said = wire_end(wire);

	(void)state;
	assert_int_equal(said->n_faults, 0);
	assert_int_equal(said->n_arrived, 1);
	assert_false(said->footer);
	wire_free(wire);
}

static void texts_are_cleaned(void **state)
{
	struct wire *wire = feed(HEADER "{\"id\":\"a.first\",\"status\":\"accessed\",\"evidence\":{"
					"\"k\\u001b\":\"\\u001b[31m\\u009b\\u202eabc\\u0007\xf0\x9f\x92\xa3\"}}\n");
	struct wire_result *said = wire_end(wire);

	(void)state;
	assert_string_equal(json_string_value(json_object_get(said->results[0].evidence,
							      "k\xef\xbf\xbd")),
			    "\xef\xbf\xbd[31m\xef\xbf\xbd\xef\xbf\xbd"
			    "abc\xef\xbf\xbd\xf0\x9f\x92\xa3");
	wire_free(wire);
}

static void everything_is_bounded(void **state)
{
	size_t n = WIRE_LONGEST_LINE + 10;
	char *block = new_array(n, 1);
	struct wire *wire = wire_new(planned);
	unsigned fed = 0;

	(void)state;
	memset(block, 'a', n);
	while (fed < 64 && wire_feed(wire, block, n))
		fed++;
	assert_true(fed < 17);
	assert_false(wire_feed(wire, block, n));
	assert_true(wire_end(wire)->n_faults > 0);
	wire_free(wire);

	memset(block, '\n', n);
	wire = wire_new(planned);
	assert_false(wire_feed(wire, block, n));
	assert_non_null(strstr(wire_end(wire)->faults[0], "lines"));
	wire_free(wire);

	/* Depth: jansson's own limit refuses it, and nothing overflows. */
	memset(block, '[', n);
	memcpy(block, "{\"id\":", 6);
	block[n - 11] = '\n';
	wire = feed(HEADER);
	wire_feed(wire, block, n - 10);
	assert_non_null(strstr(wire_end(wire)->faults[0], "cannot be read"));
	wire_free(wire);
	free(block);
}

/* Not a fuzzer, but a smoke test that runs everywhere: right output with bytes changed. */
static void damaged_output_is_survived(void **state)
{
	static const char text[] = HEADER "{\"try\":\"a.first\"}\n" FIRST SECOND FOOTER;
	uint32_t random = 12345;

	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		char copy[sizeof text];
		struct wire *wire = wire_new(planned);

		memcpy(copy, text, sizeof text);
		for (unsigned k = 0; k <= round % 4; k++) {
			random = random * 1664525 + 1013904223;
			copy[(random >> 8) % (sizeof text - 1)] = (char)(random >> 24);
		}
		wire_feed(wire, copy, sizeof text - 1);
		wire_end(wire);
		wire_free(wire);
	}
}

static void error_output_becomes_one_line(void **state)
{
	static const char text[] = "\n\x1b[1mbwrap:   cannot\tstart\n\n  \r\nagain\n";
	char *line = clean_lines(text, sizeof text - 1, 100);
	char *cut = clean_text("ab\xc3\xa4" "cd", 6, 3);

	(void)state;
	assert_string_equal(line, "\xef\xbf\xbd[1mbwrap: cannot start / again");
	assert_string_equal(cut, "ab…");
	free(line);
	free(cut);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_right_thing_is_taken),
		cmocka_unit_test(it_may_come_in_any_pieces),
		cmocka_unit_test(banners_are_foreign_not_faults),
		cmocka_unit_test(what_is_wrong_is_a_fault),
		cmocka_unit_test(what_was_said_twice_is_not_believed),
		cmocka_unit_test(a_case_may_matter_a_step_less),
		cmocka_unit_test(a_refused_line_is_no_result),
		cmocka_unit_test(nothing_counts_before_the_header),
		cmocka_unit_test(a_line_cut_off_by_a_kill_is_only_missing),
		cmocka_unit_test(texts_are_cleaned),
		cmocka_unit_test(everything_is_bounded),
		cmocka_unit_test(damaged_output_is_survived),
		cmocka_unit_test(error_output_becomes_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
