/* SPDX-License-Identifier: MIT */
/*
 * Commits that a repository still knows of besides the one that is checked out: in branches, tags,
 * remotes, stashes, logs and what fetches and resets leave. Their names are compared and counted,
 * nothing of the commits is read.
 */
#include "scenarios/scenario.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { HEADS, TAGS, REMOTES, STASH, OTHERS, LOGS, SAVED, WORKTREES, ALTERNATES, N_CASES };
enum { DEPTH = 6, ENTRIES = 4096, REFERENCES = 2048, REPOSITORIES = 16, ID = 40, LONG_ID = 64,
       SEEN = 1024,
       /* Names of references have slashes in them. */
       REFERENCE_DEPTH = 32 };

static const struct case_def cases[] = {
	[HEADS] = { "branches", NULL, 0, 0, 0 },
	[TAGS] = { "tags", NULL, 0, 0, 0 },
	[REMOTES] = { "remotes", NULL, 0, 0, 0 },
	[STASH] = { "stash", NULL, 0, 0, 0 },
	[OTHERS] = { "other-references", NULL, 0, 0, 0 },
	[LOGS] = { "logs", NULL, 0, 0, 0 },
	[SAVED] = { "saved-heads", NULL, 0, 0, 0 },
	[WORKTREES] = { "worktrees", NULL, 0, 0, 0 },
	[ALTERNATES] = { "alternates", NULL, 0, 0, 0 },
};

/* What is known of all repositories, and of the one that is looked at. */
struct history {
	struct trial *trial;
	unsigned repositories;
	bool cut, odd; /* there are more; one keeps its references in a form that is not read */
	bool refused;
	unsigned others[N_CASES];
	uint64_t seen[SEEN]; /* hashes of cases and ids, so that each counts once; 0: free */
	unsigned n_seen;
	bool alternate;     /* looking at one that this one borrows from */
	char head[LONG_ID + 1];
	char folder[512];   /* of references */
	const char *common; /* of the repository itself */
	const char *packed; /* the name in packed-refs that is looked for; else all are counted */
	int last;           /* case of the last packed one; -1: it was HEAD's, or there was none */
};

/* ---------------------------------------------------------------- ids */

/* Forty hexadecimal digits, or sixty-four; 0: something else. */
static size_t id_length(const char *text)
{
	size_t n = strspn(text, "0123456789abcdef");

	return n == ID || n == LONG_ID ? n : 0;
}

static bool is_zero(const char *id, size_t n)
{
	return strspn(id, "0") >= n;
}

static bool is_head(const struct history *history, const char *id, size_t n)
{
	return strlen(history->head) == n && strncmp(history->head, id, n) == 0;
}

/* The first time for this case? Where there are too many to be kept, each is. */
static bool is_new(struct history *history, int case_index, const char *id, size_t n)
{
	uint64_t hash = keyed_hash(history->trial, id, n) + (uint64_t)case_index + 1;

	if (history->n_seen > SEEN / 2)
		return true;
	for (size_t at = hash % SEEN;; at = (at + 1) % SEEN) {
		if (history->seen[at] == hash)
			return false;
		if (history->seen[at])
			continue;
		history->seen[at] = hash;
		history->n_seen++;
		return true;
	}
}

/* Returns true when it is another commit's than HEAD's, and was not counted yet. */
static bool count_id(struct history *history, int case_index, const char *id)
{
	size_t n = id_length(id);

	if (history->alternate)
		case_index = ALTERNATES;
	if (!n || is_zero(id, n) || is_head(history, id, n) ||
	    !is_new(history, case_index, id, n))
		return false;
	history->others[case_index]++;
	return true;
}

/* Not told to us: that is a refusal, and what is missing is none. */
static void take_refusal(void *context, const char *path, struct attempt a)
{
	struct history *history = context;

	if (attempt_worked(a) || (a.reached && (a.error == ENOENT || a.error == ENOTDIR)))
		return;
	if (a.reached && a.error == ECANCELED) {
		history->cut = true;
		return;
	}
	for (int i = 0; i < N_CASES; i++)
		settle(history->trial, i, a, .path = path, .right = RIGHT_READ);
	history->refused = true;
}

static struct attempt read_line(struct history *history, const char *path, char *text, size_t size)
{
	struct attempt a = try_text(history->trial, path, text, size);

	text[strcspn(text, "\r\n")] = '\0';
	take_refusal(history, path, a);
	return a;
}

static void read_lines(struct history *history, const char *path,
		       bool (*each)(void *context, char *line))
{
	take_refusal(history, path, try_lines(history->trial, path, each, history));
}

