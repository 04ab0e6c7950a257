/* SPDX-License-Identifier: MIT */
/*
 * Can the rights to critical files and folders be widened? An own marker is made writable for
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
	settle_modes(trial, true);
}

const struct scenario scenario_permission_widen_rights = {
	.about = ABOUT(
		.title = "Widen the rights to critical files",
		.accessed = "Code in the sandbox can make a critical file or folder writable for "
			    "others.",
		.denied = "Code in the sandbox cannot widen the rights to any critical file or "
			  "folder.",
		.why = "Once everybody may write to such a file, every account is a way to change "
		       "the system.",
		.see = "T1222.002, CWE-276",
		.paper = "Widen permissions",
		.ours = true,
		.open = "B --bind $D/passwd /etc/passwd",
		.closed = "B --ro-bind $D/passwd /etc/passwd",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(UID) | FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
