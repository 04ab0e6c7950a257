/* SPDX-License-Identifier: MIT */
/*
 * Can critical files be taken over? A nameless file of our own is given to another id and taken
 * back; with that right, a file is ours if its ids are mapped, its mount is writable and no flag
 * binds it. What belongs to us already needs no right. No owner of a foreign file is changed.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = { CRITICAL_FILES(SEVERITY_INHERIT) };

static void attempt(struct trial *trial)
{
	struct chown_right right = try_chown_right(trial, ANY_OTHER_ID);

	if (right.held)
		note_flag(trial, WHOLE, "own_marker", attempt_worked(right.given));
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		char path[512];

		if (find_case(trial, (int)i, path, sizeof path))
			settle_owner(trial, (int)i, path, origin()->euid, &right);
	}
}

const struct scenario scenario_permission_own_to_self = {
	.about = ABOUT(
		.title = "Take over critical files",
		.accessed = "Code in the sandbox owns a critical file, or can make itself its "
			    "owner.",
		.denied = "Code in the sandbox cannot make itself the owner of any critical file.",
		.why = "The owner of a file can give itself every right to it.",
		.see = "T1222.002",
		.paper = "Change ownership to self",
		.open = "O +root-rw +CHOWN",
		.closed = "O +root-rw",
		.closed_by = BARRIER_BIT(BARRIER_CAPABILITY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(CAP) | FIX(MAP),
	CASES(cases),
	.attempt = attempt,
};
