/* SPDX-License-Identifier: MIT */
/*
 * Any command that starts the probe somewhere: the launcher for all that has none of its own.
 * "{probe}" becomes the probe's path and its options: separate words where it stands alone, one
 * text quoted for the shell inside a longer word. "{probe-b64}" becomes the probe itself, and
 * "{options}" its options, quoted for the shell: for places that no file can be given to.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"
#include "host/sandbox.h"

#define PROBE_MARK "{probe}"
#define BASE64_MARK "{probe-b64}"
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

/* The options, after `first` and a blank. */
static char *shell_text(char *first, char *const options[])
{
	char *text = first;

	for (size_t i = 0; options[i]; i++) {
		char *quoted = quote_for_shell(options[i]);
		char *longer = print_text("%s %s", text, quoted);

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

static char *encode(const unsigned char *bytes, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *text = new_array(4 * ((n + 2) / 3) + 1, 1), *at = text;

	for (size_t i = 0; i < n; i += 3) {
		unsigned three = (unsigned)bytes[i] << 16 |
				 (i + 1 < n ? (unsigned)bytes[i + 1] << 8 : 0) |
				 (i + 2 < n ? bytes[i + 2] : 0u);

		*at++ = digits[three >> 18];
		*at++ = digits[three >> 12 & 63];
		*at++ = i + 1 < n ? digits[three >> 6 & 63] : '=';
		*at++ = i + 2 < n ? digits[three & 63] : '=';
	}
	return text;
}

/* The probe's bytes in base64, or NULL. */
static char *encode_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat about;
	unsigned char *bytes;
	char *text = NULL;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &about) == 0) {
		bytes = new_array((size_t)about.st_size, 1);
		if (read(fd, bytes, (size_t)about.st_size) == about.st_size)
			text = encode(bytes, (size_t)about.st_size);
		free(bytes);
	}
	close(fd);
	return text;
}

static bool names_the_probe(const struct sandbox_request *request, const char *mark)
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
	if (names_the_probe(request, PROBE_MARK) || names_the_probe(request, BASE64_MARK))
		return true;
	error_set(error, EXIT_MISUSE, "the command does not say where the probe goes: {probe}");
	return error_hint(error, "for example: sandboxeval run command -- my-wrapper --flag {probe}");
}

static char **expand(const struct sandbox_request *request, const char *probe,
		     char *const options[], const char *base64)
{
	char *text = shell_text(quote_for_shell(probe), options), **argv = NULL;
	char *options_text = shell_text(copy_text(""), options);

	for (unsigned i = 0; i < request->n_arguments; i++) {
		const char *word = request->arguments[i];
		char *once, *twice;

		if (strcmp(word, PROBE_MARK) == 0) {
			argv = list_add(argv, copy_text(probe));
			for (size_t k = 0; options[k]; k++)
				argv = list_add(argv, copy_text(options[k]));
			continue;
		}
		once = replace(word, PROBE_MARK, text);
		twice = replace(once, OPTIONS_MARK, options_text);
		argv = list_add(argv, replace(twice, BASE64_MARK, base64));
		free(once);
		free(twice);
	}
	free(text);
	free(options_text);
	return argv;
}

static bool prepare(const struct sandbox_request *request, const char *probe,
		    char *const probe_options[], struct launch *ret_launch, struct error *error)
{
	char *base64 = NULL;

	if (!check(request, error))
		return false;
	if (names_the_probe(request, BASE64_MARK)) {
		base64 = encode_file(probe);
		if (!base64)
			return error_set(error, EXIT_INTERNAL, "cannot read the probe");
		/* The kernel takes 128 KiB a word (MAX_ARG_STRLEN). */
		if (strlen(base64) >= 128 * 1024 - 4096) {
			free(base64);
			error_set(error, EXIT_MISUSE,
				  "the probe is too large for {probe-b64}: the kernel takes at most "
				  "128 KiB in one argument");
			return error_hint(error, "use {probe}, or copy the probe file instead");
		}
	}
	*ret_launch = (struct launch){
		.argv = expand(request, probe, probe_options, base64 ? base64 : ""),
		.report_argv = list_copy(request->arguments),
		.probe_path = copy_text(probe),
		.image = copy_text("what the command starts"),
	};
	free(base64);
	return true;
}

/* What the table of remedies says without an engine's flags. */
static const char *const remedies[N_REMEDIES] = {
	[REMEDY_NNP] = "prctl(PR_SET_NO_NEW_PRIVS), or setpriv --no-new-privs",
	[REMEDY_NUN] = "sysctl user.max_user_namespaces=0",
	[REMEDY_BIND] = "Landlock",
	[REMEDY_PID] = "mount /proc with hidepid=2",
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
