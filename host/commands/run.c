/* SPDX-License-Identifier: MIT */
/*
 * sandboxeval run: assesses one sandbox. What the user wrote is checked whole, and every report
 * file opened, before anything is launched; exit status and files are contracts (host/error.h).
 */
#include <argp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/assess.h"
#include "host/child.h"
#include "host/commands/commands.h"
#include "host/commands/options.h"
#include "host/commands/past.h"
#include "host/commands/words.h"
#include "host/judged_text.h"
#include "host/memory.h"
#include "host/policy.h"
#include "host/probe_file.h"
#include "host/report_file.h"
#include "host/screen.h"
#include "host/suggest.h"
#include "host/targets.h"
#include "host/worker.h"

#define DEFAULT_SECONDS 120
#define MOST_SECONDS 86400

struct options {
	const char *sandbox;
	struct assess_plan plan;
	struct past past;
	char **reports; /* as written */
	const char *policy_name;
	struct policy *policy;
	const char *targets_file;
	json_t *targets;
	bool quiet, plan_only;
};

enum {
	KEY_IMAGE = 0x100,
	KEY_ROOTFS,
	KEY_ONLY,
	KEY_SKIP,
	KEY_TIMEOUT,
	KEY_NO_BASELINE,
	KEY_SINGLE,
	KEY_NO_WITNESS,
	KEY_WITNESS,
	KEY_LABEL,
	KEY_PLAN,
	KEY_POLICY,
	KEY_TARGET,
	KEY_HISTORY,
	KEY_NO_HISTORY,
	KEY_FAIL_ON,
	KEY_AGAINST,
};

static const struct argp_option option_table[] = {
	{ NULL, 0, NULL, 0, "What runs in there:", 1 },
	{ "image", KEY_IMAGE, "NAME", 0, "The image, for engines that have images", 1 },
	{ "rootfs", KEY_ROOTFS, "FOLDER", 0, "The root folder, for engines that take one", 1 },
	{ NULL, 0, NULL, 0, "What is tried:", 2 },
	{ "only", KEY_ONLY, "LIST", 0, "Only these scenarios or categories, separated by commas", 2 },
	{ "skip", KEY_SKIP, "LIST", 0, "All but these", 2 },
	{ "level", 'l', "LEVEL", 0,
	  "observe (reads only), touch (also makes and removes own markers; the default) or act "
	  "(also bounded real effects: no scenario has any yet, so it is the same as touch)", 2 },
	{ "target", KEY_TARGET, "FILE", 0,
	  "What some scenarios can use, as this YAML file declares it: the keys are below", 2 },
	{ "timeout", KEY_TIMEOUT, "SECONDS", 0, "How long one launch may take (120)", 2 },
	{ "no-baseline", KEY_NO_BASELINE, NULL, 0,
	  "Do not try the same outside: then nothing tells what the sandbox withholds", 2 },
	{ "single", KEY_SINGLE, NULL, 0, "One launch only: what is lost with it is not tried again",
	  2 },
	{ "witness", KEY_WITNESS, "NAME", 0,
	  "Let this witness see what arrives from inside: 'sandboxeval witness', started on another "
	  "machine, prints its name. Default: one on loopback and the engine's own bridge", 2 },
	{ "no-witness", KEY_NO_WITNESS, NULL, 0,
	  "Nobody watches outside: then nothing tells whether the network lets anything out", 2 },
	{ "plan", KEY_PLAN, NULL, 0, "Show what would be attempted, and attempt nothing", 2 },
	{ NULL, 0, NULL, 0, "What comes out:", 3 },
	{ "policy", KEY_POLICY, "NAME|FILE", 0,
	  "Judge the run by this policy ('sandboxeval policy list' names those that there are)", 3 },
	{ "report", 'r', "FORMAT[=FILE]", 0,
	  "Write this report; may be given several times. Without a file, or with '-', to standard "
	  "output. Default: terminal", 3 },
	{ "label", KEY_LABEL, "TEXT", 0, "A note that the report carries", 3 },
	{ "history", KEY_HISTORY, "FILE", 0,
	  "Keep the run in this history ($XDG_DATA_HOME/sandboxeval/history.db, or below "
	  "~/.local/share)", 3 },
	{ "no-history", KEY_NO_HISTORY, NULL, 0, "Do not keep the run", 3 },
	{ "fail-on", KEY_FAIL_ON, "new", 0,
	  "End with 1 when something is open that was not seen to be in the previous run of this "
	  "sandbox and label", 3 },
	{ "against", KEY_AGAINST, "RUN", 0,
	  "With --fail-on: compare with this run (a number, a label, 'latest', a JSON report)", 3 },
	{ "quiet", 'q', NULL, 0, "No progress, and no report but those asked for", 3 },
	{ NULL, 0, NULL, 0, "Help:", -1 },
	{ 0 },
};

