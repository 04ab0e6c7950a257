/* SPDX-License-Identifier: MIT */
/*
 * Variables whose values have the shape of a secret: prefixes of known services' keys, private
 * keys, tokens, passwords in addresses. Names and lengths are told, values never. Addresses and
 * digests, which are no secrets, belong to metadata.environment-variables.
 */
#include "scenarios/scenario.h"

#include <string.h>

static const struct case_def cases[] = {
	{ "cloud", NULL, 0, 0, 0 },
	{ "forge", NULL, 0, 0, 0 },
	{ "model", NULL, 0, 0, 0 },
	{ "package", NULL, 0, 0, 0 },
	{ "chat", NULL, 0, 0, 0 },
	{ "payment", NULL, 0, 0, 0 },
	{ "private-key", NULL, 0, 0, 0 },
	{ "web-token", NULL, 0, 0, 0 },
	{ "url-user-info", NULL, 0, 0, 0 },
	{ "connection-string", NULL, 0, 0, 0 },
	{ "web-hook", NULL, 0, 0, 0 },
	{ "password", NULL, 0, 0, 0 },
	{ "random-text", NULL, 0, 0, 0 },
};

enum { KINDS = sizeof cases / sizeof *cases };

struct kind {
	unsigned count;
	size_t used;
	char names[300];
};

static int kind_named(const struct trial *trial, const char *name)
{
	for (int i = 0; i < KINDS; i++)
		if (strcmp(case_of(trial, i)->name, name) == 0)
			return i;
	return -1;
}

static void take_variable(struct trial *trial, struct kind kinds[], const char *variable)
{
	const char *value = strchr(variable, '='), *family = NULL;
	struct kind *kind;
	char name[128];
	enum shape shape;
	int i;

	if (!value++)
		return;
	format_text(name, sizeof name, "%s", variable);
	name[strcspn(name, "=")] = '\0';
	shape = shape_of(name, value, &family);
	i = shape == SHAPE_KEY || shape == SHAPE_CREDENTIAL ? kind_named(trial, family_kind(family)) : -1;
	if (i < 0)
		return;
	kind = &kinds[i];
	kind->used += (size_t)format_text(kind->names + kind->used, sizeof kind->names - kind->used,
					  "%s%s (%zu, %s)", kind->count++ ? ", " : "", name,
					  strlen(value), family);
	report_object(trial, family, name);
}

static void attempt(struct trial *trial)
{
	struct kind kinds[KINDS] = { 0 };

	for (char **variable = origin()->environment; variable && *variable; variable++)
		take_variable(trial, kinds, *variable);
	for (int i = 0; i < KINDS; i++) {
		if (kinds[i].count) {
			note_number(trial, i, "count", kinds[i].count);
			note_text(trial, i, "names", kinds[i].names);
		}
		settle(trial, i, found_in_process(kinds[i].count > 0));
	}
}

const struct scenario scenario_secret_environment = {
	.about = ABOUT(
		.title = "Find secrets in the environment",
		.accessed = "Code in the sandbox is given environment variables that look like "
			    "keys, tokens or passwords.",
		.denied = "Code in the sandbox is given no environment variable that looks like a "
			  "key, a token or a password.",
		.why = "Variables go to every program and every library that runs inside; a key "
		       "among them needs no attack to be taken.",
		.see = "T1552, CWE-526",
		.open = "B --setenv DATABASE_URL postgres://a:dummy@db.test/x",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(ENV),
	CASES(cases),
	.attempt = attempt,
};
