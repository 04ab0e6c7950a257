/* SPDX-License-Identifier: MIT */
/*
 * Could code in the sandbox lift the limits of its own control group? The files that hold them are
 * opened for writing in our own group and in those above it, inside a sandbox, and closed again. At
 * level act an empty group of our own is made and removed.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>

enum { PROCESSES, LIMITS, DEVICES, FREEZER, NEW_GROUP };
enum { MOUNTS_AT_MOST = 8 };

static const struct case_def cases[] = {
	[PROCESSES] = { "processes", "cgroup.procs", 0, 0, 0 },
	[LIMITS] = { "limits", NULL, 0, 0, 0 },
	[DEVICES] = { "devices", "devices.allow", 0, 0, 0 },
	[FREEZER] = { "freezer", NULL, 0, 0, 0 },
	[NEW_GROUP] = { "new-group", NULL, 0, LEVEL_ACT, PLACE_FOLDER },
};

/* By the controller whose group has it: in version 1 each may have a hierarchy of its own. */
static const struct {
	int case_index;
	const char *controller, *file;
} files[] = {
	{ PROCESSES, "memory", "cgroup.procs" },
	{ LIMITS, "memory", "memory.max" },
	{ LIMITS, "memory", "memory.swap.max" },
	{ LIMITS, "memory", "memory.limit_in_bytes" },
	{ PROCESSES, "pids", "cgroup.procs" },
	{ LIMITS, "pids", "pids.max" },
	{ PROCESSES, "cpu", "cgroup.procs" },
	{ LIMITS, "cpu", "cpu.max" },
	{ LIMITS, "cpu", "cpu.cfs_quota_us" },
	{ LIMITS, "cpuset", "cpuset.cpus" },
	{ LIMITS, "io", "io.max" },
	{ PROCESSES, "devices", "cgroup.procs" },
	{ DEVICES, "devices", "devices.allow" },
	{ PROCESSES, "freezer", "cgroup.procs" },
	{ FREEZER, "freezer", "freezer.state" },
	{ FREEZER, "freezer", "cgroup.freeze" },
};

struct groups {
	struct trial *trial;
	unsigned above; /* levels between our own group and the one that is looked at */
	bool any, accessed[NEW_GROUP + 1], settled[NEW_GROUP + 1];
};

struct mounted {
	struct trial *trial;
	bool any, covered;
};

static bool count_mount(void *context, const struct mount_line *mount)
{
	struct mounted *mounted = context;
	bool covered;

	if (!starts_with(mount->type, "cgroup"))
		return true;
	covered = is_covered(mounted->trial, mount);
	mounted->any |= !covered;
	mounted->covered |= covered;
	return true;
}

/* What was tried first, or worked. A group's name may be another in the next run. */
static void note_try(struct groups *groups, int case_index, struct attempt a, const char *path)
{
	if (attempt_worked(a) || !groups->settled[case_index]) {
		note_number(groups->trial, case_index, "groups_above", groups->above);
		measure_text(groups->trial, case_index, "path", path);
	}
	groups->accessed[case_index] = attempt_worked(a);
	groups->settled[case_index] = true;
}

static void try_file(struct groups *groups, int case_index, const struct control_group *group,
		     const char *file)
{
	char path[1100];
	struct object object;
	struct attempt a;

	format_text(path, sizeof path, "%s/%s", group->path, file);
	if (groups->accessed[case_index])
		return;
	a = try_stat(groups->trial, AT_FDCWD, path, 0, &object);
	if (a.reached && a.error == ENOENT)
		return;
	a = settle_write(groups->trial, case_index, path, 0);
	if (attempt_worked(a) || !groups->settled[case_index])
		note_text(groups->trial, case_index, "file", file);
	note_try(groups, case_index, a, path);
}

/* A group, made and removed. */
static struct attempt make_group(struct trial *trial, const char *folder)
{
	struct attempt a = { .value = -1, .error = ECANCELED, .nr = -1, .reached = true };
	char path[512];

	if (own_name(trial, folder, "", "", path, sizeof path)) {
		a = try_make_folder(trial, path, 0700);
		drop_name(trial, path);
	}
	return a;
}

/* Not outside a sandbox: there it would be the host's tree that grows. */
static void try_group(struct groups *groups, const struct control_group *group)
{
	struct trial *trial = groups->trial;
	bool proxy = trial_is_outside(trial);
	struct attempt a;

	if (!case_is_planned(trial, NEW_GROUP) || groups->accessed[NEW_GROUP])
		return;
	if (proxy)
		note_flag(trial, NEW_GROUP, "proxy", true);
	a = proxy ? try_dir_write(trial, group->path) : make_group(trial, group->path);
	settle(trial, NEW_GROUP, a, .path = group->path, .right = RIGHT_ENTRY,
	       .id_unmapped = unmapped_refuses(trial, group->path, a, RIGHT_ENTRY,
					       CAP_DAC_OVERRIDE));
	note_try(groups, NEW_GROUP, a, group->path);
}

/* All rows of one controller, in our own group and those above, as one mount shows them. */
static void try_rows(struct groups *groups, struct control_group *group, unsigned first,
		     unsigned end)
{
	groups->above = 0;
	do {
		for (unsigned i = first; i < end; i++)
			try_file(groups, files[i].case_index, group, files[i].file);
		try_group(groups, group);
		groups->above++;
	} while (parent_group(group));
}

/* One mount may be read-only, and the next show the same groups and not be so. */
static void try_controller(struct groups *groups, unsigned first, unsigned end)
{
	struct control_group group;
	unsigned mounts = 1;

	for (unsigned i = 0; i < mounts && i < MOUNTS_AT_MOST; i++) {
		if (!find_group_in(groups->trial, files[first].controller, i, &group))
			return;
		groups->any = true;
		if (i == 0)
			mounts += group.other_mounts;
		try_rows(groups, &group, first, end);
	}
}

/* No file was seen: this kernel has none, nothing is mounted, or nothing is told. */
static void settle_unseen_cases(struct groups *groups)
{
	struct mounted mounted = { groups->trial, false, false };
	struct attempt a = each_mount(groups->trial, count_mount, &mounted);

	for (int i = 0; i <= NEW_GROUP; i++) {
		if (groups->settled[i] || !case_is_planned(groups->trial, i))
			continue;
		if (groups->any || (attempt_worked(a) && !mounted.any))
			settle(groups->trial, i, found_in_process(false),
			       .hidden = mounted.covered && !groups->any);
		else
			settle_unknown(groups->trial, i, REASON_NO_VIEW);
	}
}

static void attempt(struct trial *trial)
{
	struct groups groups = { .trial = trial };
	unsigned n = sizeof files / sizeof *files;

	for (unsigned first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n; end++)
			if (strcmp(files[end].controller, files[first].controller) != 0)
				break;
		try_controller(&groups, first, end);
	}
	settle_unseen_cases(&groups);
}

const struct scenario scenario_cgroup_writable = {
	.about = ABOUT(
		.title = "Lift the own limits",
		.accessed = "Code in the sandbox can change the control groups that bound it.",
		.denied = "Code in the sandbox cannot change the control groups that bound it.",
		.why = "Whoever may write to these files takes their own limits on memory, "
		       "processes and devices away, or stops the sandbox's processes.",
		.see = "CWE-732",
		.open = "O +uid:0 +cgroup-rw",
		.closed = "O +uid:0",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(CG),
	CASES(cases),
	.attempt = attempt,
};
