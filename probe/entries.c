/* SPDX-License-Identifier: MIT */
/*
 * Taking an existing file away: deleted, renamed, moved – by proxy, because nothing foreign may
 * change. The folder answers for itself (own marker), owner, sticky bit and flags are computed
 * (K5), and the system call is asked with an empty name, which the kernel refuses before it looks
 * anything up. Also the look-up of a case's place, with its controls where nothing matches.
 */
#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/stat.h>

#include "probe/identity.h"
#include "probe/lsm.h"
#include "probe/trial.h"

/* try_list() stops there: what comes later was not seen. */
#define LISTED_AT_MOST 4096

static const struct case_def critical[] = { CRITICAL_ROOT(0), CRITICAL_FOLDERS(0) };
#define N_CRITICAL (sizeof critical / sizeof *critical)

/* ---------------------------------------------------------------- places */

static bool is_missing(struct attempt a)
{
	return a.reached && (a.error == ENOENT || a.error == ENOTDIR);
}

/* A pattern's "*" finds nothing in a folder that cannot be listed, whatever lies in it. */
static void settle_no_match(struct trial *trial, int case_index, const char *path)
{
	char folder[512];
	struct object object;
	struct attempt a = try_stat(trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object), listed;

	if (strchr(path, '*') && (is_missing(a) || !a.reached)) {
		parent_folder(path, folder, sizeof folder);
		listed = try_list(trial, folder, NULL, NULL);
		/* A filter may refuse the listing alone; a name could still be opened. */
		if (attempt_worked(listed)  ? listed.value >= LISTED_AT_MOST
		    : !listed.reached ? listed.nr == __NR_getdents64
				      : !is_missing(listed)) {
			note_text(trial, case_index, "not_visible", folder);
			settle_unknown(trial, case_index, REASON_NO_VIEW);
			return;
		}
		/* Seen, and nothing fits; or nothing can be opened at all. */
		a = found_nothing(listed);
	}
	settle(trial, case_index, a, .path = a.reached ? path : NULL, .right = RIGHT_STAT);
}

bool find_case(struct trial *trial, int case_index, char *path, size_t size)
{
	const char *pattern = case_of(trial, case_index)->path;

	if (!case_is_planned(trial, case_index))
		return false;
	if (!strpbrk(pattern, "*|")) {
		format_text(path, size, "%s", pattern);
		return true;
	}
	if (find_place(trial, pattern, path, size)) {
		note_text(trial, case_index, "path", path);
		return true;
	}
	for (size_t n; *pattern; pattern += n + (pattern[n] == '|')) {
		n = strcspn(pattern, "|");
		if (n >= size)
			continue;
		memcpy(path, pattern, n);
		path[n] = '\0';
		settle_no_match(trial, case_index, path);
	}
	return false;
}

struct attempt try_place(struct trial *trial, const char *path, struct object *object)
{
	struct attempt a = try_stat(trial, AT_FDCWD, path, 0, object);

	/* A device, socket or pipe stands in for the real thing, and is not ours to open. */
	if (attempt_worked(a) && !S_ISREG(object->mode) && !S_ISDIR(object->mode))
		return found_nothing(a);
	return a;
}

bool settle_unseen(struct trial *trial, int case_index, const char *path, struct attempt looked)
{
	if (attempt_worked(looked))
		return false;
	if (looked.reached)
		settle(trial, case_index, looked, .path = path, .right = RIGHT_STAT);
	else
		settle_unknown(trial, case_index, REASON_CONTROL_FAILED);
	return true;
}

/* ---------------------------------------------------------------- files */

struct attempt settle_write(struct trial *trial, int case_index, const char *path, unsigned kind)
{
	struct object object;
	struct attempt a = try_place(trial, path, &object);

	/* Where no form of stat is let through, writing may be. */
	if (!a.reached || (attempt_worked(a) && S_ISREG(object.mode)))
		a = try_open_for_writing(trial, case_index, path, kind);
	else
		a = found_nothing(a);
	settle(trial, case_index, a, .path = path, .right = RIGHT_WRITE,
	       .id_unmapped = unmapped_refuses(trial, path, a, RIGHT_WRITE, CAP_DAC_OVERRIDE));
	return a;
}

