/* SPDX-License-Identifier: MIT */
/*
 * Any command that starts the probe somewhere: the launcher for all that has none of its own.
 * "{probe}" becomes the probe's path and its options, "{probe-file}" its path alone, "{options}"
 * its options alone: separate words where it stands alone, one text quoted for the shell inside a
 * longer word. "{probe-stdin}", a word that is taken out, gives the command the probe to read from
 * standard input: for places that see none of our files, and that no argument is long enough for.
 */
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "host/sandbox.h"

#define PROBE_MARK "{probe}"
#define FILE_MARK "{probe-file}"
#define INPUT_MARK "{probe-stdin}"
#define OPTIONS_MARK "{options}"

/* Single quotes, with those inside put outside: what every POSIX shell reads back as one word. */
static char *quote_for_shell(const char *word)
{
	char *quoted = copy_text("'");

	for (;;) {
		size_t n = strcspn(word, "'");
		char *longer = print_text("%s%.*s%s", quoted, (int)n, word, word[n] ? "'\\''" : "'");

		free(quoted);
		quoted = longer;
		if (!word[n])
			return quoted;
		word += n + 1;
	}
}

/* Every word quoted, with blanks between them. */
static char *shell_text(char *const words[])
{
	char *text = copy_text("");

	for (size_t i = 0; words[i]; i++) {
		char *quoted = quote_for_shell(words[i]);
		char *longer = print_text("%s%s%s", text, i > 0 ? " " : "", quoted);

		free(quoted);
		free(text);
		text = longer;
	}
	return text;
}

static char *replace(const char *word, const char *mark, const char *by)
{
	char *done = copy_text("");

	for (;;) {
		const char *at = strstr(word, mark);
		size_t n = at ? (size_t)(at - word) : strlen(word);
		char *longer = print_text("%s%.*s%s", done, (int)n, word, at ? by : "");

		free(done);
		done = longer;
		if (!at)
			return done;
		word = at + strlen(mark);
	}
}

static bool names_mark(const struct sandbox_request *request, const char *mark)
{
	for (unsigned i = 0; i < request->n_arguments; i++)
		if (strstr(request->arguments[i], mark))
			return true;
	return false;
}

static bool check(const struct sandbox_request *request, struct error *error)
{
	if (request->image || request->rootfs)
		return error_set(error, EXIT_MISUSE,
				 "command has no image and no root folder: name them in the command");
	/* With the options alone, the probe was put there before. */
	if (names_mark(request, PROBE_MARK) || names_mark(request, OPTIONS_MARK))
		return true;
	if (names_mark(request, FILE_MARK) || names_mark(request, INPUT_MARK)) {
		error_set(error, EXIT_MISUSE,
			  "the command does not say where the probe's options go: {options}");
		return error_hint(error, "without them the answer is not taken for this run's");
	}
	error_set(error, EXIT_MISUSE, "the command does not say where the probe goes: {probe}");
	return error_hint(error, "for example: sandboxeval run command -- my-wrapper --flag {probe}");
}

/* A mark that stands alone becomes words; inside a longer word it becomes a text. */
struct mark {
	const char *name;
	char **words;
};

static char **add_word(char **argv, const char *word, const struct mark marks[], size_t n)
{
	char *text = copy_text(word);

	for (size_t i = 0; i < n; i++) {
		char *quoted, *longer;

		if (strcmp(word, marks[i].name) == 0) {
			for (size_t k = 0; marks[i].words[k]; k++)
				argv = list_add(argv, copy_text(marks[i].words[k]));
			free(text);
			return argv;
		}
		quoted = shell_text(marks[i].words);
		longer = replace(text, marks[i].name, quoted);
		free(quoted);
		free(text);
		text = longer;
	}
	return list_add(argv, text);
}

static char **expand(const struct sandbox_request *request, const char *probe,
		     char *const options[])
{
	char **whole = list_join(list_add(NULL, copy_text(probe)), options), **argv = NULL;
	struct mark marks[] = {
		{ FILE_MARK, list_add(NULL, copy_text(probe)) },
		{ OPTIONS_MARK, list_copy(options) },
		{ PROBE_MARK, whole },
	};

	for (unsigned i = 0; i < request->n_arguments; i++)
		if (strcmp(request->arguments[i], INPUT_MARK) != 0)
			argv = add_word(argv, request->arguments[i], marks, 3);
	for (size_t i = 0; i < 3; i++)
		list_free(marks[i].words);
	return argv;
}

static bool is_word(const struct sandbox_request *request, const char *mark)
{
	for (unsigned i = 0; i < request->n_arguments; i++)
		if (strcmp(request->arguments[i], mark) == 0)
			return true;
	return false;
}

static bool prepare(const struct sandbox_request *request, const char *probe,
		    char *const probe_options[], struct launch *ret_launch, struct error *error)
{
	if (!check(request, error))
		return false;
	if (names_mark(request, INPUT_MARK) && !is_word(request, INPUT_MARK)) {
		error_set(error, EXIT_MISUSE, "{probe-stdin} is a word of its own");
		return error_hint(error, "for example: sandboxeval run command -- ssh host 'cat "
					 ">/tmp/p && chmod +x /tmp/p && /tmp/p {options}' "
					 "{probe-stdin}");
	}
	*ret_launch = (struct launch){
		.argv = expand(request, probe, probe_options),
		.report_argv = list_copy(request->arguments),
		.input = is_word(request, INPUT_MARK) ? copy_text(probe) : NULL,
		.probe_path = copy_text(probe),
		.image = copy_text("what the command starts"),
	};
	return true;
}

/* What the table of remedies says without an engine's flags. */
static const char *const remedies[N_REMEDIES] = {
	[REMEDY_NNP] = "prctl(PR_SET_NO_NEW_PRIVS), or setpriv --no-new-privs",
	[REMEDY_NUN] = "sysctl user.max_user_namespaces=0",
	[REMEDY_BIND] = "Landlock",
	[REMEDY_PID] = "unshare --pid --fork --mount-proc (without root: --map-root-user, too)",
	[REMEDY_ENV] = "launch with env -i",
	[REMEDY_TTY] = "sysctl dev.tty.legacy_tiocsti=0, setsid",
	[REMEDY_MD] = "token-only metadata service",
	[REMEDY_SOCK] = "a socket proxy with an allow list",
	[REMEDY_OUT] = "the collector opens with openat2 RESOLVE_BENEATH",
	[REMEDY_KEY] = "seccomp: refuse keyctl, add_key, request_key",
	[REMEDY_KRN] = "a patched kernel, gVisor or a VM",
	[REMEDY_APART] = "keep it outside the sandbox, under another uid, or strip it",
};

const struct sandbox sandbox_command = {
	.name = "command",
	.title = "a command",
	.summary = "any command that starts {probe}, named after --",
	.unsure = true,
	.remedies = remedies,
	.prepare = prepare,
};
