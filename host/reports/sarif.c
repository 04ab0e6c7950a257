/* SPDX-License-Identifier: MIT */
/*
 * The report for code scanning: SARIF 2.1.0. The rules are the scenarios of the run; a result is
 * what is open, or with a policy what violates it; what is waived is a suppressed result. GitHub
 * wants a file for each result and there is none, so the sandbox's name stands for it. Severity
 * is the rule's there, so a case whose severity is not its scenario's has a rule of its own.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fnv.h"
#include "base/version.h"
#include "host/markdown.h"
#include "host/memory.h"
#include "host/report.h"
#include "host/report_text.h"

#define MOST_TEXT 1000 /* bytes of one text of others */

/* The address of docs/scenarios.md, for builds that have one: SARIF takes only absolute ones. */
#ifndef SANDBOXEVAL_DOCS
#define SANDBOXEVAL_DOCS NULL
#endif
static const char *const docs = SANDBOXEVAL_DOCS;

static const struct {
	const char *level, *problem, *security; /* GitHub: over 9 critical, over 7 high, over 4 … */
} weights[N_SEVERITIES] = {
	[SEVERITY_INHERIT] = { "note", "recommendation", "1.0" },
	[SEVERITY_INFO] = { "note", "recommendation", "1.0" },
	[SEVERITY_LOW] = { "note", "recommendation", "3.0" },
	[SEVERITY_MEDIUM] = { "warning", "warning", "5.5" },
	[SEVERITY_HIGH] = { "error", "error", "8.0" },
	[SEVERITY_CRITICAL] = { "error", "error", "9.5" },
};

/* The parts of a SARIF run that grow together; `index` is from a rule's id to its place. */
struct log {
	const struct report_context *context;
	json_t *rules, *index, *results, *notifications;
};

/* Free of what a reader could not see, and cut. */
static json_t *text_json(const char *text)
{
	char *safe = short_text(text, MOST_TEXT);
	json_t *string = json_string(safe);

	free(safe);
	return string;
}

/* {"text":…}: in messages, brackets make links and braces stand for arguments. */
static json_t *message_json(const char *text)
{
	char *safe = short_text(text, 4 * MOST_TEXT);
	char *copy = new_array(2 * strlen(safe) + 1, 1), *out = copy;
	json_t *message;

	for (const char *s = safe; *s; s++) {
		if (strchr("[]\\", *s))
			*out++ = '\\';
		if (strchr("{}", *s))
			*out++ = *s;
		*out++ = *s;
	}
	message = json_pack("{so}", "text", json_string(copy));
	free(copy);
	free(safe);
	return message;
}

/* ---------------------------------------------------------------- rules */

static char *rule_id(const struct catalogue_entry *entry, const struct case_result *one)
{
	if (!one || one->severity == entry->severity || !one->definition)
		return copy_text(entry->id);
	return print_text("%s/%s", entry->id, one->definition->name);
}


static void put_prose(FILE *out, bool markdown, const char *label, const char *text)
{
	if (!text || !*text)
		return;
	fprintf(out, markdown ? "**%s**: " : "%s: ", label);
	if (markdown)
		markdown_put(out, text);
	else
		fputs(text, out);
	fputs("\n\n", out);
}

static void put_help(FILE *out, bool markdown, const struct sandbox *sandbox,
		     const struct catalogue_entry *entry)
{
	const char *remedy;
	unsigned code = 0;

	put_prose(out, markdown, "Why", entry->why);
	put_prose(out, markdown, "Accessed", entry->accessed);
	put_prose(out, markdown, "Denied", entry->denied);
	while ((remedy = report_remedy(sandbox, entry, &code))) {
		fprintf(out, "%sRemedy (%s): ", markdown ? "- " : "", sandbox->title);
		if (markdown)
			markdown_put_code(out, remedy, MOST_TEXT);
		else
			fputs(remedy, out);
		fputc('\n', out);
	}
	fputc('\n', out);
	put_prose(out, markdown, "See", entry->see);
	fprintf(out, markdown ? "More: `sandboxeval explain %s`" : "More: sandboxeval explain %s",
		entry->id);
}

static json_t *help_json(const struct sandbox *sandbox, const struct catalogue_entry *entry,
			 bool markdown)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	json_t *string;

	if (!out)
		return NULL;
	put_help(out, markdown, sandbox, entry);
	fclose(out);
	string = json_string(text);
	free(text);
	return string;
}

