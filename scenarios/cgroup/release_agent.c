/* SPDX-License-Identifier: MIT */
/*
 * The program that the kernel runs as root on the host when a control group of version 1 empties:
 * could its name be set? The file is opened for writing inside a sandbox, or the tree that holds it
 * is mounted read-only for this trial alone, from the hierarchies that exist; none is made.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#define AGENT "release_agent"
#define READ_ONLY (MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)
#define READ_ONLY_MOUNT                                                                            \
	(MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC)
enum { FILE_CASE, MOUNT_CASE };
enum { HIERARCHIES = 16 };

static const struct case_def cases[] = {
	[FILE_CASE] = { "file", NULL, 0, 0, 0 },
	[MOUNT_CASE] = { "mount", NULL, 0, 0, 0 },
};

static const struct question asks[] = {
	{ __NR_uname, { 0 } },
	{ __NR_personality, { 0xffffffff } },
	{ __NR_unshare, { CLONE_NEWNS } },
	{ __NR_fsopen, { 0, FSOPEN_CLOEXEC } },
	{ __NR_mount, { 0, 0, 0, READ_ONLY, 0 } },
};

struct agents {
	struct trial *trial;
	bool powerful; /* the capability counts on the host */
	enum guard { GUARD_NOT_TOLD, GUARD_NONE, GUARD_SET } guard; /* the kernel asks for it */
	bool seen;     /* a file, in a mounted tree */
	unsigned n;
	char options[HIERARCHIES][64]; /* of the hierarchies: "cpu,cpuacct", "name=systemd" */
};

/* Since Linux 5.17 the capability must be held in the first user namespace (CVE-2022-0492). */
static enum guard guard_of(struct trial *trial)
{
	struct utsname name;
	const char *minor;
	uint64_t major;

	if (!read_release(trial, &name))
		return GUARD_NOT_TOLD;
	major = leading_number(name.release, &minor);
	if (*minor != '.')
		return GUARD_NOT_TOLD;
	return major > 5 || (major == 5 && leading_number(minor + 1, NULL) >= 17) ? GUARD_SET :
										    GUARD_NONE;
}

static bool may_be_guarded(const struct agents *agents)
{
	return agents->guard != GUARD_NONE && !agents->powerful;
}

/* It would come as far as that, but the name could not be set. */
static void settle_guarded(struct agents *agents, int case_index)
{
	struct attempt a = { .value = -1, .error = EPERM, .nr = -1, .reached = true };

	if (agents->guard == GUARD_NOT_TOLD) {
		settle_unknown(agents->trial, case_index, REASON_NO_VIEW);
		return;
	}
	settle(agents->trial, case_index, a, .capability = NEEDS_CAP(CAP_SYS_ADMIN),
	       .id_unmapped = has_capability(CAP_SYS_ADMIN));
}

/* The capability refuses first; the filter would, too, where it lets none of the ways pass. */
static void settle_filter(struct trial *trial)
{
	static const struct {
		long nr;
		unsigned long args[6];
	} ways[] = {
		{ __NR_fsopen, { 0, FSOPEN_CLOEXEC } },
		{ __NR_mount, { 0, 0, 0, READ_ONLY, 0 } },
	};
	struct attempt a = { .value = -1, .error = EPERM, .nr = __NR_fsopen };

	for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
		if (!filter_refuses(ask_filter(trial, ways[i].nr, ways[i].args, NULL)))
			return;
	settle(trial, MOUNT_CASE, a);
}

/* ---------------------------------------------------------------- a tree that is mounted */

static bool ask_file(void *context, const struct mount_line *mount)
{
	struct agents *agents = context;
	struct trial *trial = agents->trial;
	char path[1100];
	struct object object;
	struct attempt a;

	if (strcmp(mount->type, "cgroup") != 0)
		return true;
	format_text(path, sizeof path, "%s/" AGENT, mount->point);
	a = try_place(trial, path, &object);
	if (a.reached && a.error == ENOENT)
		return true; /* the mount does not show the tree's root */
	agents->seen = true;
	note_text(trial, FILE_CASE, "path", path);
	if (!may_be_guarded(agents))
		settle_write(trial, FILE_CASE, path, 0);
	else if (attempt_worked(try_open_for_writing(trial, FILE_CASE, path, 0)))
		settle_guarded(agents, FILE_CASE);
	else
		settle_write(trial, FILE_CASE, path, 0);
	return true;
}

static void ask_files(struct agents *agents)
{
	struct attempt a = each_mount(agents->trial, ask_file, agents);

	if (!attempt_worked(a))
		settle_unknown(agents->trial, FILE_CASE, REASON_NO_VIEW);
	else if (!agents->seen)
		settle(agents->trial, FILE_CASE, found_in_process(false));
}

/* ---------------------------------------------------------------- a tree that could be mounted */

/* "4:memory:/a/b"; version 2 has no controllers in its line. */
static bool take_hierarchy(void *context, char *line)
{
	struct agents *agents = context;
	char *options = strchr(line, ':'), *end = options ? strchr(options + 1, ':') : NULL;

	if (!end || end == options + 1)
		return true;
	*end = '\0';
	format_text(agents->options[agents->n++], sizeof agents->options[0], "%s", options + 1);
	return agents->n < HIERARCHIES;
}

static struct attempt set_option(struct trial *trial, int fd, const char *key, const char *value)
{
	return try_call_as(trial, "fvppv", "fsconfig", __NR_fsconfig, fd,
			   value ? FSCONFIG_SET_STRING : FSCONFIG_SET_FLAG, key, value, 0);
}

/* "cpu,cpuacct", or "name=systemd", which goes with "none". */
static struct attempt set_options(struct trial *trial, int fd, const char *options)
{
	struct attempt a = { .value = 0 };
	char text[64];

