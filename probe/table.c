/* SPDX-License-Identifier: MIT */
#include "probe/table.h"

#include <string.h>

#include "base/version.h"
#include "probe/about.h"
#include "probe/output.h"
#include "probe/text.h"

#define WHY_WIDTH 24
#define EVIDENCE_WIDTH 72
#define MOST_CASES 32

/* The paper's categories in its order, which is the registry's. */
static const struct {
	const char *category, *title;
} paper_groups[] = {
	{ "system", "System information" },      { "directory", "Directory information" },
	{ "metadata", "File metadata" },         { "structure", "File system structure" },
	{ "content", "File content" },           { "permission", "File permissions" },
	{ "network", "Network communication" },  { "danger", "Dangerous operations" },
};

static unsigned id_width(void)
{
	static unsigned width;

	for (unsigned i = 0; !width && i < scenario_registry_count; i++) {
		unsigned widest = 0;

		for (unsigned k = 0; k < scenario_registry_count; k++)
			if (strlen(scenario_registry[k].id) > widest)
				widest = (unsigned)strlen(scenario_registry[k].id);
		width = widest;
	}
	return width;
}

/* The barriers of a denial, or the reason of not knowing. */
static void why_text(char *text, size_t size, const struct case_record *part)
{
	size_t used = 0;

	text[0] = '\0';
	if (part->status == STATUS_UNKNOWN)
		add_text(text, size, 0, reason_name(part->reason));
	for (unsigned b = 0; part->status == STATUS_DENIED && b < N_BARRIERS; b++) {
		if (!(part->barriers & BARRIER_BIT(b)))
			continue;
		used = add_text(text, size, used, used ? "," : "");
		used = add_text(text, size, used, barrier_name(b));
	}
}

/* The first facts of the evidence, as far as they fit. */
static void evidence_text(char *text, size_t size, const struct record *record)
{
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < record->n_facts && i < RECORD_FACTS; i++) {
		char item[160];
		const char *value;
		const struct fact *fact = record_fact(record, i, &value);
		int n;

		if (!fact || fact->case_index != WHOLE || fact->kind != FACT_EVIDENCE)
			continue;
		if (fact->type == FACT_TEXT)
			n = format_text(item, sizeof item, "%s=%s", fact->name, value);
		else if (fact->type == FACT_FLAG)
			n = format_text(item, sizeof item, "%s=%s", fact->name,
					fact->number ? "yes" : "no");
		else
			n = format_text(item, sizeof item, "%s=%ld", fact->name,
					(long)fact->number);
		if (used + (size_t)n + 1 >= size)
			continue;
		used = add_text(text, size, used, used ? " " : "");
		used = add_text(text, size, used, item);
	}
}

static unsigned severity_at(const struct scenario *scenario, unsigned i)
{
	unsigned severity = cases_of(scenario)[i].severity;

	return severity ? severity : (unsigned)scenario->severity;
}

/* "accessed: etc-passwd, etc-group": the cases of one status, the worst first. */
static void put_cases_of(const struct trial *trial, enum status status)
{
	const struct scenario *scenario = trial->row->scenario;
	char text[2048], more[32];
	size_t used = add_text(text, sizeof text, 0, status_name(status));
	unsigned all = 0;

	used = add_text(text, sizeof text, used, ":");
	for (unsigned severity = N_SEVERITIES; severity-- > 0;) {
		for (unsigned i = 0; i < scenario->n_cases; i++) {
			const struct case_record *part = record_part(trial->record, (int)i);

			if (!part || !part->planned || part->status != status ||
			    severity_at(scenario, i) != severity || all++ >= MOST_CASES)
				continue;
			used = add_text(text, sizeof text, used, all > 1 ? ", " : " ");
			used = add_text(text, sizeof text, used, cases_of(scenario)[i].name);
		}
	}
	if (all > MOST_CASES) {
		format_text(more, sizeof more, " and %u more", all - MOST_CASES);
		add_text(text, sizeof text, used, more);
	}
	if (all)
		put_prose(text, 6);
}

static void put_paper_row(const struct trial *trial)
{
	static const char *const words[N_STATUSES] = { "Unknown", "Accessed", "Denied" };
	static const char *group;
	const struct scenario_row *row = trial->row;
	unsigned status = trial->record->whole.status;
	const char *paper = about_scenario(trial->index).paper;
	char why[256];

	if (!paper)
		return;
	for (size_t i = 0; i < sizeof paper_groups / sizeof *paper_groups; i++) {
		if (strcmp(paper_groups[i].category, row->category) != 0 ||
		    group == paper_groups[i].title)
			continue;
		put_format(group ? "\n%s\n" : "%s\n", paper_groups[i].title);
		group = paper_groups[i].title;
	}
	why_text(why, sizeof why, &trial->record->whole);
	put_format("  %-9s ", words[status < N_STATUSES ? status : STATUS_UNKNOWN]);
	put(paper);
	put_format(why[0] ? " (%s)\n" : "\n", why);
}

/* Rows that say no-witness: the reader is told who would bring one. */
static unsigned without_witness;

void table_header(void)
{
	if (options.output == OUTPUT_PAPER)
		return;
	put_format("sandboxeval-probe %s, level %s\n\n", SANDBOXEVAL_VERSION,
		   level_name(options.level));
	put_clean("SCENARIO", id_width() + 2);
	put_clean("STATUS", 10);
	put_clean("WHY", WHY_WIDTH);
	put("  EVIDENCE\n");
}

void table_row(const struct trial *trial)
{
	char why[256], evidence[EVIDENCE_WIDTH];

	if (options.output == OUTPUT_PAPER) {
		put_paper_row(trial);
		return;
	}
	without_witness += trial->record->whole.status == STATUS_UNKNOWN &&
			   trial->record->whole.reason == REASON_NO_WITNESS;
	why_text(why, sizeof why, &trial->record->whole);
	evidence_text(evidence, sizeof evidence, trial->record);
	put_clean(trial->row->id, id_width() + 2);
	put_clean(status_name(trial->record->whole.status), why[0] || evidence[0] ? 10 : 0);
	put_clean(why, evidence[0] ? WHY_WIDTH : 0);
	put(evidence[0] ? "  " : "");
	put_clean(evidence, 0);
	put("\n");
	put_cases_of(trial, STATUS_ACCESSED);
	put_cases_of(trial, STATUS_UNKNOWN);
}

void table_footer(const struct totals *totals, bool clean)
{
	put_format("\n%u of %u scenarios tried: %u accessed, %u denied, %u unknown.\n",
		   totals->trials, totals->planned, totals->accessed, totals->denied,
		   totals->unknown);
	if (without_witness)
		put("no-witness: 'sandboxeval run' launches this probe and brings a witness, which "
		    "sees what arrives.\n");
	if (!clean)
		put("Something of the probe's own stays behind.\n");
}
