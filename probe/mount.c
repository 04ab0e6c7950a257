/* SPDX-License-Identifier: MIT */
/*
 * K6, facts of the mount that a path lies on, by statfs(2) and statx(2). No /proc is needed but on
 * emulated kernels whose statfs() leaves the mount's flags out.
 */
#include <errno.h>
#include <linux/magic.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "probe/abi.h"
#include "probe/identity.h"
#include "probe/surroundings.h"
#include "probe/trial.h"

#define FLAGS_ARE_TOLD 0x20 /* ST_VALID: Linux always sets it */

/* ---------------------------------------------------------------- flags by mountinfo */

struct mount_search {
	const char *path;
	size_t longest; /* of the mount points that the path lies on or below */
	bool found;
	uint64_t flags;
};

static uint64_t read_flags(const char *words)
{
	static const struct {
		char name[12];
		uint64_t flag;
	} known[] = { { "ro", 1 },	   { "nosuid", 2 },	     { "nodev", 4 },
		      { "noexec", 8 }, { "nosymfollow", 0x2000 } };
	uint64_t flags = 0;

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (has_option(words, known[i].name))
			flags |= known[i].flag;
	return flags;
}

/* Of two mounts at one place the later one is on top. */
static bool take_mount(void *context, const struct mount_line *mount)
{
	struct mount_search *search = context;
	size_t n = strlen(mount->point);

	if (n >= search->longest && (n == 1 || is_at_or_below(search->path, mount->point))) {
		search->longest = n;
		search->found = true;
		search->flags = read_flags(mount->options);
	}
	return true;
}

bool real_path(struct trial *trial, const char *path, char *resolved, size_t size)
{
	struct attempt a = try_open(trial, path, O_PATH), b;
	char link[40];

	if (!attempt_worked(a))
		return false;
	format_text(link, sizeof link, "/proc/self/fd/%d", (int)a.value);
	b = try_call(trial, "readlinkat", __NR_readlinkat, AT_FDCWD, link, resolved, size - 1);
	close_fd((int)a.value);
	if (b.value <= 0 || resolved[0] != '/')
		return false;
	resolved[b.value] = '\0';
	return true;
}

static bool find_flags(struct trial *trial, const char *path, uint64_t *ret_flags)
{
	char resolved[1024];
	struct mount_search search = { .path = resolved };

	if (!real_path(trial, path, resolved, sizeof resolved) ||
	    !attempt_worked(each_mount(trial, take_mount, &search)))
		return false;
	*ret_flags = search.flags;
	return search.found;
}

/* ---------------------------------------------------------------- facts */

/* The filter may refuse the call by name alone: then by descriptor. */
struct attempt try_statfs(struct trial *trial, const char *path, struct statfs *from)
{
	struct attempt a = { .value = -1, .error = ECANCELED, .nr = -1, .reached = true }, opened;

	if (is_left_alone(&surroundings()->automounts, path, true))
		return a;
	a = try_call(trial, "statfs", __NR_statfs, path, from);
	if (attempt_worked(a) || (a.reached && a.error != ENOSYS && a.error != EPERM))
		return a;
	opened = try_open(trial, path, O_PATH);
	if (!attempt_worked(opened))
		return a;
	a = try_call_as(trial, "fp", "fstatfs", __NR_fstatfs, opened.value, from);
	close_fd((int)opened.value);
	return a;
}

bool ask_mount(struct trial *trial, const char *path, struct mount_facts *facts)
{
	struct statfs from;
	char parent[1024];
	const char *asked = path;
	struct attempt a = try_statfs(trial, path, &from);

	if (!attempt_worked(a) && a.error == ENOENT) {
		/* What is not there would lie on its folder's mount. */
		parent_folder(path, parent, sizeof parent);
		asked = parent;
		a = try_statfs(trial, parent, &from);
	}
	*facts = (struct mount_facts){ 0 };
	if (!attempt_worked(a))
		return false;
	*facts = (struct mount_facts){
		.type = (uint64_t)from.f_type & UINT32_MAX,
		.flags = (uint64_t)from.f_flags,
		.flags_told = from.f_flags & FLAGS_ARE_TOLD,
		.bytes = from.f_blocks * (uint64_t)from.f_bsize,
		.bytes_free = from.f_bavail * (uint64_t)from.f_bsize,
		.files = from.f_files,
		.files_free = from.f_ffree,
	};
	if (!facts->flags_told)
		facts->flags_told = find_flags(trial, asked, &facts->flags);
	return true;
}

struct point_search {
	const char *path;
	bool found;
};

static bool take_point(void *context, const struct mount_line *mount)
{
	struct point_search *search = context;

	search->found = strcmp(mount->point, search->path) == 0;
	return !search->found;
}

bool is_mount_root(struct trial *trial, const char *path)
{
	char resolved[1024];
	struct point_search search = { .path = resolved };
	struct object object;

	if (!attempt_worked(try_stat(trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object)))
		return false;
	if (object.attributes_mask & STATX_ATTR_MOUNT_ROOT)
		return object.attributes & STATX_ATTR_MOUNT_ROOT;
	/* Emulated kernels, and those before 5.8, do not say it of the object. */
	if (S_ISLNK(object.mode) || !real_path(trial, path, resolved, sizeof resolved))
		return false;
	each_mount(trial, take_point, &search);
	return search.found;
}

/* open(2): O_PATH triggers nothing, and fstatfs(2) of it tells. */
bool is_automount(struct trial *trial, const char *path)
{
	struct attempt a = try_open(trial, path, O_PATH), told;
	struct statfs facts = { 0 };

	if (!attempt_worked(a))
		return false;
	told = try_call_as(trial, "fp", "fstatfs", __NR_fstatfs, a.value, &facts);
	close_fd((int)a.value);
	return attempt_worked(told) && facts.f_type == AUTOFS_SUPER_MAGIC;
}
