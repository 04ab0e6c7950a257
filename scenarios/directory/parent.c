/* SPDX-License-Identifier: MIT */
/*
 * Sideways reach: the folders above the working one, and whether ".." of the root stays there. A
 * working folder that lies outside the root leads past it; so does a root that is none.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum { PARENTS, BEYOND_ROOT, STEPS = 64 };

static const struct case_def cases[] = {
	[PARENTS] = { "parents", NULL, 0, 0, PLACE_FOLDER },
	[BEYOND_ROOT] = { "beyond-root", "/..", SEVERITY_CRITICAL, 0, PLACE_FOLDER },
};

/* A bind mount may show one folder at two places: its mount tells them apart, where it is told. */
static bool is_same(const struct object *a, const struct object *b)
{
	return a->ino == b->ino && a->dev == b->dev &&
	       (a->mount_id == b->mount_id || !a->mount_id || !b->mount_id);
}

/* Climbs from the working folder; `top` is where it ended. False: the way was barred. */
static bool climb(struct trial *trial, struct object *top)
{
	struct object here, above;
	struct attempt a = try_stat(trial, AT_FDCWD, ".", 0, &here);
	char path[STEPS * 3 + 1];
	unsigned steps = 0, listed = 0;

	for (; attempt_worked(a) && steps < STEPS; steps++) {
		if (steps)
			path[3 * steps - 1] = '/';
		memcpy(path + 3 * steps, "..", 3);
		a = try_stat(trial, AT_FDCWD, path, 0, &above);
		if (attempt_worked(a) && is_same(&here, &above))
			break;
		if (attempt_worked(a))
			a = try_list(trial, path, NULL, NULL);
		listed += attempt_worked(a);
		settle(trial, PARENTS, a, .path = path, .right = RIGHT_READ);
		/* A folder that cannot be listed may still be gone through. */
		a = try_stat(trial, AT_FDCWD, path, 0, &here);
	}
	if (attempt_worked(a)) {
		note_number(trial, PARENTS, "above", steps);
		note_number(trial, PARENTS, "listed", listed);
		if (steps == 0)
			settle(trial, PARENTS, found_nothing(a));
	} else if (steps == 0) {
		settle(trial, PARENTS, a, .path = ".", .right = RIGHT_STAT);
	}
	*top = here;
	return attempt_worked(a) && steps < STEPS;
}

static void look_beyond(struct trial *trial, bool climbed, const struct object *top)
{
	struct object root, above;
	struct attempt a = try_open(trial, "/", O_PATH | O_DIRECTORY), up = a;
	bool compared = false, left = false;

	if (attempt_worked(a)) {
		struct attempt own = try_stat(trial, (int)a.value, "", AT_EMPTY_PATH, &root);

		up = try_stat(trial, (int)a.value, "..", 0, &above);
		compared = attempt_worked(own) && attempt_worked(up);
		left = compared && (!is_same(&root, &above) || (climbed && !is_same(&root, top)));
		close_fd((int)a.value);
	}
	if (!compared && attempt_worked(up)) {
		settle_unknown(trial, BEYOND_ROOT, REASON_CONTROL_FAILED);
		return;
	}
	settle(trial, BEYOND_ROOT, left ? up : found_nothing(up), .path = "/",
	       .right = RIGHT_STAT);
}

static void attempt(struct trial *trial)
{
	struct object top;
	bool climbed = climb(trial, &top);

	look_beyond(trial, climbed, &top);
}

const struct scenario scenario_directory_parent = {
	.about = ABOUT(
		.title = "List the folders above the working folder",
		.accessed = "Code in the sandbox can list a folder above the one it is started "
			    "in, or get past the root.",
		.denied = "Code in the sandbox can neither list a folder above the one it is "
			  "started in nor get past the root.",
		.why = "Work of others often lies beside one's own. A way past the root leads to "
		       "the whole file system of the host.",
		.see = "T1083",
		.paper = "Parent directory",
		.ours = true,
		.open = "B --bind $D/a/b /a/b --chdir /a/b",
		.closed = "B --bind $D/a/b /a/b --chmod 0111 /a --chmod 0111 / --chdir /a/b",
		.closed_by = BARRIER_BIT(BARRIER_DAC)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.keep = KEEP_CWD,
	.fix = FIX(BIND),
	CASES(cases),
	.attempt = attempt,
};
