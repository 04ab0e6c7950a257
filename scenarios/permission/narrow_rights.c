/* SPDX-License-Identifier: MIT */
/*
 * Can the rights to critical files and folders be taken from others? An own marker is closed to
 * all; for the others the conditions are looked up, and no mode is changed.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = {
	CRITICAL_FILES(SEVERITY_INHERIT),
	CRITICAL_ROOT(SEVERITY_INHERIT),
	CRITICAL_FOLDERS(SEVERITY_INHERIT),
};

static void attempt(struct trial *trial)
{
	settle_modes(trial, false);
}

const struct scenario scenario_permission_narrow_rights = {
	.about = ABOUT(
		.title = "Narrow the rights to critical files",
		.accessed = "Code in the sandbox can lock others out of a critical file or "
			    "folder.",
		.denied = "Code in the sandbox cannot narrow the rights to any critical file or "
			  "folder.",
		.why = "Whoever takes away the rights to such a file stops what depends on it.",
		.see = "T1222.002",
		.paper = "Narrow permissions",
		.ours = true,
		.open = "B --bind $D/passwd /etc/passwd",
		.closed = "B --ro-bind $D/passwd /etc/passwd",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.fix = FIX(UID) | FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