static unsigned parse_seconds(struct argp_state *state, const char *value)
{
	char *end;
	long seconds = strtol(value, &end, 10);

	if (end == value || *end || seconds < 1 || seconds > MOST_SECONDS)
		argp_error(state, "--timeout takes seconds from 1 to %d, not '%s'", MOST_SECONDS,
			   value);
	return (unsigned)seconds;
}

/* Options that only set a text or a flag: where in the options it is. */
static const struct {
	int key;
	size_t place;
} texts[] = {
	{ KEY_IMAGE, offsetof(struct options, plan.request.image) },
	{ KEY_ROOTFS, offsetof(struct options, plan.request.rootfs) },
	{ KEY_ONLY, offsetof(struct options, plan.only) },
	{ KEY_SKIP, offsetof(struct options, plan.skip) },
	{ KEY_WITNESS, offsetof(struct options, plan.witness) },
	{ KEY_LABEL, offsetof(struct options, plan.label) },
	{ KEY_POLICY, offsetof(struct options, policy_name) },
	{ KEY_TARGET, offsetof(struct options, targets_file) },
	{ KEY_HISTORY, offsetof(struct options, past.history) },
	{ KEY_AGAINST, offsetof(struct options, past.against) },
}, flags[] = {
	{ KEY_NO_BASELINE, offsetof(struct options, plan.no_baseline) },
	{ KEY_SINGLE, offsetof(struct options, plan.single) },
	{ KEY_NO_WITNESS, offsetof(struct options, plan.no_witness) },
	{ KEY_PLAN, offsetof(struct options, plan_only) },
	{ KEY_NO_HISTORY, offsetof(struct options, past.no_history) },
};

static bool set_simple_option(struct options *options, int key, const char *value)
{
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		if (texts[i].key == key) {
			*(const char **)((char *)options + texts[i].place) = value;
			return true;
		}
	}
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		if (flags[i].key == key) {
			*(bool *)((char *)options + flags[i].place) = true;
			return true;
		}
	}
	return false;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'l':
		options->plan.level = parse_level(state, value);
		return 0;
	case KEY_TIMEOUT:
		options->plan.seconds = parse_seconds(state, value);
		return 0;
	case 'r':
		options->reports = list_add(options->reports, copy_text(value));
		return 0;
	case 'q':
		options->quiet = true;
		options->past.quiet = true;
		return 0;
	case KEY_FAIL_ON:
		if (strcmp(value, "new") != 0)
			argp_error(state, "--fail-on takes new, not '%s'", value);
		options->past.fail_on_new = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->sandbox)
			argp_error(state, "'%s' is one word too many; what is meant for the engine "
					  "stands after '--'", value);
		options->sandbox = value;
		return 0;
	default:
		return set_simple_option(options, key, value) ? 0 : ARGP_ERR_UNKNOWN;
	}
}

/* ---------------------------------------------------------------- help */

static const char documentation[] =
	"Assess one sandbox: try inside, and for comparison outside, what untrusted code might try, "
	"and report what is open, what is denied, and what denies it."
	"\v"
	"Exit status: 0 everything planned was measured, nothing left behind, and the policy, if "
	"there is one, kept; 1 the policy is violated, or something is newly open (--fail-on new); "
	"2 incomplete: something that is needed was not measured; 64 usage; 70 internal error; 130 "
	"interrupted.";

static const char examples[] =
	"Examples:\n"
	"  sandboxeval run bwrap\n"
	"  sandboxeval run bwrap --policy code-interpreter\n"
	"  sandboxeval run bwrap --report terminal --report json=report.json\n"
	"  sandboxeval run bwrap --label nightly --fail-on new\n"
	"  sandboxeval run bwrap --target targets.yaml\n"
	"  sandboxeval run bwrap -- --unshare-all --ro-bind /usr /usr --tmpfs /tmp\n"
	"  sandboxeval run runc --rootfs ./rootfs --only content,network\n"
	"  sandboxeval run command -- my-wrapper --flag {probe}\n"
	"  sandboxeval run command -- sh -c 'cd /; ulimit -n 64; exec {probe}'\n";

