/* SPDX-License-Identifier: MIT */
/*
 * The report for programs: sandboxeval-report/1, specified by docs/schemas/report.schema.json.
 * Within a format version fields are added, never renamed; keys stand in a fixed order. All is
 * printed as ASCII, so that a report shown on a terminal cannot do anything to it.
 */
#include <jansson.h>
#include <stdlib.h>

#include "base/version.h"
#include "host/report.h"

static json_t *text_or_null(const char *text)
{
	/* json_string refuses what is not UTF-8; a report that says null is still a report. */
	json_t *string = text ? json_string(text) : NULL;

	return string ? string : json_null();
}

static json_t *text_list(char *const list[])
{
	json_t *array = json_array();

	for (size_t i = 0; list && list[i]; i++)
		json_array_append_new(array, text_or_null(list[i]));
	return array;
}

static json_t *barrier_list(barrier_set set)
{
	json_t *array = json_array();

	for (unsigned b = 0; b < N_BARRIERS; b++)
		if (set & BARRIER_BIT(b))
			json_array_append_new(array, json_string(barrier_name((enum barrier)b)));
	return array;
}

static json_t *status_or_null(bool has, enum status status)
{
	return has ? json_string(status_name(status)) : json_null();
}

static json_t *reason_or_null(enum status status, enum reason reason)
{
	return status == STATUS_UNKNOWN ? json_string(reason_name(reason)) : json_null();
}

static json_t *judgement_or_null(const struct judged *judged)
{
	return judged->judgement == JUDGEMENT_NONE ?
		       json_null() :
		       json_string(judgement_name(judged->judgement));
}

/* What becomes of it that it was not measured: null where it was. */
static json_t *tolerance_or_null(const struct judged *judged)
{
	return judged->judgement == JUDGEMENT_UNMEASURED ?
		       json_string(tolerance_name(judged->tolerance)) :
		       json_null();
}

static json_t *case_object(const struct case_result *one)
{
	return json_pack("{so ss ss so so so so so so sO}",
			 "case", text_or_null(one->name),
			 "severity", severity_name(one->severity),
			 "status", status_name(one->status),
			 "baseline", status_or_null(one->has_baseline, one->baseline),
			 "barriers", barrier_list(one->barriers),
			 "reason", reason_or_null(one->status, one->reason),
			 "judgement", judgement_or_null(&one->judged),
			 "rule", text_or_null(one->judged.rule),
			 "tolerance", tolerance_or_null(&one->judged),
			 "evidence", one->evidence);
}

static json_t *case_list(const struct result *result)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < result->n_cases; i++)
		json_array_append_new(array, case_object(&result->cases[i]));
	return array;
}

static json_t *result_object(const struct result *result)
{
	const struct catalogue_entry *entry = result->entry;

	return json_pack("{ss ss ss sb ss ss ss so so so so so ss so so so so sO sO sO}",
			 "id", entry->id,
			 "category", entry->category,
			 "title", entry->title,
			 "paper", entry->paper != NULL,
			 "level", level_name(entry->level),
			 "severity", severity_name(result_severity(result)),
			 "status", status_name(result->status),
			 "baseline", status_or_null(result->has_baseline, result->baseline),
			 "second", status_or_null(result->has_second, result->second),
			 "barriers", barrier_list(result->barriers),
			 "baseline_barriers", barrier_list(result->baseline_barriers),
			 "reason", reason_or_null(result->status, result->reason),
			 "source", result->witnessed ? "witnessed" : "self-reported",
			 "judgement", judgement_or_null(&result->judged),
			 "rule", text_or_null(result->judged.rule),
			 "tolerance", tolerance_or_null(&result->judged),
			 "cases", case_list(result),
			 "objects", result->objects,
			 "evidence", result->evidence,
			 "measured", result->measured);
}

static json_t *result_list(const struct run *run)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < run->n_results; i++)
		/* Appending NULL fails, and the caller sees a list that is too short. */
		if (json_array_append_new(array, result_object(&run->results[i])))
			break;
	return array;
}

static json_t *started_text(time_t started)
{
	char text[sizeof "2026-01-01T00:00:00Z"];
	struct tm utc;

	if (!gmtime_r(&started, &utc) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
		return json_null();
	return json_string(text);
}

static json_t *tool_object(const struct run *run)
{
	json_t *probe = json_pack("{so so}", "version", text_or_null(run->probe_version), "arch",
				  text_or_null(run->probe_arch));

	return json_pack("{ss ss ss so}", "name", "sandboxeval", "version", SANDBOXEVAL_VERSION,
			 "catalogue", catalogue_hash, "probe", probe);
}

static json_t *sandbox_object(const struct run *run)
{
	return json_pack("{so so so so}",
			 "name", text_or_null(run->sandbox),
			 "argv", text_list(run->argv),
			 "version", text_or_null(run->version),
			 "image", text_or_null(run->image));
}

static json_t *summary_object(const struct run *run)
{
	struct summary summary = run_summary(run);

	return json_pack("{si si si si si si si}",
			 "accessed", (int)summary.accessed,
			 "denied", (int)summary.denied,
			 "unknown", (int)summary.unknown,
			 "violates", (int)summary.violates,
			 "conforms", (int)summary.conforms,
			 "unmeasured", (int)summary.unmeasured,
			 "waived", (int)summary.waived);
}

static json_t *policy_or_null(const struct run *run)
{
	if (!run->policy)
		return json_null();
	return json_pack("{so so ss}",
			 "name", text_or_null(run->policy),
			 "source", text_or_null(run->policy_source),
			 "verdict", verdict_name(run->verdict));
}

static json_t *run_object(const struct run *run, json_t *results)
{
	return json_pack("{ss so so sf so so sb so sb so so so}",
			 "format", "sandboxeval-report/1",
			 "tool", tool_object(run),
			 "started", started_text(run->started),
			 "seconds", run->seconds,
			 "label", text_or_null(run->label),
			 "sandbox", sandbox_object(run),
			 "complete", run->complete,
			 "incomplete_because", text_list(run->incomplete_because),
			 "clean", run->clean,
			 "results", results,
			 "policy", policy_or_null(run),
			 "summary", summary_object(run));
}

static bool write_json(const struct report_context *context, FILE *out, struct error *error)
{
	json_t *results = result_list(context->run);
	bool whole = json_array_size(results) == context->run->n_results;
	json_t *report = run_object(context->run, results), *targets = context->run->targets;
	int failed = -1;

	if (report && targets)
		json_object_set(report, "targets", targets);
	/* A number such as 0.0002 must not become 0.00020000000000000001. */
	if (report && whole)
		failed = json_dumpf(report, out,
				    JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));
	json_decref(report);
	if (!report || !whole)
		return error_set(error, EXIT_INTERNAL, "cannot build the JSON report");
	/* A stream that failed is the caller's to judge: its reader may have left. */
	if (failed && !ferror(out))
		return error_set(error, EXIT_INTERNAL, "cannot write the JSON report");
	fputc('\n', out);
	return true;
}

const struct report report_json = {
	.name = "json",
	.summary = "everything, for programs (see docs/schemas/report.schema.json)",
	.write = write_json,
};