/* ---------------------------------------------------------------- folders */

bool unmapped_refuses(struct trial *trial, const char *path, struct attempt a, unsigned right,
		      int capability)
{
	struct object object;

	if (attempt_worked(a) || !a.reached)
		return false;
	/* Our own id cannot be written to this file system. */
	if (a.error == EOVERFLOW)
		return true;
	/* The capability that would permit it is held, but not over ids that are not mapped. */
	return (a.error == EACCES || a.error == EPERM) && has_capability(capability) &&
	       attempt_worked(try_stat(trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object)) &&
	       owner_mapping(trial, path, &object) != OWNER_MAPPED &&
	       ask_dac(trial, path, right) != DAC_PERMITS;
}

/* One refusal of an entry in this folder, with its controls. */
static void settle_folder(struct trial *trial, int case_index, const char *folder, struct attempt a,
			  unsigned more)
{
	settle(trial, case_index, a, .path = folder, .right = RIGHT_ENTRY | more,
	       .id_unmapped = unmapped_refuses(trial, folder, a, RIGHT_ENTRY, CAP_DAC_OVERRIDE));
}

struct attempt settle_dir_write(struct trial *trial, int case_index, const char *folder)
{
	struct attempt a = try_dir_write(trial, folder);

	if (trial_is_outside(trial) && !is_below_scratch(trial, folder))
		note_flag(trial, case_index, "proxy", true);
	settle_folder(trial, case_index, folder, a, 0);
	return a;
}

void settle_dir_remove(struct trial *trial, int case_index, const char *folder)
{
	if (trial_is_outside(trial) && !is_below_scratch(trial, folder))
		note_flag(trial, case_index, "proxy", true);
	settle_folder(trial, case_index, folder, try_dir_remove(trial, folder), RIGHT_ALTER);
}

/* ---------------------------------------------------------------- where a file could go */

struct destination {
	const char *folder;     /* NULL: none takes an entry */
	bool same_mount;        /* else a move is a copy and a deletion */
	const char *refusing;   /* an existing folder that refused, and how */
	struct attempt refusal; /* of nobody: there is no other folder */
};

static void consider(struct trial *trial, const char *folder, const struct object *source,
		     struct destination *found)
{
	struct object object;
	struct attempt a = try_stat(trial, AT_FDCWD, folder, 0, &object);
	bool same_mount = object.dev == source->dev && object.mount_id == source->mount_id;

	if (!attempt_worked(a) || (object.dev == source->dev && object.ino == source->ino) ||
	    (found->folder && !same_mount))
		return;
	a = try_dir_write(trial, folder);
	if (attempt_worked(a)) {
		found->folder = folder;
		found->same_mount = same_mount;
	} else if (!found->refusing) {
		found->refusing = folder;
		found->refusal = a;
	}
}

/* Another folder than the source's that takes an entry, if possible on the same mount. */
static struct destination find_destination(struct trial *trial, const char *source_folder)
{
	struct destination found = { .refusal = no_scratch(trial) };
	const char *scratch[8];
	unsigned n = scratch_folders(trial, scratch);
	struct object source;

	try_stat(trial, AT_FDCWD, source_folder, 0, &source);
	for (unsigned i = 0; i < n && !found.same_mount; i++)
		consider(trial, scratch[i], &source, &found);
	for (unsigned i = 0; i < N_CRITICAL && !found.same_mount; i++)
		consider(trial, critical[i].path, &source, &found);
	return found;
}

/* ---------------------------------------------------------------- removals */

/* An empty name is refused before any look-up: the call is there, and no filter refuses it. */
static struct attempt let_through(struct attempt a)
{
	if (a.reached && a.error == ENOENT) {
		a.value = 0;
		a.error = 0;
	}
	return a;
}

/* What cannot be renamed can be copied and removed, if it can be read. */
static struct attempt try_copy_away(struct trial *trial, const char *path)
{
	struct object link;
	struct attempt a = let_through(try_unlink(trial, AT_FDCWD, ""));

