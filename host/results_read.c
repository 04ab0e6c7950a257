/* SPDX-License-Identifier: MIT */
#include "host/results_read.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "host/targets.h"

#define MOST_BYTES ((size_t)64 << 20)
#define MOST_RESULTS 4096
#define MOST_CASES 4096
#define MOST_OBJECTS 16

/* Where we are in the report, for messages. */
struct place {
	const char *name;    /* of the report */
	const char *id;      /* of the scenario, or NULL */
	const char *in_case; /* or NULL */
	struct error *error;
};

static bool wrong(const struct place *place, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Fills the error and returns false, so that "return wrong(…)" reads well. */
static bool wrong(const struct place *place, const char *format, ...)
{
	va_list arguments;
	char *what;

	va_start(arguments, format);
	what = print_text_list(format, arguments);
	va_end(arguments);
	error_set(place->error, EXIT_MISUSE, "%s: %s%s%s%s%s", place->name,
		  place->id ? place->id : "", place->in_case ? "/" : "",
		  place->in_case ? place->in_case : "", place->id ? ": " : "", what);
	free(what);
	return false;
}

/* ---------------------------------------------------------------- typed members */

/* A text or null. */
static bool take_text(const struct place *place, const json_t *from, const char *member, char **ret)
{
	const json_t *value = json_object_get(from, member);

	if (value && !json_is_string(value) && !json_is_null(value))
		return wrong(place, "\"%s\" is no text", member);
	*ret = copy_text(json_string_value(value));
	return true;
}

static bool take_bool(const struct place *place, const json_t *from, const char *member, bool *ret)
{
	const json_t *value = json_object_get(from, member);

	if (!json_is_boolean(value))
		return wrong(place, "\"%s\" is neither true nor false", member);
	*ret = json_is_true(value);
	return true;
}

static bool take_list(const struct place *place, const json_t *from, const char *member,
		      char ***ret)
{
	const json_t *list = json_object_get(from, member);

	if (!json_is_array(list))
		return wrong(place, "\"%s\" is no list", member);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *text = json_string_value(json_array_get(list, i));

		if (!text)
			return wrong(place, "\"%s\" holds something that is no text", member);
		*ret = list_add(*ret, copy_text(text));
	}
	return true;
}

/*
 * A word of a closed list; `*ret_has` tells a word from null, and NULL instead of it says that
 * null is not allowed.
 */
static bool take_word(const struct place *place, const json_t *from, const char *member,
		      int (*member_of)(const char *), bool *ret_has, unsigned *ret)
{
	const json_t *value = json_object_get(from, member);
	const char *word = json_string_value(value);
	int found = word ? member_of(word) : -1;

	*ret = 0;
	if (ret_has) {
		*ret_has = word != NULL;
		if (!value || json_is_null(value))
			return true;
	}
	if (found < 0)
		return wrong(place, "\"%s\" is not a word that is known there: %s", member,
			     word ? word : "none");
	*ret = (unsigned)found;
	return true;
}

static bool take_barriers(const struct place *place, const json_t *from, const char *member,
			  barrier_set *ret)
{
	const json_t *list = json_object_get(from, member);

	*ret = 0;
	if (list && !json_is_array(list))
		return wrong(place, "\"%s\" is no list", member);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *word = json_string_value(json_array_get(list, i));
		int barrier = word ? barrier_from_name(word) : -1;

		if (barrier < 0)
			return wrong(place, "there is no barrier '%s'", word ? word : "?");
		*ret |= BARRIER_BIT(barrier);
	}
	return true;
}

/* A copy of a flat object; an empty one where there is none. */
static bool take_flat(const struct place *place, const json_t *from, const char *member,
		      json_t **ret)
{
	json_t *object = json_object_get(from, member), *value;
	const char *key;

	if (object && !json_is_object(object))
		return wrong(place, "\"%s\" is no object", member);
	json_object_foreach(object, key,
			    value) if (!json_is_string(value) && !json_is_number(value) &&
				       !json_is_boolean(value)) return wrong(place,
									     "\"%s\" is not flat",
									     member);
	json_decref(*ret);
	*ret = object ? json_deep_copy(object) : json_object();
	return true;
}

