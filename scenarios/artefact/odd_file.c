/* SPDX-License-Identifier: MIT */
/*
 * Files among the results that are not what a collector expects: a second name of somebody else's
 * file, a pipe that blocks, a socket, a device node. Each is made once, by its own name, and
 * removed. Odd names, a mode without rights and a huge empty file are noted: nothing forbids them.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/magic.h>
#include <linux/stat.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

enum { HARD_LINK, PIPE, SOCKET, DEVICE };

static const struct case_def cases[] = {
	[HARD_LINK] = { "hard-link", NULL, 0, LEVEL_TOUCH, 0 },
	[PIPE] = { "pipe", NULL, 0, LEVEL_TOUCH, 0 },
	[SOCKET] = { "socket", NULL, 0, LEVEL_TOUCH, 0 },
	[DEVICE] = { "device-node", NULL, 0, LEVEL_TOUCH, 0 },
};

static const struct attempt no_name = {
	.value = -1, .error = ECANCELED, .nr = -1, .reached = true
};
/* As linkat(2) would answer of a file that is not ours, which is not asked. */
static const struct attempt would_be_refused = {
	.value = -1, .error = EPERM, .nr = -1, .reached = true
};

/* ---------------------------------------------------------------- hard links */

/* An own file under a second name: the call, the folder and the file system permit it. */
static struct attempt link_own(struct trial *trial, const char *folder)
{
	char path[512], second[512];
	struct attempt file = no_name, a = no_name;

	if (!own_name(trial, folder, "", "", path, sizeof path) ||
	    !own_name(trial, folder, "", "", second, sizeof second))
		return no_name;
	file = try_open_at(trial, AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	close_fd((int)file.value);
	if (attempt_worked(file))
		a = try_make_hard_link(trial, path, second);
	drop_name(trial, second);
	drop_name(trial, path);
	return attempt_worked(file) ? a : file;
}

struct search {
	struct trial *trial;
	uint64_t mount_id, dev;
	bool told, restricted; /* by fs.protected_hardlinks */
	bool linkable;
	char path[512]; /* of the first that is somebody else's, or of one that may be linked */
};

/* may_linkat(), fs/namei.c: the owner, or any plain file that one may read and write. */
static bool may_link(struct search *search, const char *path, const struct object *object)
{
	return (search->told && !search->restricted) ||
	       (!(object->mode & S_ISUID) &&
		(object->mode & (S_ISGID | S_IXGRP)) != (S_ISGID | S_IXGRP) &&
		attempt_worked(try_access(search->trial, path, 6 /* R_OK | W_OK */))) ||
	       ask_dac(search->trial, path, RIGHT_OWNER) == DAC_PERMITS;
}

static enum search_step take_entry(void *context, const struct search_entry *entry)
{
	struct search *search = context;
	struct object object;
	uint64_t bound = STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND;

	if ((entry->type != 4 /* DT_DIR */ && entry->type != 8 /* DT_REG */) ||
	    !attempt_worked(
		    try_stat(search->trial, AT_FDCWD, entry->path, AT_SYMLINK_NOFOLLOW, &object)))
		return SEARCH_ON;
	/* There is no hard link from one mount to another. */
	if (object.dev != search->dev || object.mount_id != search->mount_id)
		return SEARCH_PASS;
	if (!S_ISREG(object.mode) || (object.attributes & bound) ||
	    strlen(entry->path) >= sizeof search->path)
		return SEARCH_ON;
	/* Ours; or of nobody who has an id here, if that is what we are called, too. */
	if (object.uid == origin()->euid &&
	    ask_dac(search->trial, entry->path, RIGHT_OWNER) != DAC_REFUSES)
		return SEARCH_ON;
	search->linkable = may_link(search, entry->path, &object);
	if (search->linkable || !search->path[0])
		format_text(search->path, sizeof search->path, "%s", entry->path);
	return search->linkable ? SEARCH_STOP : SEARCH_ON;
}

/* The topmost folder above `path` on the same mount. */
static void find_top(struct trial *trial, struct search *search, char *path)
{
	struct object object;
	char *slash;

	while ((slash = strrchr(path, '/')) && path[1]) {
		char kept = slash[slash == path];

		slash[slash == path] = '\0';
		if (attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)) &&
		    object.mount_id == search->mount_id && object.dev == search->dev)
			continue;
		slash[slash == path] = kept;
		return;
	}
}

