/* SPDX-License-Identifier: MIT */
/*
 * Which plain files may be read, anywhere within ten levels? The walk asks an access check for
 * each and confirms by one real open in each folder; nothing is read. A file that is readable
 * though not by everybody is a case of its own: rights beyond an ordinary account's.
 */
#include "scenarios/scenario.h"

enum { ANY_FILE, PRIVATE_FILE };

static const struct case_def cases[] = {
	[ANY_FILE] = { "any-file", NULL, 0, 0, 0 },
	[PRIVATE_FILE] = { "private-file", NULL, SEVERITY_MEDIUM, 0, 0 },
};

static void visit(const struct walk_entry *entry, struct tally *tally)
{
	tally_right(entry, tally, RIGHT_READ);
}

static void settle_refused(struct trial *trial, int case_index, const char *path)
{
	struct attempt a = try_open(trial, path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);

	if (attempt_worked(a)) {
		close_fd((int)a.value);
		settle_unknown(trial, case_index, REASON_CONTRADICTORY);
	} else {
		settle(trial, case_index, a, .path = path, .right = RIGHT_READ);
	}
}

/* Nothing was found: what says so of the files that refused, or else of the root? */
static void settle_refusals(struct trial *trial, int case_index,
			    const struct walk_result *result)
{
	const struct tally *tally = result->tally;
	const char *hidden = tally->objects[15];
	bool any = false;

	if (case_index == PRIVATE_FILE && hidden[0]) {
		settle_refused(trial, case_index, hidden);
		any = true;
	}
	for (unsigned i = 0; case_index == ANY_FILE && i < tally->n_objects; i++) {
		settle_refused(trial, case_index, tally->objects[i]);
		any = true;
	}
	if (!any)
		settle_root(trial, case_index, result);
}

static void attempt(struct trial *trial)
{
	struct walk_result result = walk_result(trial);
	const uint64_t found[] = { [ANY_FILE] = result.tally->count[TALLY_FILES],
				   [PRIVATE_FILE] = result.tally->count[TALLY_PRIVATE] };

	if (result.made) {
		note_right(trial, &result);
		measure_number(trial, PRIVATE_FILE, "files", (int64_t)found[PRIVATE_FILE]);
	}
	for (int i = ANY_FILE; i <= PRIVATE_FILE; i++)
		if (!settle_walked(trial, i, &result, found[i]))
			settle_refusals(trial, i, &result);
}

const struct scenario scenario_content_list_readable = {
	.about = ABOUT(
		.title = "List the readable files",
		.accessed = "Code in the sandbox can find files that it may read, its own and "
			    "scratch files not counted.",
		.denied = "Code in the sandbox finds no file that it may read but its own.",
		.why = "What can be found and read can be taken. Files that are readable although "
		       "not everybody may read them show rights beyond an ordinary account's.",
		.see = "T1083",
		.paper = "List readable files",
		.open = "B",
		.closed = "E",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.views = VIEW_WALK,
	.fix = FIX(BIND),
	CASES(cases),
	.visit = visit,
	.attempt = attempt,
};
