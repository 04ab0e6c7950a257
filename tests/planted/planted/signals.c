/* SPDX-License-Identifier: MIT */
/* What no trial may do: sends a signal that is not 0 (one that is ignored) to a foreign process. */
#include "scenarios/scenario.h"

#include <signal.h>

static void attempt(struct trial *trial)
{
	settle(trial, WHOLE, try_call_as(trial, "iv", "kill", __NR_kill, 1, SIGWINCH));
}

const struct scenario scenario_planted_signals = {
	.about = ABOUT(
		.title = "Signal a process of others",
		.accessed = "A signal was sent.",
		.denied = "No signal was sent.",
		.why = "The test of harmlessness must see it."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_TOUCH,
	.attempt = attempt,
};