/* Takes over the id. */
static void add_rule(struct log *log, char *id, const struct catalogue_entry *entry,
		     const struct case_result *one)
{
	const struct sandbox *sandbox = log->context->sandbox;
	enum severity severity = one ? one->severity : entry->severity;
	char *title = print_text("%s%s%s", entry->title, one ? ": " : "",
				 one ? one->definition->name : "");
	json_t *rule;

	if (json_object_get(log->index, id)) {
		free(id);
		free(title);
		return;
	}
	rule = json_pack("{so s{so} s{so} s{so so} s{ss} s{ss ss ss s[ssss]}}",
			 "id", text_json(id),
			 "shortDescription", "text", text_json(title),
			 "fullDescription", "text",
			 text_json(*entry->accessed ? entry->accessed : entry->title),
			 "help", "text", help_json(sandbox, entry, false),
			 "markdown", help_json(sandbox, entry, true),
			 "defaultConfiguration", "level", weights[severity].level,
			 "properties", "security-severity", weights[severity].security,
			 "problem.severity", weights[severity].problem, "precision", "very-high",
			 "tags", "security", "sandbox", entry->category, level_name(entry->level));
	if (docs) {
		char *uri = print_text("%s#%s", docs, entry->id);

		json_object_set_new(rule, "helpUri", text_json(uri));
		free(uri);
	}
	json_object_set_new(log->index, id, json_integer((json_int_t)json_array_size(log->rules)));
	json_array_append_new(log->rules, rule);
	free(id);
	free(title);
}

static void add_rules(struct log *log, const struct result *result)
{
	const struct catalogue_entry *entry = result->entry;

	add_rule(log, copy_text(entry->id), entry, NULL);
	for (unsigned i = 0; i < result->n_cases; i++) {
		const struct case_result *one = &result->cases[i];

		if (one->definition && one->severity != entry->severity)
			add_rule(log, rule_id(entry, one), entry, one);
	}
}

/* ---------------------------------------------------------------- results */

/* A relative address; what is no letter, digit, '-' or '_' is encoded. */
static char *uri_of(const struct run *run)
{
	char *name = short_text(run->sandbox && *run->sandbox ? run->sandbox : "sandbox", 200);
	char *uri = new_array(strlen(name) + 1, 3), *out = uri;

	for (const char *s = name; *s; s++) {
		bool plain = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
			     (*s >= '0' && *s <= '9') || strchr("-_", *s);

		out += sprintf(out, plain ? "%c" : "%%%02X", (unsigned char)*s);
	}
	*out = '\0';
	free(name);
	return uri;
}

/* Of what it is, never of what was seen: the same finding has the same in every run. */
static char *fingerprint_of(const struct run *run, const char *id, const char *name)
{
	const char *parts[] = { run->sandbox ? run->sandbox : "", id, name ? name : "" };
	uint64_t hash = FNV_START;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		hash = fnv_add(hash, parts[i], strlen(parts[i]) + 1);
	return print_text("%016" PRIx64, hash);
}

static json_t *location_json(const struct run *run, const struct result *result,
			     const struct case_result *one)
{
	char *uri = uri_of(run);
	char *full = one ? print_text("%s/%s", result->entry->id, one->name) :
			   copy_text(result->entry->id);
	json_t *location =
		json_pack("{s{s{so} s{si}} s[{so so ss}]}", "physicalLocation", "artifactLocation",
			  "uri", json_string(uri), "region", "startLine", 1, "logicalLocations",
			  "name", text_json(one ? one->name : result->entry->id),
			  "fullyQualifiedName", text_json(full), "kind", "resource");

	free(uri);
	free(full);
	return location;
}

/* What an older program measured may have no sentences in this one's catalogue. */
static const char *sentence_of(const struct catalogue_entry *entry, enum status status)
{
	const char *sentence = status == STATUS_ACCESSED ? entry->accessed :
			       status == STATUS_DENIED	 ? entry->denied :
							   "It was not measured.";

	return *sentence ? sentence : "This program's catalogue does not have the scenario.";
}

