/* SPDX-License-Identifier: MIT */
/* K6, facts of the mount that a path lies on, by statfs(2) and statx(2): no /proc is needed. */
#include <errno.h>
#include <linux/stat.h>
#include <sys/vfs.h>

#include "probe/abi.h"
#include "probe/identity.h"
#include "probe/trial.h"

bool ask_mount(struct trial *trial, const char *path, struct mount_facts *facts)
{
	struct statfs from;
	char parent[1024];
	struct attempt a = try_call(trial, "statfs", __NR_statfs, path, &from);

	if (!attempt_worked(a) && a.error == ENOENT) {
		/* What is not there would lie on its folder's mount. */
		parent_folder(path, parent, sizeof parent);
		a = try_call(trial, "statfs", __NR_statfs, parent, &from);
	}
	*facts = (struct mount_facts){ 0 };
	if (!attempt_worked(a))
		return false;
	*facts = (struct mount_facts){
		.type = (uint64_t)from.f_type & UINT32_MAX,
		.flags = (uint64_t)from.f_flags,
		.bytes = from.f_blocks * (uint64_t)from.f_bsize,
		.bytes_free = from.f_bavail * (uint64_t)from.f_bsize,
		.files = from.f_files,
		.files_free = from.f_ffree,
	};
	return true;
}

bool is_mount_root(struct trial *trial, const char *path)
{
	struct object object;

	return attempt_worked(try_stat(trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object)) &&
	       (object.attributes & object.attributes_mask & STATX_ATTR_MOUNT_ROOT);
}
