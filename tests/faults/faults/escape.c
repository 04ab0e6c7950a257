/* SPDX-License-Identifier: MIT */
/* Leaves a process in a session of its own, twice forked: it must be found and ended. */
#include <signal.h>
#include <unistd.h>

#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	if (fork() == 0) {
		setsid();
		if (fork() == 0) {
			signal(SIGTERM, SIG_IGN);
			for (;;)
				pause();
		}
		_exit(0);
	}
	settle(trial, WHOLE, found_in_process(true));
}

const struct scenario scenario_faults_escape = {
	.about = ABOUT(
		.title = "Leave a process behind",
		.accessed = "The fault went unnoticed.",
		.denied = "The fault was taken for a refusal.",
		.why = "A test of the guard."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(ONE),
	.attempt = attempt,
};
