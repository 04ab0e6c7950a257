/* SPDX-License-Identifier: MIT */
/*
 * Rights over folders and files, asked with own markers: what may be made, removed, opened for
 * writing. Nothing foreign is changed, and outside a sandbox nothing foreign is even opened.
 */
#include <errno.h>
#include <linux/magic.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/stat.h>

#include "probe/attempts.h"
#include "probe/identity.h"
#include "probe/lsm.h"
#include "probe/surroundings.h"
#include "probe/text.h"
#include "probe/trial.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif

#define OVERLAY_LIMIT 65536
#define NEW_NAME (O_CREAT | O_EXCL | O_NOFOLLOW)
enum { W_AND_X = 3, W_ONLY = 2 };

static const struct attempt control_failed = { .value = -1, .error = ECANCELED, .nr = -1,
					       .reached = true };

/* ---------------------------------------------------------------- markers */

/* By what the kernel says of no name at all: a filter may refuse, and not be asked. */
bool may_remove_names(struct trial *trial)
{
	struct attempt a = try_unlink(trial, AT_FDCWD, "");

	return a.reached && a.error == ENOENT;
}

bool keeps_entries(struct trial *trial, const char *folder)
{
	struct object object;

	return attempt_worked(try_stat(trial, AT_FDCWD, folder, 0, &object)) &&
	       (object.attributes & object.attributes_mask & STATX_ATTR_APPEND);
}

/* Where O_TMPFILE is not supported: a name of our own, gone before this returns. */
static struct attempt named_marker(struct trial *trial, const char *folder, int access)
{
	char path[512];
	struct attempt a, removed;

	if (!may_remove_names(trial) || !marker_name(trial, folder, path, sizeof path))
		return control_failed;
	a = try_open_at(trial, AT_FDCWD, path, access | NEW_NAME, 0600);
	if (!attempt_worked(a)) {
		marker_gone(path);
		return a;
	}
	removed = try_unlink(trial, AT_FDCWD, path);
	if (attempt_worked(removed))
		marker_gone(path);
	return a;
}

static struct attempt removal_control(struct trial *trial, const char *folder);

/* Neither a filter nor a module keeps what was made from being removed again. */
static bool may_be_named(struct trial *trial, const char *folder)
{
	return may_remove_names(trial) && (!lsm_may_confine() || lsm_pairs_removal() ||
					   attempt_worked(removal_control(trial, folder)));
}

struct attempt try_marker(struct trial *trial, const char *folder, int access)
{
	struct attempt a = try_open_at(trial, AT_FDCWD, folder, access | O_TMPFILE, 0600);

	/* EISDIR: a kernel or emulator that does not know the flag. */
	if (!attempt_worked(a) && a.reached && (a.error == EOPNOTSUPP || a.error == EISDIR))
		return named_marker(trial, folder, access);
	/* A filter may not know it either, or look for O_DIRECTORY, which is part of it. */
	if (!a.reached && try_open_at(trial, AT_FDCWD, "", access | NEW_NAME, 0600).reached)
		return may_be_named(trial, folder) ? named_marker(trial, folder, access)
						   : control_failed;
	return a;
}

/* Memory of our own where no folder takes a file: 1 is MFD_CLOEXEC. */
static struct attempt try_memory(struct trial *trial)
{
	struct attempt a;

	/* Without a word on whether it may be run Linux 6.3 and later complain to their log. */
	a = try_call(trial, "memfd_create", __NR_memfd_create, "sandboxeval", 1 | MFD_NOEXEC_SEAL);
	if (a.reached && a.error == EINVAL)
		a = try_call(trial, "memfd_create", __NR_memfd_create, "sandboxeval", 1);
	return a;
}

struct attempt try_store(struct trial *trial)
{
	const char *folders[8];
	unsigned n = scratch_folders(trial, folders);
	struct attempt a = control_failed;

