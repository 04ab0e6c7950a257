/* SPDX-License-Identifier: MIT */
/*
 * Own markers that are no plain files: links, pipes, device nodes, folders; and the folder in which
 * they would be found by whoever collects results. Nothing is made that could not be removed.
 */
#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/stat.h>

#include "probe/attempts.h"
#include "probe/identity.h"
#include "probe/lsm.h"
#include "probe/surroundings.h"
#include "probe/trial.h"

#define N_OF(array) (unsigned)(sizeof(array) / sizeof *(array))

/* ---------------------------------------------------------------- names */

/* A filter, a module, or the folder may let things be made only. */
static bool may_be_removed(struct trial *trial, const char *folder)
{
	bool may = may_remove_names(trial) && !keeps_entries(trial, folder) &&
		   (!lsm_may_confine() || lsm_pairs_removal() ||
		    attempt_worked(try_dir_remove(trial, folder)));

	if (!may)
		note_text(trial, WHOLE, "not_made", "what might not be removed again");
	return may;
}

bool own_name(struct trial *trial, const char *folder, const char *before, const char *after,
	      char *path, size_t size)
{
	return trial_level(trial) >= LEVEL_TOUCH && may_be_removed(trial, folder) &&
	       marker_name_between(trial, folder, before, after, path, (unsigned)size);
}

static struct attempt remove_folder(struct trial *trial, const char *path)
{
	const struct form forms[] = {
		FORM("unlinkat", __NR_unlinkat, "dpv", AT_FDCWD, path, AT_REMOVEDIR),
#ifdef __NR_rmdir
		FORM("rmdir", __NR_rmdir, "p", path),
#endif
	};

	return try_forms(trial, forms, N_OF(forms));
}

/* Refused before anybody looked: there is nothing, or one who made it could not have come here. */
static bool was_never(struct trial *trial, const char *path, struct attempt removal)
{
	struct object object;
	struct attempt a;

	if (!removal.reached || (removal.error != EROFS && removal.error != EACCES))
		return false;
	a = try_stat(trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object);
	return a.reached && (a.error == ENOENT || (a.error == EACCES && removal.error == EACCES));
}

struct attempt drop_name(struct trial *trial, const char *path)
{
	struct attempt a = try_unlink(trial, AT_FDCWD, path);

	if (a.reached && a.error == EISDIR)
		a = remove_folder(trial, path);
	/* Else the probe tries again, and says so when it is in vain. */
	if (attempt_worked(a) || (a.reached && a.error == ENOENT) || was_never(trial, path, a))
		marker_gone(path);
	return a;
}

/* ---------------------------------------------------------------- things */

struct attempt try_make_node(struct trial *trial, const char *path, mode_t mode, unsigned major,
			     unsigned minor)
{
	/* As new_encode_dev() has it, which is what the call takes. */
	unsigned device = (minor & 0xff) | major << 8 | (minor & ~0xffu) << 12;
	const struct form forms[] = {
		FORM("mknodat", __NR_mknodat, "dpvv", AT_FDCWD, path, mode, device),
#ifdef __NR_mknod
		FORM("mknod", __NR_mknod, "pvv", path, mode, device),
#endif
	};

	return try_forms(trial, forms, N_OF(forms));
}

static bool take_file(void *context, const char *name, unsigned char type)
{
	char *file = context;

	if (type == 8 /* DT_REG */ && strlen(name) < 256)
		format_text(file, 256, "%s", name);
	return !file[0];
}

/*
 * A module may permit removal of files and refuse that of folders. That a file is no folder is what
 * the kernel says last: of a file that is there, or else of a marker in the place of the folder.
 */
static bool may_remove_folders(struct trial *trial, const char *path)
{
	char folder[512], file[1024], name[256] = "";
	struct attempt made = { .value = -1 }, a;

	if (!path[0] || !lsm_may_confine() || lsm_pairs_removal())
		return true;
	parent_folder(path, folder, sizeof folder);
	try_list(trial, folder, take_file, name);
	format_text(file, sizeof file, "%s/%s", folder, name);
	if (!name[0]) {
		format_text(file, sizeof file, "%s", path);
		made = try_open_at(trial, AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL, 0600);
		close_fd((int)made.value);
		if (!attempt_worked(made))
			return false;
	}
	a = remove_folder(trial, file);
	if (attempt_worked(made))
		try_unlink(trial, AT_FDCWD, path);
	return a.error == ENOTDIR;
}

