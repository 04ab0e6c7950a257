/* SPDX-License-Identifier: MIT */
/*
 * sandboxeval, the program outside: finds the command in one table, from which the help is
 * printed too, and makes sure that output which could not be written is an error and a reader
 * who has seen enough is not.
 */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "host/commands/commands.h"
#include "host/error.h"
#include "host/memory.h"
#include "host/sandbox.h"
#include "host/screen.h"
#include "host/suggest.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char *argv[]);
	const char *summary, *group;
} commands[] = {
	{ "run", command_run, "assess one sandbox and report how it stands", "Assess" },
	{ "compare", command_compare, "several sandboxes or runs side by side", "Assess" },
	{ "witness", command_witness, "see from outside what arrives from a sandbox, for run --witness",
	  "Assess" },
	{ "sandboxes", command_sandboxes, "which launchers can run here, and what each lacks",
	  "Assess" },
	{ "policy", command_policy, "list, show, check and write policies, by which a run is judged",
	  "Assess" },
	{ "history", command_history, "the runs of the past", "Look back" },
	{ "show", command_show, "the report of a run of the past", "Look back" },
	{ "diff", command_diff, "what opened and what closed between two runs", "Look back" },
	{ "report", command_report, "a run of the past in other formats", "Look back" },
	{ "list", command_list, "what is tried", "Catalogue" },
	{ "explain", command_explain, "what a scenario tries, why it matters, and what closes it",
	  "Catalogue" },
};
#define N_COMMANDS (sizeof commands / sizeof *commands)

static const char closing[] =
	"\n"
	"Exit status: 0 satisfied, 1 policy violated or newly open (--fail-on), 2 incomplete, 64 usage,\n"
	"70 internal error, 130 interrupted.\n"
	"'sandboxeval COMMAND --help' tells about a command.\n";

static volatile sig_atomic_t reader_left;
static bool has_complained; /* the command said itself why it failed */

static void note_reader_left(int signal_number)
{
	(void)signal_number;
	reader_left = 1;
}

/* A full disk is an error, not silence; "| head" is neither. Also runs when argp exits. */
static void close_output(void)
{
	bool failed = ferror(stdout) != 0;

	errno = 0;
	if (fclose(stdout) != 0)
		failed = true;
	if (!failed || reader_left)
		return;
	if (!has_complained)
		fprintf(stderr, "sandboxeval: cannot write the output: %s\n",
			errno ? strerror(errno) : "an earlier write failed");
	_exit(EXIT_INTERNAL);
}

/*
 * A descriptor that the caller closed would be handed to the next file opened. The stand-in is
 * of the wrong direction, so that writing to it fails as it would have.
 */
static void fill_descriptors(void)
{
	for (int descriptor = 0; descriptor <= 2; descriptor++)
		if (fcntl(descriptor, F_GETFD) < 0)
			(void)!open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

static void print_usage(FILE *out)
{
	const char *group = "";

	fputs("Usage: sandboxeval COMMAND [OPTION]... [ARGUMENT]...\n"
	      "Measure what untrusted code can see, change, reach or break in a sandbox.\n",
	      out);
	for (size_t i = 0; i < N_COMMANDS; i++) {
		if (strcmp(group, commands[i].group) != 0)
			fprintf(out, "\n%s:\n", commands[i].group);
		group = commands[i].group;
		fprintf(out, "  %-10s  %s\n", commands[i].name, commands[i].summary);
	}
	fputs(closing, out);
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static int complain_unknown(const char *name)
{
	struct screen screen = { .out = stderr, .utf8 = locale_is_utf8() };
	const char *names[N_COMMANDS];
	const char *near;

	for (size_t i = 0; i < N_COMMANDS; i++)
		names[i] = commands[i].name;
	near = suggest(name, names, N_COMMANDS);
	screen_print(&screen, INK_PLAIN, "sandboxeval: there is no %s '%s'",
		     *name == '-' ? "option" : "command", name);
	if (near)
		screen_print(&screen, INK_PLAIN, "; did you mean '%s'?", near);
	else
		screen_put(&screen, INK_PLAIN, "; try 'sandboxeval --help'");
	fputc('\n', stderr);
	return EXIT_MISUSE;
}

static void print_version(void)
{
	puts("sandboxeval " SANDBOXEVAL_VERSION);
}

static int run_command(const struct command *command, int argc, char *argv[])
{
	char *given = argv[0];
	int status;

	if (argc == 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
		print_version();
		return EXIT_SATISFIED;
	}
	/* argp and getopt begin their messages with argv[0]. */
	argv[0] = print_text("sandboxeval %s", command->name);
	status = command->run(argc, argv);
	has_complained = status == EXIT_INTERNAL;
	free(argv[0]);
	argv[0] = given;
	return status;
}

static int show_help(int argc, char *argv[])
{
	static char help[] = "--help";
	char *help_argv[] = { argv[0], help, NULL };
	const struct command *command = argc > 1 ? find_command(argv[1]) : NULL;

	if (argc > 1 && !command)
		return complain_unknown(argv[1]);
	if (command)
		return run_command(command, 2, help_argv);
	print_usage(stdout);
	return EXIT_SATISFIED;
}

/* What a launcher without an engine runs in place of one: see sandbox.h. Not for users. */
static int start_launcher(int argc, char *argv[])
{
	const struct sandbox *sandbox = argc > 2 ? sandbox_find(argv[2]) : NULL;

	return sandbox && sandbox->start ? sandbox->start(argc - 3, argv + 3) :
					   complain_unknown(argv[1]);
}

int main(int argc, char *argv[])
{
	/* A handler, unlike SIG_IGN, is not inherited by the engines that are started. */
	const struct sigaction on_pipe = { .sa_handler = note_reader_left, .sa_flags = SA_RESTART };
	const char *name = argc > 1 ? argv[1] : NULL;
	const struct command *command;

	fill_descriptors();
	sigaction(SIGPIPE, &on_pipe, NULL);
	atexit(close_output);
	setlocale(LC_ALL, "");
	/* Numbers are written for programs too; only the character set is the user's. */
	setlocale(LC_NUMERIC, "C");
	argp_err_exit_status = EXIT_MISUSE;

	if (name && strcmp(name, "--start") == 0)
		return start_launcher(argc, argv);
	if (!name) {
		fputs("Usage: sandboxeval COMMAND [OPTION]...; 'sandboxeval --help' names the commands.\n",
		      stderr);
		return EXIT_MISUSE;
	}
	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
		print_version();
		return EXIT_SATISFIED;
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-?") == 0 || strcmp(name, "-h") == 0 ||
	    strcmp(name, "help") == 0)
		return show_help(argc - 1, argv + 1);
	command = find_command(name);
	return command ? run_command(command, argc - 1, argv + 1) : complain_unknown(name);
}
