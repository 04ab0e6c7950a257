/* SPDX-License-Identifier: MIT */
/* Ends without a word. */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	(void)trial;
	end_child(3);
}

const struct scenario scenario_faults_silent = {
	.about = ABOUT(
		.title = "Say nothing",
		.accessed = "The fault went unnoticed.",
		.denied = "The fault was taken for a refusal.",
		.why = "A test of the guard."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(ONE),
	.attempt = attempt,
};
