/* SPDX-License-Identifier: MIT */
/*
 * What the probe tells about itself: the list, the explanations, the plan and the help. Nothing
 * here attempts anything. musl has no argp, so the help is written by hand; the test suite
 * compares it with the options that main() takes.
 */
#include <string.h>

#include "base/version.h"
#include "probe/about.h"
#include "probe/output.h"
#include "probe/wire.h"

static unsigned widest_id(void)
{
	size_t widest = 0;

	for (unsigned i = 0; i < scenario_registry_count; i++)
		if (strlen(scenario_registry[i].id) > widest)
			widest = strlen(scenario_registry[i].id);
	return (unsigned)widest;
}

void wire_list(void)
{
	unsigned width = widest_id();

	for (unsigned i = 0; i < scenario_registry_count; i++) {
		const struct scenario_row *row = &scenario_registry[i];

		put_clean(row->id, width + 2);
		put_clean(severity_name(row->scenario->severity), 10);
		put_clean(level_name(row->scenario->level), 9);
		put(about_scenario(i).title);
		put("\n");
	}
	put_out();
}

static void put_case_lines(const struct scenario *scenario, enum level up_to)
{
	for (unsigned i = 0; i < scenario->n_cases; i++) {
		const struct case_def *def = &cases_of(scenario)[i];

		if (def->level > up_to)
			continue;
		put("    ");
		put_clean(def->name, 26);
		put_clean(severity_name(def->severity ? def->severity : scenario->severity), 10);
		put_clean(level_name(def->level), def->path ? 9 : 0);
		put(def->path ? def->path : "");
		put("\n");
	}
}

static void put_field(const char *name, const char *text)
{
	put_clean(name, 11);
	put(text);
	put("\n");
}

/* What is missing from outside makes the answer "unknown": people should know beforehand. */
static void put_needs(const struct scenario *scenario)
{
	bool any = false;

	for (unsigned i = 0; i < N_NEEDS; i++) {
		if (!(scenario->needs & 1u << i))
			continue;
		put_clean(any ? "" : "needs", any ? 0 : 11);
		put(any ? ", " : "");
		put(need_name(i));
		any = true;
	}
	put(any ? "\n" : "");
}

bool wire_explain(const char *id)
{
	const struct scenario *scenario;
	struct about about;
	unsigned i = 0;

	while (i < scenario_registry_count && strcmp(scenario_registry[i].id, id) != 0)
		i++;
	if (i == scenario_registry_count)
		return false;
	scenario = scenario_registry[i].scenario;
	about = about_scenario(i);
	put(id);
	put("\n");
	put_prose(about.title, 2);
	put("\n");
	put_prose(about.why, 2);
	if (about.how) {
		put("\nhow it is found out\n");
		put_prose(about.how, 2);
	}
	put("\naccessed\n");
	put_prose(about.accessed, 2);
	put("denied\n");
	put_prose(about.denied, 2);
	put("\n");
	put_field("severity", severity_name(scenario->severity));
	put_field("level", level_name(scenario->level));
	put_needs(scenario);
	if (about.see)
		put_field("references", about.see);
	if (about.paper)
		put_field("paper", about.paper);
	if (scenario->n_cases)
		put("cases\n");
	put_case_lines(scenario, LEVEL_ACT);
	put_out();
	return true;
}

void wire_plan(const bool selected[])
{
	unsigned n = 0;

	put_format("What would be attempted at level %s; nothing is attempted now.\n\n",
		   level_name(options.level));
	for (unsigned i = 0; i < scenario_registry_count; i++) {
		const struct scenario_row *row = &scenario_registry[i];

		if (!selected[i])
			continue;
		n++;
		put_format("%s (%s)\n", row->id, level_name(row->scenario->level));
		if (row->scenario->level > options.level) {
			put("  not attempted: it takes a higher level (unknown, level)\n");
			continue;
		}
		put_prose(about_scenario(i).title, 2);
		put_case_lines(row->scenario, options.level);
	}
	put_format("\n%u scenarios.\n", n);
	put_out();
}

void wire_version(void)
{
	put("sandboxeval-probe " SANDBOXEVAL_VERSION "\n");
	put_out();
}

static const char help[] =
	"Usage: sandboxeval-probe [OPTION...]\n"
	"\n"
	"Tries, from inside a sandbox, what untrusted code could see, change, reach or break\n"
	"there, and prints one JSON object a line. Every attempt is benign and undone.\n"
	"\n"
	"Examples:\n"
	"  sandboxeval-probe --plan                      what would be attempted, and no more\n"
	"  sandboxeval-probe --format text               a table for people\n"
	"  sandboxeval-probe --only system,content.read  a category and a single scenario\n"
	"  sandboxeval-probe --skip network              everything else\n"
	"  sandboxeval-probe --level observe             read only, make nothing\n"
	"  sandboxeval-probe --explain content.read      what it does and what the answers mean\n"
	"  bwrap --ro-bind / / --unshare-all --proc /proc ./sandboxeval-probe --paper\n"
	"                                                the paper's scenarios in bubblewrap\n"
	"\n"
	"What to try:\n"
	"  --only LIST        only these ids or categories, separated by commas\n"
	"  --skip LIST        all but these\n"
	"  --level LEVEL      observe: reads; touch: also makes and removes own inert markers\n"
	"                     (the default); act: the same, as yet\n"
	"  --timeout SECONDS  at most this long for one trial\n"
	"  --facts FACTS      what the host knows, as name=value, separated by commas:\n"
	"                     key=HEX, launch=1|2, witness=ADDRESS, ns.net=ID, target.NAME=VALUE\n"
	"\n"
	"What to print:\n"
	"  --format FORMAT    json (the default) or text\n"
	"  --paper            the scenarios of the SandboxEval paper, in its grouping and words\n"
	"\n"
	"What to know without trying:\n"
	"  --list             all scenarios: id, severity, level, title\n"
	"  --explain ID       one of them\n"
	"  --plan             what would be attempted with the other options given\n"
	"  --version          the version\n"
	"  --help             this text\n"
	"\n"
	"Answers: accessed, denied (by the barriers named) or unknown (for the reason given).\n"
	"Exit status: 0 all that was planned has an answer, 2 it has not or output was lost,\n"
	"64 wrong usage.\n";

void wire_help(void)
{
	put(help);
	put_out();
}
