/* SPDX-License-Identifier: MIT */
#include "probe/wire.h"

#include <string.h>
#include <sys/resource.h>

#include "base/version.h"
#include "probe/filter.h"
#include "probe/output.h"
#include "probe/table.h"
#include "probe/text.h"

#if defined(__x86_64__)
#define ARCHITECTURE "x86_64"
#else
#define ARCHITECTURE "aarch64"
#endif

/* ---------------------------------------------------------------- members of an object */

/* The comma before every member but the first. */
static void put_name(bool *first, const char *name)
{
	if (!*first)
		put(",");
	*first = false;
	put_json(name, strlen(name));
	put(":");
}

static void put_text_member(bool *first, const char *name, const char *text)
{
	put_name(first, name);
	put_json(text, strlen(text));
}

static void put_number_member(bool *first, const char *name, int64_t number)
{
	put_name(first, name);
	put_format("%ld", (long)number);
}

static void put_flag_member(bool *first, const char *name, bool flag)
{
	put_name(first, name);
	put(flag ? "true" : "false");
}

static void put_hex_member(bool *first, const char *name, uint64_t bits)
{
	char digits[17];

	hex_text(digits, bits);
	put_text_member(first, name, digits);
}

/* ---------------------------------------------------------------- header */

static void put_groups(bool *first, const struct origin *given)
{
	char text[64 * 11 + 1] = "";
	int n = given->n_groups < 64 ? given->n_groups : 64;

	if (n < 0)
		return;
	for (int i = 0; i < n; i++) {
		char number[16];

		format_text(number, sizeof number, i ? " %u" : "%u", given->groups[i]);
		add_text(text, sizeof text, strlen(text), number);
	}
	put_text_member(first, "groups", text);
}

static void put_limits(bool *first, const struct origin *given)
{
	static const char *const names[16] = {
		[RLIMIT_CPU] = "cpu",         [RLIMIT_FSIZE] = "fsize",
		[RLIMIT_DATA] = "data",       [RLIMIT_STACK] = "stack",
		[RLIMIT_CORE] = "core",       [RLIMIT_RSS] = "rss",
		[RLIMIT_NPROC] = "nproc",     [RLIMIT_NOFILE] = "nofile",
		[RLIMIT_MEMLOCK] = "memlock", [RLIMIT_AS] = "as",
		[RLIMIT_LOCKS] = "locks",     [RLIMIT_SIGPENDING] = "sigpending",
		[RLIMIT_MSGQUEUE] = "msgqueue", [RLIMIT_NICE] = "nice",
		[RLIMIT_RTPRIO] = "rtprio",   [RLIMIT_RTTIME] = "rttime",
	};

	/* Larger ones are as good as unlimited, and JSON readers take no larger integer. */
	for (unsigned i = 0; i < 16; i++) {
		char name[32];

		if (given->limits[i].soft > INT64_MAX)
			continue;
		format_text(name, sizeof name, "limit.%s", names[i]);
		put_number_member(first, name, (int64_t)given->limits[i].soft);
	}
}

static unsigned count_variables(const struct origin *given)
{
	unsigned n = 0;

	while (given->environment && given->environment[n])
		n++;
	return n;
}

static void put_origin(const struct origin *given)
{
	static const char *const terminals[3] = { "stdin_tty", "stdout_tty", "stderr_tty" };
	bool first = true;
	char octal[16];

	put_number_member(&first, "uid", given->uid);
	put_number_member(&first, "euid", given->euid);
	put_number_member(&first, "gid", given->gid);
	put_number_member(&first, "egid", given->egid);
	put_groups(&first, given);
	put_hex_member(&first, "effective", given->effective);
	put_hex_member(&first, "permitted", given->permitted);
	put_hex_member(&first, "bounding", given->bounding);
	put_hex_member(&first, "inheritable", given->inheritable);
	put_hex_member(&first, "ambient", given->ambient);
	put_flag_member(&first, "no_new_privs", given->no_new_privs);
	if (given->seccomp_mode >= 0)
		put_number_member(&first, "seccomp_mode", given->seccomp_mode);
	put_text_member(&first, "oracle", oracle_name(filter_oracle()));
	format_text(octal, sizeof octal, "%04o", given->umask);
	put_text_member(&first, "umask", octal);
	put_flag_member(&first, "cwd_known", given->cwd[0] != '\0');
	if (given->descriptors >= 0)
		put_number_member(&first, "descriptors", given->descriptors);
	put_number_member(&first, "variables", count_variables(given));
	for (int i = 0; i < 3; i++)
		put_flag_member(&first, terminals[i], given->stdio_tty[i]);
	put_flag_member(&first, "traced", given->traced);
	put_limits(&first, given);
}

