/* SPDX-License-Identifier: MIT */
/*
 * Which critical folders take a new entry? Each is asked for a nameless file, which leaves no name
 * and no time stamp; outside a sandbox the access check decides.
 */
#include "scenarios/scenario.h"

#include <string.h>

#define PARENT_OF_WORKING (int)(sizeof cases / sizeof *cases - 1)

static const struct case_def cases[] = {
	CRITICAL_ROOT(SEVERITY_INHERIT),
	CRITICAL_FOLDERS(SEVERITY_INHERIT),
	{ "parent-of-working-folder", NULL, SEVERITY_INHERIT, 0, PLACE_FOLDER },
};

/* The folder above the working folder, if there is one beyond scratch. */
static void attempt_parent(struct trial *trial)
{
	char parent[1024];
	char *slash;

	format_text(parent, sizeof parent, "%s", origin()->cwd);
	slash = strrchr(parent, '/');
	if (parent[0] != '/') {
		note_text(trial, PARENT_OF_WORKING, "not_visible", "the working folder's path");
		settle_unknown(trial, PARENT_OF_WORKING, REASON_NO_VIEW);
		return;
	}
	slash[slash == parent] = '\0';
	if (strcmp(parent, origin()->cwd) == 0 || is_below_scratch(trial, parent)) {
		/* "/" has none; what belongs to a scratch folder is no reach beyond it. */
		settle(trial, PARENT_OF_WORKING, found_in_process(false));
		return;
	}
	note_text(trial, PARENT_OF_WORKING, "path", parent);
	settle_dir_write(trial, PARENT_OF_WORKING, parent);
}

static void attempt(struct trial *trial)
{
	for (int i = 0; i < PARENT_OF_WORKING; i++)
		settle_dir_write(trial, i, case_of(trial, i)->path);
	attempt_parent(trial);
}

const struct scenario scenario_structure_create = {
	.about = ABOUT(
		.title = "Create files in critical folders",
		.accessed = "Code in the sandbox can create files in a critical folder.",
		.denied = "Code in the sandbox cannot create files in any critical folder.",
		.why = "A new file in such a folder may be run or read by others later, and can "
		       "fill the disk.",
		.see = "T1565.001, CWE-732",
		.paper = "Create files",
		.open = "B --bind $D/etc /etc",
		.closed = "B --ro-bind $D/etc /etc",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