static bool take_objects(const struct place *place, const json_t *from, json_t **ret)
{
	json_t *list = json_object_get(from, "objects");

	if (!json_is_array(list) || json_array_size(list) > MOST_OBJECTS)
		return wrong(place, "\"objects\" is no list of at most %d", MOST_OBJECTS);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *one = json_array_get(list, i);

		if (!json_is_string(json_object_get(one, "kind")) ||
		    !json_is_string(json_object_get(one, "path")))
			return wrong(place, "an object has no kind or no path");
	}
	json_decref(*ret);
	*ret = json_deep_copy(list);
	return true;
}

/* ---------------------------------------------------------------- results */

struct standing {
	unsigned status, reason, baseline, judgement, tolerance;
	bool has_baseline;
	barrier_set barriers;
};

/* What trials and cases have in common, and the rules that bind it together. */
static bool take_standing(const struct place *place, const json_t *from, struct standing *ret,
			  struct judged *ret_judged)
{
	bool has_reason, has_judgement, has_tolerance;

	if (!take_word(place, from, "status", status_from_name, NULL, &ret->status) ||
	    !take_word(place, from, "reason", reason_from_name, &has_reason, &ret->reason) ||
	    !take_word(place, from, "baseline", status_from_name, &ret->has_baseline,
		       &ret->baseline) ||
	    !take_word(place, from, "judgement", judgement_from_name, &has_judgement,
		       &ret->judgement) ||
	    !take_word(place, from, "tolerance", tolerance_from_name, &has_tolerance,
		       &ret->tolerance) ||
	    !take_barriers(place, from, "barriers", &ret->barriers))
		return false;
	if ((ret->status == STATUS_UNKNOWN) != has_reason)
		return wrong(place, "it is %s and yet gives %s reason",
			     status_name((enum status)ret->status), has_reason ? "a" : "no");
	if ((ret->status == STATUS_DENIED) != (ret->barriers != 0))
		return wrong(place, "it is %s and yet names %s barrier",
			     status_name((enum status)ret->status), ret->barriers ? "a" : "no");
	ret_judged->judgement = (enum judgement)ret->judgement;
	ret_judged->tolerance = (enum tolerance)ret->tolerance;
	return take_text(place, from, "rule", &ret_judged->rule);
}

static bool read_case(struct place *place, struct result *result, const json_t *from)
{
	struct case_result *one = &result->cases[result->n_cases];
	struct standing standing;
	unsigned severity;

	if (!take_text(place, from, "case", &one->name))
		return false;
	if (!one->name)
		return wrong(place, "a case has no name");
	/* From here on the case owns something: it counts, and will be released. */
	result->n_cases++;
	one->evidence = json_object();
	one->measured = json_object();
	place->in_case = one->name;
	for (unsigned i = 0; i + 1 < result->n_cases; i++)
		if (strcmp(result->cases[i].name, one->name) == 0)
			return wrong(place, "it is there twice");
	if (!take_word(place, from, "severity", severity_from_name, NULL, &severity) ||
	    !take_standing(place, from, &standing, &one->judged) ||
	    !take_flat(place, from, "evidence", &one->evidence) ||
	    !take_flat(place, from, "measured", &one->measured))
		return false;
	one->definition = catalogue_case_find(result->entry, one->name);
	one->severity = (enum severity)severity;
	one->status = (enum status)standing.status;
	one->reason = (enum reason)standing.reason;
	one->barriers = standing.barriers;
	one->has_baseline = standing.has_baseline;
	one->baseline = (enum status)standing.baseline;
	place->in_case = NULL;
	return true;
}

