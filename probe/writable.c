/* SPDX-License-Identifier: MIT */
/*
 * Rule 6 for the plain files of a folder: which of them the access check promises is asked of all,
 * and the first such file is opened. Other file systems are not entered, for there an open may act.
 */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "scenarios/scenario.h"

enum { MAY_WRITE = 2, ENTRIES_OF_READ_ONLY = 64 };

static bool lies_elsewhere(struct write_search *search, const char *path)
{
	struct object object;
	struct attempt a = try_stat(search->trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object);

	/* Where that is not told it is not entered, and may hold what is looked for. */
	search->cut |= !a.reached;
	return !attempt_worked(a) || object.dev != search->device;
}

static enum search_step take_file(struct write_search *search, const char *path)
{
	struct attempt a = try_access(search->trial, path, MAY_WRITE);

	/* EROFS: no mode would refuse, so this one shows best what does. */
	if (!search->first[0] || (a.error == EROFS && !search->by_mount)) {
		format_text(search->first, sizeof search->first, "%s", path);
		search->by_mount = a.error == EROFS;
	}
	/* Where no access check is let through, opening may be. */
	if (!attempt_worked(a) && a.reached)
		return SEARCH_ON;
	a = settle_write(search->trial, search->case_index, path, 0);
	search->found = attempt_worked(a);
	if (search->found)
		note_text(search->trial, search->case_index, "path", path);
	return search->found ? SEARCH_STOP : SEARCH_ON;
}

static enum search_step take_entry(void *context, const struct search_entry *entry)
{
	struct write_search *search = context;

	if (entry->type == DT_DIR)
		return (search->pass && has_option(search->pass, entry->name)) ||
			       lies_elsewhere(search, entry->path) ? SEARCH_PASS : SEARCH_ON;
	if (entry->type != DT_REG || (search->name && strcmp(entry->name, search->name) != 0))
		return SEARCH_ON;
	return take_file(search, entry->path);
}

/* Of a mount that is read-only a few files speak for all; true: it is one. */
static bool is_read_only(struct trial *trial, const char *folder)
{
	struct mount_facts mount;

	return ask_mount(trial, folder, &mount) && (mount.flags & 1 /* ST_RDONLY */);
}

static bool search_one(struct write_search *search, const char *folder, unsigned depth)
{
	struct folder_search below = { .trial = search->trial, .depth = depth, .each = take_entry,
				       .context = search };
	bool read_only = is_read_only(search->trial, folder);
	unsigned *entries = read_only ? &search->read_only : &search->entries;
	unsigned at_most = read_only ? ENTRIES_OF_READ_ONLY : search->at_most;
	struct object object;
	struct attempt a;

	if (*entries >= at_most)
		return read_only;
	a = try_stat(search->trial, AT_FDCWD, folder, 0, &object);
	search->device = object.dev;
	below.at_most = at_most - *entries;
	if (attempt_worked(a) || !a.reached)
		a = search_folder(&below, folder);
	*entries += below.entries;
	search->cut |= below.cut && !read_only;
	/* The folder itself counts when it cannot be listed; its answer is told. */
	search->cut |= below.unlisted > !attempt_worked(a);
	if (!search->asked || attempt_worked(a))
		search->listed = a;
	search->asked = true;
	return !search->found && search->entries < search->at_most;
}

struct inner {
	struct write_search *search;
	const char *folder;
	uint64_t type;
	unsigned depth;
};

/* A part of a file system of the same kind, mounted into this one. */
static bool take_mount(void *context, const struct mount_line *mount)
{
	struct inner *inner = context;
	struct write_search *search = inner->search;
	size_t n = strlen(inner->folder);
	struct mount_facts facts;
	struct object object;
	unsigned deep = 0;

	if (strncmp(mount->point, inner->folder, n) != 0 || mount->point[n] != '/')
		return true;
	for (const char *at = mount->point + n; *at; at++)
		deep += *at == '/';
	if (!attempt_worked(try_stat(search->trial, AT_FDCWD, mount->point, 0, &object)) ||
	    !ask_mount(search->trial, mount->point, &facts) || facts.type != inner->type ||
	    (facts.flags & 1 /* ST_RDONLY */))
		return true;
	if (S_ISDIR(object.mode) && deep <= inner->depth)
		search_one(search, mount->point, inner->depth);
	else if (S_ISREG(object.mode) && deep <= inner->depth && !search->name)
		take_file(search, mount->point);
	return !search->found;
}

bool search_writable(struct write_search *search, const char *folder, unsigned depth)
{
	bool first = !search->asked, more = search_one(search, folder, depth);
	struct inner inner = { search, folder, 0, depth };
	struct mount_facts facts;

	/* What is mounted in a mount that is read-only need not be. */
	if (first && !search->found && ask_mount(search->trial, folder, &facts)) {
		inner.type = facts.type;
		if (!attempt_worked(each_mount(search->trial, take_mount, &inner)))
			search->cut |= search->read_only >= ENTRIES_OF_READ_ONLY;
	}
	return more && !search->found;
}

void settle_writable(struct write_search *search, const char *folder)
{
	struct trial *trial = search->trial;

	if (search->found)
		return;
	if (search->first[0]) {
		note_text(trial, search->case_index, "path", search->first);
		settle_write(trial, search->case_index, search->first, 0);
	} else {
		settle(trial, search->case_index, found_nothing(search->listed), .path = folder,
		       .right = RIGHT_READ);
	}
	/* Of a search that was cut the rest stays untold. */
	if (search->cut)
		settle_unknown(trial, search->case_index, REASON_TIMED_OUT);
}
