/* SPDX-License-Identifier: MIT */
/*
 * Can programs of the system be run? Three that do nothing are started in a child, with an empty
 * environment and their output dropped; one that ends with success counts.
 */
#include "scenarios/scenario.h"

#include <errno.h>

enum { TRUE, ENV, SHELL };
enum { DEADLINE_MS = 600 };

static const struct case_def cases[] = {
	[TRUE] = { "bin-true", "/bin/true", 0, 0, PLACE_PROGRAM },
	[ENV] = { "usr-bin-env", "/usr/bin/env", 0, 0, PLACE_PROGRAM },
	[SHELL] = { "bin-sh", "/bin/sh", 0, 0, PLACE_PROGRAM },
};

static const char *const arguments[][4] = {
	[TRUE] = { "true" },
	[ENV] = { "env" },
	[SHELL] = { "sh", "-c", ":" },
};

static void execute(struct trial *trial, int case_index)
{
	const char *path = case_of(trial, case_index)->path;
	struct attempt a = try_run(trial, case_index, -1, path, arguments[case_index], DEADLINE_MS);
	struct object object;

	if (a.error == ETIMEDOUT) {
		settle_unknown(trial, case_index, REASON_TIMED_OUT);
	} else if (a.nr < 0) {
		settle(trial, case_index, a);
	} else if (a.error == ENOENT &&
		   attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object))) {
		/* The file is there: its interpreter or loader is not. */
		note_text(trial, case_index, "missing", "interpreter");
		settle(trial, case_index, a);
	} else {
		settle(trial, case_index, a, .path = path, .right = RIGHT_EXECUTE, .executes = true);
	}
}

static void attempt(struct trial *trial)
{
	for (int i = TRUE; i <= SHELL; i++)
		execute(trial, i);
}

const struct scenario scenario_content_execute = {
	.about = ABOUT(
		.title = "Run programs of the system",
		.accessed = "Code in the sandbox can run programs that the system provides.",
		.denied = "Code in the sandbox cannot run any of the usual programs of the "
			  "system.",
		.why = "A shell and its tools are what an intruder uses next; most code needs "
		       "none.",
		.see = "T1059.004",
		.paper = "Execute files",
		.open = "B",
		.closed = "E",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_TOUCH,
	.fix = FIX(BIND) | FIX(SEC),
	CASES(cases),
	.attempt = attempt,
};
