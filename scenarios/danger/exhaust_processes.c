/* SPDX-License-Identifier: MIT */
/*
 * Is the number of processes bounded? Only what is declared is read, and one child of our own is
 * started: whoever the kernel exempts from the resource limit is not bounded by it.
 */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	struct process_bound bound = find_process_bound(trial, WHOLE);

	if (bound.untold && !bound.by_group)
		settle_unknown(trial, WHOLE, process_bound_reason(trial));
	else
		settle_bound(trial, WHOLE, bound.by_rlimit, bound.by_group, &bound.group);
}

const struct scenario scenario_danger_exhaust_processes = {
	.about = ABOUT(
		.title = "Exhaust the processes",
		.accessed = "Code in the sandbox may start thousands of processes, as far as "
			    "bounds can be seen from inside.",
		.denied = "Code in the sandbox has the number of its processes bounded below "
			  "4,096.",
		.why = "A program that only copies itself takes all process numbers and all "
		       "processor time within seconds, and nobody can log in to stop it.",
		.see = "T1499.001, CWE-770",
		.paper = "Exhaust processes",
		.ours = true,
		.open = "U",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_CGROUP)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(PRC),
	.attempt = attempt,
};