struct attempt try_make_folder(struct trial *trial, const char *path, mode_t mode)
{
	const struct attempt not_tried = {
		.value = -1, .error = ECANCELED, .nr = -1, .reached = true
	};
	const struct form forms[] = {
		FORM("mkdirat", __NR_mkdirat, "dpv", AT_FDCWD, path, mode),
#ifdef __NR_mkdir
		FORM("mkdir", __NR_mkdir, "pv", path, mode),
#endif
	};

	return may_remove_folders(trial, path) ? try_forms(trial, forms, N_OF(forms)) : not_tried;
}

struct attempt try_make_link(struct trial *trial, const char *target, const char *path)
{
	const struct form forms[] = {
		FORM("symlinkat", __NR_symlinkat, "pdp", target, AT_FDCWD, path),
#ifdef __NR_symlink
		FORM("symlink", __NR_symlink, "pp", target, path),
#endif
	};

	return try_forms(trial, forms, N_OF(forms));
}

struct attempt try_make_hard_link(struct trial *trial, const char *path, const char *new_path)
{
	const struct form forms[] = {
		FORM("linkat", __NR_linkat, "dpdpv", AT_FDCWD, path, AT_FDCWD, new_path, 0),
#ifdef __NR_link
		FORM("link", __NR_link, "pp", path, new_path),
#endif
	};

	return try_forms(trial, forms, N_OF(forms));
}

static struct attempt make_pipe(struct trial *trial, const char *folder)
{
	char path[512];
	struct attempt a = { .value = -1, .error = ECANCELED, .nr = -1, .reached = true };

	if (own_name(trial, folder, "", "", path, sizeof path)) {
		a = try_make_node(trial, path, S_IFIFO | 0600, 0, 0);
		drop_name(trial, path);
	}
	return a;
}

/*
 * vfs_mknod() asks for the capability in the first user namespace, then the control group's device
 * rules; both say EPERM. Who holds it there, and may make other nodes, was refused by the rules.
 */
void settle_make_node(struct trial *trial, int case_index, const char *folder, struct attempt a,
		      const struct attempt *twin)
{
	bool by_group = false;

	if (a.reached && a.error == EPERM && has_capability(CAP_MKNOD) &&
	    !in_user_namespace(trial)) {
		struct attempt pipe;

		if (!twin) {
			pipe = make_pipe(trial, folder);
			twin = &pipe;
		}
		by_group = attempt_worked(*twin);
	}
	settle(trial, case_index, a, .path = folder, .right = RIGHT_ENTRY,
	       .capability = NEEDS_CAP(CAP_MKNOD), .cgroup = by_group);
}

/* ---------------------------------------------------------------- where results are collected */

static void settle_no_folder(struct trial *trial, int case_index, const char *folder)
{
	struct attempt a = try_dir_write(trial, folder);

	/* It can be written to, and is none of those in which a marker may be left. */
	if (attempt_worked(a) || !scratch_is_known(trial))
		settle_unknown(trial, case_index, REASON_NO_TARGET);
	else
		settle_dir_write(trial, case_index, folder);
}

/* A folder that is not there was not meant. */
static bool is_output(struct trial *trial, const char *folder)
{
	struct object object;
	struct attempt a = try_stat(trial, AT_FDCWD, folder, 0, &object);
	bool missing = attempt_worked(a) ? !S_ISDIR(object.mode) :
					   a.reached && (a.error == ENOENT || a.error == ENOTDIR);

	if (!missing)
		return true;
	note_text(trial, WHOLE, "not_a_folder", folder);
	settle_unknown(trial, WHOLE, REASON_NO_TARGET);
	for (unsigned i = 0; i < trial_scenario(trial)->n_cases; i++)
		settle_unknown(trial, (int)i, REASON_NO_TARGET);
	return false;
}

const char *collected_folder(struct trial *trial)
{
	static char target[512];
	const char *scratch[8];
	const char *cwd = origin()->cwd[0] == '/' ? origin()->cwd : "/";
	unsigned n = scratch_folders(trial, scratch), n_cases = trial_scenario(trial)->n_cases;
	size_t at = 0;

	if (trial_level(trial) < LEVEL_TOUCH) {
		/* Cases have a level of their own. */
		settle_unknown(trial, WHOLE, REASON_LEVEL);
		return NULL;
	}
	if (next_target(trial, "target.output", &at, target, sizeof target))
		return is_output(trial, target) ? target : NULL;
	for (unsigned i = 0; i < n; i++)
		if (strcmp(scratch[i], cwd) == 0)
			return scratch[i];
	if (n > 0)
		return scratch[0];
	if (n_cases == 0)
		settle_no_folder(trial, WHOLE, cwd);
	for (unsigned i = 0; i < n_cases; i++)
		if (case_is_planned(trial, (int)i))
			settle_no_folder(trial, (int)i, cwd);
	return NULL;
}