static bool read_cases(struct place *place, struct result *result, const json_t *from)
{
	const json_t *list = json_object_get(from, "cases");
	enum status folded = STATUS_DENIED;

	if (!json_is_array(list) || json_array_size(list) > MOST_CASES)
		return wrong(place, "\"cases\" is no list of at most %d", MOST_CASES);
	result->cases = new_array(json_array_size(list), sizeof *result->cases);
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (!read_case(place, result, json_array_get(list, i)))
			return false;
		folded = status_worse(folded, result->cases[i].status);
	}
	/* The whole follows from its cases; only "unknown" may be said beyond them. */
	if (result->n_cases > 0 && result->status != folded &&
	    !(result->status == STATUS_UNKNOWN && folded == STATUS_DENIED))
		return wrong(place, "it is %s, but its cases say %s", status_name(result->status),
			     status_name(folded));
	return true;
}

/* An id as the schema has it, so that what stands for it elsewhere is what it says. */
static bool is_id(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	size_t category = strspn(text, letters);

	return category > 0 && strchr(letters + 26, *text) == NULL && text[category] == '.' &&
	       text[category + 1] != '-' && strspn(text + category + 1, letters) > 0 &&
	       text[category + 1 + strspn(text + category + 1, letters)] == '\0';
}

static bool read_result(struct place *place, struct run *run, const json_t *from)
{
	struct result *result = &run->results[run->n_results];
	const char *id = json_string_value(json_object_get(from, "id"));
	const char *source = json_string_value(json_object_get(from, "source"));
	struct standing standing;
	unsigned severity, second;

	if (!id || !is_id(id))
		return wrong(place, "a result has no id");
	place->id = id;
	if (run_find(run, id))
		return wrong(place, "it is there twice");
	if (!take_word(place, from, "severity", severity_from_name, NULL, &severity))
		return false;
	result->entry = run_entry(run, id, (enum severity)severity);
	result->objects = json_array();
	result->evidence = json_object();
	result->measured = json_object();
	run->n_results++;
	if (!take_standing(place, from, &standing, &result->judged) ||
	    !take_word(place, from, "second", status_from_name, &result->has_second, &second) ||
	    !take_barriers(place, from, "baseline_barriers", &result->baseline_barriers) ||
	    !take_objects(place, from, &result->objects) ||
	    !take_flat(place, from, "evidence", &result->evidence) ||
	    !take_flat(place, from, "measured", &result->measured))
		return false;
	result->status = (enum status)standing.status;
	result->reason = (enum reason)standing.reason;
	result->barriers = standing.barriers;
	result->has_baseline = standing.has_baseline;
	result->baseline = (enum status)standing.baseline;
	result->second = (enum status)second;
	result->witnessed = source && strcmp(source, "witnessed") == 0;
	result->arrived = result->status != STATUS_UNKNOWN || result->reason != REASON_NO_REPORT;
	run->has_baseline = run->has_baseline || result->has_baseline;
	return read_cases(place, result, from);
}

/* ---------------------------------------------------------------- the run */

