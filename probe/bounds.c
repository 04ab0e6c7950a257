/* SPDX-License-Identifier: MIT */
/*
 * Bounds that a sandbox declares: resource limits as the probe was given them, and the control
 * groups that can be seen. A limit that the process may lift by itself bounds nothing.
 */
#include <errno.h>
#include <linux/capability.h>
#include <sys/resource.h>

#include "probe/identity.h"
#include "probe/trial.h"

#define MOST_PROCESSES 4096 /* from here on it bounds nothing */

uint64_t given_bound(struct trial *trial, int resource)
{
	/* The kernel asks for the capability in the first user namespace. */
	if (has_capability(CAP_SYS_RESOURCE) && !in_user_namespace(trial))
		return UINT64_MAX;
	return origin()->limits[resource].hard;
}

static void note_group(struct trial *trial, int case_index, const struct group_bound *group)
{
	bool member = attempt_worked(try_access(trial, "/proc/self/cgroup", 0));

	note_flag(trial, case_index, "cgroup_visible", group->visible);
	if (!group->visible) {
		note_text(trial, case_index, "not_visible",
			  member ? "/sys/fs/cgroup" : "/proc/self/cgroup");
		return;
	}
	note_number(trial, case_index, "cgroup_version", group->version);
	note_flag(trial, case_index, "cgroup_parents_hidden", group->hidden);
	if (group->unread)
		note_flag(trial, case_index, "cgroup_unread", true);
	if (group->value == UINT64_MAX)
		return;
	note_text(trial, case_index, "cgroup_file", group->file);
	note_number(trial, case_index, "cgroup_value", (int64_t)group->value);
}

void settle_bound(struct trial *trial, int case_index, bool by_rlimit, bool by_group,
		  const struct group_bound *group)
{
	note_group(trial, case_index, group);
	if (by_rlimit || by_group)
		settle(trial, case_index, found_in_process(false), .rlimit = by_rlimit,
		       .cgroup = by_group);
	else if (group->visible && !group->unread)
		settle(trial, case_index, found_in_process(true));
	else
		settle_unknown(trial, case_index, REASON_NO_VIEW);
}

/* ---------------------------------------------------------------- the number of processes */

/*
 * K8: with the limit lowered to nothing, in our own child, starting one more process fails only
 * for those whom it binds; the kernel exempts the machine's own uid 0, wherever a namespace maps
 * it. No file would tell: an id map does not show whose 0 its 0 is.
 */
static struct attempt try_with_limit_of_none(struct trial *trial)
{
	const struct given_limit *given = &origin()->limits[RLIMIT_NPROC];
	uint64_t none[2] = { 0, given->hard }, before[2] = { given->soft, given->hard };
	struct attempt a = try_call(trial, "prlimit64", __NR_prlimit64, 0, RLIMIT_NPROC, none, 0);

	if (!attempt_worked(a))
		return a;
	a = try_fork(trial);
	if (a.value == 0)
		end_child(0);
	if (a.value > 0)
		wait_child(trial, (pid_t)a.value, 500);
	/* Where no child could be made for the trial we are the probe itself. */
	try_call(trial, "prlimit64", __NR_prlimit64, 0, RLIMIT_NPROC, before, 0);
	return a;
}

static bool rlimit_binds(struct trial *trial, int case_index, bool *ret_untold)
{
	struct attempt a;
	uint64_t given = origin()->limits[RLIMIT_NPROC].hard;

	*ret_untold = false;
	if (given != UINT64_MAX)
		note_number(trial, case_index, "rlimit_nproc", (int64_t)given);
	if (given >= MOST_PROCESSES)
		return false;
	*ret_untold = trial_level(trial) < LEVEL_TOUCH;
	if (*ret_untold)
		return false;
	a = try_with_limit_of_none(trial);
	*ret_untold = !attempt_worked(a) && a.error != EAGAIN;
	if (!*ret_untold)
		note_flag(trial, case_index, "rlimit_binds", !attempt_worked(a));
	return a.error == EAGAIN;
}

struct process_bound find_process_bound(struct trial *trial, int case_index)
{
	static const char *const files[] = { "pids.max" };
	struct process_bound bound = { .group = find_group_bound(trial, "pids", files, 1) };

	bound.by_rlimit = rlimit_binds(trial, case_index, &bound.untold);
	bound.by_group = bound.group.value < MOST_PROCESSES;
	bound.number = bound.by_rlimit ? origin()->limits[RLIMIT_NPROC].hard : UINT64_MAX;
	if (bound.by_group && bound.group.value < bound.number)
		bound.number = bound.group.value;
	return bound;
}

enum reason process_bound_reason(const struct trial *trial)
{
	return trial_level(trial) < LEVEL_TOUCH ? REASON_LEVEL : REASON_CONTROL_FAILED;
}
