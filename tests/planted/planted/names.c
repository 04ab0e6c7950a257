/* SPDX-License-Identifier: MIT */
/* What no trial may do: calls that have no row at all, here one that changes the host name. */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	settle(trial, WHOLE, try_call(trial, "sethostname", __NR_sethostname, "planted", 7));
}

const struct scenario scenario_planted_names = {
	.about = ABOUT(
		.title = "Change the host name",
		.accessed = "The name was changed.",
		.denied = "The name was not changed.",
		.why = "The test of harmlessness must see it."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_TOUCH,
	.attempt = attempt,
};
