/* SPDX-License-Identifier: MIT */
/*
 * A null device in the scratch folder, opened and removed; and one in a folder that the box may
 * have made read-only or covered. What the first is told shows what the second would be told.
 */
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "scenarios/scenario.h"

enum { SCRATCH, OPEN, SRV };

static const struct case_def cases[] = {
	[SCRATCH] = { "scratch", NULL, 0, 0, 0 },
	[OPEN] = { "open", NULL, 0, 0, 0 },
	[SRV] = { "srv", "/srv", 0, 0, PLACE_FOLDER },
};

static struct attempt make_null(struct trial *trial, const char *folder, char *path, size_t size)
{
	format_text(path, size, "%s/null-%s", folder, trial_nonce(trial));
	return try_call(trial, "mknodat", __NR_mknodat, AT_FDCWD, path, S_IFCHR | 0600,
			makedev(1, 3));
}

static void try_to_open(struct trial *trial, const char *path, const char *folder)
{
	struct attempt a = try_open(trial, path, O_RDONLY);

	close_fd((int)a.value);
	settle(trial, OPEN, a, .path = folder, .device = true);
}

static void attempt(struct trial *trial)
{
	const char *scratch = scratch_folder(trial);
	struct attempt here, there;
	char path[512];

	if (!scratch) {
		settle_unknown(trial, WHOLE, REASON_SETUP_FAILED);
		return;
	}
	here = make_null(trial, scratch, path, sizeof path);
	settle(trial, SCRATCH, here, .path = scratch, .right = RIGHT_ENTRY,
	       .capability = NEEDS_CAP(CAP_MKNOD));
	if (attempt_worked(here)) {
		try_to_open(trial, path, scratch);
		try_unlink(trial, AT_FDCWD, path);
	} else {
		settle_unknown(trial, OPEN, REASON_SETUP_FAILED);
	}
	there = make_null(trial, "/srv", path, sizeof path);
	if (attempt_worked(there))
		try_unlink(trial, AT_FDCWD, path);
	settle(trial, SRV, there, .path = "/srv", .right = RIGHT_ENTRY,
	       .capability = NEEDS_CAP(CAP_MKNOD), .check = &here);
}

const struct scenario scenario_kernel_mknod = {
	.about = ABOUT(
		.title = "Make a device",
		.accessed = "The call is permitted.",
		.denied = "The call is refused.",
		.why = "A test of attribution."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_TOUCH,
	.fix = FIX(ONE),
	CASES(cases),
	.attempt = attempt,
};