/* The case that a reference's name belongs to. */
static int case_named(const char *name)
{
	static const struct {
		const char *head;
		int case_index;
	} known[] = { { "refs/heads/", HEADS }, { "refs/tags/", TAGS }, { "refs/remotes/", REMOTES },
		      { "refs/stash", STASH } };

	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		if (starts_with(name, known[i].head))
			return known[i].case_index;
	return OTHERS;
}

/* ---------------------------------------------------------------- packed references */

/* "ID NAME"; "^ID" is what the tag before it stands for; "# pack-refs with: …" */
static bool take_packed(void *context, char *line)
{
	struct history *history = context;
	size_t n = id_length(line);
	const char *name = line + n + 1;

	if (history->packed) {
		if (n && line[n] == ' ' && strcmp(name, history->packed) == 0) {
			memcpy(history->head, line, n);
			history->head[n] = '\0';
			return false;
		}
		return true;
	}
	if (line[0] == '^' && history->last >= 0 && is_head(history, line + 1, id_length(line + 1)))
		history->others[history->alternate ? ALTERNATES : history->last]--;
	if (!n || line[n] != ' ')
		return true;
	history->last = count_id(history, case_named(name), line) ? case_named(name) : -1;
	return true;
}

/* ---------------------------------------------------------------- HEAD */

/* False: there is none, or it was refused; head "": it leads to no commit yet. */
static bool find_head(struct history *history, const struct git_place *git)
{
	char path[1200], text[512];

	history->head[0] = '\0';
	format_text(path, sizeof path, "%s/HEAD", git->folder);
	if (read_line(history, path, text, sizeof text).value <= 0)
		return false;
	/* A reference may lead to another: five times, as git follows them. */
	for (unsigned i = 0; i < 5 && starts_with(text, "ref: "); i++) {
		char name[508];

		format_text(name, sizeof name, "%s", text + 5);
		format_text(path, sizeof path, "%s/%s", git->common, name);
		if (read_line(history, path, text, sizeof text).value > 0)
			continue;
		text[0] = '\0';
		history->packed = name;
		format_text(path, sizeof path, "%s/packed-refs", git->common);
		read_lines(history, path, take_packed);
		history->packed = NULL;
	}
	if (id_length(text))
		format_text(history->head, sizeof history->head, "%s", text);
	return true;
}

/* ---------------------------------------------------------------- references and logs */

static enum search_step take_reference(void *context, const struct search_entry *entry)
{
	struct history *history = context;
	const char *name = entry->path + strlen(history->folder) + 1;
	char text[128];

	if (entry->type == DT_REG &&
	    read_line(history, entry->path, text, sizeof text).value > 0)
		count_id(history, case_named(name), text);
	return SEARCH_ON;
}

/* "OLD NEW NAME <MAIL> TIME ZONE\tWHAT" */
static bool take_log(void *context, char *line)
{
	struct history *history = context;
	size_t n = id_length(line);

	if (n && line[n] == ' ') {
		count_id(history, LOGS, line);
		count_id(history, LOGS, line + n + 1);
	}
	return true;
}

static enum search_step take_log_file(void *context, const struct search_entry *entry)
{
	struct history *history = context;

	if (entry->type == DT_REG)
		read_lines(history, entry->path, take_log);
	return SEARCH_ON;
}

/* "ID\tnot-for-merge\tbranch 'main' of …" */
static bool take_fetched(void *context, char *line)
{
	count_id(context, SAVED, line);
	return true;
}

/* FETCH_HEAD, ORIG_HEAD, MERGE_HEAD … */
static enum search_step take_saved(void *context, const struct search_entry *entry)
{
	struct history *history = context;
	size_t n = strlen(entry->name);

	if (entry->type == DT_REG && n > 5 && strcmp(entry->name + n - 5, "_HEAD") == 0)
		read_lines(history, entry->path, take_fetched);
	return SEARCH_ON;
}

static enum search_step take_worktree(void *context, const struct search_entry *entry)
{
	struct history *history = context;
	char text[128];

	if (entry->depth == 2 && strcmp(entry->name, "HEAD") == 0 &&
	    read_line(history, entry->path, text, sizeof text).value > 0)
		count_id(history, WORKTREES, text);
	return SEARCH_ON;
}

static void search_below(struct history *history, const char *folder, const char *name,
			 unsigned depth,
			 enum search_step (*each)(void *context, const struct search_entry *entry))
{
	struct folder_search search = { .trial = history->trial, .depth = depth,
					.at_most = REFERENCES, .each = each, .refused = take_refusal, .context = history };
	char path[600];

	format_text(path, sizeof path, "%s%s", folder, name);
	search_folder(&search, path);
	history->cut |= search.cut;
	history->odd |= search.blind > 0;
}