void wire_header(unsigned planned)
{
	bool first = true;

	if (options.output != OUTPUT_JSON) {
		table_header();
		return;
	}
	put("{");
	put_number_member(&first, "sandboxeval", 1);
	put_text_member(&first, "version", SANDBOXEVAL_VERSION);
	put_text_member(&first, "arch", ARCHITECTURE);
	put_number_member(&first, "planned", planned);
	put_hex_member(&first, "catalogue", catalogue_fingerprint());
	put_text_member(&first, "level", level_name(options.level));
	put_name(&first, "origin");
	put("{");
	put_origin(origin());
	put("}}\n");
	put_out();
}

/* Written out at once: when the trial ends the probe too, the host must know which it was. */
void wire_try(const char *id)
{
	bool first = true;

	if (options.output == OUTPUT_JSON) {
		put("{");
		put_text_member(&first, "try", id);
		put("}\n");
	}
	put_out();
}

/* ---------------------------------------------------------------- one trial */

/* A sane record holds each name once; a repeated key would make the whole line unreadable. */
static bool is_repeated(const struct record *record, uint32_t i, const struct fact *fact)
{
	const char *text;

	for (uint32_t k = 0; k < i; k++) {
		const struct fact *other = record_fact(record, k, &text);

		if (other && other->case_index == fact->case_index && other->kind == fact->kind &&
		    strcmp(other->name, fact->name) == 0)
			return true;
	}
	return false;
}

/* The facts of one kind; `own` is a name that the caller writes itself. */
static void put_facts(bool *first, const struct record *record, int case_index,
		      enum fact_kind kind, const char *own)
{
	for (uint32_t i = 0; i < record->n_facts && i < RECORD_FACTS; i++) {
		const char *text;
		const struct fact *fact = record_fact(record, i, &text);

		if (!fact || fact->case_index != case_index || fact->kind != kind ||
		    (own && strcmp(fact->name, own) == 0) || is_repeated(record, i, fact))
			continue;
		if (fact->type == FACT_TEXT)
			put_text_member(first, fact->name, text);
		else if (fact->type == FACT_FLAG)
			put_flag_member(first, fact->name, fact->number != 0);
		else
			put_number_member(first, fact->name, fact->number);
	}
}

static bool has_facts(const struct record *record, int case_index, enum fact_kind kind)
{
	for (uint32_t i = 0; i < record->n_facts && i < RECORD_FACTS; i++) {
		const char *text;
		const struct fact *fact = record_fact(record, i, &text);

		if (fact && fact->case_index == case_index && fact->kind == kind)
			return true;
	}
	return false;
}

/* Status, and what makes it one: the barriers of a denial, the reason of not knowing. */
static void put_status(bool *first, const struct case_record *part)
{
	bool first_barrier = true;

	put_text_member(first, "status", status_name(part->status));
	if (part->status == STATUS_UNKNOWN)
		put_text_member(first, "reason", reason_name(part->reason));
	if (part->status != STATUS_DENIED)
		return;
	put_name(first, "barriers");
	put("[");
	for (unsigned b = 0; b < N_BARRIERS; b++) {
		if (!(part->barriers & BARRIER_BIT(b)))
			continue;
		put_format(first_barrier ? "\"%s\"" : ",\"%s\"", barrier_name(b));
		first_barrier = false;
	}
	put("]");
}

