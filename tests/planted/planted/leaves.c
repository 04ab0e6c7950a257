/* SPDX-License-Identifier: MIT */
/* What no trial may do: leaves shared memory behind. */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	settle(trial, WHOLE, try_call(trial, "shmget", __NR_shmget, 0, 4096, 01600));
}

const struct scenario scenario_planted_leaves = {
	.about = ABOUT(
		.title = "Leave shared memory",
		.accessed = "It was done.",
		.denied = "It was not done.",
		.why = "The test of harmlessness must see it."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_TOUCH,
	.attempt = attempt,
};
