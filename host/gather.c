/* SPDX-License-Identifier: MIT */
#include "host/gather.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "host/clean_text.h"
#include "host/memory.h"

#define HARMLESS "system.locale"
#define EXTRA_LAUNCHES 8
/* All launches of a place together may take three times what one may. */
#define LAUNCHES_IN_TIME 3
#define TIMEOUTS_MOST 2

static bool is_empty(const bool set[])
{
	for (unsigned i = 0; i < catalogue_count; i++)
		if (set[i])
			return false;
	return true;
}

static void take(char **to, char **from)
{
	if (*to)
		return;
	*to = *from;
	*from = NULL;
}

/* Moves what a launch brought into the gathering; faults become sentences. */
static void merge(struct gathering *g, struct launch_end *end, const bool wanted[])
{
	struct wire_result *said = end->said;

	for (unsigned i = 0; i < catalogue_count; i++) {
		if (!wanted[i] || !said->results[i].arrived || g->results[i].arrived)
			continue;
		wire_result_reset(&g->results[i], &catalogue[i]);
		json_decref(g->results[i].objects);
		json_decref(g->results[i].evidence);
		json_decref(g->results[i].measured);
		g->results[i] = said->results[i];
		said->results[i] = (struct result){ .entry = &catalogue[i] };
		g->n_arrived++;
	}
	for (size_t i = 0; said->faults && said->faults[i]; i++)
		run_mark_incomplete(g->run, "%s: %s", g->stage, said->faults[i]);
	if (said->n_faults > list_length(said->faults))
		run_mark_incomplete(g->run, "%s: %u more faults in what was printed", g->stage,
				    said->n_faults - (unsigned)list_length(said->faults));
	take(&g->probe_version, &said->probe_version);
	take(&g->probe_arch, &said->probe_arch);
	take(&g->image, &end->image);
	if (!g->report_argv) {
		g->report_argv = end->report_argv;
		end->report_argv = NULL;
	}
	if (!g->origin)
		g->origin = json_incref(said->origin);
	if (said->footer) {
		g->clean = said->clean && (g->clean || !g->footer);
		g->footer = true;
	}
}

static void show_progress(void *context, unsigned arrived)
{
	struct gathering *g = context;

	if (g->progress)
		g->progress(g->context, g->stage, g->n_arrived + arrived, g->n_planned);
}

static bool may_launch(const struct gathering *g)
{
	return g->n_launches < g->n_planned + EXTRA_LAUNCHES &&
	       g->seconds < LAUNCHES_IN_TIME * g->order.seconds && g->n_timeouts < TIMEOUTS_MOST;
}

/* One launch of the wanted, merged. The end is the caller's to free. */
static bool launch_wanted(struct gathering *g, const bool wanted[], struct launch_end *end,
			  struct error *error)
{
	char *facts = print_text("%s%s", g->facts, g->filter_off ? ",filter=off" : "");
	bool launched;

	g->order.wanted = wanted;
	g->order.facts = facts;
	g->order.progress = show_progress;
	g->order.context = g;
	show_progress(g, 0);
	launched = launch_probe(&g->order, end, error);
	free(facts);
	g->n_launches++;
	if (!launched && g->left)
		error_hint(error, "%s", g->left);
	if (!launched)
		return false;
	g->seconds += end->end.seconds;
	if (end->left && !g->left)
		g->left = copy_text(end->left);
	if (!end->started || interrupted() || end->end.how == CHILD_INTERRUPTED) {
		if (end->started)
			error_set(error, EXIT_INTERRUPTED, "interrupted");
		if (g->left)
			error_hint(error, "%s", g->left);
		launch_end_free(end);
		return false;
	}
	if (end->left)
		run_mark_incomplete(g->run, "%s: %s", g->stage, end->left);
	g->n_timeouts += end->end.how == CHILD_TIMED_OUT;
	merge(g, end, wanted);
	return true;
}

/* ---------------------------------------------------------------- the culprit alone */

