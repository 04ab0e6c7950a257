/* SPDX-License-Identifier: MIT */
/*
 * The folders in which something is mounted: may an entry be made there, and one be removed? With
 * both a folder on the way to the mount can be replaced by a link. The calls are tried on an own
 * folder in a scratch folder; of the parents only the rights are asked.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/magic.h>
#include <string.h>

enum { KEPT, IN_MEMORY };

static const struct case_def cases[] = {
	[KEPT] = { "kept-storage", NULL, 0, 0, 0 },
	/* Mostly the sandbox's own, and new in each run. */
	[IN_MEMORY] = { "memory-file-system", NULL, SEVERITY_LOW, 0, 0 },
};

enum { PARENTS = 48 };

struct parents {
	struct trial *trial;
	unsigned n, seen[2], open[2];
	char paths[PARENTS][192];
	bool cut;
};

/* Views of the kernel: nobody makes entries there. */
static bool is_kernels(uint64_t type)
{
	static const uint64_t types[] = {
		PROC_SUPER_MAGIC,   SYSFS_MAGIC,      CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
		DEVPTS_SUPER_MAGIC, SECURITYFS_MAGIC, DEBUGFS_MAGIC,      TRACEFS_MAGIC,
	};

	for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
		if (types[i] == type)
			return true;
	return false;
}

static bool take_mount(void *context, const struct mount_line *mount)
{
	struct parents *parents = context;
	const char *slash = strrchr(mount->point, '/');
	size_t n = slash == mount->point ? 1 : (size_t)(slash - mount->point);

	if (!slash || !slash[1])
		return true; /* "/" has no parent here */
	if (n >= sizeof parents->paths[0] || parents->n == PARENTS) {
		parents->cut = true;
		return true;
	}
	for (unsigned i = 0; i < parents->n; i++)
		if (strncmp(parents->paths[i], mount->point, n) == 0 && !parents->paths[i][n])
			return true;
	memcpy(parents->paths[parents->n], mount->point, n);
	parents->paths[parents->n++][n] = '\0';
	return true;
}

static void try_parent(struct parents *parents, const char *folder)
{
	struct trial *trial = parents->trial;
	struct mount_facts mount = { 0 };
	struct attempt a;
	int kind = KEPT;

	if (ask_mount(trial, folder, &mount) && is_kernels(mount.type))
		return;
	if (mount.type == TMPFS_MAGIC || mount.type == RAMFS_MAGIC)
		kind = IN_MEMORY;
	parents->seen[kind]++;
	if (trial_is_outside(trial) && !is_below_scratch(trial, folder))
		note_flag(trial, kind, "proxy", true);
	a = try_dir_write(trial, folder);
	if (!attempt_worked(a)) {
		settle(trial, kind, a, .path = folder, .right = RIGHT_ENTRY);
		return;
	}
	a = try_dir_remove(trial, folder);
	if (!attempt_worked(a)) {
		settle(trial, kind, a, .path = folder, .right = RIGHT_ENTRY | RIGHT_ALTER);
		return;
	}
	parents->open[kind]++;
	report_object(trial, case_of(trial, kind)->name, folder);
}

/* An empty name is refused before any look-up: no filter refuses the call. */
static struct attempt let_through(struct attempt a)
{
	if (a.reached && a.error == ENOENT) {
		a.value = 0;
		a.error = 0;
	}
	return a;
}

/* An own folder, removed, and a link in its place; without a scratch folder the calls alone. */
static struct attempt replace_own(struct trial *trial)
{
	const char *folder = scratch_folder(trial);
	char path[512];
	struct attempt a;

	if (!folder || !own_name(trial, folder, "", "", path, sizeof path)) {
		a = let_through(try_make_folder(trial, "", 0700));
		return attempt_worked(a) ? let_through(try_make_link(trial, "/", "")) : a;
	}
	a = try_make_folder(trial, path, 0700);
	if (attempt_worked(a))
		a = drop_name(trial, path);
	if (attempt_worked(a) && own_name(trial, folder, "", "", path, sizeof path))
		a = try_make_link(trial, "/", path);
	drop_name(trial, path);
	return a;
}

static void attempt(struct trial *trial)
{
	struct parents parents = { .trial = trial };
	struct attempt a = each_mount(trial, take_mount, &parents);

	for (unsigned i = 0; attempt_worked(a) && i < parents.n; i++)
		try_parent(&parents, parents.paths[i]);
	for (int kind = KEPT; kind <= IN_MEMORY; kind++) {
		if (!attempt_worked(a)) {
			note_text(trial, kind, "not_visible", "/proc/self/mountinfo");
			settle_unknown(trial, kind, REASON_NO_VIEW);
			continue;
		}
		note_number(trial, kind, "parents", parents.seen[kind]);
		if (parents.open[kind]) {
			note_number(trial, kind, "replaceable", parents.open[kind]);
			settle(trial, kind, replace_own(trial));
		} else if (parents.cut) {
			settle_unknown(trial, kind, REASON_TIMED_OUT);
		} else if (!parents.seen[kind]) {
			settle(trial, kind, found_in_process(false));
		}
	}
}

static const struct question asks[] = {
	{ __NR_mkdirat, { (unsigned long)AT_FDCWD, 0, 0700 } },
	{ __NR_symlinkat, { 0, (unsigned long)AT_FDCWD } },
	{ __NR_unlinkat, { (unsigned long)AT_FDCWD, 0, AT_REMOVEDIR } },
};

const struct scenario scenario_artefact_replaced_parent = {
	.about = ABOUT(
		.title = "Replace a folder on the way to a mount",
		.accessed = "Code in the sandbox can replace entries of a folder in which "
			    "something is mounted.",
		.denied = "Code in the sandbox cannot replace entries of any folder in which "
			  "something is mounted.",
		.why = "When the sandbox is made again, the way to the mount may lead through a "
		       "link that the code left there: what is mounted, or written, then lands "
		       "elsewhere on the host.",
		.see = "CWE-59",
		.open = "B --bind $D/a /a --ro-bind $D/h /a/b",
		.closed = "B --ro-bind $D/a /a --ro-bind $D/h /a/b",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
