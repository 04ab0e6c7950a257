/* SPDX-License-Identifier: MIT */
/*
 * Are file systems mounted that are the kernel's own insides? By the list of mounts, and at their
 * usual places where it is not told; each is listed. One that would only be mounted by walking into
 * it is left alone.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/magic.h>
#include <string.h>

#ifndef FUSE_CTL_SUPER_MAGIC
#define FUSE_CTL_SUPER_MAGIC 0x65735543
#endif
#ifndef CONFIGFS_MAGIC
#define CONFIGFS_MAGIC 0x62656570
#endif

static const struct case_def cases[] = {
	{ "debugfs", "/sys/kernel/debug", 0, 0, PLACE_FOLDER },
	{ "tracefs", "/sys/kernel/tracing", 0, 0, PLACE_FOLDER },
	{ "securityfs", "/sys/kernel/security", 0, 0, PLACE_FOLDER },
	{ "configfs", "/sys/kernel/config", 0, 0, PLACE_FOLDER },
	{ "bpf", "/sys/fs/bpf", 0, 0, PLACE_FOLDER },
	{ "efivarfs", "/sys/firmware/efi/efivars", 0, 0, PLACE_FOLDER },
	{ "pstore", "/sys/fs/pstore", 0, 0, PLACE_FOLDER },
	{ "binfmt-misc", "/proc/sys/fs/binfmt_misc", 0, 0, PLACE_FOLDER },
	{ "fusectl", "/sys/fs/fuse/connections", 0, 0, PLACE_FOLDER },
};
enum { N = sizeof cases / sizeof *cases };

static const struct {
	const char *type;
	uint64_t magic;
} types[N] = {
	{ "debugfs", DEBUGFS_MAGIC },
	{ "tracefs", TRACEFS_MAGIC },
	{ "securityfs", SECURITYFS_MAGIC },
	{ "configfs", CONFIGFS_MAGIC },
	{ "bpf", BPF_FS_MAGIC },
	{ "efivarfs", EFIVARFS_MAGIC },
	{ "pstore", PSTOREFS_MAGIC },
	{ "binfmt_misc", BINFMTFS_MAGIC },
	{ "fusectl", FUSE_CTL_SUPER_MAGIC },
};

struct look {
	struct trial *trial;
	bool settled[N];
};

/* What is listed must be the file system itself, not what covers it or its bare folder. */
static struct attempt list_one(struct trial *trial, int i, const char *path)
{
	struct attempt a = { .value = -1, .nr = -1, .reached = true };
	struct mount_facts mount;
	struct object object;

	if (is_automount(trial, path)) {
		note_text(trial, i, "not_mounted", path);
		return a;
	}
	a = try_stat(trial, AT_FDCWD, path, 0, &object);
	if (attempt_worked(a) || !a.reached)
		a = try_list(trial, path, NULL, NULL);
	if (!attempt_worked(a))
		return a;
	if (ask_mount(trial, path, &mount))
		return mount.type == types[i].magic ? a : found_nothing(a);
	return (struct attempt){ .value = -1, .error = ECANCELED, .nr = -1, .reached = true };
}

static void ask_one(struct look *look, int i, const char *path)
{
	struct attempt a = list_one(look->trial, i, path);

	if (attempt_worked(a) || !look->settled[i])
		note_text(look->trial, i, "path", path);
	look->settled[i] = true;
	if (attempt_worked(a) && types[i].magic == BINFMTFS_MAGIC &&
	    is_own_instance(look->trial, path))
		settle(look->trial, i, found_nothing(a), .elsewhere = true);
	else
		settle(look->trial, i, a, .path = path, .right = RIGHT_READ);
}

static bool take_mount(void *context, const struct mount_line *mount)
{
	struct look *look = context;

	for (int i = 0; i < N; i++)
		if (strcmp(mount->type, types[i].type) == 0)
			ask_one(look, i, mount->point);
	return true;
}

static void attempt(struct trial *trial)
{
	struct look look = { .trial = trial };

	each_mount(trial, take_mount, &look);
	for (int i = 0; i < N; i++)
		if (!look.settled[i])
			ask_one(&look, i, case_of(trial, i)->path);
}

const struct scenario scenario_mount_kernel_file_systems = {
	.about = ABOUT(
		.title = "Look into the kernel's own file systems",
		.accessed = "Code in the sandbox can list file systems that show the kernel's "
			    "insides.",
		.denied = "Code in the sandbox can list none of the file systems that show the "
			  "kernel's insides.",
		.why = "They are made for whoever debugs or configures the whole machine: they "
		       "trace every process, hold firmware variables, crash records and programs "
		       "in the kernel.",
		.see = "T1611",
		.open = "O +uid:0 --mount debugfs /sys/kernel/debug",
		.closed = "O +uid:0",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(MASK),
	CASES(cases),
	.attempt = attempt,
};
