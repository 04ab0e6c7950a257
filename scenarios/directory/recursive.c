/* SPDX-License-Identifier: MIT */
/*
 * A map of the whole tree: may folders below the top ones be listed? The tree is walked once for
 * all scenarios that count it; here the folders at depth two and more count, since a sandbox with
 * nothing but a root and the usual mount points gives no map.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum { LISTED, DEEPEST_LISTED };

static void visit(const struct walk_entry *entry, struct tally *tally)
{
	if (!entry->is_folder || entry->depth < 2 || entry->in_scratch ||
	    is_at_or_below(entry->path, "/proc") || is_at_or_below(entry->path, "/sys") ||
	    is_at_or_below(entry->path, "/dev"))
		return;
	if (entry->is_listed) {
		if (tally->count[LISTED]++ == 0)
			tally->n_objects = 0;
		if ((uint64_t)entry->depth > tally->count[DEEPEST_LISTED])
			tally->count[DEEPEST_LISTED] = (uint64_t)entry->depth;
	} else if (tally->count[LISTED] == 0 && tally->n_objects == 0) {
		tally_object(tally, entry->path); /* what to ask the controls about */
	}
}

/* Nothing was listed: what says so of the root, and of a folder that refused? */
static void settle_refusals(struct trial *trial, const struct walk_result *result)
{
	const char *refused = result->tally->objects[0];

	settle_root(trial, WHOLE, result);
	if (result->tally->n_objects)
		settle(trial, WHOLE, try_list(trial, refused, NULL, NULL), .path = refused,
		       .right = RIGHT_READ);
}

static void attempt(struct trial *trial)
{
	struct walk_result result = walk_result(trial);

	if (!result.made) {
		settle_root(trial, WHOLE, &result);
		return;
	}
	measure_number(trial, WHOLE, "entries", (int64_t)result.entries);
	measure_number(trial, WHOLE, "folders", (int64_t)result.folders);
	measure_number(trial, WHOLE, "unlisted", (int64_t)result.unlisted);
	measure_number(trial, WHOLE, "deepest", (int64_t)result.tally->count[DEEPEST_LISTED]);
	measure_text(trial, WHOLE, "bound", result.bound ? result.bound : "none");
	if (!settle_walked(trial, WHOLE, &result, result.tally->count[LISTED]))
		settle_refusals(trial, &result);
}

const struct scenario scenario_directory_recursive = {
	.about = ABOUT(
		.title = "List the folder tree ten levels deep",
		.accessed = "Code in the sandbox can list folders below the top ones, and so draw "
			    "a map of the file system.",
		.denied = "Code in the sandbox cannot list any folder below the top ones.",
		.why = "A map of the file system shows what is installed and where to look for "
		       "secrets.",
		.see = "T1083",
		.paper = "Recursive directory listing",
		.open = "B",
		.closed = "E",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.views = VIEW_WALK,
	.fix = FIX(BIND),
	.visit = visit,
	.attempt = attempt,
};
