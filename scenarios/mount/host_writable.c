/* SPDX-License-Identifier: MIT */
/*
 * Can something be changed that lies outside? Of all mounts those are asked that show a folder of a
 * disk, or what somebody serves: folders take a nameless file, or one of the folders and files below
 * them; files are opened for writing and closed again. Outside a sandbox the access check decides.
 */
#include "scenarios/scenario.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

enum { FOLDERS, FILES, SHARES, ENGINE_FILES, N };
enum { DEPTH_BELOW = 3, ENTRIES_BELOW = 512, MAY_WRITE = 2, READ_ONLY_MOUNT = 1 /* ST_RDONLY */ };

static const struct case_def cases[] = {
	[FOLDERS] = { "folders", NULL, 0, 0, PLACE_FOLDER },
	[FILES] = { "files", NULL, 0, 0, 0 },
	[SHARES] = { "shares", NULL, 0, 0, PLACE_FOLDER },
	/* Made by the engine for this one sandbox, and removed with it. */
	[ENGINE_FILES] = { "engine-files", NULL, SEVERITY_LOW, 0, 0 },
};

struct look {
	struct trial *trial;
	unsigned seen[N];
};

static bool is_engine_file(const char *path)
{
	static const char *const files[] = { "/etc/hosts", "/etc/hostname", "/etc/resolv.conf",
					     "/run/.containerenv", "/dev/termination-log" };

	for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
		if (strcmp(path, files[i]) == 0)
			return true;
	return false;
}

/* ---------------------------------------------------------------- below a folder that is refused */

struct below {
	struct trial *trial;
	int which;
	uint64_t device;
	bool found, deeper; /* there are folders that were not looked into */
};

/* Of what the access check promises the first is tried. */
static enum search_step take_below(void *context, const struct search_entry *entry)
{
	struct below *below = context;
	struct trial *trial = below->trial;
	struct object object;
	struct attempt a;

	if (entry->type != DT_DIR && entry->type != DT_REG)
		return SEARCH_PASS;
	a = try_access(trial, entry->path, MAY_WRITE);
	if (attempt_worked(a) || !a.reached) {
		a = entry->type == DT_DIR ? settle_dir_write(trial, below->which, entry->path)
					  : settle_write(trial, below->which, entry->path, 0);
		below->found = attempt_worked(a);
		if (below->found)
			report_object(trial, case_of(trial, below->which)->name, entry->path);
	}
	if (below->found || entry->type == DT_REG)
		return below->found ? SEARCH_STOP : SEARCH_PASS;
	/* Other mounts below are asked for themselves. */
	a = try_stat(trial, AT_FDCWD, entry->path, AT_SYMLINK_NOFOLLOW, &object);
	if (!attempt_worked(a) || object.dev != below->device)
		return SEARCH_PASS;
	below->deeper |= entry->depth == DEPTH_BELOW;
	return SEARCH_ON;
}

/* Its own mode may refuse, and not those of what lies in it. */
static void look_below(struct trial *trial, int which, const char *path, uint64_t device)
{
	struct below below = { .trial = trial, .which = which, .device = device };
	struct folder_search search = { .trial = trial, .depth = DEPTH_BELOW,
					.at_most = ENTRIES_BELOW, .each = take_below,
					.context = &below };
	struct mount_facts mount;

	if (ask_mount(trial, path, &mount) && (mount.flags & READ_ONLY_MOUNT))
		return;
	search_folder(&search, path);
	if (!below.found && (search.cut || below.deeper))
		settle_unknown(trial, which, REASON_TIMED_OUT);
}

/* ---------------------------------------------------------------- where mounts are told */

static void ask_place(struct look *look, const char *path, const struct object *object, bool share)
{
	struct trial *trial = look->trial;
	bool folder = S_ISDIR(object->mode);
	int which = is_engine_file(path) ? ENGINE_FILES : share ? SHARES : folder ? FOLDERS : FILES;
	struct attempt a;

	look->seen[which]++;
	a = folder ? settle_dir_write(trial, which, path) : settle_write(trial, which, path, 0);
	if (attempt_worked(a))
		report_object(trial, case_of(trial, which)->name, path);
	else if (folder)
		look_below(trial, which, path, object->dev);
}

