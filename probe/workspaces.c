/* SPDX-License-Identifier: MIT */
/*
 * The folders that people and programs keep their work in, as far as a process can know them: where
 * it was started, its home, names that are in use for it, and what somebody mounted from outside.
 */
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>

#include "probe/identity.h"
#include "probe/text.h"
#include "probe/trial.h"

/* The system's own folders; /usr/src is where some images keep applications. */
static bool is_systems(const char *path)
{
	static const char *const folders[] = { "/usr",	"/bin",	 "/sbin", "/lib", "/lib32", "/lib64",
					       "/etc",	"/proc", "/sys",  "/dev", "/boot",  "/run",
					       "/nix",	"/snap", "/var/run" };

	if (path[0] != '/' || path[1] == '\0')
		return true;
	if (is_at_or_below(path, "/usr/src") && path[8])
		return false;
	for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++)
		if (is_at_or_below(path, folders[i]))
			return true;
	return false;
}

/* A deep one covers what lies below it, and takes its place. */
void add_workspace(struct trial *trial, struct workspaces *found, const char *path, bool shallow)
{
	struct object object;
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	if (path[0] != '/' || n >= sizeof found->list[0].path)
		return;
	for (unsigned i = 0; i < found->n; i++) {
		const struct workspace *known = &found->list[i];

		if (strncmp(known->path, path, n) == 0 && known->path[n] == '\0' &&
		    (shallow || !known->shallow))
			return;
		if (!known->shallow && is_at_or_below(path, known->path))
			return;
	}
	if (found->n == WORKSPACES_AT_MOST) {
		found->cut = true;
		return;
	}
	/* Where no form of stat is let through, the search will tell. */
	if (try_stat(trial, AT_FDCWD, path, 0, &object).reached && !S_ISDIR(object.mode))
		return;
	for (unsigned i = 0; !shallow && i < found->n;) {
		const char *known = found->list[i].path;

		if (strncmp(known, path, n) == 0 && (known[n] == '/' || known[n] == '\0')) {
			found->n--;
			memmove(&found->list[i], &found->list[i + 1],
				(found->n - i) * sizeof found->list[0]);
		} else {
			i++;
		}
	}
	memcpy(found->list[found->n].path, path, n);
	found->list[found->n].path[n] = '\0';
	found->list[found->n++].shallow = shallow;
}

/* Upwards to the root of its mount: a repository's top may lie above. */
static void add_here(struct trial *trial, struct workspaces *found)
{
	char at[sizeof origin()->cwd], above[sizeof origin()->cwd];
	bool is_top;

	if (origin()->cwd[0] != '/')
		return;
	format_text(at, sizeof at, "%s", origin()->cwd);
	add_workspace(trial, found, at, is_systems(at));
	for (;;) {
		is_top = is_mount_root(trial, at);
		parent_folder(at, above, sizeof above);
		/* A mount from outside is somebody's work as a whole. */
		if (is_top && !is_systems(at))
			add_workspace(trial, found, at, false);
		if (is_top || above[1] == '\0')
			return;
		add_workspace(trial, found, above, true);
		format_text(at, sizeof at, "%s", above);
	}
}

static void add_program(struct trial *trial, struct workspaces *found)
{
	char path[512], folder[512];

	if (try_readlink(trial, "/proc/self/exe", path, sizeof path).value <= 0 || path[0] != '/')
		return;
	parent_folder(path, folder, sizeof folder);
	if (folder[1] == '\0' || !is_systems(folder))
		add_workspace(trial, found, folder, true);
}

struct mounts {
	struct trial *trial;
	struct workspaces *found;
};

static bool take_mount(void *context, const struct mount_line *mount)
{
	struct mounts *mounts = context;
	struct object object;
	struct attempt a;

	if (is_systems(mount->point) || strcmp(mount->type, "proc") == 0)
		return true;
	a = try_stat(mounts->trial, AT_FDCWD, mount->point, 0, &object);
	/* Without a word on that any may be somebody's work. */
	if (!a.reached || (S_ISDIR(object.mode) &&
			   ask_mount_from(mounts->trial, mount->point) == FROM_OUTSIDE))
		add_workspace(mounts->trial, mounts->found, mount->point, false);
	return true;
}

