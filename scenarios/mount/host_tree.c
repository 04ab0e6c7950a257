/* SPDX-License-Identifier: MIT */
/*
 * Is the host's own tree in sight? A mount that holds a whole system besides the root's, a second
 * list of processes or of devices, and, of less weight, any folder of a disk that was handed in.
 * Folders are listed and looked up, nothing in them is read.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { SYSTEM, PROCESSES, DEVICES, FOLDERS, N };

static const struct case_def cases[] = {
	[SYSTEM] = { "system-tree", NULL, 0, 0, PLACE_FOLDER },
	[PROCESSES] = { "other-processes", NULL, 0, 0, PLACE_FOLDER },
	[DEVICES] = { "other-devices", NULL, 0, 0, PLACE_FOLDER },
	[FOLDERS] = { "folders", NULL, SEVERITY_LOW, 0, PLACE_FOLDER },
};

struct look {
	struct trial *trial;
	long pid;
	unsigned declared; /* folders that the owner says are meant to be there */
	bool seen[N], blind; /* no form of stat is let through */
};

static bool stop(void *context, const char *name, unsigned char type)
{
	(void)context;
	(void)name;
	(void)type;
	return false;
}

static void list_place(struct look *look, int which, const char *path)
{
	struct attempt a = try_list(look->trial, path, stop, NULL);

	look->seen[which] = true;
	if (attempt_worked(a))
		report_object(look->trial, case_of(look->trial, which)->name, path);
	settle(look->trial, which, a, .path = path, .right = RIGHT_READ);
}

/* At least two of the folders that a whole system has. */
static bool is_system(struct trial *trial, const char *path)
{
	static const char *const names[] = { "etc", "usr", "proc", "boot" };
	unsigned n = 0;

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		char below[1100];
		struct object object;
		struct attempt a;

		format_text(below, sizeof below, "%s/%s", path, names[i]);
		a = try_stat(trial, AT_FDCWD, below, AT_SYMLINK_NOFOLLOW, &object);
		n += attempt_worked(a) && S_ISDIR(object.mode);
	}
	return n >= 2;
}

/* Images of programs hold whole systems too, which are nobody's. */
static bool is_image(const char *type)
{
	return strcmp(type, "squashfs") == 0 || strcmp(type, "erofs") == 0 ||
	       strcmp(type, "iso9660") == 0;
}

/* "self" there is another number than here, or none, when its processes are not ours. */
static bool shows_others(struct look *look, const char *path)
{
	char self[1100], link[32];
	struct attempt a;

	format_text(self, sizeof self, "%s/self", path);
	a = try_readlink(look->trial, self, link, sizeof link);
	if (attempt_worked(a))
		return (int)leading_number(link, NULL) != look->pid;
	if (!a.reached)
		look->pid = -1; /* whose it is cannot be told */
	return a.reached && a.error == ENOENT && look->pid > 0;
}

static void look_at_folder(struct look *look, const struct mount_line *mount,
			   const struct object *object, enum mount_source source)
{
	bool is_root = object->dev == origin()->root_dev && object->ino == origin()->root_ino;

	if (!is_root && !is_image(mount->type) && is_system(look->trial, mount->point))
		list_place(look, SYSTEM, mount->point);
	if (source != MOUNT_FOLDER && source != MOUNT_SHARE)
		return;
	if (is_target(look->trial, "target.mounts", mount->point))
		look->declared++;
	else
		list_place(look, FOLDERS, mount->point);
}

/* A whole procfs or devtmpfs. True: it is one. */
static bool look_at_kernels(struct look *look, const struct mount_line *mount)
{
	if (strcmp(mount->root, "/") != 0)
		return false;
	if (strcmp(mount->type, "proc") == 0 && look->pid > 0 && shows_others(look, mount->point))
		list_place(look, PROCESSES, mount->point);
	else if (strcmp(mount->type, "devtmpfs") == 0 && strcmp(mount->point, "/dev") != 0)
		list_place(look, DEVICES, mount->point);
	else
		return false;
	return true;
}

static bool take_mount(void *context, const struct mount_line *mount)
{
	struct look *look = context;
	enum mount_source source = mount_source(look->trial, mount);
	struct object object;
	struct attempt a = try_stat(look->trial, AT_FDCWD, mount->point, 0, &object);

	if (!attempt_worked(a) && (source == MOUNT_FOLDER || source == MOUNT_SHARE)) {
		look->seen[FOLDERS] = true;
		settle_unseen(look->trial, FOLDERS, mount->point, a);
	}
	look->blind |= !a.reached;
	/* Unless another mount covers it. */
	if (!attempt_worked(a) || !S_ISDIR(object.mode) ||
	    (object.mount_id && object.mount_id != (uint64_t)mount->id))
		return true;
	if (!look_at_kernels(look, mount) && strcmp(mount->point, "/") != 0)
		look_at_folder(look, mount, &object, source);
	return true;
}

static void attempt(struct trial *trial)
{
	struct look look = { .trial = trial };
	struct attempt a = try_own_number(trial);

	look.pid = a.value;
	a = each_mount(trial, take_mount, &look);
	if (look.declared)
		note_number(trial, FOLDERS, "declared", look.declared);
	for (int i = 0; i < N; i++) {
		if (!attempt_worked(a))
			settle_unknown(trial, i, REASON_NO_VIEW);
		else if (look.blind || (i == PROCESSES && look.pid < 0))
			settle_unknown(trial, i, REASON_CONTROL_FAILED);
		else if (!look.seen[i])
			settle(trial, i, found_in_process(false));
	}
}

const struct scenario scenario_mount_host_tree = {
	.about = ABOUT(
		.title = "See the host's own tree",
		.accessed = "Code in the sandbox sees a system, processes, devices or folders "
			    "from outside it.",
		.denied = "Code in the sandbox sees no folder that was mounted from outside, but "
			  "for those that its owner declares.",
		.why = "Where the host's tree can be seen, its configuration, its programs and "
		       "its secrets are separated from the sandbox by file modes alone.",
		.see = "T1611",
		.open = "O -usr --ro-bind / /mnt",
		.closed = "O -usr",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_OBSERVE,
	.fix = FIX(BIND),
	CASES(cases),
	.attempt = attempt,
};
