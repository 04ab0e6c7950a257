/* SPDX-License-Identifier: MIT */
/*
 * sandboxeval-probe: tries what untrusted code might, from inside, and prints what came of it.
 * It needs no shell, no /proc, no writable disk, no root and not even argv[0].
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "probe/about.h"
#include "probe/filter.h"
#include "probe/guard.h"
#include "probe/origin.h"
#include "probe/processes.h"
#include "probe/raw.h"
#include "probe/scout.h"
#include "probe/selection.h"
#include "probe/sockets.h"
#include "probe/surroundings.h"
#include "probe/trials.h"
#include "probe/walk.h"
#include "probe/wire.h"

enum { PROBE_OK = 0, PROBE_OUTPUT_LOST = 2, PROBE_MISUSE = 64 };

struct options options = { .level = LEVEL_TOUCH, .timeout = 2 };

/* What to do: by default, assess. */
static struct {
	bool plan, list, help, version, addresses;
	const char *explain;
} task;

static int complain(const char *what, const char *word, const char *cause)
{
	char text[512];
	int n = format_text(text, sizeof text,
			    "sandboxeval-probe: %s '%s': %s\nTry 'sandboxeval-probe --help'.\n", what,
			    word, cause);

	raw(__NR_write, 2, text, n);
	return PROBE_MISUSE;
}

/* ---------------------------------------------------------------- options */

static const char *set_level(const char *value)
{
	int level = level_from_name(value);

	if (level < 0)
		return "it is observe, touch or act";
	options.level = (enum level)level;
	return NULL;
}

static const char *set_format(const char *value)
{
	if (strcmp(value, "json") != 0 && strcmp(value, "text") != 0)
		return "it is json or text";
	options.output = value[0] == 'j' ? OUTPUT_JSON : OUTPUT_TEXT;
	return NULL;
}

static const char *set_timeout(const char *value)
{
	uint64_t seconds;

	if (!read_number(value, &seconds) || seconds < 1 || seconds > 3600)
		return "it is a number of seconds from 1 to 3600";
	options.timeout = (unsigned)seconds;
	return NULL;
}

static const char *set_facts(const char *value)
{
	const char *fault;

	facts_parse(value, &fault);
	return fault;
}

static const char *set_only(const char *value)
{
	options.only = value;
	return selection_fault(value);
}

static const char *set_skip(const char *value)
{
	options.skip = value;
	return selection_fault(value);
}

static const char *set_explain(const char *value)
{
	task.explain = value;
	return NULL;
}

static const char *set_paper(const char *value)
{
	(void)value;
	options.output = OUTPUT_PAPER;
	return NULL;
}

static const struct option {
	const char *name;
	const char *(*set)(const char *value); /* NULL, or what is wrong with the value */
	bool *flag;
} known[] = {
	{ "--only", set_only, NULL },       { "--skip", set_skip, NULL },
	{ "--level", set_level, NULL },     { "--format", set_format, NULL },
	{ "--facts", set_facts, NULL },     { "--timeout", set_timeout, NULL },
	{ "--explain", set_explain, NULL }, { "--paper", set_paper, &(bool){ false } },
	{ "--plan", NULL, &task.plan },     { "--list", NULL, &task.list },
	{ "--help", NULL, &task.help },     { "--version", NULL, &task.version },
	{ "--addresses", NULL, &task.addresses },
};

static const struct option *option_named(const char *word, size_t n)
{
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		if (strlen(known[i].name) == n && strncmp(known[i].name, word, n) == 0)
			return &known[i];
	return NULL;
}

/* Letters that two words begin and end with alike, of which one has at most two others. */
static bool is_near(const char *word, size_t n, const char *name)
{
	size_t length = strlen(name), head = 0, tail = 0, shorter = n < length ? n : length;

	while (head < shorter && word[head] == name[head])
		head++;
	while (tail < shorter - head && word[n - 1 - tail] == name[length - 1 - tail])
		tail++;
	return n + 2 >= head + tail && n <= head + tail + 2 && length <= head + tail + 2;
}

/* What is wrong with the word, and which option may be meant: "only" and "--onyl" for "--only". */
static const char *near_option(const char *word, size_t n)
{
	static char text[64];

	for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
		const char *name = known[i].name;

		if (!is_near(word, n, name) && !(word[0] != '-' && is_near(word, n, name + 2)))
			continue;
		format_text(text, sizeof text, "did you mean '%s'?", name);
		return text;
	}
	return word[0] == '-' ? "there is no such option" : "there are options only";
}

/* "--name value" or "--name=value"; returns 0 or the exit status. */
static int parse_options(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *equals = strchr(argv[i], '='), *value = NULL, *fault;
		size_t n = equals ? (size_t)(equals - argv[i]) : strlen(argv[i]);
		const struct option *option = option_named(argv[i], n);

		if (argv[i][0] != '-')
			return complain("unexpected argument", argv[i], near_option(argv[i], n));
		if (!option)
			return complain("unknown option", argv[i], near_option(argv[i], n));
		if (option->flag) {
			*option->flag = true;
			if (option->set)
				option->set(NULL);
			continue;
		}
		value = equals ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
		if (!value)
			return complain("option", argv[i], "it takes a value");
		fault = option->set(value);
		if (fault)
			return complain(option->name, value, fault);
	}
	return 0;
}

/* ---------------------------------------------------------------- tasks */

static int finish_output(void)
{
	static const char lost[] = "sandboxeval-probe: its output could not be written\n";

	if (wire_end())
		return PROBE_OK;
	raw(__NR_write, 2, lost, sizeof lost - 1);
	return PROBE_OUTPUT_LOST;
}

/* For kernel.memory-hardening, which runs us twice: where the stack and a new mapping lie. */
static int tell_addresses(void)
{
	unsigned long place[2] = { (unsigned long)&place };

	place[1] = (unsigned long)raw(__NR_mmap, 0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
				      0);
	return raw(__NR_write, 1, place, sizeof place) == sizeof place ? PROBE_OK : PROBE_OUTPUT_LOST;
}

static int assess(const bool selected[], unsigned planned, char **environment, const char *name)
{
	struct totals totals = { .planned = planned };
	int64_t start;
	bool clean;

	scout_own_calls();
	start = now_ns();
	origin_record(environment, name);
	guard_prepare();
	trials_prepare();
	filter_make_view(selected);
	surroundings_make_view(trials_record());
	processes_make_view(selected);
	sockets_make_view(selected, trials_record());
	wire_header(planned);
	walk_make_view(selected);
	trials_run(selected, &totals);
	clean = trials_clean();
	wire_footer(&totals, clean, (double)(now_ns() - start) / 1e9);
	return finish_output();
}

int main(int argc, char **argv, char **environment)
{
	static bool selected[SELECTION_MAX];
	unsigned planned;
	int status;

	about_unpack();
	status = parse_options(argc, argv);
	if (status)
		return status;
	if (task.addresses)
		return tell_addresses();
	planned = selection_make(selected);
	if (task.help)
		wire_help();
	else if (task.version)
		wire_version();
	else if (task.list)
		wire_list();
	else if (task.plan)
		wire_plan(selected);
	else if (task.explain && !wire_explain(task.explain))
		return complain("--explain", task.explain, "no scenario has this id");
	else if (!task.explain)
		return assess(selected, planned, environment, argc > 0 ? argv[0] : NULL);
	return finish_output();
}
