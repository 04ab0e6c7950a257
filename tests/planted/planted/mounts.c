/* SPDX-License-Identifier: MIT */
/* What no trial may do: mounts in mounts that are not its own. */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	settle(trial, WHOLE, try_call(trial, "mount", __NR_mount, "none", "/mnt", "tmpfs", 0, NULL));
}

const struct scenario scenario_planted_mounts = {
	.about = ABOUT(
		.title = "Mount something",
		.accessed = "It was done.",
		.denied = "It was not done.",
		.why = "The test of harmlessness must see it."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_TOUCH,
	.attempt = attempt,
};
