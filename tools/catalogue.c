/* SPDX-License-Identifier: MIT */
/*
 * Prints the catalogue, from the scenarios' own initialisers, in each form that somebody needs:
 * data for the host program, the page docs/scenarios.md, the man page, the shell completion and
 * the test matrix. `lint` says what a record lacks. It runs on the build machine, is linked with
 * the scenarios' objects and never calls their functions.
 */
#include "scenarios/registry.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/packed.h"
#include "base/version.h"
#include "probe/record.h"

typedef void put_function(const char *text);

/* More than this many cases make no table that anybody reads. */
#define MANY_CASES 100

static unsigned n_faults;

static enum severity case_severity(const struct scenario *scenario, const struct case_def *row)
{
	return row->severity == SEVERITY_INHERIT ? scenario->severity : row->severity;
}

static const char *or_dash(const char *text)
{
	return text && *text ? text : "-";
}

static unsigned count_paper(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < scenario_registry_count; i++)
		n += scenario_registry[i].scenario->about.paper != NULL;
	return n;
}

static bool starts_category(unsigned i)
{
	return i == 0 ||
	       strcmp(scenario_registry[i - 1].category, scenario_registry[i].category) != 0;
}

/* Prints the names of a set, or "none". */
static void put_set(uint32_t set, unsigned n, const char *(*name)(unsigned), put_function *put,
		    const char *separator)
{
	bool first = true;

	for (unsigned bit = 0; bit < n; bit++) {
		if (!(set & UINT32_C(1) << bit))
			continue;
		if (!first)
			fputs(separator, stdout);
		put(name(bit));
		first = false;
	}
	if (first)
		fputs(set == 0 ? "none" : "?", stdout);
}

static const char *barrier_at(unsigned bit)
{
	return barrier_name((enum barrier)bit);
}

static const char *remedy_at(unsigned bit)
{
	return remedy_name((enum remedy)bit);
}

static void put_plain(const char *text)
{
	fputs(text, stdout);
}

/* ---------------------------------------------------------------- data: C source for the host */

static void put_c_string(const char *text)
{
	if (!text) {
		fputs("NULL", stdout);
		return;
	}
	putchar('"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < ' ' || c == 0x7f)
			printf("\\%03o", c);
		else
			putchar(c);
	}
	putchar('"');
}

static void put_field(const char *name, const char *text)
{
	printf("\t\t.%s = ", name);
	put_c_string(text);
	puts(",");
}

static void put_cases(unsigned i)
{
	const struct scenario *scenario = scenario_registry[i].scenario;

	printf("static const struct catalogue_case cases_%u[] = {\n", i);
	for (unsigned c = 0; c < scenario->n_cases; c++) {
		const struct case_def *row = &scenario->cases[c];

		fputs("\t{ ", stdout);
		put_c_string(row->name);
		fputs(", ", stdout);
		put_c_string(row->path);
		printf(", %d, %d },\n", case_severity(scenario, row), row->level);
	}
	puts("};\n");
}

static void put_entry(unsigned i)
{
	const struct scenario_row *row = &scenario_registry[i];
	const struct scenario *scenario = row->scenario;

	puts("\t{");
	put_field("id", row->id);
	put_field("category", row->category);
	put_field("source", row->source);
	put_field("title", scenario->about.title);
	put_field("accessed", scenario->about.accessed);
	put_field("denied", scenario->about.denied);
	put_field("why", scenario->about.why);
	put_field("how", scenario->about.how);
	put_field("see", scenario->about.see);
	put_field("paper", scenario->about.paper);
	put_field("open", scenario->about.open);
	put_field("closed", scenario->about.closed);
	printf("\t\t.ours = %d, .compares = %d, .overlaps = %d,\n", scenario->about.ours,
	       scenario->compares, scenario->overlaps);
	printf("\t\t.severity = %d, .level = %d, .needs = %u, .fix = UINT32_C(%" PRIu32 "),\n",
	       scenario->severity, scenario->level, scenario->needs, scenario->fix);
	if (scenario->n_cases)
		printf("\t\t.cases = cases_%u, .n_cases = %u,\n", i, scenario->n_cases);
	puts("\t},");
}