/* Another trial that only reads: rather one that is known to survive in there. */
static int harmless_beside(const struct gathering *g, unsigned culprit)
{
	const struct catalogue_entry *usual = catalogue_find(HARMLESS);
	int best = -1;

	if (usual && usual - catalogue != (long)culprit)
		return (int)(usual - catalogue);
	for (unsigned i = 0; i < catalogue_count; i++) {
		if (i == culprit || catalogue[i].level != LEVEL_OBSERVE || catalogue[i].overlaps ||
		    g->lost[i])
			continue;
		if (g->results[i].arrived && g->planned[i])
			return (int)i;
		if (best < 0)
			best = (int)i;
	}
	return best;
}

/* An end of the probe's own making: a fault in it, or one of its own exit statuses. */
static bool is_own_fault(const struct child_end *end)
{
	int signal = launch_signal(end);

	return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE ||
	       signal == SIGABRT || signal == SIGTRAP ||
	       (end->how == CHILD_EXITED && (end->code == EXIT_MISUSE || end->code == EXIT_INTERNAL));
}

/* Does the harmless trial live through a launch of its own? */
static bool lives_alone(struct gathering *g, int harmless, bool *ret_lives, struct error *error)
{
	bool *wanted = new_array(catalogue_count, sizeof *wanted);
	struct launch_end end;
	bool launched;

	wanted[harmless] = true;
	launched = launch_wanted(g, wanted, &end, error);
	free(wanted);
	if (!launched)
		return false;
	/* merge() may have taken the result: the footer and its count are what tells. */
	*ret_lives = end.said->footer && end.said->n_arrived == 1 && end.said->n_faults == 0;
	launch_end_free(&end);
	return true;
}

static void judge_killed(struct result *result, const struct launch_end *end, int harmless)
{
	/* SIGSYS has one sender: a filter. */
	bool filter = launch_signal(&end->end) == SIGSYS;

	result->arrived = true;
	result->witnessed = true;
	result->status = STATUS_DENIED;
	result->barriers = BARRIER_BIT(filter ? BARRIER_SECCOMP : BARRIER_KILLED);
	json_object_set_new(result->evidence, "ended", json_string(launch_ending(end, 0)));
	json_object_set_new(result->evidence, "launches", json_integer(2));
	json_object_set_new(result->evidence, "beside", json_string(catalogue[harmless].id));
}

static void judge_unclear(struct gathering *g, unsigned culprit, const struct launch_end *end)
{
	bool late = end && end->end.how == CHILD_TIMED_OUT;

	g->results[culprit].reason = late ? REASON_TIMED_OUT : REASON_CRASHED;
	run_mark_incomplete(g->run, "%s: the sandbox was lost at %s%s%s, and it cannot be told why",
			    g->stage, catalogue[culprit].id, end ? ": " : "",
			    end ? launch_ending(end, g->order.seconds) : "");
}

static bool try_alone(struct gathering *g, unsigned culprit, struct error *error)
{
	int harmless = harmless_beside(g, culprit);
	bool *wanted = new_array(catalogue_count, sizeof *wanted), launched, lives = false;
	struct launch_end end;

	wanted[culprit] = true;
	if (harmless >= 0)
		wanted[harmless] = true;
	launched = launch_wanted(g, wanted, &end, error);
	free(wanted);
	if (!launched)
		return false;
	if (g->results[culprit].arrived) {
		launch_end_free(&end);
		return true;
	}
	if (harmless >= 0 && end.said->tried[culprit] && end.end.how != CHILD_TIMED_OUT &&
	    !end.said->footer && end.said->n_faults == 0 && !is_own_fault(&end.end)) {
		lives = end.said->n_arrived > 0;
		/* Some launch must have come to its regular end, too. */
		if ((!lives || !g->footer) && !lives_alone(g, harmless, &lives, error)) {
			launch_end_free(&end);
			return false;
		}
	}
	if (lives)
		judge_killed(&g->results[culprit], &end, harmless);
	else
		judge_unclear(g, culprit, &end);
	launch_end_free(&end);
	return true;
}

static bool try_lost_alone(struct gathering *g, struct error *error)
{
	for (unsigned i = 0; i < catalogue_count; i++) {
		if (!g->lost[i])
			continue;
		if (g->single || !may_launch(g))
			judge_unclear(g, i, NULL);
		else if (!try_alone(g, i, error))
			return false;
	}
	return true;
}

/* ---------------------------------------------------------------- the launches */