static void look_at_references(struct history *history, const char *folder)
{
	char path[600];
	struct object object;

	format_text(history->folder, sizeof history->folder, "%s", folder);
	search_below(history, folder, "/refs", REFERENCE_DEPTH, take_reference);
	history->last = -1;
	format_text(path, sizeof path, "%s/packed-refs", folder);
	read_lines(history, path, take_packed);
	search_below(history, folder, "/logs", REFERENCE_DEPTH, take_log_file);
	/* Another form of storage, which would have to be unpacked. */
	format_text(path, sizeof path, "%s/reftable", folder);
	history->odd |= attempt_worked(try_stat(history->trial, AT_FDCWD, path, 0, &object));
}

/* ---------------------------------------------------------------- repositories */

/* A folder of objects that this repository borrows: next to it lie its own references. */
static bool take_alternate(void *context, char *line)
{
	struct history *history = context;
	char *end = strrchr(line, '/');

	char folder[512];

	if (!end || end == line)
		return true;
	*end = '\0';
	/* From the folder of objects on, where it is relative. */
	format_text(folder, sizeof folder, line[0] == '/' ? "%s%s" : "%s/objects/%s",
		    line[0] == '/' ? "" : history->common, line);
	history->alternate = true;
	look_at_references(history, folder);
	history->alternate = false;
	return true;
}

static void look_at_repository(struct history *history, const struct git_place *git)
{
	char path[600];

	history->common = git->common;
	look_at_references(history, git->common);
	search_below(history, git->folder, "", 1, take_saved);
	search_below(history, git->common, "/worktrees", 2, take_worktree);
	if (strcmp(git->folder, git->common) != 0) {
		search_below(history, git->folder, "/logs", REFERENCE_DEPTH, take_log_file);
		search_below(history, git->common, "", 1, take_saved);
	}
	format_text(path, sizeof path, "%s/objects/info/alternates", git->common);
	read_lines(history, path, take_alternate);
}

/* False: there were too many before it. */
static bool take_repository(struct history *history, const char *path)
{
	struct git_place git;

	if (history->repositories == REPOSITORIES) {
		history->cut = true;
		return false;
	}
	if (attempt_worked(find_git(history->trial, path, &git)) && find_head(history, &git)) {
		history->repositories++;
		report_object(history->trial, "repository", path);
		look_at_repository(history, &git);
	}
	return true;
}

/* ".git", or one without a checkout: "project.git" */
static enum search_step take_entry(void *context, const struct search_entry *entry)
{
	struct history *history = context;
	size_t n = strlen(entry->name);

	if (strcmp(entry->name, ".git") != 0 &&
	    (entry->type != DT_DIR || n < 5 || strcmp(entry->name + n - 4, ".git") != 0))
		return is_fetched(entry->name) ? SEARCH_PASS : SEARCH_ON;
	return take_repository(history, entry->path) ? SEARCH_PASS : SEARCH_STOP;
}

static void settle_history(struct history *history)
{
	for (int i = 0; i < N_CASES; i++) {
		if (history->others[i])
			note_number(history->trial, i, "ids", history->others[i]);
		/* What is refused need not be missing. */
		if (history->others[i] || !history->refused)
			settle(history->trial, i, found_in_process(history->others[i] > 0));
		if (history->odd)
			settle_unknown(history->trial, i, REASON_NO_VIEW);
		else if (history->cut)
			settle_unknown(history->trial, i, REASON_TIMED_OUT);
	}
}

static void attempt(struct trial *trial)
{
	struct history history = { .trial = trial };
	struct folder_search search = { .trial = trial, .depth = DEPTH, .at_most = ENTRIES,
					.each = take_entry, .context = &history };
	struct workspaces work;

	find_workspaces(trial, WORK_HERE | WORK_HOME | WORK_USUAL | WORK_MOUNTS, &work);
	search_workspaces(&search, &work);
	for (unsigned i = 0; i < work.n; i++)
		if (is_bare_repository(trial, work.list[i].path))
			take_repository(&history, work.list[i].path);
	note_number(trial, WHOLE, "repositories", history.repositories);
	history.cut |= search.cut;
	history.odd |= search.blind > 0;
	settle_history(&history);
}

const struct scenario scenario_assessment_future_history = {
	.about = ABOUT(
		.title = "Find commits beyond the one checked out",
		.accessed = "Code in the sandbox finds a repository that names commits besides "
			    "the one checked out.",
		.denied = "Code in the sandbox finds no repository that names any commit besides "
			  "the one checked out.",
		.why = "Where a task is taken from a project's history, the commit that solves it "
		       "may still be in the repository, under a branch, a tag or a log. Older "
		       "commits count, too, for their names do not tell them apart.",
		.see = "CWE-552, T1213.003",
		.open = "B --ro-bind $D/ws /ws",
		.closed = "B --ro-bind $D/alone /ws",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(APART),
	CASES(cases),
	.attempt = attempt,
};
