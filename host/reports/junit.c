/* SPDX-License-Identifier: MIT */
/*
 * The report for what shows test results (Jenkins, GitLab, GitHub actions …): a suite for the run
 * itself, and one for each category. It keeps to what the schemas of Ant and of Jenkins both
 * take. Without a policy nothing that is open is a failure: nobody said that it should be closed.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/version.h"
#include "host/markup.h"
#include "host/memory.h"
#include "host/report.h"
#include "host/report_text.h"

#define MOST_TEXT 2000 /* bytes of one text of others */

enum outcome { PASSED, FAILED, ERRED, SKIPPED };
#define N_OUTCOMES 4

static const char *const elements[N_OUTCOMES] = { NULL, "failure", "error", "skipped" };

/* One suite: its tests are written apart, because the counts stand before them. */
struct suite {
	const char *name;
	unsigned index;
	unsigned count[N_OUTCOMES];
	double seconds;
	FILE *tests, *log;
	char *tests_text, *log_text;
	size_t tests_size, log_size;
};

static bool suite_open(struct suite *suite, const char *name, unsigned index)
{
	*suite = (struct suite){ .name = name, .index = index };
	suite->tests = open_memstream(&suite->tests_text, &suite->tests_size);
	suite->log = open_memstream(&suite->log_text, &suite->log_size);
	return suite->tests && suite->log;
}

static void suite_free(struct suite *suite)
{
	if (suite->tests)
		fclose(suite->tests);
	if (suite->log)
		fclose(suite->log);
	free(suite->tests_text);
	free(suite->log_text);
}

/* Escaped for XML, and cut. */
static void put(FILE *out, const char *text)
{
	char *cut = short_text(text, MOST_TEXT);

	markup_put(out, cut);
	free(cut);
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
	fprintf(out, " %s=\"", name);
	put(out, value);
	fputc('"', out);
}

static void put_seconds(FILE *out, double seconds)
{
	char *text = report_seconds(seconds);

	put_attribute(out, "time", text);
	free(text);
}

/* ---------------------------------------------------------------- one test */

static void begin_test(struct suite *suite, const char *name, double seconds)
{
	fputs("    <testcase", suite->tests);
	put_attribute(suite->tests, "classname", suite->name);
	put_attribute(suite->tests, "name", name);
	put_seconds(suite->tests, seconds);
	if (seconds > 0)
		suite->seconds += seconds;
}

/* A test that passed has no body, one that was skipped says all in its message. */
static void begin_outcome(struct suite *suite, enum outcome outcome, const char *type,
			  const char *message)
{
	suite->count[outcome]++;
	if (outcome == PASSED)
		return;
	fprintf(suite->tests, ">\n      <%s", elements[outcome]);
	put_attribute(suite->tests, "type", type);
	put_attribute(suite->tests, "message", message);
	fputs(outcome == SKIPPED ? "/>\n" : ">\n", suite->tests);
}

static void end_test(struct suite *suite, enum outcome outcome)
{
	if (outcome == PASSED) {
		fputs("/>\n", suite->tests);
		return;
	}
	if (outcome != SKIPPED)
		fprintf(suite->tests, "      </%s>\n", elements[outcome]);
	fputs("    </testcase>\n", suite->tests);
}

static void put_line(FILE *out, const char *label, const char *text)
{
	fprintf(out, "%s: ", label);
	put(out, text);
	fputc('\n', out);
}

/* ---------------------------------------------------------------- the run as a suite */

static void add_run_tests(struct suite *suite, const struct run *run)
{
	enum outcome outcome = run->complete ? PASSED : ERRED;

	begin_test(suite, "run is complete", run->seconds);
	begin_outcome(suite, outcome, "incomplete",
		      "What did not arrive was not measured: the results do not tell how the "
		      "sandbox stands.");
	for (size_t i = 0; run->incomplete_because && run->incomplete_because[i]; i++)
		put_line(suite->tests, "because", run->incomplete_because[i]);
	end_test(suite, outcome);
	outcome = run->clean ? PASSED : ERRED;
	begin_test(suite, "nothing is left behind", 0);
	begin_outcome(suite, outcome, "not-clean",
		      "Something of the probe's own may be left behind.");
	end_test(suite, outcome);
}

