/* SPDX-License-Identifier: MIT */
/*
 * Can a critical file be deleted? By proxy: its folder gives up entries, neither sticky bit nor
 * flag nor mount binds the file, and the call is let through. Nothing is deleted.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = { CRITICAL_FILES(SEVERITY_INHERIT) };

static void attempt(struct trial *trial)
{
	settle_removals(trial, REMOVAL_DELETE);
}

const struct scenario scenario_structure_delete = {
	.about = ABOUT(
		.title = "Delete critical files",
		.accessed = "Code in the sandbox can delete a critical file.",
		.denied = "Code in the sandbox cannot delete any critical file.",
		.why = "Without its accounts, its resolver or its shell a system no longer works, "
		       "and what was deleted may be lost for good.",
		.see = "T1485",
		.paper = "Delete files",
		.open = "B --bind $D/etc /etc",
		.closed = "B --ro-bind $D/etc /etc",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
