/* SPDX-License-Identifier: MIT */
/*
 * Bounds that a sandbox declares: resource limits as the probe was given them, and the control
 * groups that can be seen. A limit that the process may lift by itself bounds nothing.
 */
#include <linux/capability.h>

#include "probe/identity.h"
#include "probe/trial.h"

uint64_t given_bound(struct trial *trial, int resource)
{
	/* The kernel asks for the capability in the first user namespace. */
	if (has_capability(CAP_SYS_RESOURCE) && !in_user_namespace(trial))
		return UINT64_MAX;
	return origin()->limits[resource].hard;
}

static void note_group(struct trial *trial, int case_index, const struct group_bound *group)
{
	note_flag(trial, case_index, "cgroup_visible", group->visible);
	if (!group->visible)
		return;
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
