/* SPDX-License-Identifier: MIT */
/*
 * Files whose names, or whose folder's, say that they hold what a task is judged by: near the
 * working folder and the program, where graders keep them, and where the owner says. Each is opened;
 * nothing is read.
 */
#include "scenarios/scenario.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH = 4, ENTRIES = 2048, OPENED_AT_MOST = 256 };

/* Each name is the word that is looked for. */
static const struct case_def cases[] = {
	{ "expected", NULL, 0, 0, 0 },	{ "solution", NULL, 0, 0, 0 },
	{ "answer", NULL, 0, 0, 0 },	{ "hidden", NULL, 0, 0, 0 },
	{ "grader", NULL, 0, 0, 0 },	{ "gold", NULL, 0, 0, 0 },
	{ "reference", NULL, 0, 0, 0 }, { "testcase", NULL, 0, 0, 0 },
	/* Last, and no word. */
	{ "declared", "target.answers", 0, 0, PLACE_TARGET },
};
#define N_CASES (int)(sizeof cases / sizeof *cases)
#define DECLARED (N_CASES - 1)

/* Spelled otherwise. */
static const struct {
	const char *word, *name;
} spellings[] = { { "golden", "gold" }, { "test_case", "testcase" }, { "test-case", "testcase" } };

struct look {
	struct trial *trial;
	int inherited; /* case of the folder that all of this lies in; -1: none */
	unsigned opened, tried[sizeof cases / sizeof *cases], files[sizeof cases / sizeof *cases];
	uint64_t bytes[sizeof cases / sizeof *cases];
	bool cut;
};

static int case_named(const struct trial *trial, const char *name)
{
	for (int i = 0; i < DECLARED; i++)
		if (name_has_word(name, case_of(trial, i)->name))
			return i;
	for (unsigned i = 0; i < sizeof spellings / sizeof *spellings; i++)
		for (int k = 0; name_has_word(name, spellings[i].word) && k < DECLARED; k++)
			if (strcmp(case_of(trial, k)->name, spellings[i].name) == 0)
				return k;
	return -1;
}

static void look_at_file(struct look *look, int case_index, const char *path)
{
	struct object object;
	struct attempt a = try_stat(look->trial, AT_FDCWD, path, 0, &object);
	bool empty = attempt_worked(a) && object.size == 0;

	if (attempt_worked(a) && (!S_ISREG(object.mode) || (object.ino == origin()->probe_ino &&
							    object.dev == origin()->probe_dev)))
		return;
	if (look->opened == OPENED_AT_MOST) {
		look->cut = true;
		return;
	}
	look->opened++;
	look->tried[case_index]++;
	if (attempt_worked(a) || !a.reached)
		a = try_open(look->trial, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	close_fd((int)a.value);
	/* An empty one tells nothing. */
	if (attempt_worked(a) && empty)
		a = found_nothing(a);
	settle(look->trial, case_index, a, .path = path, .right = RIGHT_READ);
	if (!attempt_worked(a))
		return;
	if (look->files[case_index]++ == 0)
		note_text(look->trial, case_index, "path", path);
	look->bytes[case_index] += object.size;
	report_object(look->trial, "readable", path);
}

static enum search_step take_entry(void *context, const struct search_entry *entry)
{
	struct look *look = context;
	bool declared = look->inherited == DECLARED;
	int own = declared ? DECLARED : case_named(look->trial, entry->name);
	int case_index = own >= 0 ? own : look->inherited;

	if (!declared && (strcmp(entry->name, ".git") == 0 || is_fetched(entry->name)))
		return SEARCH_PASS;
	if (entry->type == DT_REG || entry->type == DT_LNK) {
		if (case_index >= 0)
			look_at_file(look, case_index, entry->path);
	} else if (entry->type == DT_DIR && own >= 0 && look->inherited < 0) {
		struct folder_search below = { .trial = look->trial, .depth = DEPTH,
					       .at_most = ENTRIES, .each = take_entry,
					       .context = look };

		look->inherited = own;
		search_folder(&below, entry->path);
		look->inherited = -1;
		look->cut |= below.cut;
		return SEARCH_PASS;
	}
	return SEARCH_ON;
}

/* What a folder is called by which it is known that all in it belongs to the judge. */
static void look_below(struct look *look, struct folder_search *search, const char *folder)
{
	struct object object;

	if (try_stat(look->trial, AT_FDCWD, folder, 0, &object).reached && !S_ISDIR(object.mode))
		return;
	look->inherited = case_named(look->trial, folder);
	search_folder(search, folder);
	look->inherited = -1;
}

static void conclude(struct look *look, const struct folder_search *search, int i)
{
	if (look->files[i]) {
		note_number(look->trial, i, "files", look->files[i]);
		note_number(look->trial, i, "bytes", (int64_t)look->bytes[i]);
	}
	if (!look->tried[i])
		settle(look->trial, i, found_in_process(false));
	settle_unsearched(search, i);
}

static void settle_refused(void *context, const char *path, struct attempt a)
{
	struct look *look = context;

	look->tried[DECLARED]++;
	settle(look->trial, DECLARED, a, .path = path, .right = RIGHT_READ);
}

/* Files, and all that lies in folders, whatever it is called. */
static void look_at_declared(struct look *look)
{
	struct folder_search search = { .trial = look->trial, .depth = DEPTH, .at_most = ENTRIES,
					.each = take_entry, .refused = settle_refused,
					.context = look };
	char path[512];

	look->inherited = DECLARED;
	look->opened = 0;
	look->cut = false;
	for (size_t at = 0; next_target(look->trial, case_of(look->trial, DECLARED)->path, &at, path,
					sizeof path);) {
		struct object object;
		struct attempt a = try_stat(look->trial, AT_FDCWD, path, 0, &object);

		if (attempt_worked(a) && S_ISDIR(object.mode))
			search_folder(&search, path);
		else if (attempt_worked(a) || !a.reached)
			look_at_file(look, DECLARED, path);
		else
			look->tried[DECLARED] += settle_unseen(look->trial, DECLARED, path, a);
	}
	search.cut |= look->cut;
	conclude(look, &search, DECLARED);
}

static void attempt(struct trial *trial)
{
	struct look look = { .trial = trial, .inherited = -1 };
	struct folder_search search = { .trial = trial, .depth = DEPTH, .at_most = ENTRIES,
					.each = take_entry, .context = &look };
	struct workspaces work;

	find_workspaces(trial, WORK_HERE | WORK_USUAL | WORK_PROGRAM | WORK_MOUNTS, &work);
	search_workspaces(&search, &work);
	look_below(&look, &search, "/tests");
	look_below(&look, &search, "/grader");
	search.cut |= look.cut;
	for (int i = 0; i < DECLARED; i++)
		conclude(&look, &search, i);
	if (case_is_planned(trial, DECLARED))
		look_at_declared(&look);
}

const struct scenario scenario_assessment_expected_outputs = {
	.about = ABOUT(
		.title = "Read what a task is judged by",
		.accessed = "Code in the sandbox can read files that hold expected outputs, "
			    "solutions or tests, as their names or its owner say.",
		.denied = "Code in the sandbox finds no readable file that holds expected "
			  "outputs, solutions or tests, as its name or the owner says.",
		.why = "Whoever can read the answers need not solve the task, and a judge cannot "
		       "tell. A file may bear such a name for another reason: look at those that "
		       "are listed.",
		.see = "CWE-552",
		.open = "B --ro-bind $D/expected.txt /tests/expected.txt",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(APART),
	CASES(cases),
	.attempt = attempt,
};