/* "etc-shadow (/etc/shadow): Code in the sandbox can …" and what decided. */
static char *message_of(const struct result *result, const struct case_result *one,
			const struct judged *judged)
{
	enum status status = one ? one->status : result->status;
	const char *path = one && one->definition ? one->definition->path : NULL;
	char *seen = one ? report_values(one->evidence, 4) : report_seen(result);
	char *name = one ? short_text(one->name, MOST_TEXT) : copy_text("");
	char *rule = short_text(judged->rule, MOST_TEXT);
	char *text = print_text("%s%s%s%s%s%s%s%s%s%s%s%s", name, path ? " (" : "",
				path ? path : "", path ? ")" : "", one ? ": " : "",
				sentence_of(result->entry, status), *rule ? " Policy: " : "", rule,
				*rule ? "." : "", *seen ? " Seen: " : "", seen, *seen ? "." : "");

	free(seen);
	free(name);
	free(rule);
	return text;
}

/* The evidence, as names and texts. */
static json_t *evidence_json(const json_t *evidence)
{
	json_t *object = json_object(), *value;
	const char *name;

	json_object_foreach((json_t *)evidence, name, value) {
		char *label = short_text(name, MOST_TEXT);

		if (json_is_string(value))
			json_object_set_new(object, label, text_json(json_string_value(value)));
		else
			json_object_set(object, label, value);
		free(label);
	}
	return object;
}

static json_t *properties_json(const struct result *result, const struct case_result *one)
{
	bool has_baseline = one ? one->has_baseline : result->has_baseline;
	const char *baseline = status_name(one ? one->baseline : result->baseline);
	enum severity severity = one ? one->severity : result_severity(result);
	char *barriers = barriers_text(one ? one->barriers : result->barriers, " ");
	json_t *properties =
		json_pack("{ss ss so ss ss so}",
			  "severity", severity_name(severity),
			  "status", status_name(one ? one->status : result->status),
			  "outside", has_baseline ? json_string(baseline) : json_null(),
			  "barriers", barriers,
			  "source", result->witnessed ? "witnessed" : "self-reported",
			  "evidence", evidence_json(one ? one->evidence : result->evidence));

	free(barriers);
	return properties;
}

static void add_result(struct log *log, const struct result *result, const struct case_result *one)
{
	const struct run *run = log->context->run;
	const struct judged *judged = one ? &one->judged : &result->judged;
	enum severity severity = one ? one->severity : result_severity(result);
	char *id = rule_id(result->entry, one), *message = message_of(result, one, judged);
	char *print = fingerprint_of(run, result->entry->id, one ? one->name : NULL);
	char *line = print_text("%s:1", print);
	/* What the owner forbade is an error, however little it matters to others. */
	const char *level = judged->judgement == JUDGEMENT_VIOLATES ? "error" :
								     weights[severity].level;
	json_t *object = json_pack("{ss sO ss so s[o] s{ss ss} so}",
				   "ruleId", id,
				   "ruleIndex", json_object_get(log->index, id),
				   "level", level,
				   "message", message_json(message),
				   "locations", location_json(run, result, one),
				   "partialFingerprints", "primaryLocationLineHash", line,
				   "sandboxeval/v1", print,
				   "properties", properties_json(result, one));

	if (judged->judgement == JUDGEMENT_WAIVED)
		json_object_set_new(object, "suppressions",
				    json_pack("[{ss ss so}]", "kind", "external", "status",
					      "accepted", "justification",
					      text_json(judged->rule)));
	json_array_append_new(log->results, object);
	free(id);
	free(message);
	free(print);
	free(line);
}

/* Without a policy, what is open; with one, what violates it, and what would but is waived. */
static bool is_finding(const struct run *run, const struct judged *judged, enum status status)
{
	if (run->verdict == VERDICT_NONE)
		return status == STATUS_ACCESSED;
	return judged->judgement == JUDGEMENT_VIOLATES || judged->judgement == JUDGEMENT_WAIVED;
}

static void add_results(struct log *log, const struct result *result)
{
	const struct run *run = log->context->run;
	unsigned n = 0;

	for (unsigned i = 0; i < result->n_cases; i++) {
		const struct case_result *one = &result->cases[i];

		if (!is_finding(run, &one->judged, one->status))
			continue;
		add_result(log, result, one);
		n++;
	}
	/* Without cases, or where only the whole tells. */
	if (n == 0 && is_finding(run, &result->judged, result->status))
		add_result(log, result, NULL);
}

/* ---------------------------------------------------------------- what was not measured */

