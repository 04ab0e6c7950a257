/* SPDX-License-Identifier: MIT */
/*
 * Could the system be deleted? Whole trees, by what their folders permit, and whole disks, by what
 * a block device node permits: it is looked at and asked about, never opened.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { ROOT, USR, USR_LIB, BOOT, VAR_LIB, DISKS };
enum { MOST_NODES = 256 };

static const struct case_def cases[] = {
	[ROOT] = CRITICAL_ROOT(SEVERITY_INHERIT),
	[USR] = { "usr", "/usr", 0, 0, PLACE_FOLDER },
	[USR_LIB] = { "usr-lib", "/usr/lib", 0, 0, PLACE_FOLDER },
	[BOOT] = { "boot", "/boot", 0, 0, PLACE_FOLDER },
	[VAR_LIB] = { "var-lib", "/var/lib", 0, 0, PLACE_FOLDER },
	[DISKS] = { "disks", "/dev", 0, 0, PLACE_FOLDER },
};

struct disks {
	struct trial *trial;
	unsigned seen, writable;
	bool settled; /* one refusal is enough to tell which layer it was */
};

/* Asking for the right to write asks the group of devices too. */
static void look_at_node(struct disks *disks, const char *path)
{
	struct mount_facts mount;
	/* A proxy, for a node is no plain file: it is asked about and never opened. */
	struct attempt a = try_open_for_writing(disks->trial, DISKS, path, 0);

	if (attempt_worked(a) && ask_mount(disks->trial, path, &mount) &&
	    (mount.flags & 4)) { /* ST_NODEV: the node is a name only */
		a.value = -1;
		a.error = EACCES;
	}
	if (attempt_worked(a)) {
		disks->writable++;
		report_object(disks->trial, "disk", path);
		settle(disks->trial, DISKS, a);
	} else if (!disks->settled) {
		disks->settled = true;
		settle(disks->trial, DISKS, a, .path = path, .right = RIGHT_WRITE, .device = true,
		       .cgroup = a.reached && a.error == EPERM);
	}
}

static bool take_node(void *context, const char *name, unsigned char type)
{
	struct disks *disks = context;
	struct object object;
	char path[300];

	if (type != 6 /* DT_BLK */ && type != 0)
		return true;
	format_text(path, sizeof path, "/dev/%s", name);
	if (type == 0 && !(attempt_worked(try_stat(disks->trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW,
						   &object)) &&
			   S_ISBLK(object.mode)))
		return true;
	look_at_node(disks, path);
	return ++disks->seen < MOST_NODES;
}

static void attempt(struct trial *trial)
{
	struct disks disks = { .trial = trial };
	struct attempt listing;

	for (int i = ROOT; i <= VAR_LIB; i++)
		settle_dir_remove(trial, i, case_of(trial, i)->path);
	listing = try_list(trial, "/dev", take_node, &disks);
	note_number(trial, DISKS, "disks", disks.seen);
	note_number(trial, DISKS, "writable", disks.writable);
	/* A disk may still be there by its name where the folder cannot be listed. */
	if (!attempt_worked(listing) && listing.error != ENOENT) {
		note_text(trial, DISKS, "not_visible", "/dev");
		settle_unknown(trial, DISKS, REASON_NO_VIEW);
	} else if (disks.seen >= MOST_NODES)
		settle_unknown(trial, DISKS, REASON_TIMED_OUT);
	else if (disks.seen == 0)
		settle(trial, DISKS, found_nothing(listing));
}

const struct scenario scenario_danger_delete_system_files = {
	.about = ABOUT(
		.title = "Delete system files",
		.accessed = "Code in the sandbox can delete parts of the system, or overwrite a "
			    "disk.",
		.denied = "Code in the sandbox can neither delete parts of the system nor "
			  "overwrite a disk.",
		.why = "A system that is deleted does not start again, and what was on its disks "
		       "is lost.",
		.see = "T1485, T1561",
		.paper = "Delete system files",
		.open = "B --bind $D/lib /var/lib",
		.closed = "B --ro-bind $D/lib /var/lib",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO) | FIX(DEV),
	CASES(cases),
	.attempt = attempt,
};
