/* SPDX-License-Identifier: MIT */
/*
 * A bounded search below a few folders, for what lies at known names or in known forms; the walk of
 * the whole tree is walk.c. And the home folders, where much of it lies.
 */
#include <dirent.h>
#include <errno.h>
#include <linux/magic.h>
#include <string.h>

#include "scenarios/scenario.h"

/* ---------------------------------------------------------------- below a folder */

/*
 * Where the kernel shows itself: nothing that people keep lies there, and there is much of it. In
 * a list of processes what is refused would count as unseen.
 */
static bool is_kernels(uint64_t type)
{
	static const uint32_t known[] = {
		PROC_SUPER_MAGIC,    SYSFS_MAGIC,	 DEBUGFS_MAGIC,	    TRACEFS_MAGIC,
		SECURITYFS_MAGIC,    CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC,
		BINFMTFS_MAGIC,	     PSTOREFS_MAGIC,	 EFIVARFS_MAGIC,    SELINUX_MAGIC,
		0x62656570 /* configfs */, 0x65735543 /* fusectl */,
	};

	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		if (type == known[i])
			return true;
	return false;
}

/* Unless the search began in such a file system. */
static bool is_of_no_interest(const struct folder_search *search, const char *path)
{
	struct mount_facts mount;

	return !search->in_kernels && ask_mount(search->trial, path, &mount) &&
	       is_kernels(mount.type);
}

struct storey {
	struct folder_search *search;
	char *path; /* of the folder, then of its entry; one buffer for all levels */
	size_t length;
	unsigned depth;
};

enum { PATH_SIZE = 1024, LISTED_AT_MOST = 4096 /* try_list() ends there */ };

static struct attempt list_storey(struct folder_search *search, char *path, unsigned depth);

/* Some file systems do not say of which type an entry is. */
static unsigned char type_of(struct folder_search *search, const char *path, unsigned char type)
{
	struct object object;

	if (type != DT_UNKNOWN || !attempt_worked(try_stat(search->trial, AT_FDCWD, path,
							   AT_SYMLINK_NOFOLLOW, &object)))
		return type;
	return (unsigned char)IFTODT(object.mode);
}

static bool is_among(const char *name, const char *const names[], unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

bool is_package_folder(const char *name)
{
	static const char *const names[] = { "node_modules", "site-packages", "dist-packages",
					     "__pycache__", "objects" };

	return is_among(name, names, sizeof names / sizeof *names);
}

/* Directly below "/": the kernel's, programs, and what whoever wants it names as a root. */
static bool is_system_folder(const char *name)
{
	static const char *const names[] = { "proc", "sys",   "usr",    "bin",  "sbin", "lib",
					     "lib32", "lib64", "libx32", "boot", "etc",  "dev",
					     "run",  "tmp",   "root",   "home", "var" };

	return is_among(name, names, sizeof names / sizeof *names);
}

static bool take_entry(void *context, const char *name, unsigned char type)
{
	struct storey *storey = context;
	struct folder_search *search = storey->search;
	size_t n = strlen(name);
	enum search_step step;

	if (search->entries == search->at_most || storey->length + 1 + n >= PATH_SIZE) {
		search->cut = true;
		return storey->length + 1 + n >= PATH_SIZE;
	}
	search->entries++;
	storey->path[storey->length] = '/';
	memcpy(storey->path + storey->length + 1, name, n + 1);
	type = type_of(search, storey->path, type);
	step = search->each(search->context,
			    &(const struct search_entry){ storey->path, storey->path + storey->length + 1,
							  storey->depth, type });
	search->stopped = step == SEARCH_STOP;
	if (step == SEARCH_ON && type == DT_DIR && storey->depth < search->depth &&
	    !(storey->length == 0 && is_system_folder(name)) &&
	    !is_of_no_interest(search, storey->path))
		list_storey(search, storey->path, storey->depth + 1);
	storey->path[storey->length] = '\0';
	return !search->stopped;
}

static struct attempt list_storey(struct folder_search *search, char *path, unsigned depth)
{
	struct storey storey = { .search = search, .path = path, .length = strlen(path), .depth = depth };
	struct attempt a;

	if (storey.length == 1)
		storey.length = 0; /* "/" */
	a = try_list(search->trial, path, take_entry, &storey);
	if (attempt_worked(a))
		search->folders++;
	else if (depth == 1 || !a.reached || (a.error != ENOENT && a.error != ENOTDIR))
		/* Gone meanwhile, or no folder at all: emulated kernels show a file that is mounted as
		 * one. */
		search->unlisted++;
	/* Unless nothing is looked up in it, what lies there may be reached by name. */
	if (!attempt_worked(a) && a.error != ENOTDIR) {
		struct attempt b = try_access(search->trial, path, 1 /* X_OK */);

		if ((attempt_worked(b) || !b.reached) && search->blind++ == 0)
			format_text(search->blind_folder, sizeof search->blind_folder, "%s", path);
	}
	if (!attempt_worked(a) && search->refused)
		search->refused(search->context, path, a);
	if (a.value >= LISTED_AT_MOST)
		search->cut = true;
	return a;
}

struct attempt search_folder(struct folder_search *search, const char *root)
{
	char path[PATH_SIZE];
	struct mount_facts mount;
	struct attempt a = { .value = -1, .error = ENAMETOOLONG, .reached = true };

	if (format_text(path, sizeof path, "%s", root) < (int)sizeof path && !search->stopped) {
		search->in_kernels = ask_mount(search->trial, root, &mount) &&
				     is_kernels(mount.type);
		a = list_storey(search, path, 1);
	}
	return a;
}

void settle_unsearched(const struct folder_search *search, int case_index)
{
	if (search->cut)
		settle_unknown(search->trial, case_index, REASON_TIMED_OUT);
	else if (search->blind)
		settle_not_listed(search->trial, case_index, search->blind_folder);
}

/* ---------------------------------------------------------------- homes */

enum { HOMES_AT_MOST = 256 };

struct homes {
	struct trial *trial;
	bool (*each)(void *context, const char *home);
	void *context;
	bool over, cut;
	unsigned n;
	uint64_t known[HOMES_AT_MOST]; /* hashes of the paths told already */
};

/* Accounts of services name these; nobody lives there. */
static bool is_no_home(const char *path)
{
	static const char *const folders[] = { "/usr", "/bin", "/sbin", "/dev", "/proc", "/sys",
					       "/nonexistent" };

	if (path[0] != '/' || path[1] == '\0')
		return true;
	for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++)
		if (is_at_or_below(path, folders[i]))
			return true;
	return false;
}

