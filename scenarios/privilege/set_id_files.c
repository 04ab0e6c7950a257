/* SPDX-License-Identifier: MIT */
/*
 * Programs that would run with more rights than ours: set-user-id, set-group-id, or with
 * capabilities of their own. Whether such a bit counts is decided by the process (no-new-privs),
 * the mount (nosuid) and the namespace (owner mapped). No program is run.
 */
#include "scenarios/scenario.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { SET_USER_ID, SET_GROUP_ID, FILE_CAPABILITIES, KINDS };

static const struct case_def cases[] = {
	[SET_USER_ID] = { "set-user-id", NULL, 0, 0, 0 },
	[SET_GROUP_ID] = { "set-group-id", NULL, 0, 0, 0 },
	[FILE_CAPABILITIES] = { "file-capabilities", NULL, 0, 0, 0 },
};

/* One look at every place where programs usually are. */
enum { ENTRIES_AT_MOST = 12000, FOLDERS_AT_MOST = 32, HELPERS_DEPTH = 3 };
#define NO_SET_ID 2 /* ST_NOSUID */

/* As execve(2) would answer, which is not asked. */
static const struct attempt would_be_refused = {
	.value = -1, .error = EPERM, .nr = -1, .reached = true
};

struct look {
	struct trial *trial;
	struct folder_search search;
	unsigned n_folders;
	struct {
		uint64_t dev, ino;
	} folders[FOLDERS_AT_MOST];
	unsigned found[KINDS], effective[KINDS];
	bool unlisted; /* a folder that is there shows nothing */
};

/* ---------------------------------------------------------------- one file */

/* struct vfs_cap_data of linux/capability.h; its first version ends after one pair. */
struct file_capabilities {
	uint32_t magic;
	struct {
		uint32_t permitted, inheritable;
	} part[2];
	uint32_t root;
};

/* Would it run with a capability that we do not have? */
static bool lends_capabilities(struct trial *trial, const char *path)
{
	struct file_capabilities file = { 0 };
	const struct origin *given = origin();
	struct attempt a = try_call(trial, "getxattr", __NR_getxattr, path, "security.capability",
				    &file, sizeof file);
	uint64_t bounding = given->told & GIVEN_BOUNDING ? given->bounding : UINT64_MAX;
	uint64_t asked, gained;
	uint32_t root;

	if (a.value < 12)
		return false;
	/* Given by root of another namespace; that of the first counts in all. */
	if (file.root && !(host_root_id(trial, &root, NULL) && root == file.root))
		return false;
	asked = file.part[0].permitted | (uint64_t)file.part[1].permitted << 32;
	gained = asked & bounding;
	gained |= (file.part[0].inheritable | (uint64_t)file.part[1].inheritable << 32) &
		  given->inheritable;
	/* VFS_CAP_FLAGS_EFFECTIVE: with less than it asks for it is not run. */
	return gained & ~given->permitted && !((file.magic & 1) && (asked & ~gained));
}

static bool is_own_gid(uint32_t gid)
{
	const struct origin *given = origin();

	for (int i = 0; i < given->n_groups; i++)
		if (given->groups[i] == gid)
			return true;
	return gid == given->egid;
}

/* The kernel runs a script as whoever calls it. Programs that cannot be read are no scripts. */
static bool is_script(struct trial *trial, const char *path)
{
	char start[2] = "";

	return try_read(trial, path, start, sizeof start).value == 2 && start[0] == '#' &&
	       start[1] == '!';
}

static void take_kind(struct look *look, int kind, const char *path, enum mapping mapping)
{
	struct trial *trial = look->trial;
	struct mount_facts mount;
	struct attempt a = try_access(trial, path, 1 /* X_OK */);
	bool told = ask_mount(trial, path, &mount);
	bool counts = told && !(mount.flags & NO_SET_ID) && mapping != OWNER_UNMAPPED;

	if (attempt_worked(a) && is_script(trial, path))
		return;
	look->found[kind]++;
	if (attempt_worked(a) && (!told || (counts && mapping == OWNER_NOT_TOLD))) {
		settle_unknown(trial, kind, REASON_NO_VIEW);
		return;
	}
	if (attempt_worked(a) && counts) {
		if (look->effective[kind]++ == 0)
			settle(trial, kind, found_in_process(true));
		report_object(trial, case_of(trial, kind)->name, path);
		return;
	}
	settle(trial, kind, attempt_worked(a) ? would_be_refused : a, .path = path,
	       .right = RIGHT_EXECUTE, .set_id = true, .id_unmapped = mapping == OWNER_UNMAPPED);
}

static void take_file(struct look *look, const char *path)
{
	struct trial *trial = look->trial;
	struct object object;
	enum mapping mapping;

	if (!attempt_worked(try_stat(trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object)) ||
	    !S_ISREG(object.mode) || !(object.mode & 0111))
		return;
	mapping = owner_mapping(trial, path, &object);
	if ((object.mode & S_ISUID) && object.uid != origin()->euid)
		take_kind(look, SET_USER_ID, path, mapping);
	if ((object.mode & S_ISGID) && (object.mode & S_IXGRP) && !is_own_gid(object.gid))
		take_kind(look, SET_GROUP_ID, path, mapping);
	if (lends_capabilities(trial, path))
		take_kind(look, FILE_CAPABILITIES, path, OWNER_MAPPED);
}

