/* SPDX-License-Identifier: MIT */
/* Hangs with every signal blocked that can be: the deadline must end it. */
#include <signal.h>
#include <unistd.h>

#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	sigset_t all;

	(void)trial;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (;;)
		pause();
}

const struct scenario scenario_faults_hang = {
	.about = ABOUT(
		.title = "Hang for ever",
		.accessed = "The fault went unnoticed.",
		.denied = "The fault was taken for a refusal.",
		.why = "A test of the guard."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(ONE),
	.attempt = attempt,
};