static enum severity case_severity(enum severity defined, const struct case_record *part)
{
	return part->milder && defined > SEVERITY_INFO ? defined - 1 : defined;
}

static void put_case(const struct trial *trial, unsigned index, const struct case_record *part)
{
	const struct scenario *scenario = trial->row->scenario;
	const struct case_def *def = &cases_of(scenario)[index];
	bool first = true, inner = true;

	put("{");
	put_text_member(&first, "case", def->name);
	put_text_member(&first, "severity",
			severity_name(case_severity(def->severity ? def->severity
								  : scenario->severity, part)));
	put_status(&first, part);
	put_name(&first, "evidence");
	put("{");
	put_facts(&inner, trial->record, (int)index, FACT_EVIDENCE, NULL);
	put("}");
	if (has_facts(trial->record, (int)index, FACT_MEASURED)) {
		put_name(&first, "measured");
		put("{");
		inner = true;
		put_facts(&inner, trial->record, (int)index, FACT_MEASURED, NULL);
		put("}");
	}
	put("}");
}

static void put_cases(bool *first, const struct trial *trial)
{
	bool none = true;

	for (unsigned i = 0; i < trial->row->scenario->n_cases; i++) {
		const struct case_record *part = record_part(trial->record, (int)i);

		if (!part || !part->planned)
			continue;
		if (none) {
			put_name(first, "cases");
			put("[");
		} else {
			put(",");
		}
		none = false;
		put_case(trial, i, part);
	}
	if (!none)
		put("]");
}

/* The arrays may hold anything: neither their number nor their ends are trusted. */
static void put_objects(bool *first, const struct record *record)
{
	uint32_t n = record->n_objects < RECORD_OBJECTS ? record->n_objects : RECORD_OBJECTS;

	if (n == 0)
		return;
	put_name(first, "objects");
	put("[");
	for (uint32_t i = 0; i < n; i++) {
		const char *kind = record->objects[i].kind, *path = record->objects[i].path;

		put(i ? ",{\"kind\":" : "{\"kind\":");
		put_json(kind, strnlen(kind, sizeof record->objects[i].kind));
		put(",\"path\":");
		put_json(path, strnlen(path, sizeof record->objects[i].path));
		put("}");
	}
	put("]");
}

static void put_whole(bool *first, const struct record *record, double seconds)
{
	bool more = record->objects_seen > RECORD_OBJECTS, inner = true;

	put_name(first, "evidence");
	put("{");
	put_facts(&inner, record, WHOLE, FACT_EVIDENCE, more ? "objects_seen" : NULL);
	if (more)
		put_number_member(&inner, "objects_seen", record->objects_seen);
	put("}");
	inner = true;
	put_name(first, "measured");
	put("{");
	put_facts(&inner, record, WHOLE, FACT_MEASURED, "seconds");
	put_name(&inner, "seconds");
	put_seconds(seconds);
	put("}");
}

void wire_trial(const struct trial *trial, double seconds)
{
	bool first = true;

	if (options.output != OUTPUT_JSON) {
		table_row(trial);
		put_out();
		return;
	}
	put("{");
	put_text_member(&first, "id", trial->row->id);
	put_status(&first, &trial->record->whole);
	put_cases(&first, trial);
	put_objects(&first, trial->record);
	put_whole(&first, trial->record, seconds);
	put("}\n");
	put_out();
}

void wire_footer(const struct totals *totals, bool clean, double seconds)
{
	bool first = true;

	if (options.output != OUTPUT_JSON) {
		table_footer(totals, clean);
		put_out();
		return;
	}
	put("{");
	put_number_member(&first, "end", 1);
	put_number_member(&first, "trials", totals->trials);
	put_number_member(&first, "accessed", totals->accessed);
	put_number_member(&first, "denied", totals->denied);
	put_number_member(&first, "unknown", totals->unknown);
	put_flag_member(&first, "clean", clean);
	put_name(&first, "measured");
	put("{\"seconds\":");
	put_seconds(seconds);
	put("}}\n");
	put_out();
}

bool wire_end(void)
{
	return put_out();
}