	if (!attempt_worked(a))
		return a;
	a = try_stat(trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &link);
	if (!attempt_worked(a) || S_ISLNK(link.mode))
		return a;
	a = try_open(trial, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	close_fd((int)a.value);
	return a;
}

/* The file may be removed from its folder: may it appear under another name? */
static void settle_new_name(struct trial *trial, int case_index, const char *path,
			    const char *folder, bool elsewhere)
{
	struct destination to = { .folder = folder, .same_mount = true };
	struct attempt renamed = let_through(try_rename(trial, AT_FDCWD, "", AT_FDCWD, "")), copied;
	/* Landlock answers a rename between folders as if they lay on two mounts. */
	bool unsure = elsewhere && lsm_may_confine();

	if (elsewhere)
		to = find_destination(trial, folder);
	else {
		to.refusing = folder;
		to.refusal = try_dir_write(trial, folder);
		/* Another name takes no space. */
		if (!attempt_worked(to.refusal) && to.refusal.error != ENOSPC &&
		    to.refusal.error != EDQUOT)
			to.folder = NULL;
	}
	if (!to.folder) {
		settle_folder(trial, case_index, to.refusing ? to.refusing : folder, to.refusal, 0);
		return;
	}
	if (elsewhere)
		note_text(trial, case_index, "destination", to.folder);
	if (to.same_mount && attempt_worked(renamed) && !unsure) {
		note_text(trial, case_index, "by", "rename");
		settle(trial, case_index, renamed);
		return;
	}
	copied = try_copy_away(trial, path);
	if (attempt_worked(copied))
		note_text(trial, case_index, "by", "copy");
	else if (to.same_mount && attempt_worked(renamed)) {
		settle_unknown(trial, case_index, REASON_CONTROL_FAILED);
		return;
	}
	settle(trial, case_index, copied, .path = path, .right = RIGHT_READ);
}

/* Whoever else refused: if a filter refuses every form of the call too, it is named beside them. */
static void settle_refused_calls(struct trial *trial, int case_index, enum removal removal)
{
	struct attempt removed = try_unlink(trial, AT_FDCWD, "");

	if (removed.reached)
		return;
	if (removal == REMOVAL_DELETE || !try_rename(trial, AT_FDCWD, "", AT_FDCWD, "").reached)
		settle(trial, case_index, removed);
}

static void settle_name(struct trial *trial, int case_index, const char *path,
			enum removal removal)
{
	char folder[512];
	struct attempt a;

	parent_folder(path, folder, sizeof folder);
	a = try_dir_remove(trial, folder);
	if (!attempt_worked(a)) {
		settle_folder(trial, case_index, folder, a, RIGHT_ALTER);
		settle_refused_calls(trial, case_index, removal);
		return;
	}
	a = try_removable(trial, path);
	if (!attempt_worked(a)) {
		settle(trial, case_index, a, .path = path, .right = RIGHT_REMOVE,
		       .id_unmapped = unmapped_refuses(trial, path, a, RIGHT_REMOVE, CAP_FOWNER));
		settle_refused_calls(trial, case_index, removal);
	} else if (removal == REMOVAL_DELETE)
		settle(trial, case_index, let_through(try_unlink(trial, AT_FDCWD, "")));
	else
		settle_new_name(trial, case_index, path, folder, removal == REMOVAL_MOVE);
}

/* A file goes with its name, and with the one that a link of that name leads to. */
static void settle_removal(struct trial *trial, int case_index, const char *path,
			   enum removal removal)
{
	char target[1024];
	struct object object;
	struct attempt a = try_stat(trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object);

	if (settle_unseen(trial, case_index, path, a))
		return;
	note_flag(trial, case_index, "proxy", true);
	settle_name(trial, case_index, path, removal);
	if (S_ISLNK(object.mode) && real_path(trial, path, target, sizeof target) &&
	    strlen(target) < 512)
		settle_name(trial, case_index, target, removal);
}

void settle_removals(struct trial *trial, enum removal removal)
{
	for (unsigned i = 0; i < trial_scenario(trial)->n_cases; i++) {
		char path[512];

		if (find_case(trial, (int)i, path, sizeof path))
			settle_removal(trial, (int)i, path, removal);
	}
}