/* ---------------------------------------------------------------- a scenario as a test */

static enum outcome outcome_of(const struct result *result)
{
	switch (result->judged.judgement) {
	case JUDGEMENT_CONFORMS:
		return PASSED;
	case JUDGEMENT_WAIVED:
		return SKIPPED;
	case JUDGEMENT_UNMEASURED:
		return result->judged.tolerance == TOLERANCE_FAIL ? ERRED : SKIPPED;
	case JUDGEMENT_VIOLATES:
		return FAILED;
	case JUDGEMENT_NONE:
		break;
	}
	return result->status == STATUS_UNKNOWN ? SKIPPED : PASSED;
}

/* "denied (dac, seccomp)", "accessed (high)", "unknown (timed-out)". */
static char *status_text(enum status status, enum severity severity, barrier_set barriers,
			 enum reason reason)
{
	char *names, *text;

	switch (status) {
	case STATUS_ACCESSED:
		return print_text("accessed (%s)", severity_name(severity));
	case STATUS_UNKNOWN:
		return print_text("unknown (%s)", reason_name(reason));
	case STATUS_DENIED:
		break;
	}
	names = barriers_text(barriers, ", ");
	text = print_text("denied (%s)", *names ? names : barrier_name(BARRIER_UNATTRIBUTED));
	free(names);
	return text;
}

static char *result_text(const struct result *result)
{
	return status_text(result->status, result_severity(result), result->barriers,
			   result->reason);
}

static void put_case(FILE *out, const struct case_result *one)
{
	char *status = status_text(one->status, one->severity, one->barriers, one->reason);

	fputs("case ", out);
	put(out, one->name);
	fprintf(out, ": %s", status);
	if (one->judged.judgement != JUDGEMENT_NONE)
		fprintf(out, ", %s", judgement_name(one->judged.judgement));
	if (one->judged.rule) {
		fputs(": ", out);
		put(out, one->judged.rule);
	}
	fputc('\n', out);
	free(status);
}

/* What a person needs to act on a failure. */
static void put_body(FILE *out, const struct report_context *context, const struct result *result)
{
	const struct catalogue_entry *entry = result->entry;
	bool open = result->status == STATUS_ACCESSED;
	char *seen = report_seen(result);
	const char *remedy;
	unsigned code = 0;

	if (result->status != STATUS_UNKNOWN)
		put_line(out, "means", open ? entry->accessed : entry->denied);
	else
		put_line(out, "means", reason_meaning(result->reason));
	for (unsigned i = 0; i < result->n_cases; i++)
		if (result->cases[i].judged.judgement == result->judged.judgement)
			put_case(out, &result->cases[i]);
	if (*seen)
		put_line(out, "seen", seen);
	while (open && (remedy = report_remedy(context->sandbox, entry, &code)))
		put_line(out, "remedy", remedy);
	free(seen);
}

/* A line of the suite's system-out: passed tests have a status too. */
static void log_result(FILE *out, const struct result *result, const char *status)
{
	char *cases = report_open_cases(result, 4);

	put(out, result->entry->id);
	fprintf(out, ": %s", status);
	if (*cases) {
		fputs("; open: ", out);
		put(out, cases);
	}
	if (result->has_baseline)
		fprintf(out, "; outside: %s", status_name(result->baseline));
	if (result->judged.judgement != JUDGEMENT_NONE)
		fprintf(out, "; %s", judgement_name(result->judged.judgement));
	if (result->judged.rule) {
		fputs(": ", out);
		put(out, result->judged.rule);
	}
	fputc('\n', out);
	free(cases);
}

/* "deny content.read (line 9)", without what it missed: what is alike is grouped by it. */
static char *type_of(const struct result *result)
{
	const char *rule = result->judged.rule, *line = rule ? strstr(rule, "(line ") : NULL;

	/* With nobody who judges, the only thing skipped is what nobody knows. */
	if (result->judged.judgement == JUDGEMENT_NONE)
		return copy_text(reason_name(result->reason));
	if (line && strchr(line, ')'))
		return copy_bytes(rule, (size_t)(strchr(line, ')') - rule) + 1);
	return copy_text(rule ? rule : judgement_name(result->judged.judgement));
}

