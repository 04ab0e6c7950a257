/* SPDX-License-Identifier: MIT */
/*
 * Would what is mounted in here appear outside? What is mounted below a shared mount is below its
 * peers, too. Peers in other mount namespaces cannot be seen from here, so how the mounts came to
 * be tells whether there are any.
 */
#include "scenarios/scenario.h"

#include <string.h>

struct look {
	struct trial *trial;
	bool is_hosts; /* the whole mount namespace is */
	char root[512]; /* of the mount at "/", and its device */
	unsigned major, minor;
	bool all_shared;
	bool unsure; /* something from outside is in a group that may be the host's */
	unsigned shared, handed_in;
};

/*
 * Engines mount /proc anew for each sandbox, and private. Where it is shared, somebody has made the
 * whole tree so: the host's own system, or one that was started in here.
 */
static bool take_own(void *context, const struct mount_line *mount)
{
	struct look *look = context;

	look->shared += mount->shared != 0;
	if (strcmp(mount->point, "/proc") == 0)
		look->all_shared = mount->shared;
	if (strcmp(mount->point, "/") == 0) {
		format_text(look->root, sizeof look->root, "%s", mount->root);
		look->major = mount->major;
		look->minor = mount->minor;
	}
	return true;
}

/* A folder mounted upon itself, as is done before it is made shared. */
static bool is_on_itself(const struct look *look, const struct mount_line *mount)
{
	size_t n = strcmp(look->root, "/") == 0 ? 0 : strlen(look->root);

	return mount->major == look->major && mount->minor == look->minor &&
	       strncmp(mount->root, look->root, n) == 0 &&
	       strcmp(mount->root + n, mount->point) == 0;
}

/* What is also a slave has been made shared anew, in a group of its own. */
static bool take_shared(void *context, const struct mount_line *mount)
{
	struct look *look = context;
	bool given = !look->all_shared && !mount->master && strcmp(mount->point, "/") != 0 &&
		     !is_on_itself(look, mount);

	/* What cannot be reached takes no mount. */
	if (!mount->shared || is_covered(look->trial, mount))
		return true;
	if (look->is_hosts || given) {
		look->handed_in++;
		report_object(look->trial, "shared", mount->point);
	} else if (!mount->master && mount_source(look->trial, mount) != MOUNT_INNER) {
		look->unsure = true;
		report_object(look->trial, "perhaps-shared", mount->point);
	}
	return true;
}

static void attempt(struct trial *trial)
{
	struct look look = {
		.trial = trial,
		.is_hosts = namespace_sharing(trial, NAMESPACE_MNT, NULL) == SHARING_SHARED,
	};
	struct attempt a = each_mount(trial, take_own, &look);

	if (attempt_worked(a))
		a = each_mount(trial, take_shared, &look);
	if (!attempt_worked(a)) {
		settle_unknown(trial, WHOLE, REASON_NO_VIEW);
		return;
	}
	note_number(trial, WHOLE, "shared", look.shared);
	note_flag(trial, WHOLE, "host_namespace", look.is_hosts);
	if (look.unsure && !look.handed_in)
		settle_unknown(trial, WHOLE, REASON_NO_BASELINE);
	else
		settle(trial, WHOLE, found_in_process(look.handed_in > 0));
}

const struct scenario scenario_mount_propagation = {
	.about = ABOUT(
		.title = "Mount things that appear outside",
		.accessed = "What is mounted in the sandbox appears outside it as well.",
		.denied = "What is mounted in the sandbox appears nowhere else.",
		.why = "A file system mounted in here could cover folders of the host, for all "
		       "programs that look there.",
		.see = "T1611",
		.open = "O +shared",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.fix = FIX(BIND),
	.attempt = attempt,
};
