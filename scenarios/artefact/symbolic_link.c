/* SPDX-License-Identifier: MIT */
/*
 * A link that leads out of the folder that results are collected from: made, followed once, and
 * removed. It leads to "/", which lies outside of any folder and holds nothing of ours.
 */
#include "scenarios/scenario.h"

#include <errno.h>

#define TARGET "/"

/* Does the link lead where it says? */
static struct attempt follow(struct trial *trial, const char *link)
{
	struct object by_link, by_name;
	struct attempt a = try_stat(trial, AT_FDCWD, link, 0, &by_link);

	/* Where no form of stat is let through, that a folder opens tells. */
	if (!a.reached) {
		a = try_open(trial, link, O_RDONLY | O_DIRECTORY);
		close_fd((int)a.value);
		return a;
	}
	if (attempt_worked(a) && (!attempt_worked(try_stat(trial, AT_FDCWD, TARGET, 0, &by_name)) ||
				  by_link.ino != by_name.ino || by_link.dev != by_name.dev))
		a = found_nothing(a);
	return a;
}

static void attempt(struct trial *trial)
{
	const char *folder = collected_folder(trial);
	char link[512];
	struct attempt a;

	if (!folder)
		return;
	note_text(trial, WHOLE, "folder", folder);
	if (!own_name(trial, folder, "", "", link, sizeof link)) {
		settle_unknown(trial, WHOLE, REASON_CONTROL_FAILED);
		return;
	}
	a = try_make_link(trial, TARGET, link);
	note_flag(trial, WHOLE, "made", attempt_worked(a));
	if (attempt_worked(a))
		a = follow(trial, link);
	drop_name(trial, link);
	settle(trial, WHOLE, a, .path = folder, .right = RIGHT_ENTRY);
}

static const struct question asks[] = {
	{ __NR_symlinkat, { 0, (unsigned long)AT_FDCWD } },
};

const struct scenario scenario_artefact_symbolic_link = {
	.about = ABOUT(
		.title = "Leave a link that leads out of the results",
		.accessed = "Code in the sandbox can leave a symbolic link among its results that "
			    "leads elsewhere.",
		.denied = "Code in the sandbox cannot leave a symbolic link among its results "
			  "that leads elsewhere.",
		.why = "Whoever collects the results outside follows the link with other rights, "
		       "in another file system: it reads, or overwrites, what the sandbox never "
		       "could.",
		.see = "CWE-61",
		.open = "B --bind $D/out /out --chdir /out",
		.closed = "O +uid:1234 --nosymfollow $D/out /out --chdir /out",
		.closed_by = BARRIER_BIT(BARRIER_NOSYMFOLLOW)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(OUT),
	ASKS(asks),
	.attempt = attempt,
};
