/* SPDX-License-Identifier: MIT */
/* Burns processor time: ended by its own limit of CPU time or by the deadline. */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	(void)trial;
	for (volatile long i = 0;; i++)
		;
}

const struct scenario scenario_faults_spin = {
	.about = ABOUT(
		.title = "Spin for ever",
		.accessed = "The fault went unnoticed.",
		.denied = "The fault was taken for a refusal.",
		.why = "A test of the guard."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(ONE),
	.attempt = attempt,
};
