/* SPDX-License-Identifier: MIT */
/*
 * May entries be made in the root folder and in /usr? Each is asked for a nameless file; outside a
 * sandbox the access check decides.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = {
	{ "root-folder", "/", 0, 0, PLACE_FOLDER },
	{ "usr", "/usr", 0, 0, PLACE_FOLDER },
};

static void attempt(struct trial *trial)
{
	for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
		struct mount_facts mount;

		if (ask_mount(trial, case_of(trial, i)->path, &mount) && mount.flags_told)
			note_flag(trial, i, "read_only", mount.flags & 1 /* ST_RDONLY */);
		settle_dir_write(trial, i, case_of(trial, i)->path);
	}
}

const struct scenario scenario_mount_root_writable = {
	.about = ABOUT(
		.title = "Add to the system's own folders",
		.accessed = "Code in the sandbox can add files to the root folder or to /usr.",
		.denied = "Code in the sandbox can add no file to the root folder or to /usr.",
		.why = "A system that can be written to can be altered for whatever runs in it "
		       "next; a sandbox needs only scratch space.",
		.see = "T1565.001",
		.open = "O +uid:0 +root-rw",
		.closed = "O +uid:0",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
