/* SPDX-License-Identifier: MIT */
/*
 * Folders that other processes stand in: their root and their working folder, by the links in
 * /proc. What our own root shows at the same place is no news; what it does not is another's files.
 */
#include "scenarios/scenario.h"

enum { ROOT, WORKING_FOLDER };
enum { SETTLED_AT_MOST = 6 };

static const struct case_def cases[] = {
	[ROOT] = { "root", "/proc/PID/root", 0, 0, 0 },
	[WORKING_FOLDER] = { "working-folder", "/proc/PID/cwd", 0, 0, 0 },
};
static const char *const links[] = { [ROOT] = "root", [WORKING_FOLDER] = "cwd" };

struct search {
	struct trial *trial;
	unsigned tried, settled[2], alike[2], untold[2];
	struct attempt look; /* one that worked */
	struct kin kin[2];
};

static bool is_same(const struct object *one, const struct object *other)
{
	return one->dev == other->dev && one->ino == other->ino;
}

enum reach { REACH_NOT_TOLD, REACH_WITHIN, REACH_BEYOND };

/* The link's text is a path below our root, if the folder lies there at all. */
static enum reach reach_of(struct trial *trial, const char *link, const struct object *folder)
{
	char path[1024];
	struct object object = { .dev = origin()->root_dev, .ino = origin()->root_ino };

	if (is_same(folder, &object))
		return REACH_WITHIN;
	if (!attempt_worked(try_readlink(trial, link, path, sizeof(path))))
		return REACH_NOT_TOLD;
	return attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)) &&
			       is_same(folder, &object)
		       ? REACH_WITHIN
		       : REACH_BEYOND;
}

/* Beyond our own root: another's files, if we may list them. */
static void list_beyond(struct search *search, const struct process *process, int i,
			const char *link)
{
	struct attempt a = try_list(search->trial, link, NULL, NULL);

	if (a.value > 0) {
		add_kin(&search->kin[i], process);
		if (process->name[0])
			report_object(search->trial, links[i], process->name);
	}
	if (a.value > 0 || search->settled[i]++ < SETTLED_AT_MOST)
		settle(search->trial, i, a.value > 0 ? a : found_nothing(a), .path = link,
		       .right = RIGHT_READ);
}

static void look_into(struct search *search, const struct process *process, int i)
{
	struct trial *trial = search->trial;
	struct attempt a = try_open_process(trial, process, links[i], O_PATH | O_DIRECTORY);
	struct object folder;
	enum reach reach;
	char link[64];
	int fd = (int)a.value;

	if (process_is_gone(a))
		return;
	search->tried++;
	if (!attempt_worked(a)) {
		if (search->settled[i]++ < SETTLED_AT_MOST)
			settle_process(trial, i, a, process, PROCESS_INSPECT);
		return;
	}
	format_text(link, sizeof(link), "/proc/%d/%s", process->pid, links[i]);
	a = try_stat(trial, fd, "", AT_EMPTY_PATH, &folder);
	close_fd(fd);
	search->look = a;
	reach = attempt_worked(a) ? reach_of(trial, link, &folder) : REACH_NOT_TOLD;
	if (reach == REACH_BEYOND)
		list_beyond(search, process, i, link);
	else if (reach == REACH_WITHIN)
		search->alike[i]++;
	else
		search->untold[i]++;
}

static bool take_process(void *context, const struct process *process)
{
	look_into(context, process, ROOT);
	look_into(context, process, WORKING_FOLDER);
	return true;
}

static void attempt(struct trial *trial)
{
	struct search search = { .trial = trial };
	bool elsewhere = namespace_sharing(trial, NAMESPACE_PID, NULL) == SHARING_OWN;

	each_process(trial, take_process, &search);
	measure_number(trial, WHOLE, "tried", search.tried);
	for (int i = ROOT; i <= WORKING_FOLDER; i++) {
		note_kin(trial, i, &search.kin[i]);
		if (search.kin[i].processes)
			continue;
		if (!processes(trial)->complete)
			settle_unknown(trial, i, REASON_TIMED_OUT);
		else if (search.untold[i])
			settle_unknown(trial, i, REASON_NO_VIEW);
		else if (search.alike[i])
			settle(trial, i, found_nothing(search.look), .elsewhere = elsewhere);
		else if (!search.settled[i])
			settle_no_process(trial, i, true);
	}
}

const struct scenario scenario_namespace_foreign_root = {
	.about = ABOUT(
		.title = "Read files by another process's root",
		.accessed = "Code in the sandbox can list folders that its own root does not "
			    "show, by the root or the working folder of another process.",
		.denied = "Code in the sandbox reaches no folder beyond its own root by another "
			  "process.",
		.why = "A process outside stands in the host's files. Whoever may look where it "
		       "stands needs no other way out.",
		.see = "T1611",
		.open = "O -pid-namespace +uid:0 +SYS_PTRACE",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_NAMESPACE)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_OBSERVE,
	.views = VIEW_PROCESSES,
	.fix = FIX(PID),
	CASES(cases),
	.attempt = attempt,
};
