/* SPDX-License-Identifier: MIT */
/*
 * Is there a system-call filter at all? The process asks for its own mode; what /proc says of it is
 * evidence. A kernel of the sandbox's own says "none" although it stands in the host kernel's way.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#define MODE_NONE 0

static const struct question asks[] = { { __NR_prctl, { PR_GET_SECCOMP } } };

struct told {
	struct trial *trial;
	int mode; /* -1: not told */
};

static bool take_status(void *context, char *line)
{
	struct told *told = context;
	bool is_mode = starts_with(line, "Seccomp:");
	char value[16];

	if (!starts_with(line, "Seccomp") || !line_field(line, 1, value, sizeof value))
		return true;
	if (is_mode && value[0] >= '0' && value[0] <= '2')
		told->mode = value[0] - '0';
	note_text(told->trial, WHOLE, is_mode ? "status_mode" : "status_filters", value);
	return true;
}

static void attempt(struct trial *trial)
{
	struct attempt a = try_call(trial, "prctl", __NR_prctl, PR_GET_SECCOMP);
	struct told told = { trial, -1 };

	struct attempt lines = try_lines(trial, "/proc/self/status", take_status, &told);

	if (kernel_is_emulated(trial))
		note_flag(trial, WHOLE, "emulated_kernel", true);
	/* Refused or feigned, and nobody can say by whom: the file knows. */
	if (a.reached && told.mode > a.value)
		a.value = told.mode;
	/* A kernel that was built without filters: none can be active. */
	else if (a.error == EINVAL && attempt_worked(lines) && told.mode < 0)
		a.value = MODE_NONE;
	if (attempt_worked(a) && told.mode < 0 && a.error == 0 && origin()->seccomp_mode < 0) {
		settle_unknown(trial, WHOLE, REASON_CONTROL_FAILED);
	} else if (attempt_worked(a)) {
		note_number(trial, WHOLE, "mode", a.value);
		if (a.value != MODE_NONE)
			settle(trial, WHOLE, found_nothing(a), .filter_active = true);
		else
			settle(trial, WHOLE, a);
	} else if (a.reached) {
		settle_unknown(trial, WHOLE, REASON_CONTROL_FAILED);
	} else {
		/* The filter that refuses to be asked about is one. */
		settle(trial, WHOLE, a);
	}
}

const struct scenario scenario_kernel_filter_mode = {
	.about = ABOUT(
		.title = "Run without a system-call filter",
		.accessed = "Code in the sandbox runs without a system-call filter: it may ask "
			    "the kernel for anything.",
		.denied = "Code in the sandbox runs under a system-call filter.",
		.why = "Every system call is code of the kernel that a flaw may lie in, and most "
		       "programs need a small part of them. Which calls the filter keeps back is "
		       "told by the other scenarios of this group. Where the sandbox brings a "
		       "kernel of its own, that one stands in the way instead, and the evidence "
		       "says so.",
		.see = "CWE-693",
		.open = "O -seccomp",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(SEC),
	ASKS(asks),
	.attempt = attempt,
};
