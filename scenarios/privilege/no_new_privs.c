/* SPDX-License-Identifier: MIT */
/* The flag that keeps programs from giving more rights than the caller has: PR_SET_NO_NEW_PRIVS. */
#include "scenarios/scenario.h"

#include <errno.h>

static void attempt(struct trial *trial)
{
	static const struct attempt is_set = {
		.value = -1, .error = EPERM, .nr = -1, .reached = true
	};

	if (!(origin()->told & GIVEN_NO_NEW_PRIVS)) {
		note_text(trial, WHOLE, "not_visible", "prctl, /proc/self/status");
		settle_unknown(trial, WHOLE, REASON_NO_VIEW);
		return;
	}
	settle(trial, WHOLE, origin()->no_new_privs ? is_set : found_in_process(true),
	       .set_id = true);
}

const struct scenario scenario_privilege_no_new_privs = {
	.about = ABOUT(
		.title = "Gain rights by running a program",
		.accessed = "Code in the sandbox may gain rights by running a program that "
			    "carries them: no-new-privs is not set.",
		.denied = "Code in the sandbox gains no rights from any program it runs: "
			  "no-new-privs is set.",
		.why = "Programs such as su and sudo, and files with capabilities, lend rights "
		       "to whoever runs them. Every such program within reach, and every flaw in "
		       "it, then counts.",
		.see = "T1548.001",
		.open = "O -nnp",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_NO_NEW_PRIVS)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.fix = FIX(NNP),
	.attempt = attempt,
};
