/* SPDX-License-Identifier: MIT */
#include "host/history_record.h"

#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "host/clean_text.h"
#include "host/memory.h"
#include "host/targets.h"
#include "host/throwaway.h"

#define LONGEST_TEXT 65536

/* ---------------------------------------------------------------- values */

static void put_json(struct statement *row, const json_t *value)
{
	char *text = value ? json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;

	put_text(row, text);
	free(text);
}

/* A command line may hold bytes that are no text; JSON must be. */
static void put_list(struct statement *row, char *const list[])
{
	json_t *array = json_array();

	for (size_t i = 0; list && list[i]; i++) {
		char *clean = clean_text(list[i], strlen(list[i]), LONGEST_TEXT);

		json_array_append_new(array, json_string(clean));
		free(clean);
	}
	put_json(row, list ? array : NULL);
	json_decref(array);
}

static void put_clean(struct statement *row, const char *text)
{
	char *clean = text ? clean_text(text, strlen(text), LONGEST_TEXT) : NULL;

	put_text(row, clean);
	free(clean);
}

static void put_barriers(struct statement *row, barrier_set set)
{
	char *text = barriers_text(set, ",");

	put_text(row, text);
	free(text);
}

static void put_status(struct statement *row, bool has, enum status status)
{
	put_text(row, has ? status_name(status) : NULL);
}

static void put_reason(struct statement *row, enum status status, enum reason reason)
{
	put_text(row, status == STATUS_UNKNOWN ? reason_name(reason) : NULL);
}

static void put_judged(struct statement *row, const struct judged *judged)
{
	bool has = judged->judgement != JUDGEMENT_NONE;

	put_text(row, has ? judgement_name(judged->judgement) : NULL);
	put_text(row, has ? tolerance_name(judged->tolerance) : NULL);
	put_clean(row, judged->rule);
}

static json_t *take_object(struct statement *row)
{
	const char *text = take_text(row);
	json_t *object = text ? json_loads(text, 0, NULL) : NULL;

	if (json_is_object(object))
		return object;
	json_decref(object);
	return json_object();
}

static json_t *take_array(struct statement *row)
{
	const char *text = take_text(row);
	json_t *array = text ? json_loads(text, 0, NULL) : NULL;

	if (json_is_array(array))
		return array;
	json_decref(array);
	return NULL;
}

static char **take_list(struct statement *row)
{
	json_t *array = take_array(row), *value;
	char **list = NULL;
	size_t i;

	json_array_foreach(array, i, value)
		if (json_is_string(value))
			list = list_add(list, copy_text(json_string_value(value)));
	json_decref(array);
	return list;
}

static barrier_set take_barriers(struct statement *row)
{
	const char *given = take_text(row);
	char *text = copy_text(given ? given : ""), *rest = text;
	barrier_set set = 0;

	for (char *name; (name = strsep(&rest, ","));) {
		int barrier = barrier_from_name(name);

		if (barrier >= 0)
			set |= BARRIER_BIT(barrier);
	}
	free(text);
	return set;
}

static enum status take_status(struct statement *row, bool *ret_has)
{
	const char *name = take_text(row);
	int status = name ? status_from_name(name) : -1;

	if (ret_has)
		*ret_has = name != NULL;
	return status < 0 ? STATUS_UNKNOWN : (enum status)status;
}

static enum reason take_reason(struct statement *row)
{
	const char *name = take_text(row);
	int reason = name ? reason_from_name(name) : -1;

	return reason < 0 ? REASON_NO_REPORT : (enum reason)reason;
}

static enum severity take_severity(struct statement *row)
{
	const char *name = take_text(row);
	int severity = name ? severity_from_name(name) : -1;

	return severity < 0 ? SEVERITY_INFO : (enum severity)severity;
}

static void take_judged(struct statement *row, struct judged *judged)
{
	const char *judgement = take_text(row), *tolerance = take_text(row);
	int of_judgement = judgement ? judgement_from_name(judgement) : -1;
	int of_tolerance = tolerance ? tolerance_from_name(tolerance) : -1;

	judged->judgement = of_judgement < 0 ? JUDGEMENT_NONE : (enum judgement)of_judgement;
	judged->tolerance = of_tolerance < 0 ? TOLERANCE_FAIL : (enum tolerance)of_tolerance;
	judged->rule = copy_text(take_text(row));
}