static void list_choices(FILE *out)
{
	/* argp breaks lines at column 79: ours are broken earlier, and hang. */
	struct screen screen = { .out = out, .utf8 = locale_is_utf8(), .width = 78 };

	fputs("Sandboxes:\n", out);
	for (const struct sandbox_row *row = sandboxes; row->sandbox; row++) {
		screen_paragraph(&screen, 2, row->sandbox->name, 12, row->sandbox->summary);
		if (row->sandbox->defaults)
			screen_paragraph(&screen, 12, "default:", 21, row->sandbox->defaults);
	}
	fputs("\nReport formats:\n", out);
	for (const struct report_row *row = reports; row->report; row++)
		screen_paragraph(&screen, 2, row->report->name, 12, row->report->summary);
	fputs("\nTargets (docs/targets.md), after a line 'sandboxeval-targets: 1':\n", out);
	targets_help(&screen);
	fprintf(out, "\n%s", examples);
}

/* What can be chosen is printed from the registries, never listed by hand. */
static char *fill_in_help(int key, const char *text, void *input)
{
	char *choices = NULL;
	size_t size = 0;
	FILE *out;

	(void)input;
	if (key != ARGP_KEY_HELP_EXTRA)
		return (char *)text;
	out = open_memstream(&choices, &size);
	if (!out)
		return NULL;
	list_choices(out);
	fclose(out);
	return choices;
}

static const struct argp parser = {
	option_table, parse_option, "SANDBOX [-- ENGINE ARGUMENT...]", documentation, NULL,
	fill_in_help, NULL,
};

/* ---------------------------------------------------------------- the "--" forgotten */

/* A word as a shell reads it. */
static char *shell_word(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-+=/.,:@%";
	char *text = copy_text("'");

	if (*word && word[strspn(word, plain)] == '\0')
		return free(text), copy_text(word);
	for (const char *c = word; *c; c++) {
		char *longer = *c == '\'' ? print_text("%s'\\''", text) : print_text("%s%c", text, *c);

		free(text);
		text = longer;
	}
	word = print_text("%s'", text);
	free(text);
	return (char *)word;
}

static char *add_shell_word(char *line, const char *word)
{
	char *quoted = shell_word(word), *longer = print_text("%s %s", line, quoted);

	free(quoted);
	free(line);
	return longer;
}

/*
 * "run bwrap --unshare-all": what is none of our options after the sandbox's name is meant for
 * the engine. Says so with the line as it should be: our options first, then the engine's.
 */
static bool forgot_separator(int argc, char *argv[])
{
	struct screen screen = { .out = stderr, .utf8 = locale_is_utf8() };
	int name = 1, foreign, n;
	char *ours, *theirs;

	while (name < argc && (n = option_words(option_table, argc, argv, name)) > 0)
		name += n;
	if (name >= argc || !sandbox_find(argv[name]))
		return false;
	foreign = find_foreign_option(option_table, name + 1, argc, argv);
	if (!foreign)
		return false;
	ours = copy_text(argv[0]);
	theirs = copy_text("");
	for (int i = 1; i < argc; i += n) {
		int known = option_words(option_table, argc, argv, i);

		n = known ? known : 1;
		for (int k = i; k < i + n; k++) {
			if (known || k == name)
				ours = add_shell_word(ours, argv[k]);
			else
				theirs = add_shell_word(theirs, argv[k]);
		}
	}
	screen_print(&screen, INK_PLAIN, "%s: '%s' is no option of run; what is meant for the engine "
		     "stands after '--':", argv[0], argv[foreign]);
	fputs("\n  ", stderr);
	screen_print(&screen, INK_PLAIN, "%s --%s", ours, theirs);
	fputc('\n', stderr);
	free(ours);
	free(theirs);
	return true;
}

/* ---------------------------------------------------------------- checks */

static int find_sandbox(struct options *options)
{
	const char *names[64], *near;
	size_t n = 0;

	if (!options->sandbox) {
		fputs("sandboxeval: run which sandbox? 'sandboxeval sandboxes' names them, "
		      "'sandboxeval run --help' has examples\n", stderr);
		return EXIT_MISUSE;
	}
	options->plan.sandbox = sandbox_find(options->sandbox);
	if (options->plan.sandbox)
		return EXIT_SATISFIED;
	for (const struct sandbox_row *row = sandboxes; row->sandbox && n < 64; row++)
		names[n++] = row->sandbox->name;
	near = suggest(options->sandbox, names, n);
	fprintf(stderr, "sandboxeval: there is no sandbox '%s'; ", options->sandbox);
	if (near)
		fprintf(stderr, "did you mean '%s'?\n", near);
	else
		fputs("'sandboxeval sandboxes' names them\n", stderr);
	return EXIT_MISUSE;
}

