/* SPDX-License-Identifier: MIT */
/*
 * The report for spreadsheets: RFC 4180, a header, then one row per scenario and one per case of
 * it. What a spreadsheet would take for a formula gets an apostrophe before it, also after a
 * semicolon, where half of Europe's spreadsheets begin a new field.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/memory.h"
#include "host/report.h"
#include "host/report_text.h"

#define MOST_TEXT 2000 /* bytes of one text of others */
#define MOST_VALUES 16

/* The columns are a contract: new ones are added at the end. */
static const char header[] =
	"sandbox,version,image,label,started,complete,id,case,category,title,level,severity,status,"
	"baseline,second,barriers,baseline_barriers,reason,source,judgement,rule,evidence,seconds";

/* What begins a formula, also as its full-width likeness; tabs are visible escapes by now. */
static bool begins_formula(const char *text)
{
	static const char *const signs[] = { "=", "+", "-", "@", "\t", "\r", "＝", "＋", "－",
					     "＠" };

	text += strspn(text, " ");
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (strncmp(text, signs[i], strlen(signs[i])) == 0)
			return true;
	return false;
}

static void put_text(FILE *out, const char *text)
{
	char *safe = short_text(text, MOST_TEXT);

	fputs(begins_formula(safe) ? "\"'" : "\"", out);
	for (const char *s = safe; *s; s++) {
		fputs(*s == '"' ? "\"" : "", out);
		fputc(*s, out);
		if (*s == ';' && begins_formula(s + 1))
			fputc('\'', out);
	}
	fputc('"', out);
	free(safe);
}

/* One field of a row, after the first. */
static void put(FILE *out, const char *text)
{
	fputc(',', out);
	if (text && *text)
		put_text(out, text);
}

static void put_barriers(FILE *out, barrier_set set)
{
	char *text = barriers_text(set, " ");

	put(out, text);
	free(text);
}

static void put_judged(FILE *out, const struct judged *judged)
{
	put(out, judged->judgement == JUDGEMENT_NONE ? "" : judgement_name(judged->judgement));
	put(out, judged->rule);
}

static void put_evidence(FILE *out, const json_t *evidence, const json_t *measured)
{
	char *text = report_values(evidence, MOST_VALUES);
	const json_t *number = json_object_get(measured, "seconds");
	char *seconds = number ? report_seconds(json_number_value(number)) : copy_text("");

	put(out, text);
	put(out, seconds);
	free(text);
	free(seconds);
}

/* The run's own columns, the same in every row, so that files can be put together. */
static void put_run(FILE *out, const struct run *run)
{
	char started[sizeof "2026-01-02T03:04:05Z"] = "";
	struct tm utc;

	if (gmtime_r(&run->started, &utc))
		strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", &utc);
	put_text(out, run->sandbox);
	put(out, run->version);
	put(out, run->image);
	put(out, run->label);
	put(out, started);
	put(out, run->complete ? "true" : "false");
}

static void put_result(FILE *out, const struct run *run, const struct result *result)
{
	const struct catalogue_entry *entry = result->entry;

	put_run(out, run);
	put(out, entry->id);
	put(out, "");
	put(out, entry->category);
	put(out, entry->title);
	put(out, level_name(entry->level));
	put(out, severity_name(result_severity(result)));
	put(out, status_name(result->status));
	put(out, result->has_baseline ? status_name(result->baseline) : "");
	put(out, result->has_second ? status_name(result->second) : "");
	put_barriers(out, result->barriers);
	put_barriers(out, result->has_baseline ? result->baseline_barriers : 0);
	put(out, result->status == STATUS_UNKNOWN ? reason_name(result->reason) : "");
	put(out, result->witnessed ? "witnessed" : "self-reported");
	put_judged(out, &result->judged);
	put_evidence(out, result->evidence, result->measured);
	fputs("\r\n", out);
}

static void put_case(FILE *out, const struct run *run, const struct result *result,
		     const struct case_result *one)
{
	const struct catalogue_entry *entry = result->entry;

	put_run(out, run);
	put(out, entry->id);
	put(out, one->name);
	put(out, entry->category);
	put(out, entry->title);
	put(out, level_name(one->definition ? one->definition->level : entry->level));
	put(out, severity_name(one->severity));
	put(out, status_name(one->status));
	put(out, one->has_baseline ? status_name(one->baseline) : "");
	put(out, "");
	put_barriers(out, one->barriers);
	put(out, "");
	put(out, one->status == STATUS_UNKNOWN ? reason_name(one->reason) : "");
	put(out, result->witnessed ? "witnessed" : "self-reported");
	put_judged(out, &one->judged);
	put_evidence(out, one->evidence, one->measured);
	fputs("\r\n", out);
}

static bool write_csv(const struct report_context *context, FILE *out, struct error *error)
{
	const struct run *run = context->run;

	(void)error;
	fprintf(out, "%s\r\n", header);
	for (unsigned i = 0; i < run->n_results; i++) {
		put_result(out, run, &run->results[i]);
		for (unsigned k = 0; k < run->results[i].n_cases; k++)
			put_case(out, run, &run->results[i], &run->results[i].cases[k]);
	}
	return true;
}

const struct report report_csv = {
	.name = "csv",
	.summary = "a row per scenario and case, for spreadsheets",
	.write = write_csv,
};