static void settle_foreign(struct search *search, bool cut)
{
	struct trial *trial = search->trial;

	note_flag(trial, HARD_LINK, "proxy", true);
	if (search->linkable) {
		report_object(trial, "linkable", search->path);
		settle(trial, HARD_LINK, found_in_process(true));
	} else if (cut) {
		settle_unknown(trial, HARD_LINK, REASON_TIMED_OUT);
	} else if (search->told) {
		settle(trial, HARD_LINK, would_be_refused, .sysctl = "fs.protected_hardlinks");
	} else {
		note_text(trial, HARD_LINK, "not_visible", "/proc/sys/fs/protected_hardlinks");
		settle_unknown(trial, HARD_LINK, REASON_NO_VIEW);
	}
}

static void try_hard_link(struct trial *trial, const char *folder)
{
	struct attempt a = link_own(trial, folder);
	struct search search = { .trial = trial };
	struct folder_search below = {
		.trial = trial, .depth = 8, .at_most = 1024, .each = take_entry, .context = &search
	};
	struct object object;
	int64_t restricted = 0;
	char top[512];

	if (!attempt_worked(a)) {
		settle(trial, HARD_LINK, a, .path = folder, .right = RIGHT_ENTRY);
		return;
	}
	/* Whose a file is nobody tells. */
	if (!try_stat(trial, AT_FDCWD, folder, 0, &object).reached) {
		settle_unknown(trial, HARD_LINK, REASON_CONTROL_FAILED);
		return;
	}
	search.told = read_setting(trial, "fs.protected_hardlinks", &restricted);
	search.restricted = restricted;
	search.mount_id = object.mount_id;
	search.dev = object.dev;
	format_text(top, sizeof top, "%s", folder);
	find_top(trial, &search, top);
	search_folder(&below, folder);
	if (!search.linkable)
		search_folder(&below, top);
	if (search.path[0])
		settle_foreign(&search, below.cut || below.unlisted);
	else if (below.cut || below.unlisted)
		settle_unknown(trial, HARD_LINK, REASON_TIMED_OUT);
	else /* nobody else's file lies on that mount */
		settle(trial, HARD_LINK, found_in_process(false));
}

/* ---------------------------------------------------------------- pipe, socket, device */

static void try_pipe(struct trial *trial, const char *folder)
{
	char path[512];
	struct attempt a = no_name;

	if (own_name(trial, folder, "", "", path, sizeof path)) {
		a = try_make_node(trial, path, S_IFIFO | 0600, 0, 0);
		drop_name(trial, path);
	}
	settle(trial, PIPE, a, .path = folder, .right = RIGHT_ENTRY);
}

static struct attempt bind_socket(struct trial *trial, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct attempt a = try_socket(trial, AF_UNIX, SOCK_STREAM, 0), bound;

	if (!attempt_worked(a))
		return a;
	if (strlen(path) >= sizeof address.sun_path) {
		close_fd((int)a.value);
		return no_name;
	}
	memcpy(address.sun_path, path, strlen(path) + 1);
	bound = try_call_as(trial, "fpp", "bind", __NR_bind, a.value, &address, sizeof address);
	close_fd((int)a.value);
	return bound;
}

/* By a socket that is bound to the name, or as an entry that nobody listens at. */
static void leave_socket(struct trial *trial, const char *folder)
{
	char path[512];
	struct attempt a = no_name;

	if (own_name(trial, folder, "", "", path, sizeof path)) {
		a = bind_socket(trial, path);
		if (!attempt_worked(a)) {
			struct attempt made = try_make_node(trial, path, S_IFSOCK | 0600, 0, 0);

			if (attempt_worked(made) || a.error == ECANCELED)
				a = made;
		}
		drop_name(trial, path);
	}
	settle(trial, SOCKET, a, .path = folder, .right = RIGHT_ENTRY);
}

/* The null device: what is left there is a node, wherever it opens. */
static void try_device(struct trial *trial, const char *folder)
{
	char path[512];
	struct mount_facts mount;
	struct attempt a = no_name;

	if (own_name(trial, folder, "", "", path, sizeof path)) {
		a = try_make_node(trial, path, S_IFCHR | 0600, 1, 3);
		drop_name(trial, path);
	}
	if (attempt_worked(a) && ask_mount(trial, folder, &mount))
		note_flag(trial, DEVICE, "opens_here", !(mount.flags & 4 /* ST_NODEV */));
	settle_make_node(trial, DEVICE, folder, a, NULL);
}