/* ---------------------------------------------------------------- places */

/* Libraries and sources, which nobody runs by themselves: thousands, that would all be looked at.
 */
static bool is_no_program(const char *name)
{
	static const char *const ends[] = { ".py", ".pyc", ".h", ".a", ".o", ".pm", ".js", ".ko" };
	size_t n = strlen(name);

	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
		size_t length = strlen(ends[i]);

		if (n > length && strcmp(name + n - length, ends[i]) == 0)
			return true;
	}
	return strstr(name, ".so") != NULL;
}

static enum search_step take_entry(void *context, const struct search_entry *entry)
{
	if (entry->type == DT_REG && !is_no_program(entry->name))
		take_file(context, entry->path);
	return SEARCH_ON;
}

/* Of two names of one folder the first. */
static bool is_new(struct look *look, const struct object *folder)
{
	for (unsigned i = 0; i < look->n_folders; i++)
		if (look->folders[i].dev == folder->dev && look->folders[i].ino == folder->ino)
			return false;
	if (look->n_folders == FOLDERS_AT_MOST) {
		look->search.cut = true;
		return false;
	}
	look->folders[look->n_folders].dev = folder->dev;
	look->folders[look->n_folders++].ino = folder->ino;
	return true;
}

static void look_into(struct look *look, const char *folder, unsigned depth)
{
	struct object object;
	struct attempt a = try_stat(look->trial, AT_FDCWD, folder, 0, &object);

	if (!attempt_worked(a)) {
		if (a.reached && (a.error == ENOENT || a.error == ENOTDIR))
			return;
		note_text(look->trial, WHOLE, "not_visible", folder);
		look->unlisted = true;
		return;
	}
	if (folder[0] != '/' || !S_ISDIR(object.mode) || !is_new(look, &object))
		return;
	look->search.depth = depth;
	if (!attempt_worked(search_folder(&look->search, folder))) {
		note_text(look->trial, WHOLE, "not_visible", folder);
		look->unlisted = true;
	}
}

static void look_along_path(struct look *look, const char *path)
{
	char folder[512];

	for (size_t n; path && *path; path += n + (path[n] == ':')) {
		n = strcspn(path, ":");
		if (n == 0 || n >= sizeof folder)
			continue;
		memcpy(folder, path, n);
		folder[n] = '\0';
		look_into(look, folder, 1);
	}
}

/* Where a folder cannot be listed, what is in it may still be run by its name. */
static void look_at_known(struct look *look)
{
	static const char *const known[] = {
		"/usr/bin/su",     "/usr/bin/sudo", "/usr/bin/passwd",    "/usr/bin/mount",
		"/usr/bin/pkexec", "/usr/bin/doas", "/usr/bin/newuidmap", "/usr/bin/ping",
	};

	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		take_file(look, known[i]);
}

static void look_everywhere(struct look *look)
{
	static const char *const helpers[] = { "/usr/libexec", "/usr/lib" };
	const char *folders[8];
	unsigned n = scratch_folders(look->trial, folders);

	look_along_path(look, given_variable("PATH"));
	look_along_path(look, "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
	for (unsigned i = 0; i < n; i++)
		look_into(look, folders[i], 1);
	for (unsigned i = 0; i < sizeof helpers / sizeof *helpers; i++)
		look_into(look, helpers[i], HELPERS_DEPTH);
	if (look->unlisted)
		look_at_known(look);
}

static void attempt(struct trial *trial)
{
	struct look look = { .trial = trial };
	bool told = origin()->told & GIVEN_NO_NEW_PRIVS;

	look.search = (struct folder_search){
		.trial = trial, .at_most = ENTRIES_AT_MOST, .each = take_entry, .context = &look
	};
	if (!told)
		note_text(trial, WHOLE, "not_visible", "prctl, /proc/self/status");
	/* With it no bit of any file counts. */
	if (told && !origin()->no_new_privs)
		look_everywhere(&look);
	for (int i = 0; i < KINDS; i++) {
		if (!told)
			settle_unknown(trial, i, REASON_NO_VIEW);
		else if (origin()->no_new_privs)
			settle(trial, i, would_be_refused, .set_id = true);
		else if (look.search.cut && !look.effective[i])
			settle_unknown(trial, i, REASON_TIMED_OUT);
		else if (look.unlisted && !look.effective[i])
			settle_unknown(trial, i, REASON_NO_VIEW);
		else if (!look.found[i])
			settle(trial, i, found_in_process(false));
		if (look.found[i])
			note_number(trial, i, "files", look.found[i]);
	}
}

const struct scenario scenario_privilege_set_id_files = {
	.about = ABOUT(
		.title = "Find programs that lend rights",
		.accessed = "Code in the sandbox has a program at hand that runs with more "
			    "rights than its own.",
		.denied = "Code in the sandbox has no program at hand that would run with more "
			  "rights.",
		.why = "A set-id program or one with capabilities acts for whoever starts it. "
		       "Each is one more piece of software that must be without any flaw.",
		.see = "T1548.001",
		.open = "O -nnp --set-id-bind $D/set-id /usr/local/bin",
		.closed = "O --set-id-bind $D/set-id /usr/local/bin",
		.closed_by = BARRIER_BIT(BARRIER_NO_NEW_PRIVS)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(NNP),
	CASES(cases),
	.attempt = attempt,
};
