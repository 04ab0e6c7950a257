/* SPDX-License-Identifier: MIT */
/*
 * Can file systems be mounted? An empty one in memory is made by the new calls and never attached,
 * a copy of a mount is taken and dropped; and where a mount namespace of our own can be had, an
 * empty one is mounted there, which ends with this trial. Elsewhere nothing is ever attached.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <sched.h>

#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif

enum { DETACHED, COPY, MOUNT };

static const struct case_def cases[] = {
	[DETACHED] = { "detached-file-system", NULL, 0, 0, 0 },
	[COPY] = { "copy-of-a-mount", NULL, 0, 0, 0 },
	[MOUNT] = { "mount", NULL, 0, 0, 0 },
};

static const struct question asks[] = {
	{ __NR_unshare, { CLONE_NEWNS } },
	{ __NR_fsopen, { 0, FSOPEN_CLOEXEC } },
	{ __NR_fsconfig, { -1ul, FSCONFIG_CMD_CREATE } },
	{ __NR_fsmount, { -1ul, FSMOUNT_CLOEXEC } },
	{ __NR_open_tree, { (unsigned long)AT_FDCWD, 0, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC } },
	{ __NR_mount, { 0, 0, 0, MS_REC | MS_PRIVATE } },
	{ __NR_mount, { 0, 0, 0, MS_NOSUID | MS_NODEV | MS_NOEXEC } },
	{ __NR_mount, { 0 } },
};

static struct attempt make_detached(struct trial *trial)
{
	struct attempt a = try_call_as(trial, "pv", "fsopen", __NR_fsopen, "tmpfs", FSOPEN_CLOEXEC);
	int fd = (int)a.value;

	if (!attempt_worked(a))
		return a;
	a = try_call_as(trial, "fvppv", "fsconfig", __NR_fsconfig, fd, FSCONFIG_CMD_CREATE, NULL,
			NULL, 0);
	if (attempt_worked(a))
		a = try_call_as(trial, "fvv", "fsmount", __NR_fsmount, fd, FSMOUNT_CLOEXEC, 0);
	close_fd((int)a.value);
	close_fd(fd);
	return a;
}

static struct attempt take_copy(struct trial *trial, const char *folder)
{
	struct attempt a = try_call_as(trial, "dpv", "open_tree", __NR_open_tree, AT_FDCWD, folder,
				       OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);

	/* What lies on it may not be uncovered: then with all that is mounted there. */
	if (a.error == EINVAL)
		a = try_call_as(trial, "dpv", "open_tree", __NR_open_tree, AT_FDCWD, folder,
				OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
	close_fd((int)a.value);
	return a;
}

static struct attempt call_mount(struct trial *trial, const char *folder, const char *type,
				 unsigned long flags)
{
	return try_call_as(trial, "pppvp", "mount", __NR_mount, type, folder, type, flags, NULL);
}

/*
 * K4: a file system of no type is refused, but only after the right to mount was asked for: EINVAL
 * (EFAULT from gVisor) is for those alone who have it.
 */
static struct attempt ask_mount_right(struct trial *trial)
{
	struct attempt a = call_mount(trial, "/", NULL, 0);

	if (a.reached && (a.error == EINVAL || a.error == EFAULT)) {
		note_flag(trial, MOUNT, "proxy", true);
		a.value = 0;
	}
	return a;
}

static void attempt(struct trial *trial)
{
	const char *folder = scratch_folder(trial);
	bool apart = attempt_worked(try_own_mounts(trial, CLONE_NEWNS));
	struct attempt made = make_detached(trial);
	struct attempt copied = take_copy(trial, folder ? folder : "/");
	struct attempt mounted = apart ? call_mount(trial, folder ? folder : "/", "tmpfs",
						    MS_NOSUID | MS_NODEV | MS_NOEXEC) :
					 ask_mount_right(trial);

	note_flag(trial, WHOLE, "own_namespace", apart);
	settle(trial, DETACHED, made, .capability = NEEDS_CAP(CAP_SYS_ADMIN));
	settle(trial, COPY, copied, .capability = NEEDS_CAP(CAP_SYS_ADMIN));
	/* Where the same right let us make one, it is not wanting: modules guard this call alone. */
	settle(trial, MOUNT, mounted, .twin = &made,
	       .capability = attempt_worked(made) ? 0 : NEEDS_CAP(CAP_SYS_ADMIN));
}

const struct scenario scenario_kernel_mount = {
	.about = ABOUT(
		.title = "Mount file systems",
		.accessed = "Code in the sandbox can mount file systems.",
		.denied = "Code in the sandbox cannot mount file systems.",
		.why = "Who mounts can make read-only mounts writable, uncover what was covered, "
		       "and look into the machine's disks where their devices are at hand.",
		.see = "T1611",
		.open = "O +SYS_ADMIN +call:unshare,mount,fsopen,fsconfig,fsmount,open_tree",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_CAPABILITY) | BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.fix = FIX(CAP) | FIX(SEC),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
