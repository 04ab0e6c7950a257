/* SPDX-License-Identifier: MIT */
/*
 * sandboxeval policy: the policies that come with the program, the check of one's own, and a
 * policy that accepts exactly what a run showed.
 */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "host/commands/commands.h"
#include "host/commands/options.h"
#include "host/commands/words.h"
#include "host/error.h"
#include "host/memory.h"
#include "host/named_run.h"
#include "host/policy.h"
#include "host/screen.h"
#include "host/suggest.h"
#include "host/table.h"

/* Opens a policy, or says why not. */
static struct policy *open_or_complain(const char *name, int *ret_status)
{
	struct error error;
	char **faults;
	struct policy *policy = policy_open(name, &faults, &error);

	*ret_status = policy ? EXIT_SATISFIED : complain_file(faults, &error);
	list_free(faults);
	return policy;
}

static int list_policies(const char *nothing)
{
	struct screen screen = screen_of(stdout);
	struct table *table = table_new(&screen, 2, screen.width ? 1 : TABLE_COLUMNS);
	int status = EXIT_SATISFIED;

	(void)nothing;
	for (const struct policy_text *one = policy_texts; one->name && !status; one++) {
		struct policy *policy = open_or_complain(one->name, &status);

		if (!policy)
			break;
		table_cell(table, 0, INK_BOLD, one->name);
		table_cell(table, 1, INK_PLAIN, policy->about ? policy->about : "");
		table_end_row(table);
		policy_free(policy);
	}
	if (!table_print(table))
		status = complain_output();
	table_free(table);
	return status;
}

/* As it was written: its comments are its explanation. */
static int show_policy(const char *name)
{
	const struct policy_text *known = policy_text_find(name);
	struct policy *policy;
	int status;

	if (known) {
		fputs(known->text, stdout);
		return EXIT_SATISFIED;
	}
	policy = open_or_complain(name, &status);
	if (!policy)
		return status;
	policy_free(policy);
	fputs("sandboxeval: policy show shows those that come with the program; this one is yours "
	      "to look at\n",
	      stderr);
	return EXIT_MISUSE;
}

static int check_policy(const char *name)
{
	struct screen screen = screen_of(stdout);
	int status;
	struct policy *policy = open_or_complain(name, &status);

	if (!policy)
		return status;
	screen_print(&screen, INK_PLAIN, "%s: fine: %u rule%s, %u waiver%s, default %s, unknown %s",
		     name, policy->n_rules, policy->n_rules == 1 ? "" : "s", policy->n_waivers,
		     policy->n_waivers == 1 ? "" : "s",
		     policy->fallback == EFFECT_ALLOW ? "allow" : "deny",
		     tolerance_name(policy->unknown));
	putchar('\n');
	policy_free(policy);
	return EXIT_SATISFIED;
}

static int init_policy(const char *word)
{
	struct screen screen = { .out = stderr, .utf8 = locale_is_utf8() };
	struct named_run named;
	struct error error;
	int status = EXIT_SATISFIED;

	if (!named_run_get(&named, word, NULL, &error))
		return complain_error(&error);
	/* What was not measured cannot be accepted. */
	if (named.run->n_results == 0 || !named.run->complete) {
		screen_print(&screen, INK_PLAIN,
			     "sandboxeval: %s is incomplete, so no policy was written: what was not "
			     "measured cannot be accepted. Take a run that is whole", named.name);
		fputc('\n', stderr);
		status = EXIT_INCOMPLETE;
	} else {
		policy_write(named.run, stdout);
	}
	named_run_free(&named);
	return status;
}

static const struct verb {
	const char *name, *argument, *summary; /* argument: NULL: takes none */
	int (*run)(const char *argument);
} verbs[] = {
	{ "list", NULL, "the policies that come with the program", list_policies },
	{ "show", "NAME", "one of them, with the reasons of its rules", show_policy },
	{ "check", "NAME|FILE", "is it right? Says line, column and the nearest name",
	  check_policy },
	{ "init", "RUN",
	  "write a policy that accepts exactly what a run (kept, or a report) showed",
	  init_policy },
};
#define N_VERBS (sizeof verbs / sizeof *verbs)

struct options {
	char **words;
	unsigned n_words;
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;

	(void)value;
	if (key != ARGP_KEY_ARGS)
		return ARGP_ERR_UNKNOWN;
	options->words = state->argv + state->next;
	options->n_words = (unsigned)(state->argc - state->next);
	return 0;
}

static char *fill_in_help(int key, const char *text, void *input)
{
	char *help = copy_text("");

	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return free(help), (char *)text;
	for (size_t i = 0; i < N_VERBS; i++) {
		char *longer =
			print_text("%s  %-5s %-9s  %s\n", help, verbs[i].name,
				   verbs[i].argument ? verbs[i].argument : "", verbs[i].summary);

		free(help);
		help = longer;
	}
	return help;
}

static int complain_verb(const char *word)
{
	struct screen screen = { .out = stderr, .utf8 = locale_is_utf8() };
	const char *names[N_VERBS], *near;

	for (size_t i = 0; i < N_VERBS; i++)
		names[i] = verbs[i].name;
	near = word ? suggest(word, names, N_VERBS) : NULL;
	if (!word)
		fputs("sandboxeval: policy list, show, check or init?", stderr);
	else
		screen_print(&screen, INK_PLAIN, "sandboxeval: policy has no '%s'; ", word);
	if (near)
		screen_print(&screen, INK_PLAIN, "did you mean '%s'?", near);
	else if (word)
		fputs("it has list, show, check and init", stderr);
	fputc('\n', stderr);
	return EXIT_MISUSE;
}

int command_policy(int argc, char *argv[])
{
	static const struct argp argp = {
		NULL,
		parse_option,
		"list\nshow NAME\ncheck NAME|FILE\ninit RUN",
		"Policies say what the owner of a sandbox intends; 'sandboxeval run --policy' "
		"judges "
		"by one. docs/policies.md and sandboxeval-policy(5) explain how to write them.\v",
		NULL,
		fill_in_help,
		NULL
	};
	struct options options = { 0 };
	const struct verb *verb = NULL;

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	for (size_t i = 0; options.n_words > 0 && i < N_VERBS; i++)
		if (strcmp(verbs[i].name, options.words[0]) == 0)
			verb = &verbs[i];
	if (!verb)
		return complain_verb(options.n_words ? options.words[0] : NULL);
	if (options.n_words != 1U + (verb->argument != NULL)) {
		fprintf(stderr, "Usage: sandboxeval policy %s%s%s\n", verb->name,
			verb->argument ? " " : "", verb->argument ? verb->argument : "");
		return EXIT_MISUSE;
	}
	return verb->run(verb->argument ? options.words[1] : NULL);
}
