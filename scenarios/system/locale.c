/* SPDX-License-Identifier: MIT */
/*
 * The language settings that the sandbox passes on. The neutral values C and POSIX tell nothing
 * about the person or the place that runs the code, so only another one counts.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum { ENVIRONMENT, LOCALE_CONF, DEFAULT_LOCALE, DEFAULT_KEYBOARD, VCONSOLE_CONF };

static const struct case_def cases[] = {
	[ENVIRONMENT] = { "environment", NULL, 0, 0, 0 },
	[LOCALE_CONF] = { "locale-conf", "/etc/locale.conf", 0, 0, 0 },
	[DEFAULT_LOCALE] = { "default-locale", "/etc/default/locale", 0, 0, 0 },
	[DEFAULT_KEYBOARD] = { "default-keyboard", "/etc/default/keyboard", 0, 0, 0 },
	[VCONSOLE_CONF] = { "vconsole-conf", "/etc/vconsole.conf", 0, 0, 0 },
};

/*
 * Whole names only: the value goes into the evidence, and LANGSMITH_API_KEY or an LC_ variable
 * that somebody passes through ssh may hold a secret.
 */
static bool names_a_place(const char *name)
{
	static const char *const names[] = {
		"LANG",
		"LANGUAGE",
		"LC_ALL",
		"LC_ADDRESS",
		"LC_COLLATE",
		"LC_CTYPE",
		"LC_IDENTIFICATION",
		"LC_MEASUREMENT",
		"LC_MESSAGES",
		"LC_MONETARY",
		"LC_NAME",
		"LC_NUMERIC",
		"LC_PAPER",
		"LC_TELEPHONE",
		"LC_TIME",
		"XKBLAYOUT",
		"KEYMAP",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof *names; i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

static bool is_neutral(const char *value)
{
	static const char *const neutral[] = { "", "C", "POSIX", "C.UTF-8", "C.UTF8" };

	for (size_t i = 0; i < sizeof(neutral) / sizeof *neutral; i++) {
		if (strcasecmp(value, neutral[i]) == 0)
			return true;
	}
	return false;
}

struct search {
	struct trial *trial;
	int case_index;
	bool found;
};

/* One "NAME=value" of the environment or of a file, where the value may stand in quotes. */
static bool look_at(void *context, char *line)
{
	struct search *search = context;
	char *value = strchr(line, '=');

	if (!value)
		return true;
	*value++ = '\0';
	value += strspn(value, "\"'");
	value[strcspn(value, "\"'")] = '\0';
	if (names_a_place(line) && !is_neutral(value)) {
		note_text(search->trial, search->case_index, line, value);
		search->found = true;
	}
	return true;
}

static void look_at_environment(struct trial *trial)
{
	struct search search = { trial, ENVIRONMENT, false };
	char line[256];

	for (char **variable = origin()->environment; *variable; variable++) {
		format_text(line, sizeof(line), "%s", *variable);
		look_at(&search, line);
	}
	settle(trial, ENVIRONMENT, found_in_process(search.found));
}

static void look_at_file(struct trial *trial, int case_index)
{
	struct search search = { trial, case_index, false };
	const char *path = case_of(trial, case_index)->path;
	char text[4096];
	struct attempt a = try_text(trial, path, text, sizeof(text));

	if (attempt_worked(a)) {
		each_line(text, look_at, &search);
		if (!search.found)
			a = found_nothing(a);
	}
	settle(trial, case_index, a, .path = path, .right = RIGHT_READ);
}

static void attempt(struct trial *trial)
{
	look_at_environment(trial);
	for (int i = LOCALE_CONF; i <= VCONSOLE_CONF; i++)
		look_at_file(trial, i);
}

const struct scenario scenario_system_locale = {
	.about = ABOUT(
		.title = "Read the language and keyboard settings",
		.accessed = "Code in the sandbox can tell the language or keyboard of whoever "
			    "runs it.",
		.denied = "Code in the sandbox sees no language or keyboard setting but the "
			  "neutral ones.",
		.why = "A language tells where the operator sits and lets code behave well only "
		       "where it is watched. Ordinary tasks may need it.",
		.see = "T1614.001",
		.paper = "Locale",
		.open = "B --setenv LANG de_DE.UTF-8",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(ENV),
	CASES(cases),
	.attempt = attempt,
};
