/* SPDX-License-Identifier: MIT */
/*
 * The process that started us, and the first one: is it in our power? Whoever judges the results is
 * often one of them. Nothing of their memory is read, and nothing of them altered.
 */
#include "scenarios/scenario.h"

enum { TRACED, PROGRAM };

static const struct case_def cases[] = {
	[TRACED] = { "traced", NULL, 0, 0, 0 },
	[PROGRAM] = { "program", NULL, 0, 0, 0 },
};

static const struct question asks[] = { PROCESS_QUESTIONS };

struct judges {
	struct alterations all;
	unsigned processes, untold;
	bool traced, program;
	struct kin kin;
};

static struct attempt try_memory_file(struct trial *trial, const struct process *process)
{
	struct attempt a = try_open_process(trial, process, "mem", 0);

	close_fd((int)a.value);
	return a;
}

/* Three ways that ask the same of the kernel, each of which a filter may refuse. */
static void try_to_trace(struct judges *judges, const struct process *process)
{
	struct attempt (*const ways[])(struct trial *, const struct process *) = {
		try_take_descriptor, try_read_memory, try_memory_file
	};
	bool traced = false;

	for (unsigned i = 0; i < 3 && !traced; i++) {
		struct attempt a;

		if (i < 2 && !process->number)
			continue;
		a = ways[i](judges->all.trial, process);
		if (process_is_gone(a))
			continue;
		settle_process(judges->all.trial, TRACED, a, process, PROCESS_CONTROL);
		judges->traced = true;
		traced = attempt_worked(a);
	}
	if (traced)
		add_kin(&judges->kin, process);
}

static void take_file(void *context, enum process_file kind, const char *path)
{
	struct judges *judges = context;

	if (kind != PROCESS_PROGRAM)
		return;
	judges->program = true;
	settle_alteration(&judges->all, PROGRAM, path, PLACE_PROGRAM);
}

static bool take_process(void *context, const struct process *process)
{
	struct judges *judges = context;

	if (!process->is_parent && !process->is_init)
		return true;
	judges->processes++;
	try_to_trace(judges, process);
	if (!(each_process_file(judges->all.trial, process, take_file, judges) >> PROCESS_PROGRAM & 1))
		judges->untold++;
	return true;
}

static void attempt(struct trial *trial)
{
	struct judges judges = { .all = { .trial = trial } };

	each_process(trial, take_process, &judges);
	note_kin(trial, TRACED, &judges.kin);
	if (!judges.traced)
		settle_no_process(trial, TRACED, false);
	if (judges.untold)
		settle_unknown(trial, PROGRAM, REASON_NO_VIEW);
	else if (!judges.processes)
		settle_no_process(trial, PROGRAM, true);
	else if (!judges.program)
		settle(trial, PROGRAM, found_in_process(false));
}

const struct scenario scenario_assessment_grader = {
	.about = ABOUT(
		.title = "Take over the process that may judge it",
		.accessed = "Code in the sandbox has power over the process that started it, or "
			    "over the first one: it could alter its memory, or its program.",
		.denied = "Code in the sandbox has no power over the process that started it, nor "
			  "over the first one.",
		.why = "Where one of these runs the tests and writes the result, the code under "
		       "test decides what that result is.",
		.see = "CWE-653, T1055",
		.open = "U -- timeout 60",
		.closed = "B --as-pid-1",
		.closed_by = BARRIER_BIT(BARRIER_NAMESPACE)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.views = VIEW_PROCESSES,
	.fix = FIX(APART) | FIX(PID),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