static void take_home(struct homes *homes, const char *path)
{
	uint64_t hash;
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	hash = keyed_hash(homes->trial, path, n);
	if (homes->over || is_no_home(path))
		return;
	for (unsigned i = 0; i < homes->n; i++)
		if (homes->known[i] == hash)
			return;
	if (homes->n == HOMES_AT_MOST) {
		homes->cut = true;
		return;
	}
	homes->known[homes->n++] = hash;
	homes->over = !homes->each(homes->context, path);
}

/* NAME:PASSWORD:UID:GID:COMMENT:HOME:SHELL */
static bool take_account(void *context, char *line)
{
	struct homes *homes = context;
	char *end;

	for (unsigned i = 0; line && i < 5; i++) {
		line = strchr(line, ':');
		line = line ? line + 1 : NULL;
	}
	end = line ? strchr(line, ':') : NULL;
	if (end) {
		*end = '\0';
		take_home(homes, line);
	}
	return !homes->over;
}

static bool take_name(void *context, const char *name, unsigned char type)
{
	struct homes *homes = context;
	char path[300];

	if (type != DT_REG) {
		format_text(path, sizeof path, "/home/%s", name);
		take_home(homes, path);
	}
	return !homes->over;
}

bool each_home(struct trial *trial, bool (*each)(void *context, const char *home), void *context)
{
	struct homes homes = { .trial = trial, .each = each, .context = context };
	const char *own = given_variable("HOME");

	if (own)
		take_home(&homes, own);
	take_home(&homes, "/root");
	try_lines(trial, "/etc/passwd", take_account, &homes);
	try_list(trial, "/home", take_name, &homes);
	return !homes.cut;
}

/* ---------------------------------------------------------------- where work lies */

bool each_workspace(struct trial *trial, workspace_function *each, void *context)
{
	static const char *const folders[] = { "/app",	  "/workspace", "/workspaces", "/srv",
					       "/work",	  "/builds",    "/code",       "/src",
					       "/repo" };
	const char *cwd = origin()->cwd;
	struct workspaces found;

	if (cwd[0] == '/')
		each(context, cwd, false);
	for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strcmp(folders[i], cwd) != 0)
			each(context, folders[i], false);
	find_workspaces(trial, WORK_HERE | WORK_MOUNTS, &found);
	for (unsigned i = 0; i < found.n; i++) {
		const char *path = found.list[i].path;

		if (strcmp(path, cwd) != 0 &&
		    !is_among(path, folders, sizeof folders / sizeof *folders))
			each(context, path, found.list[i].shallow);
	}
	return !found.cut;
}
