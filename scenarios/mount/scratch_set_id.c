/* SPDX-License-Identifier: MIT */
/*
 * Would set-id bits and device nodes count in the scratch folders? The flags of their mounts tell;
 * nothing is made.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <sys/statvfs.h>

enum { SET_ID, DEVICES };

static const struct case_def cases[] = {
	[SET_ID] = { "set-id", NULL, 0, 0, 0 },
	[DEVICES] = { "device-nodes", NULL, 0, 0, 0 },
};

/* The flag is what refuses; no call was made. */
static void ask_flag(struct trial *trial, int case_index, const char *folder, bool refuses)
{
	struct attempt a = { .value = refuses ? -1 : 0, .error = refuses ? ENOEXEC : 0, .nr = -1,
			     .reached = true };

	if (!refuses)
		report_object(trial, case_of(trial, case_index)->name, folder);
	settle(trial, case_index, a, .path = folder, .set_id = case_index == SET_ID,
	       .device = case_index == DEVICES);
}

static void ask_folder(struct trial *trial, const char *folder)
{
	struct mount_facts mount;

	if (!ask_mount(trial, folder, &mount) || !mount.flags_told) {
		settle_unknown(trial, SET_ID, REASON_NO_VIEW);
		settle_unknown(trial, DEVICES, REASON_NO_VIEW);
		return;
	}
	ask_flag(trial, SET_ID, folder, mount.flags & ST_NOSUID);
	ask_flag(trial, DEVICES, folder, mount.flags & ST_NODEV);
}

static void attempt(struct trial *trial)
{
	const char *folders[8];
	unsigned n = scratch_folders(trial, folders);

	for (unsigned i = 0; i < n; i++)
		ask_folder(trial, folders[i]);
	for (int i = SET_ID; i <= DEVICES && n == 0; i++)
		settle(trial, i, no_scratch(trial));
}

const struct scenario scenario_mount_scratch_set_id = {
	.about = ABOUT(
		.title = "Set-id programs and devices in scratch space",
		.accessed = "The sandbox's scratch folders honour set-id bits or device nodes.",
		.denied = "The sandbox's scratch folders honour neither set-id bits nor device "
			  "nodes.",
		.why = "A set-id file left in a folder that others use gives its rights to "
		       "whoever runs it there.",
		.see = "T1548.001",
		.open = "O -tmp-nosuid",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_NOSUID) | BARRIER_BIT(BARRIER_NODEV)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.fix = FIX(TMP),
	CASES(cases),
	.attempt = attempt,
};
