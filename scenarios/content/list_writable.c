/* SPDX-License-Identifier: MIT */
/*
 * Which plain files outside scratch may be written, anywhere within ten levels? Inside a sandbox
 * the walk confirms by one real open for writing in each folder, writes nothing, and leaves
 * programs and large files on overlays alone; outside, the access check decides.
 */
#include "scenarios/scenario.h"

static void visit(const struct walk_entry *entry, struct tally *tally)
{
	tally_right(entry, tally, RIGHT_WRITE);
}

/* Programs are never opened for writing: a start of them would fail meanwhile. */
static unsigned is_program(struct trial *trial, const char *path)
{
	struct object object;

	if (!attempt_worked(try_stat(trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object)))
		return PLACE_PROGRAM;
	return object.mode & 0111 ? PLACE_PROGRAM : 0;
}

/* Nothing was found: what says so of the root, and of the files that refused? */
static void settle_refusals(struct trial *trial, const struct walk_result *result)
{
	const struct tally *tally = result->tally;

	if (tally->n_objects == 0)
		settle_root(trial, WHOLE, result);
	for (unsigned i = 0; i < tally->n_objects; i++) {
		const char *path = tally->objects[i];
		struct attempt a = try_open_for_writing(trial, WHOLE, path,
							is_program(trial, path));

		if (attempt_worked(a))
			settle_unknown(trial, WHOLE, REASON_CONTRADICTORY);
		else
			settle(trial, WHOLE, a, .path = path, .right = RIGHT_WRITE);
	}
}

static void attempt(struct trial *trial)
{
	struct walk_result result = walk_result(trial);

	if (result.made)
		note_right(trial, &result);
	if (result.made && trial_is_outside(trial))
		note_flag(trial, WHOLE, "proxy", true);
	if (settle_walked(trial, WHOLE, &result, result.tally->count[TALLY_FILES]))
		return;
	if (result.untold)
		settle_unknown(trial, WHOLE, REASON_CONTROL_FAILED);
	else
		settle_refusals(trial, &result);
}

const struct scenario scenario_content_list_writable = {
	.about = ABOUT(
		.title = "List the writable files",
		.accessed = "Code in the sandbox can find files outside scratch folders that it "
			    "may write.",
		.denied = "Code in the sandbox finds no file outside scratch folders that it may "
			  "write.",
		.why = "A file that can be written can be damaged, or changed so that somebody "
		       "else runs or trusts it later.",
		.see = "T1083, CWE-732",
		.paper = "List writable files",
		.open = "B --bind $D/w /opt",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.views = VIEW_WALK,
	.fix = FIX(RO),
	.visit = visit,
	.attempt = attempt,
};