static void print_data(void)
{
	puts("/* Written by tools/catalogue from the scenarios' initialisers: do not edit. */\n"
	     "#include \"host/catalogue.h\"\n");
	for (unsigned i = 0; i < scenario_registry_count; i++) {
		if (scenario_registry[i].scenario->n_cases)
			put_cases(i);
	}
	puts("const struct catalogue_entry catalogue[] = {");
	for (unsigned i = 0; i < scenario_registry_count; i++)
		put_entry(i);
	puts("\t{ .id = NULL },\n};");
	printf("const unsigned catalogue_count = %u;\n", scenario_registry_count);
	printf("const char catalogue_hash[] = \"%016" PRIx64 "\";\n", catalogue_fingerprint());
}

/* ---------------------------------------------------------------- about: the probe's own texts */

/* As probe/about.c reads it; `to` is NULL at first, to learn the size. */
struct piece {
	char *to;
	size_t size;
};

static void add_bytes(struct piece *piece, const void *bytes, size_t n)
{
	if (piece->to)
		memcpy(piece->to + piece->size, bytes, n);
	piece->size += n;
}

static void add_text(struct piece *piece, const char *text)
{
	add_bytes(piece, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* Seven bits a byte, the low ones first; the last byte is below 128. */
static void add_number(struct piece *piece, unsigned long number)
{
	uint8_t byte;

	for (; number >= 0x80; number >>= 7) {
		byte = (uint8_t)(number | 0x80);
		add_bytes(piece, &byte, 1);
	}
	byte = (uint8_t)number;
	add_bytes(piece, &byte, 1);
}

static void add_question(struct piece *piece, const struct question *question)
{
	add_number(piece, (unsigned long)question->nr);
	for (size_t i = 0; i < sizeof question->args / sizeof *question->args; i++)
		add_number(piece, question->args[i]);
}

static void add_row(struct piece *piece, const struct scenario *scenario)
{
	const struct about *about = &scenario->about;
	const char *const texts[] = { about->title, about->accessed, about->denied, about->why,
				      about->how,   about->see,	     about->paper };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		add_text(piece, texts[i]);
	for (unsigned i = 0; i < scenario->n_cases; i++) {
		const struct case_def *row = &scenario->cases[i];
		const uint8_t bytes[] = { row->severity, row->level, (uint8_t)row->kind,
					  (uint8_t)(row->kind >> 8) };

		add_text(piece, row->name);
		add_text(piece, row->path);
		add_bytes(piece, bytes, sizeof bytes);
	}
	for (unsigned i = 0; i < scenario->n_asks; i++)
		add_question(piece, &scenario->asks[i]);
}

static void add_rows(struct piece *piece, unsigned *ret_cases, unsigned *ret_asks)
{
	piece->size = *ret_cases = *ret_asks = 0;
	for (unsigned i = 0; i < scenario_registry_count; i++) {
		add_row(piece, scenario_registry[i].scenario);
		*ret_cases += scenario_registry[i].scenario->n_cases;
		*ret_asks += scenario_registry[i].scenario->n_asks;
	}
}

static void print_about(void)
{
	struct piece piece = { NULL, 0 };
	unsigned n_cases, n_asks;
	uint8_t *packed;
	size_t size;

	add_rows(&piece, &n_cases, &n_asks);
	packed = malloc(PACKED_MOST(piece.size));
	piece.to = malloc(piece.size + 1); /* never of nothing */
	if (!piece.to || !packed) {
		fputs("catalogue: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	add_rows(&piece, &n_cases, &n_asks);
	size = pack((const uint8_t *)piece.to, piece.size, packed);
	puts("/* Written by tools/catalogue from the scenarios' initialisers: do not edit. */\n"
	     "#include \"probe/about.h\"\n");
	printf("_Static_assert(__NR_getpid == %d, \"built on a machine of another kind\");\n"
	       "const unsigned about_packed_size = %zu, about_size = %zu;\nchar about_texts[%zu];\n"
	       "struct case_def about_cases[%u];\nstruct question about_asks[%u];\n"
	       "const uint8_t about_packed[] = {",
	       __NR_getpid, size, piece.size, piece.size, n_cases + 1, n_asks + 1);
	for (size_t i = 0; i < size; i++)
		printf("%s%u,", i % 16 ? " " : "\n\t", packed[i]);
	puts("\n};");
	free(packed);
	free(piece.to);
}

/* ---------------------------------------------------------------- docs: docs/scenarios.md */

static void put_markdown(const char *text)
{
	for (; *text; text++) {
		if (strchr("\\`*_<>|[]", *text))
			putchar('\\');
		putchar(*text);
	}
}

static void put_code(const char *text)
{
	printf("`%s`", text);
}

/* Inside a code span nothing is escaped, but in a table a bar would still end the cell. */
static void put_code_cell(const char *text)
{
	putchar('`');
	for (; *text; text++)
		fputs(*text == '|' ? "\\|" : (const char[]){ *text, '\0' }, stdout);
	putchar('`');
}

/* A set of several hundred: their names alone, those of one severity together. */
static void put_many_cases(const struct scenario *scenario)
{
	puts("\n| Severity | Cases |\n| --- | --- |");
	for (unsigned severity = N_SEVERITIES; severity-- > 0;) {
		bool any = false;

		for (unsigned c = 0; c < scenario->n_cases; c++) {
			const struct case_def *row = &scenario->cases[c];

			if (case_severity(scenario, row) != severity)
				continue;
			if (any)
				fputs(" ", stdout);
			else
				printf("| %s | ", severity_name(severity));
			put_code(row->name);
			any = true;
		}
		if (any)
			puts(" |");
	}
}

static void put_markdown_cases(const struct scenario *scenario)
{
	if (scenario->n_cases > MANY_CASES) {
		put_many_cases(scenario);
		return;
	}
	puts("\n| Case | What | Severity | Level |\n| --- | --- | --- | --- |");
	for (unsigned c = 0; c < scenario->n_cases; c++) {
		const struct case_def *row = &scenario->cases[c];

		fputs("| ", stdout);
		put_code(row->name);
		fputs(" | ", stdout);
		if (row->path)
			put_code_cell(row->path);
		printf(" | %s | %s |\n", severity_name(case_severity(scenario, row)),
		       level_name(row->level > scenario->level ? row->level : scenario->level));
	}
}

static void put_markdown_fixtures(const struct scenario *scenario)
{
	if (!scenario->about.open && !scenario->about.closed)
		return;
	fputs("- Fixtures: ", stdout);
	if (scenario->about.open) {
		fputs("accessed in ", stdout);
		put_code(scenario->about.open);
	}
	if (scenario->about.closed) {
		fputs(scenario->about.open ? "; denied in " : "denied in ", stdout);
		put_code(scenario->about.closed);
	}
	if (scenario->about.closed_by) {
		fputs(", by ", stdout);
		put_set(scenario->about.closed_by, N_BARRIERS, barrier_at, put_code, ", ");
	}
	puts("");
}

static void put_markdown_source(const struct scenario *scenario)
{
	fputs("- In the paper: ", stdout);
	if (!scenario->about.paper) {
		puts("no, it goes beyond the paper's list");
		return;
	}
	fputs("\"", stdout);
	put_markdown(scenario->about.paper);
	puts(scenario->about.ours ? "\"; the paper names the group, this member of it is our reading"
			    : "\"");
}

static void put_markdown_section(const struct scenario_row *row)
{
	const struct scenario *scenario = row->scenario;

	printf("\n<a id=\"%s\"></a>\n\n### %s: ", row->id, row->id);
	put_markdown(scenario->about.title);
	fputs("\n\n", stdout);
	put_markdown(scenario->about.why);
	if (scenario->about.how) {
		fputs("\n\nHow it is found out: ", stdout);
		put_markdown(scenario->about.how);
	}
	fputs("\n\n- **Accessed**: ", stdout);
	put_markdown(scenario->about.accessed);
	fputs("\n- **Denied**: ", stdout);
	put_markdown(scenario->about.denied);
	printf("\n- Level %s; severity %s; needs: ", level_name(scenario->level),
	       severity_name(scenario->severity));
	put_set(scenario->needs, N_NEEDS, need_name, put_plain, ", ");
	fputs("\n- Remedies: ", stdout);
	put_set(scenario->fix, N_REMEDIES, remedy_at, put_code, ", ");
	puts("");
	put_markdown_source(scenario);
	put_markdown_fixtures(scenario);
	if (scenario->about.see) {
		fputs("- References: ", stdout);
		put_markdown(scenario->about.see);
		puts("");
	}
	printf("- Source: [%s](../%s)\n", row->source, row->source);
	if (scenario->n_cases)
		put_markdown_cases(scenario);
}

static void put_markdown_words(void)
{
	puts("\n## Barriers\n\nWhat can refuse an attempt. Denied names all that were shown to "
	     "refuse.\n\n| Barrier | Meaning |\n| --- | --- |");
	for (unsigned i = 0; i < N_BARRIERS; i++) {
		printf("| `%s` | ", barrier_name((enum barrier)i));
		put_markdown(barrier_meaning((enum barrier)i));
		puts(" |");
	}
	puts("\n## Reasons\n\nWhy it could not be told.\n\n| Reason | Meaning |\n| --- | --- |");
	for (unsigned i = 0; i < N_REASONS; i++) {
		printf("| `%s` | ", reason_name((enum reason)i));
		put_markdown(reason_meaning((enum reason)i));
		puts(" |");
	}
}

static void put_markdown_table(void)
{
	for (unsigned i = 0; i < scenario_registry_count; i++) {
		const struct scenario_row *row = &scenario_registry[i];

		if (starts_category(i))
			printf("\n## %s\n\n| Scenario | Title | Level | Severity | Paper |\n"
			       "| --- | --- | --- | --- | --- |\n",
			       row->category);
		printf("| [%s](#%s) | ", row->id, row->id);
		put_markdown(row->scenario->about.title);
		printf(" | %s | %s | %s |\n", level_name(row->scenario->level),
		       severity_name(row->scenario->severity),
		       !row->scenario->about.paper ? ""
		       : row->scenario->about.ours ? "our reading"
					     : "yes");
		if (i + 1 < scenario_registry_count && !starts_category(i + 1))
			continue;
		unsigned first = i;

		while (!starts_category(first))
			first--;
		for (; first <= i; first++)
			put_markdown_section(&scenario_registry[first]);
	}
}

static void print_docs(void)
{
	puts("# Scenarios\n\n"
	     "<!-- Written by `make docs` from the scenarios' own initialisers: do not edit. "
	     "-->\n\n"
	     "What SandboxEval tries from inside a sandbox. Each scenario ends as *accessed* (the\n"
	     "attempt worked), *denied* (it was refused, and the barriers that refused are named)\n"
	     "or *unknown* (it could not be told, and the reason is named). Of several cases:\n"
	     "accessed if any is, else unknown if any is, else denied.\n\n"
	     "The level says what an attempt does: *observe* reads; *touch*, the default, also\n"
	     "makes and removes its own inert markers; *act* also has bounded real effects.\n\n"
	     "Remedies are named by a code: `sandboxeval explain ID` gives each in the words of\n"
	     "every launcher. Fixtures are the boxes in which the tests prove a scenario, open and\n"
	     "closed; [fixtures.md](fixtures.md) explains their words.");
	printf("\nThere are %u scenarios, %u of them from the list of the paper \"SandboxEval: "
	       "Towards\nSecuring Test Environment for Untrusted Code\".\n",
	       scenario_registry_count, count_paper());
	put_markdown_table();
	put_markdown_words();
}

/* ---------------------------------------------------------------- man: sandboxeval-scenarios(7) */

static void put_roff(const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (; *text; text++) {
		if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else
			putchar(*text);
	}
}

static void put_roff_entry(const struct scenario_row *row)
{
	const struct scenario *scenario = row->scenario;

	fputs(".TP\n.B ", stdout);
	put_roff(row->id);
	fputs("\n", stdout);
	put_roff(scenario->about.title);
	printf(" (%s, %s%s).\n", level_name(scenario->level), severity_name(scenario->severity),
	       scenario->about.paper ? ", paper" : "");
	put_roff(scenario->about.why);
	puts("");
	if (scenario->about.how) {
		put_roff(scenario->about.how);
		puts("");
	}
	if (scenario->n_cases) {
		fputs("Cases:\n", stdout);
		for (unsigned c = 0; c < scenario->n_cases; c++) {
			put_roff(scenario->cases[c].name);
			puts(c + 1 < scenario->n_cases ? "," : ".");
		}
	}
}

static void print_man(void)
{
	puts(".\\\" Written by tools/catalogue from the scenarios' initialisers: do not edit.\n"
	     ".TH SANDBOXEVAL\\-SCENARIOS 7 \"\" \"sandboxeval " SANDBOXEVAL_VERSION "\"\n"
	     ".SH NAME\nsandboxeval\\-scenarios \\- what sandboxeval tries inside a sandbox\n"
	     ".SH DESCRIPTION\n"
	     "Each scenario ends as accessed, denied (with the barriers that refused) or unknown\n"
	     "(with the reason). In brackets: the level at which it is tried, its severity, and\n"
	     "whether it is one of the paper's list.");
	for (unsigned i = 0; i < scenario_registry_count; i++) {
		if (starts_category(i)) {
			fputs(".SH ", stdout);
			put_roff(scenario_registry[i].category);
			puts("");
		}
		put_roff_entry(&scenario_registry[i]);
	}
	puts(".SH SEE ALSO\n.BR sandboxeval (1),\n.BR sandboxeval\\-probe (1)");
}

/* ---------------------------------------------------------------- completion, matrix */

static void put_ids(void)
{
	for (unsigned i = 0; i < scenario_registry_count; i++)
		printf("%s%s", i ? " " : "", scenario_registry[i].id);
}

static void put_categories(void)
{
	for (unsigned i = 0; i < scenario_registry_count; i++) {
		if (starts_category(i))
			printf("%s%s", i ? " " : "", scenario_registry[i].category);
	}
}

/* The options of a command are asked of the program itself, so that they are never listed here. */
static const char completion_function[] =
	"\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
	"\tlocal command=${COMP_WORDS[1]} words=\n\n"
	"\tcase $COMP_CWORD,$before,$word in\n"
	"\t1,*) words=\"$commands --help --version\" ;;\n"
	"\t*,--only,* | *,--skip,*) words=\"$ids $categories\" ;;\n"
	"\t*,--level,*) words=$levels ;;\n"
	"\t*,--report,*)\n"
	"\t\twords=${formats// /= }=\n"
	"\t\tcompopt -o nospace\n"
	"\t\t;;\n"
	"\t*,*,-*) words=$(\"$1\" \"$command\" --help 2>/dev/null | grep -oE -- '--[a-z-]+') ;;\n"
	"\t*,run,* | *,compare,*) words=$sandboxes ;;\n"
	"\t*,explain,*) words=$ids ;;\n"
	"\t*,--fail-on,*) words='new change' ;;\n"
	"\t*,show,* | *,report,* | *,diff,* | *,--against,*) words=runs ;;\n"
	"\tesac\n"
	"\t[[ -z $words && $command == @(diff|compare) ]] && words=runs\n"
	"\t[[ $words != runs ]] || words=\"latest latest~1 $(\"$1\" history --limit 20 2>/dev/null |\n"
	"\t\tsed 's/^ *\\([0-9]*\\) .*/\\1/')\"\n"
	"\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
	"}\n"
	"complete -o default -F _sandboxeval sandboxeval\n";

static void print_completion(const char *commands, const char *sandboxes, const char *formats)
{
	puts("# bash completion for sandboxeval, written by tools/catalogue: do not edit.\n"
	     "_sandboxeval()\n{");
	fputs("\tlocal ids=\"", stdout);
	put_ids();
	fputs("\"\n\tlocal categories=\"", stdout);
	put_categories();
	fputs("\"\n\tlocal levels=\"", stdout);
	for (unsigned i = 0; i < N_LEVELS; i++)
		printf("%s%s", i ? " " : "", level_name((enum level)i));
	printf("\"\n\tlocal commands=\"%s\"\n\tlocal sandboxes=\"%s\"\n\tlocal formats=\"%s\"\n",
	       commands, sandboxes, formats);
	fputs(completion_function, stdout);
}

/* One line per scenario for the fixture test. An absent field is "-", so that the shell's `read`
 * does not skip it. */
static void print_matrix(void)
{
	for (unsigned i = 0; i < scenario_registry_count; i++) {
		const struct scenario *scenario = scenario_registry[i].scenario;

		printf("%s\t%s\t%s\t%s\t", scenario_registry[i].id, level_name(scenario->level),
		       or_dash(scenario->about.open), or_dash(scenario->about.closed));
		if (scenario->about.closed_by)
			put_set(scenario->about.closed_by, N_BARRIERS, barrier_at, put_plain, ",");
		else
			putchar('-');
		puts("");
	}
}

/* ---------------------------------------------------------------- lint: what a record lacks */

static void fault(const char *source, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void fault(const char *source, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fprintf(stderr, "%s: ", source);
	vfprintf(stderr, format, arguments);
	fputs("\n", stderr);
	va_end(arguments);
	n_faults++;
}

static void check_sentence(const char *source, const char *field, const char *text, size_t longest)
{
	if (!text || !*text) {
		fault(source, ".%s is missing", field);
		return;
	}
	if (text[strlen(text) - 1] != '.')
		fault(source, ".%s does not end with a full stop", field);
	if (strlen(text) > longest)
		fault(source, ".%s is longer than %zu bytes", field, longest);
	if (strstr(text, "TODO"))
		fault(source, ".%s is still the skeleton's", field);
	if (strpbrk(text, "\n\t") || strstr(text, "  "))
		fault(source, ".%s holds a line end, a tab or two blanks", field);
}

static void check_title(const char *source, const char *title)
{
	if (!title || !*title)
		fault(source, ".title is missing");
	else if (title[strlen(title) - 1] == '.')
		fault(source, ".title ends with a full stop");
	else if (strlen(title) > 60)
		fault(source, ".title is longer than 60 bytes");
	else if (*title < 'A' || *title > 'Z')
		fault(source, ".title does not begin with a capital letter");
}

static void check_case_table(const char *source, const struct scenario *scenario)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

	if (scenario->n_cases > RECORD_CASES)
		fault(source, "%u cases; a record holds %d", scenario->n_cases, RECORD_CASES);
	for (unsigned c = 0; c < scenario->n_cases; c++) {
		const char *name = scenario->cases[c].name;

		if (!name || !*name) {
			fault(source, "case %u has no name", c);
			continue;
		}
		if (name[strspn(name, letters)] != '\0')
			fault(source, "case \"%s\": a name is lower case and hyphens", name);
		for (unsigned other = 0; other < c; other++) {
			if (scenario->cases[other].name &&
			    strcmp(scenario->cases[other].name, name) == 0)
				fault(source, "case \"%s\" stands twice", name);
		}
	}
}

static void check_record(const struct scenario_row *row)
{
	const struct scenario *scenario = row->scenario;

	check_title(row->source, scenario->about.title);
	check_sentence(row->source, "accessed", scenario->about.accessed, 160);
	check_sentence(row->source, "denied", scenario->about.denied, 160);
	check_sentence(row->source, "why", scenario->about.why, 400);
	if (scenario->about.how)
		check_sentence(row->source, "how", scenario->about.how, 400);
	check_case_table(row->source, scenario);
	if (scenario->severity == SEVERITY_INHERIT || scenario->severity >= N_SEVERITIES)
		fault(row->source, ".severity is missing");
	if (!scenario->fix)
		fault(row->source, ".fix is missing: which remedy closes it?");
	if (!scenario->about.open && !scenario->about.closed)
		fault(row->source, ".open and .closed are missing: it has no test");
	if (scenario->about.ours && !scenario->about.paper)
		fault(row->source, ".ours without .paper: which group of the paper?");
	if (!scenario->attempt)
		fault(row->source, ".attempt is missing");
}

static int lint(void)
{
	for (unsigned i = 0; i < scenario_registry_count; i++)
		check_record(&scenario_registry[i]);
	if (count_paper() != 51)
		fault("scenarios", "%u scenarios name the paper's list, which has 51",
		      count_paper());
	return n_faults ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---------------------------------------------------------------- the command */

/* A record that no file defines is NULL here: the link leaves such symbols unresolved. */
static bool all_are_defined(void)
{
	bool all = true;

	for (unsigned i = 0; i < scenario_registry_count; i++) {
		if (scenario_registry[i].scenario)
			continue;
		fprintf(stderr,
			"%s: it does not define the record that its path calls for "
			"(scenario_CATEGORY_NAME)\n",
			scenario_registry[i].source);
		all = false;
	}
	return all;
}

static int run(int argc, char *argv[])
{
	static const struct {
		const char *name;
		void (*print)(void);
	} commands[] = {
		{ "about", print_about },
		{ "data", print_data },
		{ "docs", print_docs },
		{ "man", print_man },
		{ "matrix", print_matrix },
	};
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "lint") == 0)
		return lint();
	if (strcmp(what, "completion") == 0 && argc == 5) {
		print_completion(argv[2], argv[3], argv[4]);
		return EXIT_SUCCESS;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof *commands; i++) {
		if (strcmp(what, commands[i].name) != 0)
			continue;
		commands[i].print();
		return EXIT_SUCCESS;
	}
	fprintf(stderr, "usage: catalogue data | docs | man | matrix | lint |\n"
			"       completion COMMANDS SANDBOXES FORMATS\n");
	return 64;
}

int main(int argc, char *argv[])
{
	int status;

	if (!all_are_defined())
		return EXIT_FAILURE;
	status = run(argc, argv);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		perror("catalogue: cannot write");
		return EXIT_FAILURE;
	}
	return status;
}
