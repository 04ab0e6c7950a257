/* SPDX-License-Identifier: MIT */
/*
 * What others, or earlier runs, left in temporary folders. What this run made does not count, nor
 * does an empty scratch folder of our own: then there is nothing to find.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum { VARIABLE, TMP, VAR_TMP, SHARED_MEMORY, RUN_USER };

static const struct case_def cases[] = {
	[VARIABLE] = { "variable", NULL, 0, 0, PLACE_FOLDER },
	[TMP] = { "tmp", "/tmp", 0, 0, PLACE_FOLDER },
	[VAR_TMP] = { "var-tmp", "/var/tmp", 0, 0, PLACE_FOLDER },
	[SHARED_MEMORY] = { "dev-shm", "/dev/shm", 0, 0, PLACE_FOLDER },
	[RUN_USER] = { "run-user", "/run/user", 0, 0, PLACE_FOLDER },
};

enum { LISTED_AT_MOST = 4095 };

struct search {
	struct trial *trial;
	const char *folder;
	unsigned seen, of_others, older;
};

static bool take_entry(void *context, const char *name, unsigned char type)
{
	struct search *search = context;
	struct object object;
	char path[600], own[16];
	int64_t made;

	(void)type;
	search->seen++;
	format_text(path, sizeof(path), "%s/%s", search->folder, name);
	format_text(own, sizeof(own), "%u", origin()->euid);
	if (strcmp(search->folder, "/run/user") == 0 && strcmp(name, own) == 0)
		return true;
	if (!attempt_worked(try_stat(search->trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object)) ||
	    (object.ino == origin()->probe_ino && object.dev == origin()->probe_dev))
		return true;
	made = object.birth && object.birth < object.changed ? object.birth : object.changed;
	if (object.uid != origin()->euid)
		search->of_others++;
	else if (made < origin()->started)
		search->older++;
	else
		return true;
	report_object(search->trial, "entry", path);
	return true;
}

static void look_at(struct trial *trial, int case_index, const char *folder)
{
	struct search search = { .trial = trial, .folder = folder };
	struct attempt a = try_list(trial, folder, take_entry, &search);

	if (search.of_others || search.older) {
		measure_number(trial, WHOLE, case_of(trial, case_index)->name,
			       search.of_others + search.older);
		note_flag(trial, case_index, "of-others", search.of_others > 0);
		note_flag(trial, case_index, "older", search.older > 0);
	} else if (attempt_worked(a)) {
		/* A fresh folder of our own hides nothing: no path, lest it read as masked. */
		if (search.seen >= LISTED_AT_MOST)
			settle_unknown(trial, case_index, REASON_TIMED_OUT);
		else
			settle(trial, case_index, found_nothing(a));
		return;
	}
	settle(trial, case_index, a, .path = folder, .right = RIGHT_READ);
}

static void attempt(struct trial *trial)
{
	const char *folder = given_variable("TMPDIR");

	if (folder && folder[0] == '/')
		look_at(trial, VARIABLE, folder);
	else
		settle(trial, VARIABLE, found_in_process(false));
	for (int i = TMP; i <= RUN_USER; i++)
		look_at(trial, i, case_of(trial, i)->path);
}

const struct scenario scenario_directory_temporary = {
	.about = ABOUT(
		.title = "Find what others left in temporary folders",
		.accessed = "Code in the sandbox can see temporary files of others or of earlier "
			    "runs.",
		.denied = "Code in the sandbox finds no temporary file of others or of earlier "
			  "runs.",
		.why = "Programs leave sockets, results and secrets in temporary folders; a name "
		       "that can be foreseen there can be taken first.",
		.see = "T1083",
		.paper = "Temporary directory",
		.ours = true,
		.open = "B --bind $D/t /tmp",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.fix = FIX(ONE),
	CASES(cases),
	.attempt = attempt,
};
