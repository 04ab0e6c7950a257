/* SPDX-License-Identifier: MIT */
/* What no trial may do: leaves a key in the account's ring. */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	settle(trial, WHOLE, try_call(trial, "add_key", __NR_add_key, "user", "sandboxeval-planted", "x",
				      1, -4 /* KEY_SPEC_USER_KEYRING */));
}

const struct scenario scenario_planted_keys = {
	.about = ABOUT(
		.title = "Leave a key",
		.accessed = "It was done.",
		.denied = "It was not done.",
		.why = "The test of harmlessness must see it."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_TOUCH,
	.attempt = attempt,
};
