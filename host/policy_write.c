/* SPDX-License-Identifier: MIT */
/*
 * A policy that accepts exactly what a run showed: what was accessed is allowed, case by case and
 * name by name, and all else is denied by default.
 */
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "host/policy.h"
#include "host/policy_conditions.h"

/* A text from inside as a double-quoted YAML text; what is a glob's is escaped for the glob. */
static void put_quoted(FILE *out, const char *text, bool as_glob)
{
	fputc('"', out);
	for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
		if (as_glob && strchr("*?\\", *at))
			fputs("\\\\", out);
		if (*at < 0x20 || *at == 0x7f)
			fprintf(out, "\\x%02x", *at);
		else if (*at == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0)
			fprintf(out, "\\x%02x", *++at); /* C1: YAML forbids them bare */
		else if (*at == '"' || *at == '\\')
			fprintf(out, "\\%c", *at);
		else
			fputc(*at, out);
	}
	fputc('"', out);
}

/* The names that were seen, each once; none where not all of them are known. */
static void put_names(FILE *out, const struct result *result)
{
	size_t n = json_array_size(result->objects);
	bool whole = n > 0 && result_unlisted(result) == 0;
	json_t *seen;

	/* A name of nothing cannot be written. */
	for (size_t i = 0; i < n; i++)
		whole = whole && *result_object(result, i);
	if (!whole)
		return;
	seen = json_object();
	fputs("    names:\n", out);
	for (size_t i = 0; i < n; i++) {
		const char *path = result_object(result, i);

		if (json_object_get(seen, path))
			continue;
		json_object_set_new(seen, path, json_true());
		fputs("      - ", out);
		put_quoted(out, path, true);
		fputc('\n', out);
	}
	json_decref(seen);
}

static unsigned cases_with(const struct result *result, enum status status)
{
	unsigned n = 0;

	for (unsigned i = 0; i < result->n_cases; i++)
		n += result->cases[i].status == status && result->cases[i].definition;
	return n;
}

/* One rule for the cases (or the trial) of one status. */
static void put_rule(FILE *out, const struct result *result, const char *effect, enum status status)
{
	unsigned n = cases_with(result, status);

	fprintf(out, "  - %s:%s", effect, n > 1 ? "\n" : " ");
	if (n == 0)
		fprintf(out, "%s\n", result->entry->id);
	for (unsigned i = 0; n > 0 && i < result->n_cases; i++)
		if (result->cases[i].status == status && result->cases[i].definition)
			fprintf(out, "%s%s/%s\n", n > 1 ? "      - " : "", result->entry->id,
				result->cases[i].name);
}

static void put_result(FILE *out, const struct result *result)
{
	bool unknown = cases_with(result, STATUS_UNKNOWN) > 0;

	/* A retired scenario cannot be named in a policy. */
	if (!catalogue_find(result->entry->id))
		return;
	/* Cases that the catalogue does not know must not open all the others. */
	if (result->status == STATUS_ACCESSED &&
	    (result->n_cases == 0 || cases_with(result, STATUS_ACCESSED) > 0)) {
		put_rule(out, result, "allow", STATUS_ACCESSED);
		put_names(out, result);
	}
	if (result->status != STATUS_UNKNOWN && !unknown)
		return;
	fprintf(out, "  # Unknown in that run%s%s.\n", unknown ? "" : ": ",
		unknown ? "" : reason_name(result->reason));
	put_rule(out, result, "deny", STATUS_UNKNOWN);
	fputs("    unknown: warn\n", out);
	if (unknown && result->status == STATUS_UNKNOWN)
		fprintf(out, "  - deny: %s\n    unknown: warn\n", result->entry->id);
}

void policy_write(const struct run *run, FILE *out)
{
	const char *name = run->sandbox && *run->sandbox ? run->sandbox : "mine";
	char day[16] = "?";
	bool any = false;

	strftime(day, sizeof day, "%Y-%m-%d", gmtime(&(time_t){ run->started }));
	fputs("# Accepts exactly what one run showed. Take out what was not intended; make a glob "
	      "of\n"
	      "# a name that differs from run to run.\n"
	      "sandboxeval-policy: 1\nname: ",
	      out);
	put_quoted(out, name, false);
	fputs("\nabout: ", out);
	{
		char *about = print_text("what %s showed on %s",
					 run->sandbox ? run->sandbox : "a sandbox", day);

		put_quoted(out, about, false);
		free(about);
	}
	fputs("\nunknown: fail\ndefault: deny\n", out);
	for (unsigned i = 0; i < run->n_results; i++)
		any = any || (run->results[i].status != STATUS_DENIED &&
			      catalogue_find(run->results[i].entry->id));
	fputs(any ? "rules:\n" : "rules: []\n", out);
	for (unsigned i = 0; i < run->n_results; i++)
		put_result(out, &run->results[i]);
}
