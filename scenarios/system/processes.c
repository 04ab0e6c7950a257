/* SPDX-License-Identifier: MIT */
/*
 * Processes of others: neither ancestors nor descendants of the probe, or ancestors of another
 * account. /proc tells names and arguments; without it signal 0 tells which numbers exist, and
 * where it is refused by account twice over (signal and limits), whose they are not.
 */
#include "scenarios/scenario.h"

static const struct question asks[] = {
	{ __NR_getpgid, { 1 } },
	{ __NR_getpid, { 0 } },
};

static unsigned count_foreign(struct trial *trial, const struct process_view *view)
{
	unsigned foreign = 0, signallable = 0;

	for (unsigned i = 0; i < view->n; i++) {
		const struct process *process = &view->list[i];

		if (!process->foreign || !process->listed)
			continue;
		foreign++;
		if (process->name[0])
			report_object(trial, "process", process->name);
		if (process->number && attempt_worked(try_signal(trial, process->number)))
			signallable++;
	}
	measure_number(trial, WHOLE, "listed", view->listed);
	measure_number(trial, WHOLE, "foreign", foreign);
	measure_number(trial, WHOLE, "signallable", signallable);
	return foreign;
}

static void settle_unlisted(struct trial *trial, const struct process_view *view)
{
	struct attempt a = view->sweep, listing = view->listing;
	bool unlisted = view->hidden || view->beyond;
	/* Outside there are others, and no number beyond ours is known here: another namespace. */
	bool elsewhere = outside_status(trial) == STATUS_ACCESSED && a.reached && !unlisted;

	measure_number(trial, WHOLE, "unlisted", view->hidden + view->beyond);
	if (attempt_worked(listing) && view->listed) {
		/* Nothing but ours is listed. What exists beside it was hidden. */
		settle(trial, WHOLE, found_nothing(listing), .hidden = unlisted,
		       .elsewhere = elsewhere);
	} else if (attempt_worked(a) && !view->hidden && view->beyond) {
		note_text(trial, WHOLE, "not_visible", "/proc");
		settle_unknown(trial, WHOLE, REASON_NO_VIEW);
	} else if (!a.reached &&
		   !filter_refuses(ask_filter(trial, __NR_getpgid, question_of(trial, 0)->args,
					      NULL))) {
		/* Another call would tell that they exist, but not whose they are. */
		note_text(trial, WHOLE, "not_visible", "/proc");
		settle_unknown(trial, WHOLE, REASON_NO_VIEW);
	} else {
		settle(trial, WHOLE, view->hidden ? a : found_nothing(a), .elsewhere = elsewhere);
		if (!view->hidden)
			settle(trial, WHOLE, found_nothing(listing), .path = "/proc",
			       .right = RIGHT_READ, .elsewhere = elsewhere);
	}
}

static void attempt(struct trial *trial)
{
	const struct process_view *view = processes(trial);

	if (count_foreign(trial, view))
		settle(trial, WHOLE, view->listing);
	else if (!view->complete || view->vanished)
		settle_unknown(trial, WHOLE, REASON_TIMED_OUT);
	else
		settle_unlisted(trial, view);
}

const struct scenario scenario_system_processes = {
	.about = ABOUT(
		.title = "See processes of others",
		.accessed = "Code in the sandbox can see processes that do not belong to it.",
		.denied = "Code in the sandbox sees no process but its own and those that started "
			  "it.",
		.why = "Names and arguments of other processes show what runs on the machine, "
		       "what might be attacked, and sometimes a password.",
		.see = "T1057",
		.paper = "Processes",
		.open = "U +sleeper",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.compares = true,
	.views = VIEW_PROCESSES,
	.fix = FIX(PID),
	ASKS(asks),
	.attempt = attempt,
};
