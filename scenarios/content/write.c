/* SPDX-License-Identifier: MIT */
/*
 * Which critical files can be written? Each is opened for writing inside a sandbox, and closed
 * again: nothing is written, created or cut off. Programs, and all files outside a sandbox, are
 * judged by access check; a program that can be replaced in its folder counts as written.
 */
#include "scenarios/scenario.h"

#include <errno.h>

static const struct case_def cases[] = { CRITICAL_FILES(SEVERITY_INHERIT) };

static void write_to(struct trial *trial, int case_index, const char *path)
{
	unsigned kind = case_of(trial, case_index)->kind;
	struct attempt a = settle_write(trial, case_index, path, kind), replaced;

	if (attempt_worked(a) || !(kind & PLACE_PROGRAM) || a.error == ENOENT)
		return;
	replaced = try_removable(trial, path);
	if (attempt_worked(replaced)) {
		note_text(trial, case_index, "by", "replacement");
		settle(trial, case_index, replaced);
	}
}

static void attempt(struct trial *trial)
{
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		char path[512];

		if (find_case(trial, (int)i, path, sizeof path))
			write_to(trial, (int)i, path);
	}
}

const struct scenario scenario_content_write = {
	.about = ABOUT(
		.title = "Write to critical files",
		.accessed = "Code in the sandbox can write to a critical file.",
		.denied = "Code in the sandbox cannot write to any critical file.",
		.why = "Whoever can write to these files can add accounts, redirect names, or "
		       "change what others run.",
		.see = "T1565.001",
		.paper = "Write files",
		.open = "B --bind $D/passwd /etc/passwd",
		.closed = "B --ro-bind $D/passwd /etc/passwd",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