/* It died of something before the first trial, rather than never having been there. */
static bool died_early(const struct launch_end *end)
{
	return end->end.how == CHILD_SIGNALLED ||
	       (end->end.how == CHILD_EXITED && (end->end.code > 128 || end->said->header));
}

static void explain_start(struct gathering *g, const struct launch_end *end)
{
	char *sentence = launch_failure(end, g->order.seconds);

	run_mark_incomplete(g->run, "%s: %s", g->stage, sentence);
	free(sentence);
}

/* Those being tried when the launch ended are suspects. Returns how many. */
static unsigned set_suspects_apart(struct gathering *g, const struct launch_end *end)
{
	bool late = end->end.how == CHILD_TIMED_OUT;
	unsigned n = 0;

	for (unsigned i = 0; i < catalogue_count; i++) {
		bool suspect = g->wanted[i] && end->said->tried[i] && !g->results[i].arrived;

		if (g->results[i].arrived || suspect)
			g->wanted[i] = false;
		if (suspect && late)
			judge_unclear(g, i, end);
		g->lost[i] |= suspect && !late;
		n += suspect;
	}
	return n;
}

enum next { NEXT_DONE, NEXT_LAUNCH };

/* What follows from a launch that has been merged. */
static enum next consider(struct gathering *g, const struct launch_end *end, unsigned arrived_before)
{
	unsigned suspects;

	if (end->said->footer || end->said->n_faults > 0)
		return NEXT_DONE;
	if (end->said->n_tried == 0 && end->said->n_arrived == 0) {
		if (!g->filter_off && !g->single && died_early(end)) {
			g->filter_off = true;
			return NEXT_LAUNCH;
		}
		explain_start(g, end);
		return NEXT_DONE;
	}
	suspects = set_suspects_apart(g, end);
	if (suspects == 0 && (g->n_arrived == arrived_before || is_empty(g->wanted))) {
		run_mark_incomplete(g->run, "%s: the probe ended before its last line: %s",
				    g->stage, launch_ending(end, g->order.seconds));
		return NEXT_DONE;
	}
	return is_empty(g->wanted) || g->single || !may_launch(g) ? NEXT_DONE : NEXT_LAUNCH;
}

static void count_missing(struct gathering *g)
{
	const char *first = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < catalogue_count; i++) {
		if (!g->planned[i] || g->results[i].arrived || g->lost[i] ||
		    g->results[i].reason != REASON_NO_REPORT)
			continue;
		first = first ? first : catalogue[i].id;
		n++;
	}
	if (n > 0)
		run_mark_incomplete(g->run, "%s: %u of %u scenarios brought no result (%s%s)",
				    g->stage, n, g->n_planned, first, n > 1 ? ", …" : "");
}

bool gather(struct gathering *g, struct error *error)
{
	enum next next = NEXT_LAUNCH;
	struct launch_end end;

	g->wanted = new_array(catalogue_count, sizeof *g->wanted);
	g->lost = new_array(catalogue_count, sizeof *g->lost);
	g->results = new_array(catalogue_count, sizeof *g->results);
	for (unsigned i = 0; i < catalogue_count; i++) {
		g->wanted[i] = g->planned[i];
		g->n_planned += g->planned[i];
		wire_result_reset(&g->results[i], &catalogue[i]);
	}
	while (next == NEXT_LAUNCH) {
		unsigned arrived_before = g->n_arrived;

		if (!launch_wanted(g, g->wanted, &end, error))
			return false;
		next = consider(g, &end, arrived_before);
		launch_end_free(&end);
	}
	if (!try_lost_alone(g, error))
		return false;
	count_missing(g);
	return true;
}

void gathering_free(struct gathering *g)
{
	for (unsigned i = 0; g->results && i < catalogue_count; i++) {
		wire_result_reset(&g->results[i], NULL);
		json_decref(g->results[i].objects);
		json_decref(g->results[i].evidence);
		json_decref(g->results[i].measured);
	}
	free(g->results);
	free(g->wanted);
	free(g->lost);
	free(g->facts);
	free(g->probe_version);
	free(g->probe_arch);
	free(g->image);
	free(g->left);
	list_free(g->report_argv);
	json_decref(g->origin);
	*g = (struct gathering){ 0 };
}