	for (unsigned i = 0; i < n; i++) {
		a = try_marker(trial, folders[i], O_RDWR);
		if (attempt_worked(a))
			return a;
	}
	return try_memory(trial);
}

/* Writes n zero bytes: value = how many the file then holds. */
static struct attempt fill(struct trial *trial, int fd, size_t n)
{
	static char zeros[4096];
	struct object object;
	struct attempt a = { .value = 0, .nr = -1, .reached = true };
	size_t done = 0;

	while (done < n) {
		a = try_write(trial, fd, zeros, n - done < sizeof zeros ? n - done : sizeof zeros);
		if (a.value <= 0)
			return found_nothing(a);
		done += (size_t)a.value;
	}
	/* Where the size is not told, the writes are all there is to go by. */
	a.value = (long)done;
	if (attempt_worked(try_stat(trial, fd, "", AT_EMPTY_PATH, &object)))
		a.value = (long)object.size;
	return a;
}

struct attempt try_keep(struct trial *trial, size_t n)
{
	struct attempt store = try_store(trial), a;

	if (!attempt_worked(store))
		return store;
	a = fill(trial, (int)store.value, n);
	close_fd((int)store.value);
	if (a.error != ENOSPC && a.error != EDQUOT)
		return a;
	/* That file system is full: memory is another place. */
	store = try_memory(trial);
	if (!attempt_worked(store))
		return a;
	a = fill(trial, (int)store.value, n);
	close_fd((int)store.value);
	return a;
}

/* ---------------------------------------------------------------- folders */

static struct attempt by_proxy(struct trial *trial, const char *path, int mode)
{
	struct mount_facts mount;
	struct attempt a = try_access(trial, path, mode);

	/* access(2) says EROFS itself, but a form may be emulated: the mount decides. */
	if (attempt_worked(a) && ask_mount(trial, path, &mount) && (mount.flags & 1)) {
		a.value = -1;
		a.error = EROFS;
	}
	return a;
}

/* An entry of a folder: a folder, else a plain file. */
struct some_entry {
	bool is_folder;
	char name[256];
};

static bool take_some(void *context, const char *name, unsigned char type)
{
	struct some_entry *found = context;
	bool is_folder = type == 4 /* DT_DIR */;

	if ((is_folder || (type == 8 /* DT_REG */ && !found->name[0])) &&
	    strlen(name) < sizeof found->name && !starts_with(name, ".sandboxeval-")) {
		format_text(found->name, sizeof found->name, "%s", name);
		found->is_folder = is_folder;
	}
	return !found->is_folder;
}

static bool is_asked_by_proxy(struct trial *trial, const char *folder)
{
	return options.level < LEVEL_TOUCH ||
	       (trial_is_outside(trial) && !is_below_scratch(trial, folder));
}

static struct attempt nameless_marker(struct trial *trial, const char *folder)
{
	struct attempt a = try_marker(trial, folder, O_WRONLY);

	close_fd((int)a.value);
	if (attempt_worked(a))
		a.value = 0;
	return a;
}

/*
 * May a security module refuse the removal of an entry? The kernel's last check before it removes
 * a folder by unlink is EISDIR: it shows that removal is permitted, and removes nothing. A file
 * that is renamed to its own name stays what it is, and modules alone are asked, as for a removal
 * and a new entry. In an empty folder the rights over itself tell: Landlock's reach downwards.
 */
static struct attempt removal_control(struct trial *trial, const char *folder)
{
	struct some_entry some = { .name = "" };
	char path[1024];
	struct attempt a = try_list(trial, folder, take_some, &some);

	if (attempt_worked(a) && some.name[0])
		format_text(path, sizeof path, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder,
			    some.name);
	/* Where the layers cannot be counted and no other module has a name for us, too. */
	else if ((lsm_facts()->landlock_told ? lsm_facts()->landlock_layers == 0 : lsm_confines()) ||
		 !real_path(trial, folder, path, sizeof path) || !path[1])
		return control_failed;
	if (some.name[0] && !some.is_folder)
		return trial_is_outside(trial) ? control_failed :
			try_call_as(trial, "dpdpv", "renameat2", __NR_renameat2, AT_FDCWD, path,
				    AT_FDCWD, path, 0);
	a = try_unlink(trial, AT_FDCWD, path);
	if (a.error == EISDIR) {
		a.value = 0;
		a.error = 0;
	} else if (!some.name[0]) {
		return control_failed;
	}
	return a;
}