static int check_policy(struct options *options)
{
	struct error error;
	char **faults;
	int status;

	if (!options->policy_name)
		return EXIT_SATISFIED;
	options->policy = policy_open(options->policy_name, &faults, &error);
	status = options->policy ? EXIT_SATISFIED : complain_file(faults, &error);
	list_free(faults);
	return status;
}

static int check_targets(struct options *options)
{
	struct error error;
	char **faults;
	int status;

	if (!options->targets_file)
		return EXIT_SATISFIED;
	options->targets = targets_open(options->targets_file, &faults, &error);
	options->plan.targets = options->targets;
	status = options->targets ? EXIT_SATISFIED : complain_file(faults, &error);
	list_free(faults);
	return status;
}

static int check_options(struct options *options)
{
	int status = find_sandbox(options);

	if (status == EXIT_SATISFIED)
		status = complain_unknown_selection(options->plan.only);
	if (status == EXIT_SATISFIED)
		status = complain_unknown_selection(options->plan.skip);
	if (status == EXIT_SATISFIED)
		status = check_policy(options);
	if (status == EXIT_SATISFIED)
		status = check_targets(options);
	if (status == EXIT_SATISFIED && options->past.against && !options->past.fail_on_new) {
		fputs("sandboxeval run: --against says what to compare with: give --fail-on new\n",
		      stderr);
		return EXIT_MISUSE;
	}
	if (status == EXIT_SATISFIED && options->plan.witness && options->plan.no_witness) {
		fputs("sandboxeval: --witness and --no-witness contradict each other\n", stderr);
		status = EXIT_MISUSE;
	}
	if (status == EXIT_SATISFIED && !options->reports && !options->quiet)
		options->reports = list_add(NULL, copy_text("terminal"));
	return status;
}

/* ---------------------------------------------------------------- --plan */

static bool pass_on(void *context, const char *bytes, size_t n)
{
	return fwrite(bytes, 1, n, context) == n;
}

static char **plan_command(const struct assess_plan *plan, const char *probe)
{
	char **words = list_add(NULL, copy_text(probe));

	words = list_add(words, copy_text("--plan"));
	words = list_add(words, print_text("--level=%s", level_name(plan->level)));
	if (plan->only)
		words = list_add(words, print_text("--only=%s", plan->only));
	if (plan->skip)
		words = list_add(words, print_text("--skip=%s", plan->skip));
	return words;
}

/* The probe itself says what it would do; nothing but that is done. */
static int show_plan(const struct options *options)
{
	struct child_plan launch = { .seconds = DEFAULT_SECONDS, .output = pass_on, .context = stdout };
	struct probe_file probe;
	struct child_end end;
	struct error error;
	char **words;
	bool ran;

	if (!probe_file_write(&probe, &error))
		return complain_error(&error);
	words = plan_command(&options->plan, probe.path);
	launch.argv = words;
	ran = child_run(&launch, &end, &error);
	list_free(words);
	probe_file_remove(&probe);
	if (!ran)
		return complain_error(&error);
	if (end.how == CHILD_INTERRUPTED)
		return EXIT_INTERRUPTED;
	fwrite(end.errors, 1, end.n_errors, stderr);
	return end.how == CHILD_EXITED && end.code == 0 ? EXIT_SATISFIED : EXIT_INTERNAL;
}

/* ---------------------------------------------------------------- the run */

static void show_progress(void *context, const char *stage, unsigned arrived, unsigned planned)
{
	(void)context;
	fprintf(stderr, "\r\033[K%s: %u/%u", stage, arrived < planned ? arrived : planned,
		planned);
}

static void end_progress(const struct options *options)
{
	if (options->plan.progress)
		fputs("\r\033[K", stderr);
}

static bool open_reports(const struct options *options, struct report_file files[],
			 struct error *error)
{
	unsigned on_output = 0;

	for (size_t i = 0; options->reports && options->reports[i]; i++) {
		if (!report_file_open(&files[i], options->reports[i], error))
			return false;
		on_output += report_file_is_standard_output(&files[i]);
	}
	if (on_output > 1)
		return error_set(error, EXIT_MISUSE,
				 "two reports cannot share standard output: name files");
	return true;
}

