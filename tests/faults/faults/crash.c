/* SPDX-License-Identifier: MIT */
/* Writes where nothing is mapped: a death that says nothing about the sandbox. */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	int *volatile nowhere = (int *)8;

	(void)trial;
	*nowhere = 1;
}

const struct scenario scenario_faults_crash = {
	.about = ABOUT(
		.title = "Crash",
		.accessed = "The fault went unnoticed.",
		.denied = "The fault was taken for a refusal.",
		.why = "A test of the guard."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(ONE),
	.attempt = attempt,
};