static bool read_head(const struct place *place, struct run *run, const json_t *report)
{
	const json_t *sandbox = json_object_get(report, "sandbox");
	const json_t *probe = json_object_get(json_object_get(report, "tool"), "probe");
	const json_t *policy = json_object_get(report, "policy");
	const char *started = json_string_value(json_object_get(report, "started"));
	struct tm utc = { 0 };
	const char *end = started ? strptime(started, "%Y-%m-%dT%H:%M:%SZ", &utc) : NULL;
	unsigned verdict = 0;

	if (!end || *end)
		return wrong(place, "\"started\" is no time such as 2026-01-31T12:00:00Z");
	if (!json_is_object(sandbox))
		return wrong(place, "\"sandbox\" is no object");
	if (json_is_object(policy) &&
	    !take_word(place, policy, "verdict", verdict_from_name, NULL, &verdict))
		return false;
	run->started = timegm(&utc);
	run->seconds = json_number_value(json_object_get(report, "seconds"));
	run->verdict = (enum policy_verdict)verdict;
	run->targets = targets_take(json_object_get(report, "targets"));
	return take_text(place, report, "label", &run->label) &&
	       take_text(place, sandbox, "name", &run->sandbox) &&
	       take_list(place, sandbox, "argv", &run->argv) &&
	       take_text(place, sandbox, "version", &run->version) &&
	       take_text(place, sandbox, "image", &run->image) &&
	       take_text(place, probe, "version", &run->probe_version) &&
	       take_text(place, probe, "arch", &run->probe_arch) &&
	       take_text(place, policy, "name", &run->policy) &&
	       take_text(place, policy, "source", &run->policy_source) &&
	       take_bool(place, report, "clean", &run->clean) &&
	       take_bool(place, report, "complete", &run->complete) &&
	       take_list(place, report, "incomplete_because", &run->incomplete_because);
}

static bool read_run(struct place *place, struct run *run, const json_t *report)
{
	const char *format = json_string_value(json_object_get(report, "format"));
	const json_t *results = json_object_get(report, "results");

	if (!format || strcmp(format, "sandboxeval-report/1") != 0)
		return wrong(place,
			     "this is no report of sandboxeval, format sandboxeval-report/1");
	if (!read_head(place, run, report))
		return false;
	if (run->complete != (list_length(run->incomplete_because) == 0))
		return wrong(place, "\"complete\" and \"incomplete_because\" disagree");
	if (!json_is_array(results) || json_array_size(results) > MOST_RESULTS)
		return wrong(place, "\"results\" is no list of at most %d", MOST_RESULTS);
	run->results = new_array(json_array_size(results), sizeof *run->results);
	for (size_t i = 0; i < json_array_size(results); i++) {
		if (!read_result(place, run, json_array_get(results, i)))
			return false;
		place->id = NULL;
	}
	return true;
}

struct run *run_read_json(const json_t *report, const char *name, struct error *error)
{
	struct place place = { .name = name, .error = error };
	struct run *run = run_new();

	if (!read_run(&place, run, report)) {
		run_free(run);
		return NULL;
	}
	return run;
}

/* At most MOST_BYTES: a device or a pipe may never end. */
static char *read_whole(FILE *in, size_t *ret_size)
{
	size_t room = 65536, size = 0, n;
	char *text = new_array(room, 1);

	while ((n = fread(text + size, 1, room - size, in)) > 0) {
		size += n;
		if (size > MOST_BYTES)
			break;
		if (size == room) {
			room *= 2;
			text = grow_array(text, room, 1);
		}
	}
	*ret_size = size;
	return text;
}

static json_t *load(const char *path, struct error *error)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *in = standard ? stdin : fopen(path, "re");
	json_error_t fault;
	json_t *report = NULL;
	size_t size;
	char *text;
	int failed;

	if (!in) {
		error_set(error, EXIT_MISUSE, "cannot read %s: %s", path, strerror(errno));
		return NULL;
	}
	errno = 0;
	text = read_whole(in, &size);
	failed = ferror(in) ? errno : 0;
	if (failed)
		error_set(error, EXIT_MISUSE, "cannot read %s: %s", path, strerror(failed));
	else if (size > MOST_BYTES)
		error_set(error, EXIT_MISUSE, "%s: this is longer than 64 MiB", path);
	else if (!(report = json_loadb(text, size, JSON_REJECT_DUPLICATES, &fault)))
		error_set(error, EXIT_MISUSE, "%s:%d:%d: this is no JSON: %s", path, fault.line,
			  fault.column, fault.text);
	if (!standard)
		fclose(in);
	free(text);
	return report;
}

struct run *run_read_file(const char *path, struct error *error)
{
	json_t *report = load(path, error);
	struct run *run = report ? run_read_json(report, path, error) : NULL;

	json_decref(report);
	return run;
}
