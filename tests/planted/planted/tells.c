/* SPDX-License-Identifier: MIT */
/* What no trial may do: tells the value of a variable. The test of secrets must see it. */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	const char *value = given_variable("GITHUB_TOKEN");

	if (value)
		note_text(trial, WHOLE, "value", value + 4);
	settle(trial, WHOLE, found_in_process(value));
}

const struct scenario scenario_planted_tells = {
	.about = ABOUT(
		.title = "Tell a secret",
		.accessed = "A secret was told.",
		.denied = "No secret was told.",
		.why = "The test of secrets must see it."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.attempt = attempt,
};
