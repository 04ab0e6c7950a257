/* SPDX-License-Identifier: MIT */
/*
 * Can files be given to root? A nameless file of our own is; for critical files the same right
 * is looked up with their ids, mount and flags. Who is root already needs no right for it.
 */
#include "scenarios/scenario.h"

#include <linux/capability.h>

enum { MARKER };
#define ROOT 0

static const struct case_def cases[] = {
	[MARKER] = { "own-marker", NULL, SEVERITY_INHERIT, 0, 0 },
	CRITICAL_FILES(SEVERITY_INHERIT),
};

static void attempt_marker(struct trial *trial)
{
	struct chown_right right = try_chown_right(trial, ROOT);
	uint32_t outer;

	if (origin()->euid == ROOT)
		note_flag(trial, MARKER, "root_already", true);
	if (attempt_worked(right.given) && uid_is_mapped(trial, ROOT, &outer))
		note_number(trial, MARKER, "outer_uid", outer);
	if (!right.held)
		settle_unknown(trial, MARKER, REASON_SETUP_FAILED);
	else
		settle(trial, MARKER, right.given, .capability = NEEDS_CAP(CAP_CHOWN),
		       .id_unmapped = right.unmapped);
}

static void attempt(struct trial *trial)
{
	/* Root proves the capability with another id than its own. */
	struct chown_right right =
		try_chown_right(trial, origin()->euid == ROOT ? ANY_OTHER_ID : ROOT);

	attempt_marker(trial);
	for (unsigned i = MARKER + 1; i < sizeof cases / sizeof *cases; i++) {
		char path[512];

		if (find_case(trial, (int)i, path, sizeof path))
			settle_owner(trial, (int)i, path, ROOT, &right);
	}
}

const struct scenario scenario_permission_own_to_root = {
	.about = ABOUT(
		.title = "Give files to root",
		.accessed = "Code in the sandbox can make root the owner of a file.",
		.denied = "Code in the sandbox cannot make root the owner of any file.",
		.why = "A program that belongs to root and carries the set-user-id bit runs with "
		       "root's rights for whoever starts it.",
		.see = "T1222.002",
		.paper = "Change ownership to root",
		.open = "O +CHOWN",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_CAPABILITY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(CAP) | FIX(MAP),
	CASES(cases),
	.attempt = attempt,
};