static void add_notification(struct log *log, const char *level, const char *text, const char *id)
{
	json_t *notification = json_pack("{ss so}", "level", level, "message", message_json(text));

	if (id)
		json_object_set_new(notification, "associatedRule",
				    json_pack("{ss sO}", "id", id, "index",
					      json_object_get(log->index, id)));
	json_array_append_new(log->notifications, notification);
}

static void add_notifications(struct log *log)
{
	static const char *const levels[N_TOLERANCES] = {
		[TOLERANCE_FAIL] = "error",
		[TOLERANCE_WARN] = "warning",
		[TOLERANCE_IGNORE] = "note",
	};
	const struct run *run = log->context->run;

	for (size_t i = 0; run->incomplete_because && run->incomplete_because[i]; i++)
		add_notification(log, "error", run->incomplete_because[i], NULL);
	if (!run->clean)
		add_notification(log, "warning", "Something of the probe's own may be left behind.",
				 NULL);
	for (unsigned i = 0; i < run->n_results; i++) {
		const struct result *result = &run->results[i];
		bool judged = result->judged.judgement == JUDGEMENT_UNMEASURED;
		char *text;

		if (result->status != STATUS_UNKNOWN)
			continue;
		text = print_text("%s was not measured: %s. %s", result->entry->id,
				  reason_name(result->reason), reason_meaning(result->reason));
		add_notification(log, judged ? levels[result->judged.tolerance] : "note", text,
				 result->entry->id);
		free(text);
	}
}

/* ---------------------------------------------------------------- the whole */

static json_t *invocation_json(const struct log *log)
{
	const struct run *run = log->context->run;
	char started[sizeof "2026-01-02T03:04:05Z"] = "";
	json_t *invocation = json_pack("{sb sO}", "executionSuccessful",
				       run->complete && run->verdict != VERDICT_INCOMPLETE,
				       "toolExecutionNotifications", log->notifications);
	struct tm utc;

	if (gmtime_r(&run->started, &utc) &&
	    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", &utc))
		json_object_set_new(invocation, "startTimeUtc", json_string(started));
	return invocation;
}

static json_t *run_properties_json(const struct run *run)
{
	static const char *const names[] = { "sandbox", "version", "image", "label", "policy" };
	const char *values[] = { run->sandbox, run->version, run->image, run->label, run->policy };
	json_t *properties = json_object();
	char *standing = report_standing(run);

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (values[i])
			json_object_set_new(properties, names[i], text_json(values[i]));
	json_object_set_new(properties, "standing", text_json(standing));
	free(standing);
	return properties;
}

static json_t *log_json(const struct log *log)
{
	const struct run *run = log->context->run;
	char *uri = uri_of(run), *category = print_text("sandboxeval/%s/", uri);
	json_t *driver = json_pack("{ss ss ss sO}", "name", "SandboxEval", "version",
				   SANDBOXEVAL_VERSION, "semanticVersion", SANDBOXEVAL_VERSION,
				   "rules", log->rules);
	json_t *whole =
		json_pack("{ss ss s[{s{so} s{ss} s[o] sO so}]}",
			  "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
			  "version", "2.1.0", "runs",
			  "tool", "driver", driver,
			  "automationDetails", "id", category,
			  "invocations", invocation_json(log),
			  "results", log->results,
			  "properties", run_properties_json(run));

	if (docs)
		json_object_set_new(driver, "informationUri", json_string(docs));
	free(category);
	free(uri);
	return whole;
}

static bool write_sarif(const struct report_context *context, FILE *out, struct error *error)
{
	struct log log = { context, json_array(), json_object(), json_array(), json_array() };
	json_t *whole;
	int failed = -1;

	for (unsigned i = 0; i < context->run->n_results; i++) {
		add_rules(&log, &context->run->results[i]);
		add_results(&log, &context->run->results[i]);
	}
	add_notifications(&log);
	whole = log_json(&log);
	if (whole)
		failed = json_dumpf(whole, out,
				    JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));
	json_decref(whole);
	json_decref(log.rules);
	json_decref(log.index);
	json_decref(log.results);
	json_decref(log.notifications);
	if (failed && !ferror(out))
		return error_set(error, EXIT_INTERNAL, "cannot build the SARIF report");
	fputc('\n', out);
	return true;
}

const struct report report_sarif = {
	.name = "sarif",
	.summary = "findings for code scanning (SARIF 2.1.0)",
	.write = write_sarif,
};
