/* SPDX-License-Identifier: MIT */
/*
 * The control groups that bound us, read and never changed: version 1, version 2 and both at
 * once. Where our own group lies is told by /proc/self/cgroup, where its hierarchy is mounted by
 * /proc/self/mountinfo; a group is believed only if its list of processes does not contradict.
 * What the mount does not show is said to be hidden, never taken for unlimited.
 */
#include <linux/magic.h>
#include <string.h>

#include "probe/children.h"
#include "probe/text.h"
#include "probe/trial.h"

#define MOST_GROUPS 2048 /* looked at, when our own must be searched for */
#define MOST_DEPTH 8
#ifndef CGROUP_SUPER_MAGIC
#define CGROUP_SUPER_MAGIC 0x27e0eb
#endif
#ifndef CGROUP2_SUPER_MAGIC
#define CGROUP2_SUPER_MAGIC 0x63677270
#endif

/* One look for a group: what is known so far, and what is found. */
struct look {
	struct trial *trial;
	const char *controller;
	struct control_group *group;
	char own[1024]; /* our path in the hierarchy, as our cgroup namespace sees it */
	bool found;
	unsigned pass; /* mounts that show our group, but are not the one that is asked for */
	unsigned left; /* groups that may still be looked at */
};

/* ---------------------------------------------------------------- which group are we in? */

/* "4:memory:/a/b" of version 1, or "0::/a/b" of version 2, which serves where the other does not. */
static bool read_membership(void *context, char *line)
{
	struct look *look = context;
	char *controllers = strchr(line, ':'), *path;
	int version;

	if (!controllers || !(path = strchr(++controllers, ':')))
		return true;
	*path++ = '\0';
	version = controllers[0] ? 1 : 2;
	if (version == 1 && !has_option(controllers, look->controller))
		return true;
	if (version == 2 && look->group->version == 1)
		return true;
	look->group->version = version;
	format_text(look->own, sizeof look->own, "%s", path);
	return true;
}

/* ---------------------------------------------------------------- is this folder our group? */

enum listed { LISTED_NOT_TOLD, LISTED_NO, LISTED_YES };

struct list_of_processes {
	uint64_t pid;
	bool found;
};

static bool is_our_pid(void *context, char *line)
{
	struct list_of_processes *list = context;
	uint64_t pid;

	list->found |= read_number(line, &pid) && pid == list->pid;
	return !list->found;
}

/* The kernel translates the numbers into the reader's own process namespace. */
static enum listed lists_us(struct trial *trial, const char *folder)
{
	static char text[32768];
	char path[1100];
	struct list_of_processes list = { .pid = (uint64_t)own_number() };
	struct attempt a;

	format_text(path, sizeof path, "%s/cgroup.procs", folder);
	a = try_text(trial, path, text, sizeof text);
	if (!attempt_worked(a))
		return LISTED_NOT_TOLD;
	each_line(text, is_our_pid, &list);
	if (list.pid == 0)
		return LISTED_NOT_TOLD;
	if (list.found)
		return LISTED_YES;
	return (size_t)a.value == sizeof text - 1 ? LISTED_NOT_TOLD : LISTED_NO;
}

static bool is_group(struct look *look, const char *folder)
{
	struct mount_facts mount;
	uint64_t type = look->group->version == 1 ? CGROUP_SUPER_MAGIC : CGROUP2_SUPER_MAGIC;

	/* statfs() of a missing folder answers for its parent, so the folder itself is asked too. */
	return attempt_worked(try_access(look->trial, folder, 0)) &&
	       ask_mount(look->trial, folder, &mount) && mount.type == type;
}

/* ---------------------------------------------------------------- searching for it */

struct descent {
	struct look *look;
	unsigned depth;
	char path[1024];
};

static bool search_below(struct look *look, const char *folder, unsigned depth);

static bool descend(void *context, const char *name, unsigned char type)
{
	struct descent *here = context;
	struct look *look = here->look;
	char path[1024];

	if (type != 4 /* DT_DIR */ || strlen(here->path) + strlen(name) + 2 > sizeof path)
		return true;
	format_text(path, sizeof path, "%s/%s", here->path, name);
	return !search_below(look, path, here->depth + 1) && look->left > 0;
}

/*
 * Where the mount was made outside our cgroup namespace it shows groups whose names our own path
 * does not tell. A process is in one group of a hierarchy only: the one that lists us is ours.
 */
static bool search_below(struct look *look, const char *folder, unsigned depth)
{
	struct descent here = { .look = look, .depth = depth };

	if (look->left == 0 || depth > MOST_DEPTH)
		return false;
	look->left--;
	if (lists_us(look->trial, folder) == LISTED_YES) {
		format_text(look->group->path, sizeof look->group->path, "%s", folder);
		look->found = true;
		return true;
	}
	format_text(here.path, sizeof here.path, "%s", folder);
	try_list(look->trial, folder, descend, &here);
	return look->found;
}

/* ---------------------------------------------------------------- where is it mounted? */

/* Only the hierarchy's true root has, or lacks, these files. */
static bool is_true_root(struct look *look, const char *mount_point)
{
	char path[1100];
	bool first = look->group->version == 1;

	format_text(path, sizeof path, "%s/%s", mount_point,
		    first ? "cgroup.sane_behavior" : "cgroup.type");
	return attempt_worked(try_access(look->trial, path, 0)) == first;
}

