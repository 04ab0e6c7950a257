/* SPDX-License-Identifier: MIT */
/*
 * Is the root folder a mere chroot(2), and may we call it again? Both together are the oldest way
 * out there is. Nobody walks out: what is called changes the root to what it is.
 */
#include "scenarios/scenario.h"

#include <linux/capability.h>
#include <linux/stat.h>
#include <string.h>

#ifndef STATX_ATTR_MOUNT_ROOT
#define STATX_ATTR_MOUNT_ROOT 0x00002000
#endif

enum fence { FENCE_NOT_TOLD, FENCE_MOUNT, FENCE_CHROOT };

static const struct question asks[] = {
	{ __NR_chroot, { 0 } },
};

static bool take_root(void *context, const struct mount_line *mount)
{
	*(bool *)context |= strcmp(mount->point, "/") == 0;
	return true;
}

/* A chroot() into a folder that is a mount itself: the first process of our mounts has another. */
static bool has_another_root(struct trial *trial)
{
	const struct process first = { .pid = 1, .listed = true };
	uint64_t own = 0, other = 0;
	struct object object;

	return attempt_worked(try_namespace(trial, NULL, NAMESPACE_MNT, &own)) &&
	       attempt_worked(try_namespace(trial, &first, NAMESPACE_MNT, &other)) && own == other &&
	       attempt_worked(try_stat(trial, AT_FDCWD, "/proc/1/root", 0, &object)) &&
	       (object.dev != origin()->root_dev || object.ino != origin()->root_ino);
}

static enum fence find_fence(struct trial *trial, struct attempt *ret_attempt)
{
	struct object object;
	bool found = false;

	*ret_attempt = try_stat(trial, AT_FDCWD, "/", 0, &object);
	if (attempt_worked(*ret_attempt) && (object.attributes_mask & STATX_ATTR_MOUNT_ROOT)) {
		if (!(object.attributes & STATX_ATTR_MOUNT_ROOT) || has_another_root(trial))
			return FENCE_CHROOT;
		return FENCE_MOUNT;
	}
	*ret_attempt = each_mount(trial, take_root, &found);
	if (!attempt_worked(*ret_attempt))
		return FENCE_NOT_TOLD;
	return !found || has_another_root(trial) ? FENCE_CHROOT : FENCE_MOUNT;
}

static void attempt(struct trial *trial)
{
	struct attempt look, a = try_call_as(trial, "p", "chroot", __NR_chroot, "/");
	enum fence fence = find_fence(trial, &look);
	bool elsewhere = namespace_sharing(trial, NAMESPACE_MNT, NULL) == SHARING_OWN;

	if (fence != FENCE_NOT_TOLD)
		note_flag(trial, WHOLE, "root_is_mount", fence == FENCE_MOUNT);
	note_flag(trial, WHOLE, "may_chroot", attempt_worked(a));
	if (fence == FENCE_MOUNT)
		settle(trial, WHOLE, found_nothing(look), .elsewhere = elsewhere);
	else if (fence == FENCE_CHROOT && attempt_worked(a))
		settle(trial, WHOLE, a);
	else if (attempt_worked(a))
		settle_unknown(trial, WHOLE, REASON_NO_VIEW);
	/* Whatever the root is, without the call nobody gets out of it. */
	if (!attempt_worked(a))
		settle(trial, WHOLE, a, .capability = NEEDS_CAP(CAP_SYS_CHROOT));
}

const struct scenario scenario_namespace_chroot_only = {
	.about = ABOUT(
		.title = "Leave a root that chroot made",
		.accessed = "Code in the sandbox is kept in its folder by chroot alone, and has "
			    "the right to call chroot again.",
		.denied = "Code in the sandbox is not kept in its folder by chroot alone, or has "
			  "no right to call chroot again.",
		.why = "chroot is no fence for those who may call it: a second one, with the "
		       "working folder left outside of it, leads out.",
		.see = "T1611, CWE-243",
		.open = "B --cap-add CAP_SYS_CHROOT --dir /jail --ro-bind $D/../probe /jail/probe "
			"-- /usr/sbin/chroot /jail",
		.closed = "B --cap-add CAP_SYS_CHROOT",
		.closed_by = BARRIER_BIT(BARRIER_NAMESPACE)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(CAP),
	ASKS(asks),
	.attempt = attempt,
};