struct attempt try_dir_write(struct trial *trial, const char *folder)
{
	struct attempt a;

	if (is_asked_by_proxy(trial, folder))
		return by_proxy(trial, folder, W_AND_X);
	a = nameless_marker(trial, folder);
	if (!attempt_worked(a) || !lsm_may_confine())
		return a;
	/* A module may permit a nameless file and refuse a name. What could stay is not made. */
	if (!lsm_pairs_removal() && !attempt_worked(removal_control(trial, folder)))
		return control_failed;
	a = named_marker(trial, folder, O_WRONLY);
	close_fd((int)a.value);
	return a;
}

static struct attempt refused_as(struct attempt a, int error)
{
	a.value = -1;
	a.error = error;
	return a;
}

struct attempt try_dir_remove(struct trial *trial, const char *folder)
{
	bool proxy = is_asked_by_proxy(trial, folder);
	struct attempt a = proxy ? by_proxy(trial, folder, W_AND_X) :
				   nameless_marker(trial, folder);

	/* To remove takes no space. */
	if (a.error == ENOSPC || a.error == EDQUOT)
		a = by_proxy(trial, folder, W_AND_X);
	if (attempt_worked(a) && keeps_entries(trial, folder))
		return refused_as(a, EPERM);
	return attempt_worked(a) && !proxy && lsm_may_confine() ? removal_control(trial, folder)
								 : a;
}

struct attempt try_removable(struct trial *trial, const char *path)
{
	char parent[1024];
	struct object folder, object;
	struct attempt a = try_stat(trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object), written;
	uint64_t bound = STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND;

	if (!attempt_worked(a))
		return a;
	parent_folder(path, parent, sizeof parent);
	written = try_dir_remove(trial, parent);
	if (!attempt_worked(written))
		return written;
	a = try_stat(trial, AT_FDCWD, parent, 0, &folder);
	if (!attempt_worked(a))
		return a;
	if (object.attributes & bound)
		return refused_as(written, EPERM);
	if (is_mount_root(trial, path))
		return refused_as(written, EBUSY);
	switch (ask_dac(trial, path, RIGHT_REMOVE)) {
	case DAC_REFUSES:
		return refused_as(written, EPERM);
	case DAC_NOT_TOLD:
		return (folder.mode & S_ISVTX) ? control_failed : written;
	case DAC_PERMITS:
		break;
	}
	return written;
}

/* ---------------------------------------------------------------- rule 6 */

/*
 * Access checks lie under a security module, which is asked the same of a nameless file in the
 * same folder. Only its yes carries over: a rule may name a file alone.
 */
static struct attempt confirm_by_folder(struct trial *trial, const char *path, struct attempt a)
{
	char file[1024], folder[1024];

	if (!attempt_worked(a) || trial_is_outside(trial) || !lsm_may_confine())
		return a;
	if (options.level < LEVEL_TOUCH || !real_path(trial, path, file, sizeof file))
		return control_failed;
	parent_folder(file, folder, sizeof folder);
	return attempt_worked(nameless_marker(trial, folder)) ? a : control_failed;
}

