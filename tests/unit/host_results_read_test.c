/* SPDX-License-Identifier: MIT */
/*
 * A report is read back as it was written, byte by byte; and what contradicts itself is refused
 * with a sentence that says where.
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
#include "host/report.h"
#include "host/results_read.h"

extern const struct report report_json;

static struct case_result a_case(const struct catalogue_case *definition)
{
	return (struct case_result){
		.name = copy_text(definition->name), .definition = definition,
		.severity = definition->severity, .status = STATUS_DENIED,
		.barriers = BARRIER_BIT(BARRIER_DAC), .has_baseline = true,
		.baseline = STATUS_ACCESSED,
		.evidence = json_pack("{ss si sf}", "call", "openat2", "size", 4, "part", 0.25),
		.measured = json_object(),
	};
}

/* One result of each kind, of scenarios that the catalogue really has. */
static struct run *a_run(void)
{
	static const char *const ids[] = { "system.cpu", "content.read", "network.ftp" };
	struct run *run = run_new();

	run->sandbox = copy_text("bwrap");
	run->argv = list_add(list_add(NULL, copy_text("bwrap")), copy_text("--unshare-all"));
	run->label = copy_text("a \"label\" \xe2\x80\xae");
	run->probe_version = copy_text("1.2.3");
	run->started = 1785588000;
	run->seconds = 1.25;
	run->has_baseline = true;
	run->policy = copy_text("mine");
	run->policy_source = copy_text("mine.yaml");
	run->verdict = VERDICT_VIOLATED;
	run->n_results = 3;
	run->results = new_array(3, sizeof *run->results);
	for (unsigned i = 0; i < 3; i++)
		run->results[i] = (struct result){
			.entry = catalogue_find(ids[i]), .arrived = true, .has_baseline = true,
			.objects = json_pack("[{ss ss}]", "kind", "file", "path", "/a\x1b[m"),
			.evidence = json_pack("{sb}", "proxy", 1), .measured = json_object()
		};
	run->results[0].status = STATUS_ACCESSED;
	run->results[0].judged = (struct judged){ JUDGEMENT_VIOLATES, 0, copy_text("default") };
	run->results[1].status = STATUS_DENIED;
	run->results[1].barriers = BARRIER_BIT(BARRIER_DAC);
	run->results[1].baseline_barriers = BARRIER_BIT(BARRIER_LSM);
	run->results[1].baseline = STATUS_DENIED;
	run->results[1].n_cases = 1;
	run->results[1].cases = new_array(1, sizeof *run->results[1].cases);
	run->results[1].cases[0] = a_case(&run->results[1].entry->cases[0]);
	run->results[2].reason = REASON_NO_WITNESS;
	run->results[2].judged = (struct judged){ JUDGEMENT_UNMEASURED, TOLERANCE_WARN, NULL };
	run->results[2].has_second = run->results[2].witnessed = true;
	run_mark_incomplete(run, "The footer is missing.");
	return run;
}

static char *written(const struct run *run)
{
	struct report_context context = { .run = run };
	struct error error;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_true(report_json.write(&context, out, &error));
	fclose(out);
	return text;
}

static void what_was_written_is_read(void **state)
{
	struct run *run = a_run(), *again;
	char *text = written(run), *other;
	json_t *report = json_loads(text, 0, NULL);
	struct error error = { 0 };

	(void)state;
	again = run_read_json(report, "r.json", &error);
	assert_string_equal(error.text, "");
	other = written(again);
	assert_string_equal(text, other);
	assert_ptr_equal(again->results[1].entry, catalogue_find("content.read"));
	assert_non_null(again->results[1].cases[0].definition);
	free(text);
	free(other);
	json_decref(report);
	run_free(run);
	run_free(again);
}

static void unknown_members_and_scenarios_are_kept_out_of_the_way(void **state)
{
	struct run *run = a_run();
	char *text = written(run);
	json_t *report = json_loads(text, 0, NULL);
	json_t *result = json_array_get(json_object_get(report, "results"), 0);
	struct error error = { 0 };

	(void)state;
	run_free(run);
	json_object_set_new(report, "novelty", json_array());
	json_object_set_new(result, "id", json_string("future.thing"));
	run = run_read_json(report, "r.json", &error);
	assert_non_null(run);
	assert_string_equal(run->results[0].entry->id, "future.thing");
	free(text);
	json_decref(report);
	run_free(run);
}

