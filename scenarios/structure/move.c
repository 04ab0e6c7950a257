/* SPDX-License-Identifier: MIT */
/*
 * Can a critical file be moved to another folder? Its own folder must let it go, and a second one
 * must take an entry; across two mounts a move is a copy and a deletion. By proxy: nothing moves.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = { CRITICAL_FILES(SEVERITY_INHERIT) };

static void attempt(struct trial *trial)
{
	settle_removals(trial, REMOVAL_MOVE);
}

const struct scenario scenario_structure_move = {
	.about = ABOUT(
		.title = "Move critical files",
		.accessed = "Code in the sandbox can move a critical file to another folder.",
		.denied = "Code in the sandbox cannot move any critical file to another folder.",
		.why = "A configuration file that is moved away is lost to whoever needs it, and "
		       "another one can be put in its place.",
		.see = "T1565.001",
		.paper = "Move files",
		.open = "B --bind $D/etc /etc",
		.closed = "B --ro-bind $D/etc /etc",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
