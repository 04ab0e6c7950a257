/* SPDX-License-Identifier: MIT */
/* Prints on what it was given as standard output: nothing of it may reach the report. */
#include <unistd.h>

#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	static const char lie[] = "{\"id\":\"faults.flood\",\"status\":\"accessed\"}\n";
	ssize_t got = 0;

	for (int i = 0; i < 100; i++)
		got += write(STDOUT_FILENO, lie, sizeof lie - 1);
	note_flag(trial, WHOLE, "wrote", got > 0);
	settle(trial, WHOLE, found_in_process(true));
}

const struct scenario scenario_faults_flood = {
	.about = ABOUT(
		.title = "Print lies",
		.accessed = "The fault went unnoticed.",
		.denied = "The fault was taken for a refusal.",
		.why = "A test of the guard."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(ONE),
	.attempt = attempt,
};