/* Changes one member of the report, by a path of keys and indexes, and reads it. */
static void refuses(const char *path, const char *value, const char *expected)
{
	struct run *run = a_run();
	char *text = written(run), *keys = copy_text(path), *rest = keys;
	json_t *report = json_loads(text, 0, NULL), *at = report;
	const char *key = strsep(&rest, ".");
	struct error error = { 0 };

	run_free(run);
	for (; rest; key = strsep(&rest, "."))
		at = json_is_array(at) ? json_array_get(at, (size_t)(*key - '0')) :
					 json_object_get(at, key);
	json_object_set_new(at, key, json_loads(value, JSON_DECODE_ANY, NULL));
	assert_null(run_read_json(report, "r.json", &error));
	assert_int_equal(error.status, EXIT_MISUSE);
	assert_string_equal(error.text, expected);
	free(text);
	free(keys);
	json_decref(report);
}

static void what_contradicts_itself_is_refused(void **state)
{
	(void)state;
	refuses("format", "\"x\"",
		"r.json: this is no report of sandboxeval, format sandboxeval-report/1");
	refuses("started", "\"yesterday\"",
		"r.json: \"started\" is no time such as 2026-01-31T12:00:00Z");
	refuses("complete", "true", "r.json: \"complete\" and \"incomplete_because\" disagree");
	refuses("clean", "1", "r.json: \"clean\" is neither true nor false");
	refuses("results", "{}", "r.json: \"results\" is no list of at most 4096");
	refuses("sandbox.argv", "[1]", "r.json: \"argv\" holds something that is no text");
	refuses("results.0.id", "\"nonsense\"", "r.json: a result has no id");
	refuses("results.1.id", "\"system.cpu\"", "r.json: system.cpu: it is there twice");
	refuses("results.0.status", "\"open\"",
		"r.json: system.cpu: \"status\" is not a word that is known there: open");
	refuses("results.0.barriers", "[\"dac\"]",
		"r.json: system.cpu: it is accessed and yet names a barrier");
	refuses("results.0.barriers", "[\"magic\"]", "r.json: system.cpu: there is no barrier 'magic'");
	refuses("results.2.reason", "null", "r.json: network.ftp: it is unknown and yet gives no reason");
	refuses("results.0.evidence", "{\"a\":[]}", "r.json: system.cpu: \"evidence\" is not flat");
	refuses("results.0.objects", "[{}]", "r.json: system.cpu: an object has no kind or no path");
	refuses("results.1.cases.0.case", "null", "r.json: content.read: a case has no name");
	refuses("results.1.cases.0.status", "\"unknown\"",
		"r.json: content.read/etc-passwd: it is unknown and yet gives no reason");
	refuses("results.1.status", "\"accessed\"",
		"r.json: content.read: it is accessed and yet names a barrier");
	refuses("policy.verdict", "null",
		"r.json: \"verdict\" is not a word that is known there: none");
}

static void files_that_are_no_reports_are_refused(void **state)
{
	struct error error;

	(void)state;
	assert_null(run_read_file("/nonexistent", &error));
	assert_string_equal(error.text, "cannot read /nonexistent: No such file or directory");
	assert_null(run_read_file("/", &error));
	assert_string_equal(error.text, "cannot read /: Is a directory");
	assert_null(run_read_file("/dev/null", &error));
	assert_non_null(strstr(error.text, "/dev/null:1:0: this is no JSON: "));
	assert_null(run_read_file("/dev/zero", &error));
	assert_string_equal(error.text, "/dev/zero: this is longer than 64 MiB");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(unknown_members_and_scenarios_are_kept_out_of_the_way),
		cmocka_unit_test(what_contradicts_itself_is_refused),
		cmocka_unit_test(files_that_are_no_reports_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