/* The folder of our group below a mount that shows the hierarchy from `root` on. */
static bool find_below(struct look *look, const char *root, const char *mount_point)
{
	struct control_group *group = look->group;
	size_t n = strcmp(root, "/") == 0 ? 0 : strlen(root);
	bool outer = starts_with(root, "/..") || starts_with(look->own, "/..");
	const char *rest = look->own + n;

	if (!is_group(look, mount_point))
		return false;
	if (!outer && strncmp(look->own, root, n) == 0 && (*rest == '/' || *rest == '\0')) {
		format_text(group->path, sizeof group->path, "%s%s", mount_point,
			    strcmp(rest, "/") == 0 ? "" : rest);
		if (is_group(look, group->path) &&
		    lists_us(look->trial, group->path) != LISTED_NO)
			return true;
	}
	look->left = MOST_GROUPS;
	return search_below(look, mount_point, 0);
}

static bool look_at_mount(void *context, const struct mount_line *mount)
{
	struct look *look = context;
	bool first = look->group->version == 1;

	if (strcmp(mount->type, first ? "cgroup" : "cgroup2") != 0 ||
	    (first && !has_option(mount->super_options, look->controller)))
		return true;
	if (look->found) {
		look->group->other_mounts++;
		return true;
	}
	if (!find_below(look, mount->root, mount->point))
		return true;
	look->found = look->pass == 0;
	look->pass -= !look->found;
	look->group->top = strlen(mount->point);
	look->group->hidden = !is_true_root(look, mount->point);
	return true;
}

/* Without a list of mounts: where everybody mounts it. */
static void look_at_usual_places(struct look *look)
{
	static const struct mount_line second[] = {
		{ .root = "/", .point = "/sys/fs/cgroup", .type = "cgroup2" },
		{ .root = "/", .point = "/sys/fs/cgroup/unified", .type = "cgroup2" },
	};
	char path[256];
	struct mount_line first = { .root = "/", .point = path, .type = "cgroup",
				    .super_options = look->controller };

	format_text(path, sizeof path, "/sys/fs/cgroup/%s", look->controller);
	if (look->group->version == 1)
		look_at_mount(look, &first);
	for (unsigned i = 0; i < 2 && !look->found && look->group->version == 2; i++)
		look_at_mount(look, &second[i]);
}

bool find_group(struct trial *trial, const char *controller, struct control_group *group)
{
	return find_group_in(trial, controller, 0, group);
}

bool find_group_in(struct trial *trial, const char *controller, unsigned nth,
		   struct control_group *group)
{
	struct look look = { .trial = trial, .controller = controller, .group = group,
			     .pass = nth };
	struct attempt a;

	*group = (struct control_group){ .version = 0 };
	try_lines(trial, "/proc/self/cgroup", read_membership, &look);
	if (!group->version)
		return false;
	a = each_mount(trial, look_at_mount, &look);
	if (!attempt_worked(a) && !look.found)
		look_at_usual_places(&look);
	return look.found;
}

bool parent_group(struct control_group *group)
{
	char *slash = strrchr(group->path, '/');

	if (!slash || (size_t)(slash - group->path) < group->top)
		return false;
	*slash = '\0';
	return true;
}

struct attempt read_group(struct trial *trial, const struct control_group *group,
			  const char *file, char *buffer, size_t size)
{
	char path[1100];

	format_text(path, sizeof path, "%s/%s", group->path, file);
	return try_text(trial, path, buffer, size);
}

/* ---------------------------------------------------------------- bounds */

/* The value of "name N" in a text of such lines, or of a text that is "N" or "max" alone. */
static uint64_t number_in(char *text, const char *name)
{
	size_t n = name ? strlen(name) : 0;
	uint64_t number = UINT64_MAX;

	if (name) {
		for (text = strstr(text, name); text && text[n] != ' ';)
			text = strstr(text + n, name);
		if (!text)
			return UINT64_MAX;
		text += n + 1;
	}
	text[strcspn(text, "\n ")] = '\0';
	return read_number(text, &number) ? number : UINT64_MAX;
}

static void fold_file(struct trial *trial, const struct control_group *group, const char *name,
		      struct group_bound *bound)
{
	char text[8192], file[48];
	const char *colon = strchr(name, ':');
	struct attempt a;
	uint64_t number;

	format_text(file, sizeof file, "%s", name);
	file[strcspn(file, ":")] = '\0';
	a = read_group(trial, group, file, text, sizeof text);
	if (!attempt_worked(a)) {
		bound->unread |= a.error != 2; /* ENOENT: the group has no such bound */
		return;
	}
	number = number_in(text, colon ? colon + 1 : NULL);
	/* Version 1 writes "unlimited" as the largest number of whole pages. */
	if (number < bound->value && number < UINT64_C(1) << 62) {
		bound->value = number;
		bound->file = name;
	}
}

struct group_bound find_group_bound(struct trial *trial, const char *controller,
				    const char *const files[], unsigned n)
{
	struct group_bound bound = { .value = UINT64_MAX };
	struct control_group group;

	if (!find_group(trial, controller, &group))
		return bound;
	bound.visible = true;
	bound.hidden = group.hidden;
	bound.version = group.version;
	do
		for (unsigned i = 0; i < n; i++)
			fold_file(trial, &group, files[i], &bound);
	while (parent_group(&group));
	return bound;
}