/* ---------------------------------------------------------------- what nothing forbids */

static bool takes(struct trial *trial, const char *folder, const char *before, const char *after,
		  mode_t mode)
{
	char path[512];
	struct attempt a = no_name;

	if (!own_name(trial, folder, before, after, path, sizeof path))
		return false;
	a = try_open_at(trial, AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL, mode);
	close_fd((int)a.value);
	drop_name(trial, path);
	return attempt_worked(a);
}

/* Only where the file system is known to store no zeros for it. */
static bool takes_sparse(struct trial *trial, const char *folder)
{
	static const uint64_t known[] = {
		TMPFS_MAGIC,       EXT4_SUPER_MAGIC,      XFS_SUPER_MAGIC,
		BTRFS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC, F2FS_SUPER_MAGIC
	};
	struct mount_facts mount;
	struct attempt a;
	bool is_known = false, taken;

	if (!ask_mount(trial, folder, &mount) || !mount.flags_told)
		return false;
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		is_known |= mount.type == known[i];
	a = try_marker(trial, folder, O_WRONLY);
	taken = is_known && attempt_worked(a) &&
		attempt_worked(
			try_call_as(trial, "fp", "ftruncate", __NR_ftruncate, a.value, 1L << 30));
	close_fd((int)a.value);
	return taken;
}

static void attempt(struct trial *trial)
{
	const char *folder = collected_folder(trial);
	char path[512];

	if (!folder)
		return;
	note_text(trial, WHOLE, "folder", folder);
	try_hard_link(trial, folder);
	try_pipe(trial, folder);
	leave_socket(trial, folder);
	try_device(trial, folder);
	if (!own_name(trial, folder, "", "", path, sizeof path))
		return; /* nothing could be removed again */
	drop_name(trial, path);
	note_flag(trial, WHOLE, "name_with_newline", takes(trial, folder, "", "\n", 0600));
	note_flag(trial, WHOLE, "name_with_dash", takes(trial, folder, "-", "", 0600));
	note_flag(trial, WHOLE, "mode_without_rights", takes(trial, folder, "", "", 0));
	note_flag(trial, WHOLE, "sparse_gibibyte", takes_sparse(trial, folder));
}

static const struct question asks[] = {
	{ __NR_linkat, { (unsigned long)AT_FDCWD, 0, (unsigned long)AT_FDCWD } },
	{ __NR_mknodat, { (unsigned long)AT_FDCWD, 0, S_IFIFO | 0600 } },
	{ __NR_mknodat, { (unsigned long)AT_FDCWD, 0, S_IFCHR | 0600, 1 << 8 | 3 } },
	{ __NR_mknodat, { (unsigned long)AT_FDCWD, 0, S_IFSOCK | 0600 } },
#ifdef __NR_mknod
	/* Siblings, which only a filter brings to bear. */
	{ __NR_link, { 0 } },
	{ __NR_mknod, { 0, S_IFIFO | 0600 } },
	{ __NR_mknod, { 0, S_IFCHR | 0600, 1 << 8 | 3 } },
	{ __NR_mknod, { 0, S_IFSOCK | 0600 } },
#endif
	{ __NR_socket, { AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC } },
	{ __NR_bind, { (unsigned long)-1 } },
	{ __NR_ftruncate, { (unsigned long)-1 } },
};

const struct scenario scenario_artefact_odd_file = {
	.about = ABOUT(
		.title = "Leave files that are no plain files",
		.accessed = "Code in the sandbox can leave a pipe, a socket, a device node or a "
			    "second name of somebody else's file among its results.",
		.denied = "Code in the sandbox can leave only plain files, folders and links "
			  "among its results.",
		.why = "A collector that opens all it finds hangs at a pipe, reads a device, or "
		       "changes the owner and mode of a file that is not the sandbox's.",
		.see = "CWE-59",
		.open = "B --bind $D/out /out --chdir /out",
		.closed = "S(mknod,mknodat,link,linkat,bind) --bind $D/out /out --chdir /out",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.fix = FIX(OUT),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