static bool write_reports(const struct options *options, const struct run *run,
			  struct report_file files[], struct error *error)
{
	struct screen screen = screen_of(stdout);
	struct report_context context = {
		.run = run,
		.sandbox = options->plan.sandbox,
		.color = screen.color,
		.width = screen.width,
	};

	/*
	 * Files first, while an interrupt still waits for their names; then what may block on a
	 * reader (standard output, a pipe), where Ctrl-C must work.
	 */
	for (size_t i = 0; i < list_length(options->reports); i++)
		if (files[i].temporary && !report_file_write(&files[i], &context, error))
			return false;
	interrupt_release();
	for (size_t i = 0; i < list_length(options->reports); i++)
		if (files[i].out && !report_file_write(&files[i], &context, error))
			return false;
	return true;
}

/* The report for people says why; without one, standard error does. */
static void say_incomplete(const struct run *run, const struct report_file files[], size_t n)
{
	struct screen screen = { .out = stderr, .utf8 = locale_is_utf8() };

	for (size_t i = 0; i < n; i++)
		if (report_file_is_standard_output(&files[i]) &&
		    strcmp(files[i].report->name, "terminal") == 0)
			return;
	for (size_t i = 0; run->incomplete_because && run->incomplete_because[i]; i++) {
		screen_print(&screen, INK_PLAIN, "sandboxeval: incomplete: %s",
			     run->incomplete_because[i]);
		fputc('\n', stderr);
	}
	if (!run->clean)
		fputs("sandboxeval: not clean: something of the probe's own may be left behind\n",
		      stderr);
	judged_text_line(&screen, run);
}

/* What is known to be wrong outweighs what is not known. */
static int worse_status(int one, int other)
{
	return one == EXIT_VIOLATED || other == EXIT_SATISFIED ? one : other;
}

/* Without a policy, all that is asked is that everything was measured. */
static int status_of(const struct run *run)
{
	if (run->verdict != VERDICT_NONE)
		return policy_exit(run->verdict);
	return run->complete && run->clean ? EXIT_SATISFIED : EXIT_INCOMPLETE;
}

static int assess_and_report(struct options *options)
{
	size_t n = list_length(options->reports);
	struct report_file *files = new_array(n, sizeof *files);
	struct error error = { 0 };
	struct run *run = NULL;
	int status;

	if (!options->quiet && isatty(STDERR_FILENO))
		options->plan.progress = show_progress;
	if (past_prepare(&options->past, options->sandbox, options->plan.label, &error) &&
	    open_reports(options, files, &error)) {
		run = assess(&options->plan, &error);
		end_progress(options);
	}
	if (run && options->policy)
		policy_judge(options->policy, run, time(NULL));
	/* First of all: what took minutes is not lost to a report that cannot be written. */
	if (run)
		past_keep(&options->past, run);
	if (run && write_reports(options, run, files, &error)) {
		say_incomplete(run, files, n);
		status = status_of(run);
		status = worse_status(status, past_judge(&options->past, run));
	} else {
		status = complain_error(&error);
	}
	past_free(&options->past);
	for (size_t i = 0; i < n; i++)
		report_file_close(&files[i]);
	free(files);
	run_free(run);
	return status;
}

int command_run(int argc, char *argv[])
{
	static char *nothing[] = { NULL };
	struct options options = {
		.plan = { .level = LEVEL_TOUCH, .seconds = DEFAULT_SECONDS },
	};
	int n = 1, status;

	/* All after the first "--" is the engine's, whatever it looks like. */
	while (n < argc && strcmp(argv[n], "--") != 0)
		n++;
	options.plan.request.arguments = n < argc ? argv + n + 1 : nothing;
	options.plan.request.n_arguments = n < argc ? (unsigned)(argc - n - 1) : 0;
	if ((n == argc && forgot_separator(n, argv)) || !options_are_known(option_table, n, argv))
		return EXIT_MISUSE;
	argp_parse(&parser, n, argv, 0, NULL, &options);
	status = check_options(&options);
	if (status == EXIT_SATISFIED) {
		work_apart();
		interrupt_catch();
		status = options.plan_only ? show_plan(&options) : assess_and_report(&options);
	}
	list_free(options.reports);
	policy_free(options.policy);
	json_decref(options.targets);
	return status;
}
