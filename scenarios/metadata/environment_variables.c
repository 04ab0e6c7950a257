/* SPDX-License-Identifier: MIT */
/*
 * Variables that the sandbox passes on beyond those that every shell sets, sorted by the shape of
 * their values. Names and lengths are told, values never.
 */
#include "scenarios/scenario.h"

#include <string.h>

static const struct case_def cases[] = {
	[SHAPE_PLAIN] = { "other", NULL, SEVERITY_LOW, 0, 0 },
	[SHAPE_KEY] = { "key", NULL, 0, 0, 0 },
	[SHAPE_CREDENTIAL] = { "credential", NULL, 0, 0, 0 },
	[SHAPE_ADDRESS] = { "internal-address", NULL, 0, 0, 0 },
	[SHAPE_DIGEST] = { "digest", NULL, 0, 0, 0 },
};

enum { SHAPES = sizeof(cases) / sizeof(*cases) };

struct class {
	unsigned count;
	char names[300];
};

static bool is_usual(const char *name)
{
	static const char *const usual[] = {
		"PATH",	 "HOME", "PWD",	 "OLDPWD", "USER",   "LOGNAME",	 "SHELL", "SHLVL",
		"TERM",	 "LANG", "TZ",	 "TMPDIR", "HOSTNAME", "LANGUAGE", "_",
	};

	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++) {
		if (strcmp(name, usual[i]) == 0)
			return true;
	}
	return starts_with(name, "LC_");
}

static void take_variable(struct trial *trial, struct class classes[], const char *variable)
{
	const char *value = strchr(variable, '='), *family = NULL;
	char name[128];
	size_t used;
	enum shape shape;

	if (!value++)
		return;
	format_text(name, sizeof(name), "%s", variable);
	name[strcspn(name, "=")] = '\0';
	shape = shape_of(name, value, &family);
	if (shape == SHAPE_PLAIN)
		family = NULL;
	/* A usual name does not make a key harmless: ssh passes on whatever is called LC_. */
	if (is_usual(name) && shape != SHAPE_KEY && shape != SHAPE_CREDENTIAL)
		return;
	used = strlen(classes[shape].names);
	format_text(classes[shape].names + used, sizeof(classes[shape].names) - used,
		    "%s%s (%zu%s%s)", classes[shape].count++ ? ", " : "", name, strlen(value),
		    family ? ", " : "", family ? family : "");
	report_object(trial, shape_name(shape), name);
}

/* What the kernel keeps of the same, for whoever may read this process's files. */
static void count_in_proc(struct trial *trial)
{
	char text[16384];
	struct attempt a = try_read(trial, "/proc/self/environ", text, sizeof(text));
	int64_t variables = 0;

	for (long i = 0; i < a.value; i++)
		variables += text[i] == '\0';
	if (attempt_worked(a))
		note_number(trial, WHOLE, "in-proc", variables);
	explicit_bzero(text, sizeof(text));
}

static void attempt(struct trial *trial)
{
	struct class classes[SHAPES] = { 0 };

	for (char **variable = origin()->environment; *variable; variable++)
		take_variable(trial, classes, *variable);
	for (int i = 0; i < SHAPES; i++) {
		if (classes[i].count) {
			note_number(trial, i, "count", classes[i].count);
			note_text(trial, i, "names", classes[i].names);
		}
		settle(trial, i, found_in_process(classes[i].count > 0));
	}
	count_in_proc(trial);
}

const struct scenario scenario_metadata_environment_variables = {
	.about = ABOUT(
		.title = "Read environment variables",
		.accessed = "Code in the sandbox is given environment variables beyond those that "
			    "every shell sets.",
		.denied = "Code in the sandbox is given no environment variables but those that "
			  "every shell sets.",
		.why = "Environments often hold keys, addresses of internal services and digests "
		       "of images, and any library that the code loads can read them.",
		.see = "T1082, CWE-526",
		.paper = "Environment variables",
		.open = "B --setenv SCHEDULER 10.32.0.17:6443",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.fix = FIX(ENV),
	CASES(cases),
	.attempt = attempt,
};