static enum policy_verdict take_verdict(struct statement *row)
{
	const char *name = take_text(row);
	int verdict = name ? verdict_from_name(name) : -1;

	return verdict < 0 ? VERDICT_NONE : (enum policy_verdict)verdict;
}

/* ---------------------------------------------------------------- writing */

bool history_record(struct database *database, const struct run *run, struct error *error)
{
	struct statement row = statement_new(
		database,
		"INSERT INTO run (id, started, seconds, sandbox, version, image, label, argv, "
		"complete, clean, incomplete_because, has_baseline, tool_version, catalogue, "
		"probe_version, probe_arch, origin, accessed, denied, unknown, policy, policy_source, verdict, "
		"targets) "
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	struct summary summary = run_summary(run);
	char id[17];

	random_digits(id, 8);
	put_text(&row, id);
	put_number(&row, run->started);
	put_real(&row, run->seconds);
	put_clean(&row, run->sandbox ? run->sandbox : "");
	put_clean(&row, run->version);
	put_clean(&row, run->image);
	put_clean(&row, run->label);
	put_list(&row, run->argv);
	put_number(&row, run->complete);
	put_number(&row, run->clean);
	put_list(&row, run->incomplete_because);
	put_number(&row, run->has_baseline);
	put_text(&row, SANDBOXEVAL_VERSION);
	put_text(&row, catalogue_hash);
	put_clean(&row, run->probe_version);
	put_clean(&row, run->probe_arch);
	put_json(&row, run->origin);
	put_number(&row, summary.accessed);
	put_number(&row, summary.denied);
	put_number(&row, summary.unknown);
	put_clean(&row, run->policy);
	put_clean(&row, run->policy_source);
	put_text(&row, run->policy ? verdict_name(run->verdict) : NULL);
	put_json(&row, run->targets);
	statement_step(&row);
	return statement_end(&row, error);
}

static void record_case(struct statement *row, int64_t number, unsigned result,
			unsigned position, const struct case_result *one)
{
	put_number(row, number);
	put_number(row, result);
	put_number(row, position);
	put_clean(row, one->name);
	put_text(row, severity_name(one->severity));
	put_text(row, status_name(one->status));
	put_reason(row, one->status, one->reason);
	put_barriers(row, one->barriers);
	put_status(row, one->has_baseline, one->baseline);
	put_json(row, one->evidence);
	put_json(row, one->measured);
	put_judged(row, &one->judged);
	statement_step(row);
}

static void record_result(struct statement *row, int64_t number, unsigned position,
			  const struct result *result)
{
	put_number(row, number);
	put_number(row, position);
	put_text(row, result->entry->id);
	put_text(row, severity_name(result->entry->severity));
	put_number(row, result->arrived);
	put_text(row, status_name(result->status));
	put_reason(row, result->status, result->reason);
	put_barriers(row, result->barriers);
	put_status(row, result->has_baseline, result->baseline);
	put_barriers(row, result->baseline_barriers);
	put_status(row, result->has_second, result->second);
	put_number(row, result->witnessed);
	put_json(row, result->objects);
	put_json(row, result->evidence);
	put_json(row, result->measured);
	put_judged(row, &result->judged);
	statement_step(row);
}

bool history_record_results(struct database *database, int64_t number, const struct run *run,
			    struct error *error)
{
	struct statement results = statement_new(
		database, "INSERT INTO result (run, position, scenario, severity, arrived, status, "
			  "reason, barriers, baseline, baseline_barriers, second, witnessed, objects, "
			  "evidence, measured, judgement, tolerance, rule) "
			  "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	struct statement cases = statement_new(
		database, "INSERT INTO case_result (run, result, position, name, severity, status, "
			  "reason, barriers, baseline, evidence, measured, judgement, tolerance, "
			  "rule) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	bool recorded;

	for (unsigned i = 0; i < run->n_results; i++) {
		record_result(&results, number, i, &run->results[i]);
		for (unsigned k = 0; k < run->results[i].n_cases; k++)
			record_case(&cases, number, i, k, &run->results[i].cases[k]);
	}
	recorded = statement_end(&results, error);
	return statement_end(&cases, recorded ? error : &(struct error){ 0 }) && recorded;
}

/* ---------------------------------------------------------------- reading */

static struct run *take_run(struct statement *row)
{
	struct run *run = run_new();
	json_t *given;

	run->started = (time_t)take_number(row);
	run->seconds = take_real(row);
	run->sandbox = copy_text(take_text(row));
	run->version = copy_text(take_text(row));
	run->image = copy_text(take_text(row));
	run->label = copy_text(take_text(row));
	run->argv = take_list(row);
	run->complete = take_number(row) != 0;
	run->clean = take_number(row) != 0;
	run->incomplete_because = take_list(row);
	run->has_baseline = take_number(row) != 0;
	run->probe_version = copy_text(take_text(row));
	run->probe_arch = copy_text(take_text(row));
	run->origin = take_object(row);
	run->policy = copy_text(take_text(row));
	run->policy_source = copy_text(take_text(row));
	run->verdict = take_verdict(row);
	given = take_object(row);
	run->targets = targets_take(given);
	json_decref(given);
	return run;
}

struct run *history_restore(struct database *database, int64_t number, struct error *error)
{
	struct statement row = statement_new(
		database, "SELECT started, seconds, sandbox, version, image, label, argv, complete, "
			  "clean, incomplete_because, has_baseline, probe_version, probe_arch, origin, "
			  "policy, policy_source, verdict, targets FROM run WHERE number = ?");
	struct run *run = NULL;

	put_number(&row, number);
	if (statement_step(&row))
		run = take_run(&row);
	if (statement_end(&row, error) && !run)
		error_set(error, EXIT_MISUSE, "the run %lld is no longer in the history",
			  (long long)number);
	return run;
}

static void take_result(struct statement *row, struct run *run)
{
	struct result *result;
	const char *scenario;
	json_t *objects;

	run->results = grow_array(run->results, run->n_results + 1, sizeof *run->results);
	result = &run->results[run->n_results++];
	*result = (struct result){ 0 };
	scenario = take_text(row);
	result->entry = run_entry(run, scenario ? scenario : "", take_severity(row));
	result->arrived = take_number(row) != 0;
	result->status = take_status(row, NULL);
	result->reason = take_reason(row);
	result->barriers = take_barriers(row);
	result->baseline = take_status(row, &result->has_baseline);
	result->baseline_barriers = take_barriers(row);
	result->second = take_status(row, &result->has_second);
	result->witnessed = take_number(row) != 0;
	objects = take_array(row);
	result->objects = objects ? objects : json_array();
	result->evidence = take_object(row);
	result->measured = take_object(row);
	take_judged(row, &result->judged);
}

static void take_case(struct statement *row, struct run *run)
{
	int64_t at = take_number(row);
	struct case_result *one;
	struct result *result;
	const char *name;

	if (at < 0 || at >= run->n_results)
		return;
	result = &run->results[at];
	result->cases = grow_array(result->cases, result->n_cases + 1, sizeof *result->cases);
	one = &result->cases[result->n_cases++];
	*one = (struct case_result){ 0 };
	name = take_text(row);
	one->name = copy_text(name ? name : "");
	one->definition = catalogue_case_find(result->entry, one->name);
	one->severity = take_severity(row);
	one->status = take_status(row, NULL);
	one->reason = take_reason(row);
	one->barriers = take_barriers(row);
	one->baseline = take_status(row, &one->has_baseline);
	one->evidence = take_object(row);
	one->measured = take_object(row);
	take_judged(row, &one->judged);
}

bool history_restore_results(struct database *database, int64_t number, struct run *run,
			     struct error *error)
{
	struct statement results = statement_new(
		database, "SELECT scenario, severity, arrived, status, reason, barriers, baseline, "
			  "baseline_barriers, second, witnessed, objects, evidence, measured, "
			  "judgement, tolerance, rule FROM result WHERE run = ? ORDER BY position");
	struct statement cases = statement_new(
		database, "SELECT result, name, severity, status, reason, barriers, baseline, "
			  "evidence, measured, judgement, tolerance, rule "
			  "FROM case_result WHERE run = ? "
			  "ORDER BY result, position");
	bool restored;

	put_number(&results, number);
	while (statement_step(&results))
		take_result(&results, run);
	put_number(&cases, number);
	while (statement_step(&cases))
		take_case(&cases, run);
	restored = statement_end(&results, error);
	return statement_end(&cases, restored ? error : &(struct error){ 0 }) && restored;
}
