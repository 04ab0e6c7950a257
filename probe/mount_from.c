/* SPDX-License-Identifier: MIT */
/*
 * Where a mount comes from. A tmpfs that is mounted as a whole is the sandbox's own and goes with
 * it; the root file system is its image; what else can be stored in was brought in. Who runs
 * outside any sandbox has nothing of its own: all is the machine's.
 */
#include <errno.h>
#include <linux/magic.h>
#include <string.h>

#include "probe/identity.h"
#include "probe/trial.h"

/* What one line of the mounts says, kept beyond the line. */
struct sketch {
	bool found;
	uint64_t dev;
	bool whole;   /* not a folder of its file system only */
	bool memory, layers, kernels;
	bool of_host; /* as the host says */
};

struct looking {
	struct trial *trial;
	const char *path;        /* real */
	uint64_t path_id, root_id; /* 0: not told */
	size_t longest;
	struct sketch mount, root;
};

const char *mount_from_name(enum mount_from from)
{
	static const char *const names[] = { "not told", "own tmpfs", "root file system",
					     "from outside" };

	return names[from];
}

static bool is_among(const char *type, const char *const types[])
{
	for (; *types; types++)
		if (strcmp(type, *types) == 0)
			return true;
	return false;
}

static struct sketch sketch_of(struct trial *trial, const struct mount_line *mount)
{
	static const char *const memory[] = { "tmpfs", "ramfs", "rootfs", NULL };
	static const char *const layers[] = { "overlay", "aufs", "squashfs", "erofs", NULL };
	static const char *const kernels[] = { "proc",	     "sysfs",	   "devtmpfs", "devpts",
					       "mqueue",     "cgroup",	   "cgroup2",  "debugfs",
					       "tracefs",    "securityfs", "configfs", "bpf",
					       "efivarfs",   "pstore",	   "fusectl",  "selinuxfs",
					       "binfmt_misc", NULL };

	return (struct sketch){
		.found = true,
		.dev = (uint64_t)mount->major << 32 | mount->minor,
		.whole = strcmp(mount->root, "/") == 0,
		.memory = is_among(mount->type, memory),
		.layers = is_among(mount->type, layers),
		.kernels = is_among(mount->type, kernels),
		.of_host = is_of_host(trial, mount),
	};
}

/* By number where the kernel tells numbers, else by the longest name; the later is on top. */
static bool take_mount(void *context, const struct mount_line *mount)
{
	struct looking *look = context;
	bool by_id = look->path_id && look->root_id;
	size_t n = strlen(mount->point);

	if (by_id ? (uint64_t)mount->id == look->root_id : n == 1)
		look->root = sketch_of(look->trial, mount);
	if (by_id ? (uint64_t)mount->id == look->path_id
		  : n >= look->longest && (n == 1 || is_at_or_below(look->path, mount->point))) {
		look->mount = sketch_of(look->trial, mount);
		look->longest = n;
	}
	return true;
}

/* A sandbox may keep the machine's own root. */
static bool is_machines_root(const struct trial *trial)
{
	const char *root = host_fact(trial, "root");
	char own[64];

	format_text(own, sizeof own, "%lu:%lu", (unsigned long)origin()->root_dev,
		    (unsigned long)origin()->root_ino);
	return root && strcmp(own, root) == 0;
}

static enum mount_from judge(const struct trial *trial, const struct sketch *mount,
			     const struct sketch *root, bool is_root)
{
	bool with_root = is_root || (mount->dev == root->dev && root->found);

	if (!mount->found || mount->kernels)
		return FROM_NOT_TOLD;
	if (is_root ? is_machines_root(trial) : mount->of_host)
		return FROM_OUTSIDE;
	if (mount->memory)
		return mount->whole || with_root ? FROM_SANDBOX : FROM_OUTSIDE;
	if (is_root || (mount->layers && with_root && !is_machines_root(trial)))
		return FROM_IMAGE;
	/* Layers of its own, or another's seen whole: the mounts do not say whose. */
	return mount->layers && mount->whole ? FROM_NOT_TOLD : FROM_OUTSIDE;
}

/* Without the list of mounts: the types alone. */
static enum mount_from judge_by_type(struct trial *trial, const char *path,
				     const struct object *object, const struct object *root)
{
	struct mount_facts mount;
	bool is_root = object->dev == root->dev && object->mount_id == root->mount_id;
	bool memory;

	if (!ask_mount(trial, path, &mount) || !object->mount_id)
		return FROM_NOT_TOLD;
	memory = mount.type == TMPFS_MAGIC || mount.type == RAMFS_MAGIC;
	if (is_root && is_machines_root(trial))
		return FROM_OUTSIDE;
	if (memory)
		return object->dev == root->dev ? FROM_SANDBOX : FROM_NOT_TOLD;
	if (is_root)
		return FROM_IMAGE;
	return mount.type == OVERLAYFS_SUPER_MAGIC ? FROM_NOT_TOLD : FROM_OUTSIDE;
}

enum mount_from ask_mount_from(struct trial *trial, const char *path)
{
	char real[1024];
	struct object object, root;
	struct looking look = { .trial = trial, .path = real };
	struct attempt a;

	if (trial_is_outside(trial))
		return FROM_OUTSIDE;
	if (!attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)) ||
	    !attempt_worked(try_stat(trial, AT_FDCWD, "/", 0, &root)))
		return FROM_NOT_TOLD;
	if (!real_path(trial, path, real, sizeof real))
		format_text(real, sizeof real, "%s", path);
	look.path_id = object.mount_id;
	look.root_id = root.mount_id;
	a = each_mount(trial, take_mount, &look);
	if (!attempt_worked(a) && a.error != EBADMSG)
		return judge_by_type(trial, path, &object, &root);
	return judge(trial, &look.mount, &look.root,
		     look.path_id ? look.path_id == look.root_id : look.longest == 1);
}
