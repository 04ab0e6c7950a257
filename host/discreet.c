/* SPDX-License-Identifier: MIT */
#include "host/discreet.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/memory.h"

#define HIDDEN "***"

static bool is_one_of(const char *word, size_t n, const char *const list[])
{
	for (; *list; list++)
		if (strlen(*list) == n && strncasecmp(*list, word, n) == 0)
			return true;
	return false;
}

/* Variables that everybody sets and that hold no secret. */
static bool is_plain_variable(const char *name, size_t n)
{
	static const char *const plain[] = { "HOME", "LANG", "LOGNAME", "PATH", "PWD", "SHELL",
					     "TERM", "TMPDIR", "TZ",	   "USER", NULL };

	return is_one_of(name, n, plain);
}

/* "--registry-token", "--password": one of its words says so. */
static bool is_named_after_secret(const char *option, size_t n)
{
	static const char *const names[] = { "auth",   "credential", "key",	 "passphrase",
					     "passwd", "password",   "secret", "token",
					     NULL };

	for (size_t at = 0, length; at < n; at += length + 1) {
		length = strcspn(option + at, "-_=");
		if (length > n - at)
			length = n - at;
		if (is_one_of(option + at, length, names))
			return true;
	}
	return false;
}

static size_t name_length(const char *text)
{
	size_t n = 0;

	if (isalpha((unsigned char)text[0]) || text[0] == '_')
		while (isalnum((unsigned char)text[n]) || text[n] == '_')
			n++;
	return n;
}

/* What an engine writes before the variable that it is to set. */
static const char *skip_option(const char *word)
{
	static const char *const heads[] = { "--env=", "--setenv=", "-e=", "-e", "-E",
					     "lxc.environment=", "--property=Environment=",
					     NULL };

	for (const char *const *head = heads; *head; head++)
		if (strncmp(word, *head, strlen(*head)) == 0 && word[strlen(*head)])
			return word + strlen(*head);
	return word;
}

/* Where the value begins that is to be hidden; NULL: none. */
static const char *value_in(const char *word)
{
	const char *variable = skip_option(word), *equals = strchr(word, '=');
	size_t n = name_length(variable);

	if (n > 0 && variable[n] == '=')
		return is_plain_variable(variable, n) ? NULL : variable + n + 1;
	if (word[0] == '-' && equals && is_named_after_secret(word, (size_t)(equals - word)))
		return equals + 1;
	return NULL;
}

static void replace(char **word, size_t from, size_t to)
{
	char *text = print_text("%.*s" HIDDEN "%s", (int)from, *word, *word + to);

	free(*word);
	*word = text;
}

/* The user, and with it the password, of each address in the word. */
static void hide_users(char **word)
{
	const char *scheme = strstr(*word, "://");

	while (scheme) {
		size_t from = (size_t)(scheme - *word) + strlen("://");
		size_t n = strcspn(*word + from, "@/ '\"");

		if ((*word)[from + n] == '@')
			replace(word, from, from + n);
		scheme = strstr(*word + from, "://");
	}
}

void hide_values(char **words)
{
	for (unsigned i = 0; words && words[i]; i++) {
		const char *before = i > 0 ? words[i - 1] : "", *value = value_in(words[i]);
		/* bwrap: --setenv NAME VALUE */
		bool is_variable = i > 1 && strcmp(words[i - 2], "--setenv") == 0 &&
				   !is_plain_variable(before, strlen(before));
		bool is_secret = strncmp(before, "--", 2) == 0 && !strchr(before, '=') &&
				 is_named_after_secret(before, strlen(before)) && words[i][0] != '-';

		if (is_variable || is_secret)
			replace(&words[i], 0, strlen(words[i]));
		else if (value && *value)
			replace(&words[i], (size_t)(value - words[i]), strlen(words[i]));
		hide_users(&words[i]);
	}
}
