/* SPDX-License-Identifier: MIT */
/*
 * What a workspace makes others run, who only build, test, commit or open it: hooks and settings of
 * repositories, builds, editors, agents. Those that are there are asked about one by one; where a
 * workspace takes new files, any of them could be planted.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum { HOOKS, CONFIG, INFO, MODULES, NEW, FIRST_NAME };
enum { DEPTH = 8, ENTRIES = 4096, FOUND_AT_MOST = 200 };

/* Paths from any folder of a workspace on. */
static const struct case_def cases[] = {
	[HOOKS] = { "git-hooks", NULL, 0, 0, 0 },
	[CONFIG] = { "git-config", NULL, 0, 0, 0 },
	[INFO] = { "git-info", NULL, 0, 0, 0 },
	[MODULES] = { "git-modules", NULL, 0, 0, 0 },
	[NEW] = { "new-files", NULL, SEVERITY_MEDIUM, 0, 0 },
	[FIRST_NAME] = { "husky", ".husky", 0, 0, 0 },
	{ "pre-commit", ".pre-commit-config.yaml", 0, 0, 0 },
	{ "workflows", ".github/workflows|.gitlab-ci.yml", 0, 0, 0 },
	{ "editor", ".vscode|.idea", 0, 0, 0 },
	{ "dev-container", ".devcontainer|.devcontainer.json", 0, 0, 0 },
	{ "makefile", "Makefile|makefile|GNUmakefile", 0, 0, 0 },
	{ "package-json", "package.json", 0, 0, 0 },
	{ "setup-py", "setup.py", 0, 0, 0 },
	{ "conftest-py", "conftest.py", 0, 0, 0 },
	{ "envrc", ".envrc", 0, 0, 0 },
	{ "dockerfile", "Dockerfile|Containerfile", 0, 0, 0 },
	{ "agent-instructions", "AGENTS.md|CLAUDE.md|GEMINI.md", 0, 0, 0 },
	{ "agent-settings", ".claude|.cursor|.codex|.gemini|.mcp.json", 0, 0, 0 },
};
#define N_CASES (sizeof cases / sizeof *cases)

struct look {
	struct alterations all;
	unsigned found;
	bool cut;
};

static void alter_below(struct look *look, int case_index, const char *folder, const char *name)
{
	char path[512];

	if (format_text(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
		settle_alteration(&look->all, case_index, path, 0);
}

static enum search_step take_module(void *context, const struct search_entry *entry)
{
	struct look *look = context;

	if (strcmp(entry->name, "config") == 0 && look->found < FOUND_AT_MOST) {
		look->found++;
		settle_alteration(&look->all, MODULES, entry->path, 0);
	}
	if (strcmp(entry->name, "hooks") == 0)
		settle_alteration(&look->all, MODULES, entry->path, 0);
	return strcmp(entry->name, "objects") == 0 || strcmp(entry->name, "refs") == 0 ||
			       strcmp(entry->name, "hooks") == 0 || strcmp(entry->name, "logs") == 0
		       ? SEARCH_PASS : SEARCH_ON;
}

static void look_at_git(struct look *look, const char *path)
{
	struct folder_search modules = { .trial = look->all.trial, .depth = 4, .at_most = 1024,
					 .each = take_module, .context = look };
	struct git_place git;
	char folder[600];
	struct attempt a = find_git(look->all.trial, path, &git);

	/* The file that leads to a worktree's repository leads elsewhere when it is altered. */
	settle_alteration(&look->all, CONFIG, path, PLACE_FOLDER);
	if (!attempt_worked(a))
		return;
	alter_below(look, HOOKS, git.common, "hooks");
	alter_below(look, CONFIG, git.common, "config");
	alter_below(look, INFO, git.common, "info");
	format_text(folder, sizeof folder, "%s/modules", git.common);
	search_folder(&modules, folder);
	look->cut |= modules.cut;
}

/* One alternative of a case: its first component is this entry? */
static bool fits(const char *alternative, size_t n, const char *name)
{
	size_t first = strcspn(alternative, "/|");

	return first <= n && strncmp(alternative, name, first) == 0 && name[first] == '\0';
}

static bool look_at_names(struct look *look, const struct search_entry *entry)
{
	for (unsigned i = FIRST_NAME; i < N_CASES; i++) {
		const char *next = case_of(look->all.trial, (int)i)->path;

		for (size_t n; *next; next += n + (next[n] == '|')) {
			char path[1200];
			size_t first = strcspn(next, "/|");

			n = strcspn(next, "|");
			if (!fits(next, n, entry->name))
				continue;
			format_text(path, sizeof path, "%s", entry->path);
			format_text(path + strlen(path), sizeof path - strlen(path), "%s",
				    next + first);
			path[strlen(entry->path) + n - first] = '\0';
			settle_alteration(&look->all, (int)i, path, 0);
			return true;
		}
	}
	return false;
}

static enum search_step take_entry(void *context, const struct search_entry *entry)
{
	struct look *look = context;
	bool is_git = strcmp(entry->name, ".git") == 0;

	if (look->found == FOUND_AT_MOST) {
		look->cut = true;
		return SEARCH_STOP;
	}
	if (is_git)
		look_at_git(look, entry->path);
	if (is_git || look_at_names(look, entry)) {
		look->found++;
		return SEARCH_PASS;
	}
	return is_fetched(entry->name) ? SEARCH_PASS : SEARCH_ON;
}

/* May something be planted? What is read-only as a whole is not looked through. */
static void ask_workspaces(struct alterations *all, struct workspaces *work)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < work->n; i++) {
		bool shallow = work->list[i].shallow;

		if (!shallow && settle_shut(all, work->list[i].path))
			continue;
		if (!shallow)
			settle_alteration(all, NEW, work->list[i].path, PLACE_FOLDER);
		work->list[kept++] = work->list[i];
	}
	work->n = kept;
}

static void attempt(struct trial *trial)
{
	struct look look = { .all = { .trial = trial } };
	struct folder_search search = { .trial = trial, .depth = DEPTH, .at_most = ENTRIES,
					.each = take_entry, .context = &look };
	struct workspaces work;

	find_workspaces(trial, WORK_HERE | WORK_HOME | WORK_USUAL | WORK_MOUNTS, &work);
	note_number(trial, WHOLE, "workspaces", work.n);
	ask_workspaces(&look.all, &work);
	search_workspaces(&search, &work);
	note_alterations(&look.all);
	measure_number(trial, WHOLE, "entries", search.entries);
	search.cut |= look.cut;
	for (unsigned i = 0; i < N_CASES; i++)
		if (i != NEW)
			settle_unsearched(&search, (int)i);
	settle_unasked(&look.all);
}

const struct scenario scenario_tamper_deferred_execution = {
	.about = ABOUT(
		.title = "Alter what a workspace makes others run",
		.accessed = "Code in the sandbox can alter or create files of a workspace that "
			    "run when somebody else builds, tests, commits or opens it.",
		.denied = "Code in the sandbox cannot alter or create any file of a workspace "
			  "that runs when somebody else builds, tests, commits or opens it.",
		.why = "Nobody who commits, builds or opens a folder expects that to be an act of "
		       "trust. What was planted runs then, outside the sandbox. A workspace that "
		       "takes new files at all is the mildest case.",
		.see = "T1546.004, T1195",
		.open = "B --bind $D/ws /ws",
		.closed = "B --ro-bind $D/ws /ws",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(BIND) | FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
