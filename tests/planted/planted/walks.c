/* SPDX-License-Identifier: MIT */
/* What no trial may do: walks into what is mounted by that. */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	struct attempt a = try_call_as(trial, "dpvv", "openat", __NR_openat, AT_FDCWD, "/efi",
				       O_RDONLY | O_DIRECTORY, 0);

	close_fd((int)a.value);
	settle(trial, WHOLE, a);
}

const struct scenario scenario_planted_walks = {
	.about = ABOUT(
		.title = "Walk into an automount",
		.accessed = "It was done.",
		.denied = "It was not done.",
		.why = "The test of harmlessness must see it."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_TOUCH,
	.attempt = attempt,
};
