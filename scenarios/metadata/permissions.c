/* SPDX-License-Identifier: MIT */
/* Mode and owner of critical files and folders, by statx(2) or its older siblings. */
#include "scenarios/scenario.h"

static const struct case_def cases[] = { CRITICAL_FILES(0), CRITICAL_FOLDERS(0) };

static void attempt(struct trial *trial)
{
	for (int i = 0; i < (int)(sizeof(cases) / sizeof(*cases)); i++) {
		struct object object;
		char path[256], mode[16];
		struct attempt a;

		find_place(trial, case_of(trial, i)->path, path, sizeof(path));
		a = try_stat(trial, AT_FDCWD, path, 0, &object);
		if (attempt_worked(a)) {
			format_text(mode, sizeof(mode), "%04o", object.mode & 07777);
			note_text(trial, i, "mode", mode);
			note_number(trial, i, "owner", object.uid);
			note_number(trial, i, "group", object.gid);
		}
		settle(trial, i, a, .path = path, .right = RIGHT_STAT);
	}
}

const struct scenario scenario_metadata_permissions = {
	.about = ABOUT(
		.title = "Read permissions of critical files and folders",
		.accessed = "Code in the sandbox can tell who owns a critical file or folder and "
			    "who may use it.",
		.denied = "Code in the sandbox cannot tell owner or mode of any critical file or "
			  "folder.",
		.why = "Permissions show which files are worth an attempt before anything is "
		       "tried.",
		.see = "T1083",
		.paper = "File and folder permissions",
		.open = "B",
		.closed = "E",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(BIND),
	CASES(cases),
	.attempt = attempt,
};
