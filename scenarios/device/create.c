/* SPDX-License-Identifier: MIT */
/*
 * A device node of one's own making opens the device, whatever /dev holds. Tried in the scratch
 * folders: the null device, which the device rules of most engines let pass, then the kernel's log,
 * which stands for all that they should not. Opened to read, not read, and removed.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <sys/stat.h>

enum { MEMORY = 1, NULL_DEVICE = 3, LOG = 11 };

static const struct attempt not_removable = {
	.value = -1, .error = ECANCELED, .nr = -1, .reached = true
};

struct made {
	struct attempt made, asked, opened;
	char path[512];
};

static struct made make_and_open(struct trial *trial, const char *folder, unsigned minor)
{
	struct made node = { .made = not_removable };

	if (!own_name(trial, folder, "", "", node.path, sizeof node.path))
		return node;
	node.made = try_make_node(trial, node.path, S_IFCHR | 0600, MEMORY, minor);
	if (attempt_worked(node.made)) {
		node.asked = try_access(trial, node.path, 4 /* R_OK */);
		node.opened = try_node(trial, node.path);
	}
	drop_name(trial, node.path);
	return node;
}

static bool try_folder(struct trial *trial, const char *folder)
{
	struct made null = make_and_open(trial, folder, NULL_DEVICE);
	struct made log = make_and_open(trial, folder, LOG);
	bool refused_by_driver;

	note_flag(trial, WHOLE, "null_made", attempt_worked(null.made));
	if (!attempt_worked(log.made)) {
		settle_make_node(trial, WHOLE, folder, log.made,
				 attempt_worked(null.made) ? &null.made : NULL);
		return false;
	}
	note_flag(trial, WHOLE, "null_opens",
		  attempt_worked(null.made) && attempt_worked(null.opened));
	/* Past the device rules, which are part of the access check: the log has its own. */
	refused_by_driver =
		log.opened.reached && log.opened.error == EPERM && attempt_worked(log.asked);
	if (refused_by_driver) {
		note_text(trial, WHOLE, "by", "access check");
		log.opened = log.asked;
	}
	/* An emulated kernel has no such device: the folder has no part in it. */
	settle(trial, WHOLE, log.opened, .path = log.opened.error == ENXIO ? NULL : folder,
	       .right = RIGHT_ENTRY, .device = true,
	       .cgroup = log.asked.reached && log.asked.error == EPERM);
	if (attempt_worked(log.opened))
		report_object(trial, "folder", folder);
	return attempt_worked(log.opened);
}

static void attempt(struct trial *trial)
{
	const char *folders[8];
	unsigned n = scratch_folders(trial, folders);

	/* NULL: it is settled why nothing can be made. */
	if (!collected_folder(trial))
		return;
	for (unsigned i = 0; i < n; i++)
		if (try_folder(trial, folders[i]))
			return;
}

static const struct question asks[] = {
	{ __NR_mknodat, { (unsigned long)AT_FDCWD, 0, S_IFCHR | 0600, MEMORY << 8 | NULL_DEVICE } },
	{ __NR_mknodat, { (unsigned long)AT_FDCWD, 0, S_IFCHR | 0600, MEMORY << 8 | LOG } },
	{ __NR_mknodat, { (unsigned long)AT_FDCWD, 0, S_IFIFO | 0600 } },
#ifdef __NR_mknod
	{ __NR_mknod, { 0, S_IFCHR | 0600, MEMORY << 8 | NULL_DEVICE } },
	{ __NR_mknod, { 0, S_IFCHR | 0600, MEMORY << 8 | LOG } },
	{ __NR_mknod, { 0, S_IFIFO | 0600 } },
#endif
};

const struct scenario scenario_device_create = {
	.about = ABOUT(
		.title = "Make device nodes that open",
		.accessed = "Code in the sandbox can make a device node and open the host's "
			    "device with it.",
		.denied = "Code in the sandbox cannot make a device node that opens.",
		.why = "Who can make nodes needs none in /dev: the host's disk is two numbers "
		       "away.",
		.see = "T1006",
		.open = "O +uid:1234 +MKNOD +call:mknodat +devices --dev-bind $D/w /w --chdir /w",
		.closed = "O +uid:1234 +call:mknodat +devices --dev-bind $D/w /w --chdir /w",
		.closed_by = BARRIER_BIT(BARRIER_CAPABILITY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(CAP) | FIX(DEV),
	ASKS(asks),
	.attempt = attempt,
};
