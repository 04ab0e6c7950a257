/* SPDX-License-Identifier: MIT */
/*
 * Does the filter let through what it does not know? Asked are two numbers that no call has, and,
 * as evidence, every number there is: a filter of our own on top (K1) tells what the sandbox's
 * answers without the call being made.
 */
#include "scenarios/scenario.h"

#include <errno.h>

enum { NEW, FAR };

static const struct case_def cases[] = {
	[NEW] = { "next-calls", "a number soon to be given out", 0, 0, 0 },
	[FAR] = { "far-number", "a number far above all calls", 0, 0, 0 },
};
static const struct question asks[] = {
	[NEW] = { NUMBER_NEW, { 0 } },
	[FAR] = { NUMBER_FAR, { 0 } },
};

static void note_answer(struct trial *trial, int case_index, enum answer answer)
{
	static const char *const words[] = {
		[ANSWER_PASSES] = "passes",   [ANSWER_REFUSED] = "refused",
		[ANSWER_TRAPPED] = "trapped", [ANSWER_KILLED] = "killed",
	};

	if (answer != ANSWER_NOT_TOLD)
		note_text(trial, case_index, "filter", words[answer]);
}

/*
 * Nobody answers for the filter: the call is made. All kernels say ENOSYS to such a number, so
 * whatever else is said was not the kernel.
 */
static void try_number(struct trial *trial, int case_index, unsigned number)
{
	struct attempt a = try_call_as(trial, "v", "unassigned", number, 0);

	if (a.reached && (a.error == ENOSYS || attempt_worked(a)))
		settle_unknown(trial, case_index, REASON_UNSUPPORTED);
	else
		settle(trial, case_index, a, .filter_active = !origin()->traced);
}

static void ask_case(struct trial *trial, int case_index)
{
	const struct question *q = question_of(trial, case_index);
	int error;
	enum answer answer = ask_filter(trial, q->nr, q->args, &error);
	struct attempt a = { .value = 0, .error = error, .nr = q->nr, .call = "unassigned",
			     .reached = !filter_refuses(answer) };

	note_number(trial, case_index, "number", q->nr);
	note_answer(trial, case_index, answer);
	if (answer == ANSWER_NOT_TOLD) {
		try_number(trial, case_index, (unsigned)q->nr);
		return;
	}
	if (filter_refuses(answer))
		a.value = -1;
	/* The sandbox's own kernel has no listener and filters on its way to the host's. */
	if (answer == ANSWER_PASSES &&
	    (kernel_is_emulated(trial) ||
	     !(filter_tells_enosys() || filter_surely_passes((unsigned)q->nr))))
		settle_unknown(trial, case_index, REASON_UNSUPPORTED);
	else
		settle(trial, case_index, a);
}

static void attempt(struct trial *trial)
{
	for (int i = NEW; i <= FAR; i++)
		ask_case(trial, i);
	note_numbers(trial, WHOLE, true);
}

const struct scenario scenario_kernel_filter_default = {
	.about = ABOUT(
		.title = "Make system calls that the filter does not know",
		.accessed = "Code in the sandbox can make system calls that no filter knows yet.",
		.denied = "Code in the sandbox is refused system calls that its filter does not "
			  "know.",
		.why = "A filter that lists what is forbidden lets tomorrow's calls pass, and a "
		       "new kernel brings several each year; one that lists what is allowed does "
		       "not.",
		.how = "A filter of our own is put on top in a child, so that the sandbox's "
		       "filter answers and the call is not made. Asked are two numbers that no "
		       "call has, and as evidence every other number, with all arguments zero: "
		       "with other arguments a filter may answer otherwise. After too many deaths "
		       "the rest is not told.",
		.see = "CWE-693",
		.open = "B",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.views = VIEW_NUMBERS,
	.fix = FIX(SEC),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
