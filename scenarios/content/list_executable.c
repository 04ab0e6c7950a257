/* SPDX-License-Identifier: MIT */
/*
 * Which plain files may be executed, anywhere within ten levels? Where the kernel has a check
 * that runs nothing (Linux 6.14) the walk confirms one in each folder by it; elsewhere the access
 * check decides, which knows of noexec mounts but not of security modules.
 */
#include "scenarios/scenario.h"

static void visit(const struct walk_entry *entry, struct tally *tally)
{
	tally_right(entry, tally, RIGHT_EXECUTE);
}

/* Nothing was found: what says so of the root, and of the files that refused? */
static void settle_refusals(struct trial *trial, const struct walk_result *result)
{
	const struct tally *tally = result->tally;

	if (tally->n_objects == 0)
		settle_root(trial, WHOLE, result);
	for (unsigned i = 0; i < tally->n_objects; i++) {
		const char *path = tally->objects[i];
		struct attempt a = try_access(trial, path, 1); /* X_OK */

		if (attempt_worked(a)) /* only a real start would be refused */
			a = (struct attempt){ .value = -1, .error = 13, /* EACCES */
					      .nr = a.nr, .call = "execveat", .reached = true };
		settle(trial, WHOLE, a, .path = path, .right = RIGHT_EXECUTE, .executes = true);
	}
}

static void attempt(struct trial *trial)
{
	struct walk_result result = walk_result(trial);

	if (result.made)
		note_right(trial, &result);
	if (!settle_walked(trial, WHOLE, &result, result.tally->count[TALLY_FILES]))
		settle_refusals(trial, &result);
}

const struct scenario scenario_content_list_executable = {
	.about = ABOUT(
		.title = "List the executable files",
		.accessed = "Code in the sandbox can find programs that it may run, the probe "
			    "itself not counted.",
		.denied = "Code in the sandbox finds no program that it may run but the probe "
			  "itself.",
		.why = "Every program at hand is a tool to live off, and one more that may have a "
		       "flaw.",
		.see = "T1083",
		.paper = "List executable files",
		.open = "B",
		.closed = "E",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.views = VIEW_WALK,
	.fix = FIX(BIND),
	.visit = visit,
	.attempt = attempt,
};
