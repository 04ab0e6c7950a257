/* SPDX-License-Identifier: MIT */
/* Leaves twenty children in its group that ignore every polite signal. */
#include <signal.h>
#include <unistd.h>

#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	for (int i = 0; i < 20; i++) {
		if (fork() != 0)
			continue;
		signal(SIGTERM, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
		for (;;)
			pause();
	}
	settle(trial, WHOLE, found_in_process(true));
}

const struct scenario scenario_faults_litter = {
	.about = ABOUT(
		.title = "Leave children behind",
		.accessed = "The fault went unnoticed.",
		.denied = "The fault was taken for a refusal.",
		.why = "A test of the guard."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(ONE),
	.attempt = attempt,
};