	if (starts_with(options, "name=")) {
		a = set_option(trial, fd, "none", NULL);
		return attempt_worked(a) ? set_option(trial, fd, "name", options + 5) : a;
	}
	format_text(text, sizeof text, "%s", options);
	for (char *word = text, *next; word && attempt_worked(a); word = next) {
		next = strchr(word, ',');
		if (next)
			*next++ = '\0';
		a = set_option(trial, fd, word, NULL);
	}
	return a;
}

/* Never attached anywhere: it ends when its descriptor is closed. */
static struct attempt mount_detached(struct trial *trial, const char *options)
{
	struct attempt a = try_call_as(trial, "pv", "fsopen", __NR_fsopen, "cgroup",
				       FSOPEN_CLOEXEC), b;
	int fd = (int)a.value;

	if (!attempt_worked(a))
		return a;
	a = set_options(trial, fd, options);
	if (attempt_worked(a))
		a = try_call_as(trial, "fvppv", "fsconfig", __NR_fsconfig, fd,
				FSCONFIG_CMD_CREATE, NULL, NULL, 0);
	if (attempt_worked(a))
		a = try_call_as(trial, "fvv", "fsmount", __NR_fsmount, fd, FSMOUNT_CLOEXEC,
				READ_ONLY_MOUNT);
	close_fd(fd);
	if (!attempt_worked(a))
		return a;
	/* Where the tree's root is not shown, the file is not there. */
	b = try_open_at(trial, (int)a.value, AGENT, O_PATH, 0);
	close_fd((int)b.value);
	close_fd((int)a.value);
	return b;
}

/* By the older call, where the others are refused or missing: in mounts of our own. */
static struct attempt mount_attached(struct trial *trial, const char *options)
{
	const char *folder = scratch_folder(trial);
	char text[80], path[300];
	struct attempt a = { .value = -1, .error = ECANCELED, .nr = -1, .reached = true };

	if (!folder)
		return a;
	format_text(text, sizeof text, "%s%s", options[0] == 'n' ? "none," : "", options);
	format_text(path, sizeof path, "%s/" AGENT, folder);
	a = try_call_as(trial, "pppvp", "mount", __NR_mount, "none", folder, "cgroup", READ_ONLY,
			text);
	if (!attempt_worked(a))
		return a;
	a = try_open(trial, path, O_PATH);
	close_fd((int)a.value);
	return a;
}

static void mount_trees(struct agents *agents)
{
	static const unsigned long cloned[6] = { CLONE_NEWUSER | CLONE_NEWNS | SIGCHLD };
	struct trial *trial = agents->trial;
	unsigned long flags = CLONE_NEWNS;
	struct attempt a;

	if (!agents->powerful)
		flags |= CLONE_NEWUSER | CLONE_NEWCGROUP;
	note_flag(trial, MOUNT_CASE, "user_namespace", !agents->powerful);
	a = try_own_mounts(trial, flags);
	/* Whoever holds the capability needs no namespace for a tree that is attached nowhere. */
	for (unsigned i = 0; (attempt_worked(a) || agents->powerful) && i < agents->n; i++) {
		struct attempt b = mount_detached(trial, agents->options[i]);

		if (attempt_worked(a) && (!b.reached || b.error == ENOSYS))
			b = mount_attached(trial, agents->options[i]);
		if (attempt_worked(b) && may_be_guarded(agents)) {
			settle_guarded(agents, MOUNT_CASE);
			return;
		}
		settle(trial, MOUNT_CASE, b, .capability = NEEDS_CAP(CAP_SYS_ADMIN));
		if (attempt_worked(b)) {
			note_text(trial, MOUNT_CASE, "hierarchy", agents->options[i]);
			return;
		}
	}
	if (!attempt_worked(a))
		settle(trial, MOUNT_CASE, a, .capability = NEEDS_CAP(CAP_SYS_ADMIN));
	/* A child could be born into such namespaces, which is not tried. */
	if (!a.reached && !agents->powerful &&
	    !filter_refuses(ask_filter(trial, __NR_clone, cloned, NULL)))
		settle_unknown(trial, MOUNT_CASE, REASON_UNSUPPORTED);
}

static void attempt(struct trial *trial)
{
	struct agents agents = { .trial = trial, .guard = guard_of(trial) };
	struct attempt a = try_lines(trial, "/proc/self/cgroup", take_hierarchy, &agents);

	agents.powerful = has_capability(CAP_SYS_ADMIN) &&
			  namespace_sharing(trial, NAMESPACE_USER, NULL) != SHARING_OWN;
	ask_files(&agents);
	if (attempt_worked(a) && agents.n == 0)
		settle(trial, MOUNT_CASE, found_in_process(false)); /* version 2 only */
	else if (agents.guard == GUARD_SET && !agents.powerful) {
		settle_guarded(&agents, MOUNT_CASE);
		settle_filter(trial);
	} else if (!attempt_worked(a))
		settle_unknown(trial, MOUNT_CASE, REASON_NO_VIEW);
	else
		mount_trees(&agents);
}

const struct scenario scenario_cgroup_release_agent = {
	.about = ABOUT(
		.title = "Name the program that ends a control group",
		.accessed = "Code in the sandbox can reach the setting that names a program which "
			    "the host's kernel runs as root.",
		.denied = "Code in the sandbox cannot reach the setting that names a program for "
			  "the host's kernel to run.",
		.why = "The kernel starts that program on the host, outside every sandbox, when "
		       "the last process leaves a control group of version 1.",
		.see = "T1611, CVE-2022-0492",
		.open = "O +uid:0 +SYS_ADMIN +cgroup1",
		.closed = "O +uid:0 +SYS_ADMIN +cgroup1-ro",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.fix = FIX(CG) | FIX(CAP),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
