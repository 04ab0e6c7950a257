/* SPDX-License-Identifier: MIT */
#include "probe/trials.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/utsname.h>

#include "probe/errno_name.h"
#include "probe/filter.h"
#include "probe/guard.h"
#include "probe/raw.h"
#include "probe/surroundings.h"

/* As many trials as may wait beside each other. */
#define CELLS 8
/* A filter may kill for several calls; each costs one more attempt at the trial. */
#define RERUNS 8

/* A trial under way. */
struct running {
	struct trial trial;
	struct cell cell;
	int64_t started;
};

static struct record *records[CELLS];
/* Where no shared memory was to be had, trials run in place on this one. */
static struct record *fallback;
static struct {
	struct utsname name;
	char cwd[1024];
	unsigned umask;
} before;

static struct record *record_for(unsigned slot)
{
	static struct record in_place;

	if (!records[slot])
		records[slot] = shared_memory(sizeof *records[slot]);
	if (!records[slot])
		fallback = &in_place;
	return records[slot] ? records[slot] : fallback;
}

struct record *trials_record(void)
{
	return record_for(0);
}

/* ---------------------------------------------------------------- one trial */

static void attempt_in_child(void *context)
{
	struct trial *trial = context;

	trial->row->scenario->attempt(trial);
	trial->record->sealed = 1;
}

static struct guard_options guard_for(const struct scenario *scenario)
{
	return (struct guard_options){ .keep = scenario->keep,
				       .deadline_ms = options.timeout * 1000,
				       .cpu_seconds = 1 };
}

static bool start(struct running *running)
{
	struct guard_options guard = guard_for(running->trial.row->scenario);

	running->started = now_ns();
	if (fallback == running->trial.record)
		return false;
	return guard_start(&running->cell, &guard, attempt_in_child, &running->trial);
}

/* Where nobody spoke, the way the child ended says why. */
static void settle_rest(struct record *record, const struct scenario *scenario, enum reason reason)
{
	if (!record->whole.settled)
		record->whole.reason = (uint8_t)reason;
	for (unsigned i = 0; i < scenario->n_cases && i < RECORD_CASES; i++)
		if (record->cases[i].planned && !record->cases[i].settled)
			record->cases[i].reason = (uint8_t)reason;
}

static void note_end(struct trial *trial, const char *what, const char *which)
{
	trial->record->step[sizeof trial->record->step - 1] = '\0';
	note_text(trial, WHOLE, what, which);
	if (trial->record->step[0])
		note_text(trial, WHOLE, "step", trial->record->step);
}

static void settle_ending(struct running *running, enum ending ending)
{
	struct trial *trial = &running->trial;
	const struct scenario *scenario = trial->row->scenario;
	char number[16];
	bool timed_out;

	switch (ending) {
	case ENDING_EXITED:
		/* An attempt that ended its own child, or said nothing. */
		settle_rest(trial->record, scenario, REASON_NO_REPORT);
		return;
	case ENDING_DEADLINE:
		note_end(trial, "ended", "deadline");
		settle_rest(trial->record, scenario, REASON_TIMED_OUT);
		return;
	case ENDING_NOT_STARTED:
		note_end(trial, "fork", errno_name(running->cell.fork_error));
		settle_rest(trial->record, scenario, REASON_SETUP_FAILED);
		return;
	case ENDING_SIGNALLED:
	case ENDING_SIGSYS:
	case ENDING_LOST:
		format_text(number, sizeof number, "signal %d", running->cell.signal);
		note_end(trial, "ended", number);
		/* The guard's own limits of time, as a deadline is. */
		timed_out = running->cell.signal == SIGXCPU || running->cell.signal == SIGALRM;
		settle_rest(trial->record, scenario,
			    timed_out ? REASON_TIMED_OUT : REASON_CRASHED);
		return;
	}
}

/* Fork is refused in every form: what only reads is tried in the probe itself. */
static bool run_in_place(struct running *running)
{
	if (running->trial.row->scenario->level > LEVEL_OBSERVE)
		return false;
	attempt_in_child(&running->trial);
	note_flag(&running->trial, WHOLE, "in_place", true);
	return true;
}

static void finish(struct running *running, bool started)
{
	struct trial *trial = &running->trial;
	enum ending ending = ENDING_NOT_STARTED;

	for (int rerun = 0; started; rerun++) {
		ending = guard_finish(&running->cell);
		/* Not made again, so the trial can say what else it knows. */
		if (ending != ENDING_SIGSYS || trial->record->calling < 0 || rerun == RERUNS)
			break;
		filter_mark_lethal((long)trial->record->calling);
		record_begin(trial->record, trial->row->scenario, options.level);
		started = start(running);
	}
	if (ending == ENDING_NOT_STARTED && run_in_place(running))
		ending = ENDING_EXITED;
	settle_ending(running, ending);
	record_conclude(trial->record, trial->row->scenario->n_cases);
}

static void count(const struct record *record, struct totals *totals)
{
	totals->trials++;
	totals->accessed += record->whole.status == STATUS_ACCESSED;
	totals->denied += record->whole.status == STATUS_DENIED;
	totals->unknown += record->whole.status == STATUS_UNKNOWN;
}

/* ---------------------------------------------------------------- all of them */

static bool overlaps(unsigned index)
{
	return scenario_registry[index].scenario->overlaps;
}

/* Runs a batch – one trial, or several that wait – and prints it. */
static void run_batch(const unsigned indices[], unsigned n, struct totals *totals)
{
	static struct running running[CELLS];
	bool started[CELLS];

	for (unsigned i = 0; i < n; i++) {
		const struct scenario_row *row = &scenario_registry[indices[i]];

		running[i].trial = (struct trial){ row, indices[i], record_for(i) };
		record_begin(running[i].trial.record, row->scenario, options.level);
		wire_try(row->id);
		started[i] = start(&running[i]);
	}
	for (unsigned i = 0; i < n; i++) {
		finish(&running[i], started[i]);
		wire_trial(&running[i].trial, (double)(now_ns() - running[i].started) / 1e9);
		count(running[i].trial.record, totals);
	}
	guard_sweep();
}

void trials_run(const bool selected[], struct totals *totals)
{
	unsigned batch[CELLS], n = 0;

	for (unsigned i = 0; i < scenario_registry_count; i++) {
		if (!selected[i])
			continue;
		if (n > 0 && (!overlaps(i) || !overlaps(batch[0]) || n == CELLS ||
			      fallback)) {
			run_batch(batch, n, totals);
			n = 0;
		}
		batch[n++] = i;
	}
	if (n > 0)
		run_batch(batch, n, totals);
}

/* ---------------------------------------------------------------- nothing left behind */

static unsigned current_umask(void)
{
	unsigned mask = (unsigned)raw(__NR_umask, 077);

	raw(__NR_umask, mask);
	return mask;
}

void trials_prepare(void)
{
	raw(__NR_uname, &before.name);
	if (raw(__NR_getcwd, before.cwd, sizeof before.cwd) <= 0)
		before.cwd[0] = '\0';
	before.umask = current_umask();
}

bool trials_clean(void)
{
	struct utsname name = { 0 };
	char cwd[1024];
	bool markers = markers_sweep(), children = guard_sweep();

	raw(__NR_uname, &name);
	if (raw(__NR_getcwd, cwd, sizeof cwd) <= 0)
		cwd[0] = '\0';
	return markers && children && strcmp(cwd, before.cwd) == 0 &&
	       strcmp(name.nodename, before.name.nodename) == 0 && current_umask() == before.umask;
}
