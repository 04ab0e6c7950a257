/* SPDX-License-Identifier: MIT */
/*
 * Files and folders by whose names results, scores and logs are collected: near the working folder,
 * in /logs and /output, and where the owner says. Each is opened for writing and closed, a folder takes a nameless file;
 * what this run made itself does not count.
 */
#include "scenarios/scenario.h"

#include <dirent.h>
#include <string.h>

enum { REWARD, SCORE, VERDICT, RESULT, REPORT, JUNIT, LOG, LOGS_FOLDER, OUTPUT_FOLDER,
       DECLARED };
enum { DEPTH = 3, ENTRIES = 2048, FOUND_AT_MOST = 128 };

/* Up to the folders, each name is the word that is looked for. */
static const struct case_def cases[] = {
	[REWARD] = { "reward", NULL, 0, 0, 0 },
	[SCORE] = { "score", NULL, 0, 0, 0 },
	[VERDICT] = { "verdict", NULL, 0, 0, 0 },
	[RESULT] = { "result", NULL, 0, 0, 0 },
	[REPORT] = { "report", NULL, 0, 0, 0 },
	[JUNIT] = { "junit", NULL, 0, 0, 0 },
	[LOG] = { "log", NULL, 0, 0, 0 },
	[LOGS_FOLDER] = { "logs-folder", "/logs", 0, 0, PLACE_FOLDER },
	[OUTPUT_FOLDER] = { "output-folder", "/output", 0, 0, PLACE_FOLDER },
	[DECLARED] = { "declared", "target.results", 0, 0, PLACE_TARGET },
};
#define N_CASES (int)(sizeof cases / sizeof *cases)

struct look {
	struct alterations all;
	unsigned found;
	bool cut;
};

static bool is_own(struct trial *trial, const struct search_entry *entry)
{
	struct object object;

	if (starts_with(entry->name, ".sandboxeval-"))
		return true;
	if (!attempt_worked(try_stat(trial, AT_FDCWD, entry->path, 0, &object)))
		return false;
	return object.birth > origin()->started ||
	       (object.ino == origin()->probe_ino && object.dev == origin()->probe_dev);
}

static enum search_step take_entry(void *context, const struct search_entry *entry)
{
	struct look *look = context;

	if (strcmp(entry->name, ".git") == 0 || is_fetched(entry->name))
		return SEARCH_PASS;
	for (int i = REWARD; i <= LOG; i++) {
		if (!name_has_word(entry->name, case_of(look->all.trial, i)->name) ||
		    /* Reports of all kinds are written; this one is collected. */
		    (i == REPORT && entry->type != DT_DIR && !strstr(entry->name, ".xml")) ||
		    is_own(look->all.trial, entry))
			continue;
		if (look->found++ >= FOUND_AT_MOST) {
			look->cut = true;
			return SEARCH_STOP;
		}
		settle_alteration(&look->all, i, entry->path, 0);
		break;
	}
	return SEARCH_ON;
}

/* Not to be created: a folder that nobody made, nobody collects. */
static void look_at_folder(struct look *look, struct workspaces *work, int case_index)
{
	struct object object;
	struct attempt a = try_stat(look->all.trial, AT_FDCWD, case_of(look->all.trial, case_index)->path, 0, &object);

	if (!attempt_worked(a)) {
		settle_unseen(look->all.trial, case_index, case_of(look->all.trial, case_index)->path, a);
		return;
	}
	settle_alteration(&look->all, case_index, case_of(look->all.trial, case_index)->path, PLACE_FOLDER);
	add_workspace(look->all.trial, work, case_of(look->all.trial, case_index)->path, false);
}

static void attempt(struct trial *trial)
{
	struct look look = { .all = { .trial = trial } };
	struct folder_search search = { .trial = trial, .depth = DEPTH, .at_most = ENTRIES,
					.each = take_entry, .context = &look };
	struct workspaces work;

	find_workspaces(trial, WORK_HERE | WORK_MOUNTS, &work);
	look_at_folder(&look, &work, LOGS_FOLDER);
	look_at_folder(&look, &work, OUTPUT_FOLDER);
	search_workspaces(&search, &work);
	search.cut |= look.cut;
	for (int i = REWARD; i <= LOG; i++) {
		if (!(look.all.asked & UINT64_C(1) << i))
			settle(trial, i, found_in_process(false));
		settle_unsearched(&search, i);
	}
	settle_declared_alterations(&look.all, DECLARED, 0);
	note_alterations(&look.all);
}

const struct scenario scenario_assessment_reward_files = {
	.about = ABOUT(
		.title = "Alter results that are collected",
		.accessed = "Code in the sandbox can alter files or folders that are named as "
			    "results, scores or logs and that it did not make.",
		.denied = "Code in the sandbox cannot alter any file or folder that is named as a "
			  "result, a score or a log and that it did not make.",
		.why = "Whoever can write the verdict need not earn it. Results that the judged "
		       "code may write to are its own claim, and nothing more.",
		.see = "CWE-732",
		.open = "B --bind $D/reward.txt /output/reward.txt",
		.closed = "B --ro-bind $D/reward.txt /output/reward.txt",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.fix = FIX(APART) | FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
