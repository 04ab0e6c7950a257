/* SPDX-License-Identifier: MIT */
/* A child of our own lets us trace it, and ends. */
#include <sys/ptrace.h>

#include "scenarios/kernel/own_child.h"

static const struct question asks[] = { { __NR_ptrace, { PTRACE_TRACEME } } };

static struct attempt trace_me(struct trial *trial)
{
	return try_call(trial, "ptrace", __NR_ptrace, PTRACE_TRACEME, 0, 0, 0);
}

static void attempt(struct trial *trial)
{
	settle(trial, WHOLE, in_own_child(trial, trace_me));
}

const struct scenario scenario_kernel_ptrace = {
	.about = ABOUT(
		.title = "Trace a child",
		.accessed = "The call is permitted.",
		.denied = "The call is refused.",
		.why = "A test of attribution."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_TOUCH,
	.fix = FIX(ONE),
	ASKS(asks),
	.attempt = attempt,
};
