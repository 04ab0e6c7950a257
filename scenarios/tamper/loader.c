/* SPDX-License-Identifier: MIT */
/*
 * What the program loader takes in before a program begins: its own files in /etc, the folders of
 * libraries, and variables that name libraries, where they were given from outside.
 */
#include "scenarios/scenario.h"

enum { VARIABLES = 6, VARIABLE_PLACES };

static const struct case_def cases[] = {
	{ "preload", "/etc/ld.so.preload", 0, 0, 0 },
	{ "configuration", "/etc/ld.so.conf|/etc/ld.so.conf.d|/etc/ld-musl-*.path", 0, 0, 0 },
	{ "cache", "/etc/ld.so.cache", 0, 0, 0 },
	{ "libraries", "/lib|/lib64|/usr/lib|/usr/lib64|/usr/lib/*-linux-gnu", 0, 0, PLACE_FOLDER },
	{ "local-libraries", "/usr/local/lib|/usr/local/lib64|/usr/local/lib/*-linux-gnu", 0, 0,
	  PLACE_FOLDER },
	{ "hardware-variants",
	  "/usr/lib/glibc-hwcaps|/usr/lib64/glibc-hwcaps|/usr/lib/*-linux-gnu/glibc-hwcaps", 0, 0,
	  PLACE_FOLDER },
	[VARIABLES] = { "variables", NULL, SEVERITY_LOW, 0, 0 },
	[VARIABLE_PLACES] = { "variable-places", NULL, 0, 0, 0 },
};

static void attempt(struct trial *trial)
{
	static const char *const names[] = { "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT" };
	struct alterations all = { .trial = trial };

	settle_alterations(&all);
	settle_variables(&all, VARIABLES, VARIABLE_PLACES, names, 3);
	note_alterations(&all);
}

const struct scenario scenario_tamper_loader = {
	.about = ABOUT(
		.title = "Alter what the program loader takes in",
		.accessed = "Code in the sandbox can alter what the loader takes into programs, "
			    "or was started with variables that direct it.",
		.denied = "Code in the sandbox cannot alter what the loader takes into programs, "
			  "nor was it started with variables that direct it.",
		.why = "One library in these places runs inside every program that is started, "
		       "root's too. Places on file systems of the sandbox's own matter only where "
		       "something outside starts programs from them: see `mount`.",
		.see = "T1574.006",
		.open = "B --bind $D/w /etc/ld.so.conf.d",
		.closed = "B --ro-bind $D/w /etc/ld.so.conf.d",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO) | FIX(ENV),
	CASES(cases),
	.attempt = attempt,
};