static void add_result(struct suite *suite, const struct report_context *context,
		       const struct result *result)
{
	double seconds = json_number_value(json_object_get(result->measured, "seconds"));
	enum outcome outcome = outcome_of(result);
	const char *rule = result->judged.rule ? result->judged.rule : "";
	char *status = result_text(result), *type = type_of(result);
	char *message = print_text("%s%s%s", status, *rule ? ": " : "", rule);

	begin_test(suite, result->entry->id, seconds);
	begin_outcome(suite, outcome, type, message);
	if (outcome == FAILED || outcome == ERRED)
		put_body(suite->tests, context, result);
	end_test(suite, outcome);
	log_result(suite->log, result, status);
	free(status);
	free(type);
	free(message);
}

/* ---------------------------------------------------------------- suites */

static void put_property(FILE *out, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	fputs("      <property", out);
	put_attribute(out, "name", name);
	put_attribute(out, "value", value);
	fputs("/>\n", out);
}

static void put_properties(FILE *out, const struct run *run)
{
	fputs("    <properties>\n", out);
	put_property(out, "sandbox", run->sandbox);
	put_property(out, "version", run->version);
	put_property(out, "image", run->image);
	put_property(out, "label", run->label);
	put_property(out, "policy", run->policy);
	if (run->verdict != VERDICT_NONE)
		put_property(out, "verdict", verdict_name(run->verdict));
	put_property(out, "sandboxeval", SANDBOXEVAL_VERSION);
	fputs("    </properties>\n", out);
}

/* In UTC, without a zone: Ant's schema takes none. */
static void put_timestamp(FILE *out, time_t started)
{
	char text[sizeof "2026-01-02T03:04:05"] = "";
	struct tm utc;

	if (!gmtime_r(&started, &utc) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc))
		strcpy(text, "1970-01-01T00:00:00");
	put_attribute(out, "timestamp", text);
}

static void put_suite(FILE *out, struct suite *suite, const struct run *run)
{
	fflush(suite->tests);
	fflush(suite->log);
	fputs("  <testsuite", out);
	put_attribute(out, "name", suite->name);
	fprintf(out, " package=\"sandboxeval\" id=\"%u\" hostname=\"localhost\"", suite->index);
	put_timestamp(out, run->started);
	fprintf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\"",
		suite->count[PASSED] + suite->count[FAILED] + suite->count[ERRED] +
			suite->count[SKIPPED],
		suite->count[FAILED], suite->count[ERRED], suite->count[SKIPPED]);
	put_seconds(out, suite->seconds);
	fputs(">\n", out);
	put_properties(out, run);
	fwrite(suite->tests_text, 1, suite->tests_size, out);
	fputs("    <system-out>", out);
	fwrite(suite->log_text, 1, suite->log_size, out);
	fputs("</system-out>\n    <system-err></system-err>\n  </testsuite>\n", out);
}

static bool write_suites(const struct report_context *context, FILE *out)
{
	const struct run *run = context->run;
	char *standing = report_standing(run);
	struct suite suite;
	bool opened = suite_open(&suite, "run", 0);

	if (opened) {
		add_run_tests(&suite, run);
		put_line(suite.log, "standing", standing);
		put_suite(out, &suite, run);
	}
	free(standing);
	for (unsigned i = 0, index = 1; opened && i < run->n_results; index++) {
		const char *category = run->results[i].entry->category;

		suite_free(&suite);
		opened = suite_open(&suite, category, index);
		for (; opened && i < run->n_results &&
		       strcmp(run->results[i].entry->category, category) == 0; i++)
			add_result(&suite, context, &run->results[i]);
		if (opened)
			put_suite(out, &suite, run);
	}
	suite_free(&suite);
	return opened;
}

static bool write_junit(const struct report_context *context, FILE *out, struct error *error)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
	if (!write_suites(context, out))
		return error_set(error, EXIT_INTERNAL, "cannot build the report: out of memory");
	fputs("</testsuites>\n", out);
	return true;
}

const struct report report_junit = {
	.name = "junit",
	.summary = "test results in XML, for build servers",
	.write = write_junit,
};
