/* SPDX-License-Identifier: MIT */
/*
 * Can a critical file be given another name in its folder? By proxy: the folder takes and gives up
 * entries, the file is not bound, and the call is let through. No name is changed.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = { CRITICAL_FILES(SEVERITY_INHERIT) };

static void attempt(struct trial *trial)
{
	settle_removals(trial, REMOVAL_RENAME);
}

const struct scenario scenario_structure_rename = {
	.about = ABOUT(
		.title = "Rename critical files",
		.accessed = "Code in the sandbox can give a critical file another name.",
		.denied = "Code in the sandbox cannot give any critical file another name.",
		.why = "A program or configuration file under another name is no longer found, "
		       "and something else can take its name.",
		.see = "T1036",
		.paper = "Rename files",
		.open = "B --bind $D/etc /etc",
		.closed = "B --ro-bind $D/etc /etc",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