struct attempt try_open_for_writing(struct trial *trial, int case_index, const char *path,
				    unsigned kind)
{
	struct object object;
	struct mount_facts mount = { 0 };
	struct attempt a = try_stat(trial, AT_FDCWD, path, 0, &object);
	bool known = attempt_worked(a), proxy;

	proxy = trial_is_outside(trial) || options.level < LEVEL_TOUCH || (kind & PLACE_PROGRAM) ||
		(known && !S_ISREG(object.mode));
	/* Opening for writing copies a file up on an overlay: not a large one, not unseen ones. */
	if (!proxy && (!known || object.size > OVERLAY_LIMIT) && ask_mount(trial, path, &mount))
		proxy = mount.type == OVERLAYFS_SUPER_MAGIC;
	if (proxy) {
		note_flag(trial, case_index, "proxy", true);
		return confirm_by_folder(trial, path, by_proxy(trial, path, W_ONLY));
	}
	a = try_open(trial, path, O_WRONLY | O_NONBLOCK | O_NOCTTY);
	/* It runs meanwhile, which says nothing of who may write to it. */
	if (a.reached && a.error == ETXTBSY) {
		note_flag(trial, case_index, "proxy", true);
		return confirm_by_folder(trial, path, by_proxy(trial, path, W_ONLY));
	}
	/* An append-only file can still be added to, and an account is a line at its end. */
	if (a.reached && a.error == EPERM && known &&
	    (object.attributes & object.attributes_mask & STATX_ATTR_APPEND))
		a = try_open(trial, path, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
	close_fd((int)a.value);
	return a;
}

/* ---------------------------------------------------------------- patterns */

struct match {
	const char *prefix, *suffix, *after; /* `after`: only names beyond it in order */
	size_t n_prefix, n_suffix;
	char name[256]; /* the smallest in order, so that two runs agree */
};

static bool match_name(void *context, const char *name, unsigned char type)
{
	struct match *match = context;
	size_t n = strlen(name);

	(void)type;
	if (n < match->n_prefix + match->n_suffix || n >= sizeof match->name ||
	    strncmp(name, match->prefix, match->n_prefix) != 0 ||
	    strcmp(name + n - match->n_suffix, match->suffix) != 0 ||
	    (match->after && strcmp(name, match->after) <= 0))
		return true;
	if (!match->name[0] || strcmp(name, match->name) < 0)
		format_text(match->name, sizeof match->name, "%s", name);
	return true;
}

/* One alternative; true when something is there. `after`: a name, or NULL for the first. */
static bool find_one(struct trial *trial, char *path, size_t size, const char *after)
{
	char *star = strchr(path, '*'), *slash = strrchr(path, '/');
	struct match match = { .after = after };
	struct object object;

	if (!star || !slash || slash > star)
		return attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object));
	match.prefix = slash + 1;
	match.n_prefix = (size_t)(star - match.prefix);
	match.suffix = star + 1;
	match.n_suffix = strlen(match.suffix);
	*slash = '\0';
	try_list(trial, path[0] ? path : "/", match_name, &match);
	*slash = '/';
	if (!match.name[0])
		return false;
	if ((size_t)(slash + 1 - path) + strlen(match.name) >= size)
		return false;
	memcpy(slash + 1, match.name, strlen(match.name) + 1);
	return true;
}

bool find_place(struct trial *trial, const char *pattern, char *buffer, size_t size)
{
	const char *alternative = pattern;

	while (*alternative) {
		size_t n = strcspn(alternative, "|");

		if (n < size) {
			memcpy(buffer, alternative, n);
			buffer[n] = '\0';
			if (find_one(trial, buffer, size, NULL))
				return true;
		}
		alternative += n + (alternative[n] == '|');
	}
	/* For the control on its parent: the first alternative, a name that cannot match. */
	format_text(buffer, size, "%s", pattern);
	buffer[strcspn(buffer, "|")] = '\0';
	return false;
}

bool find_next_place(struct trial *trial, const char *pattern, char *buffer, size_t size)
{
	const char *slash = strrchr(buffer, '/');
	char last[256];

	if (!strchr(pattern, '*') || strchr(pattern, '|') || !slash)
		return false;
	format_text(last, sizeof last, "%s", slash + 1);
	format_text(buffer, size, "%s", pattern);
	return find_one(trial, buffer, size, last);
}