void find_workspaces(struct trial *trial, unsigned which, struct workspaces *found)
{
	static const char *const usual[] = { "/workspace", "/app",     "/repo",
					     "/src",	   "/testbed", "/code" };
	const char *home = given_variable("HOME");
	struct mounts mounts = { trial, found };

	found->n = 0;
	found->cut = false;
	if (which & WORK_HERE)
		add_here(trial, found);
	if (which & WORK_HOME && home && !is_systems(home))
		add_workspace(trial, found, home, false);
	if (which & WORK_PROGRAM)
		add_program(trial, found);
	for (unsigned i = 0; which & WORK_USUAL && i < sizeof usual / sizeof *usual; i++)
		add_workspace(trial, found, usual[i], false);
	/* Outside any sandbox nothing is mounted from outside. */
	if (which & WORK_MOUNTS && !trial_is_outside(trial))
		each_mount(trial, take_mount, &mounts);
}

void search_workspaces(struct folder_search *search, const struct workspaces *found)
{
	unsigned depth = search->depth;

	for (unsigned i = 0; i < found->n; i++) {
		search->depth = found->list[i].shallow ? 1 : depth;
		search_folder(search, found->list[i].path);
	}
	search->depth = depth;
	search->cut |= found->cut;
}

bool is_fetched(const char *name)
{
	static const char *const names[] = { "node_modules", ".venv", "venv", "__pycache__", ".tox",
					     "site-packages", ".cache", ".npm", ".cargo", ".rustup" };

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* ---------------------------------------------------------------- repositories */

/* The first line of a file as a path, from `folder` on where it is relative. */
static struct attempt read_path(struct trial *trial, const char *file, const char *head,
				const char *folder, char *path, size_t size)
{
	char text[512], *start = text;
	struct attempt a = try_text(trial, file, text, sizeof text);

	if (a.value <= 0)
		return found_nothing(a);
	text[strcspn(text, "\r\n")] = '\0';
	if (!starts_with(text, head))
		return found_nothing(a);
	start += strlen(head);
	while (*start == ' ')
		start++;
	if (!*start)
		return found_nothing(a);
	format_text(path, size, *start == '/' ? "%s%s" : "%s/%s", *start == '/' ? "" : folder, start);
	return a;
}

struct attempt find_git(struct trial *trial, const char *path, struct git_place *git)
{
	char folder[512], file[512];
	struct object object;
	struct attempt a = try_stat(trial, AT_FDCWD, path, 0, &object);

	if (a.reached && !attempt_worked(a))
		return a;
	format_text(git->folder, sizeof git->folder, "%s", path);
	if (!S_ISDIR(object.mode)) {
		bool told = a.reached;

		parent_folder(path, folder, sizeof folder);
		a = read_path(trial, path, "gitdir:", folder, git->folder, sizeof git->folder);
		/* Where no form of stat is let through, what is no such file may be a folder. */
		if (!attempt_worked(a) && told)
			return a;
		a = found_in_process(true);
	}
	format_text(file, sizeof file, "%s/commondir", git->folder);
	if (!attempt_worked(read_path(trial, file, "", git->folder, git->common,
				      sizeof git->common)))
		format_text(git->common, sizeof git->common, "%s", git->folder);
	return a;
}

bool is_bare_repository(struct trial *trial, const char *folder)
{
	static const char *const parts[] = { "HEAD", "objects", "refs" };
	char path[600];
	struct object object;

	for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
		format_text(path, sizeof path, "%s/%s", folder, parts[i]);
		if (!attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)) ||
		    (i > 0 && !S_ISDIR(object.mode)))
			return false;
	}
	return true;
}