static bool is_probe(const struct object *object)
{
	return object->ino == origin()->probe_ino && object->dev == origin()->probe_dev;
}

static bool take_mount(void *context, const struct mount_line *mount)
{
	struct look *look = context;
	enum mount_source source = mount_source(look->trial, mount);
	struct object object;
	struct attempt a;

	if (strcmp(mount->point, "/") == 0 || (source != MOUNT_FOLDER && source != MOUNT_SHARE))
		return true;
	a = try_stat(look->trial, AT_FDCWD, mount->point, 0, &object);
	/* Another mount covers it, or it is our own program, which is another question. */
	if (attempt_worked(a) && ((object.mount_id && object.mount_id != (uint64_t)mount->id) ||
				  is_probe(&object)))
		return true;
	if (attempt_worked(a) && (S_ISDIR(object.mode) || S_ISREG(object.mode)))
		ask_place(look, mount->point, &object, source == MOUNT_SHARE);
	else if (!attempt_worked(a)) {
		look->seen[FOLDERS]++;
		/* Where no form of stat is let through, writing may be. */
		if (!a.reached)
			settle_dir_write(look->trial, FOLDERS, mount->point);
		settle_unseen(look->trial, FOLDERS, mount->point, a);
	}
	return true;
}

/* ---------------------------------------------------------------- where mounts are not told */

/* f_type of disks and of what is served; a folder of it is mounted there, or all of it. */
static bool is_from_outside(uint64_t type)
{
	static const uint32_t known[] = {
		0xef53 /* ext4 */, 0x58465342 /* xfs */, 0x9123683e /* btrfs */,
		0xf2f52010 /* f2fs */, 0x2fc12fc1 /* zfs */, 0xca451a4e /* bcachefs */, 0x01021997 /* 9p */,
		0x65735546 /* fuse, virtiofs */, 0x6969 /* nfs */, 0xfe534d42 /* smb3 */,
		0xff534d42 /* cifs */, 0x00c36400 /* ceph */, 0x794c7630 /* overlay */,
	};

	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		if (type == known[i])
			return true;
	return false;
}

static enum search_step take_folder(void *context, const struct search_entry *entry)
{
	struct look *look = context;
	struct mount_facts mount;

	if (entry->type == DT_DIR && is_mount_root(look->trial, entry->path) &&
	    ask_mount(look->trial, entry->path, &mount) && is_from_outside(mount.type) &&
	    attempt_worked(settle_dir_write(look->trial, FOLDERS, entry->path)))
		report_object(look->trial, case_of(look->trial, FOLDERS)->name, entry->path);
	return SEARCH_ON;
}

/* What is found is there; of the rest nothing is known. */
static void look_around(struct look *look)
{
	struct folder_search search = { .trial = look->trial, .depth = 2, .at_most = 256,
					.each = take_folder, .context = look };

	search_folder(&search, "/");
	for (int i = 0; i < N; i++)
		settle_unknown(look->trial, i, REASON_NO_VIEW);
}

static void attempt(struct trial *trial)
{
	struct look look = { .trial = trial };
	struct attempt a = each_mount(trial, take_mount, &look);

	if (!attempt_worked(a)) {
		look_around(&look);
		return;
	}
	for (int i = 0; i < N; i++) {
		note_number(trial, i, "mounts", look.seen[i]);
		if (!look.seen[i])
			settle(trial, i, found_in_process(false));
	}
}

const struct scenario scenario_mount_host_writable = {
	.about = ABOUT(
		.title = "Change files outside by way of a mount",
		.accessed = "Code in the sandbox can write to a folder or file that lies outside "
			    "it.",
		.denied = "Code in the sandbox cannot write to anything that is mounted from "
			  "outside.",
		.why = "What is written there stays when the sandbox is gone, and others use it.",
		.see = "CWE-732",
		.open = "B --bind $D/w /w",
		.closed = "B --ro-bind $D/w /w",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(BIND),
	CASES(cases),
	.attempt = attempt,
};
