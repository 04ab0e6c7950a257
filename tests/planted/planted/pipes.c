/* SPDX-License-Identifier: MIT */
/* What no trial may do: opens a pipe that others wait at. */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	struct attempt a = try_open(trial, "/root/.netrc", O_RDONLY | O_NONBLOCK);

	close_fd((int)a.value);
	settle(trial, WHOLE, a);
}

const struct scenario scenario_planted_pipes = {
	.about = ABOUT(
		.title = "Open a pipe of others",
		.accessed = "It was done.",
		.denied = "It was not done.",
		.why = "The test of harmlessness must see it."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_TOUCH,
	.attempt = attempt,
};
