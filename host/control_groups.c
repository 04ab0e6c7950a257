/* SPDX-License-Identifier: MIT */
#include "host/control_groups.h"

#include <dirent.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/memory.h"

/* Groups of ours stand in the first few levels: below a slice, a scope, a session. */
#define DEPTH 8

static bool is_among(const char *name, const char *const names[])
{
	for (size_t i = 0; names[i]; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* The next folder in a control group; links and the kernel's files are passed over. */
static const char *next_group(DIR *group)
{
	struct dirent *entry;

	while ((entry = readdir(group)))
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			return entry->d_name;
	return NULL;
}

static char **find_below(char **found, const char *folder, const char *const names[],
			 unsigned depth)
{
	DIR *group = depth > 0 ? opendir(folder) : NULL;
	const char *name;

	while (group && (name = next_group(group))) {
		char *path = print_text("%s/%s", folder, name);

		if (is_among(name, names))
			found = list_add(found, copy_text(path));
		found = find_below(found, path, names, depth - 1);
		free(path);
	}
	if (group)
		closedir(group);
	return found;
}

char **control_groups_find(const char *const names[])
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount;
	char **found = NULL;

	while (mounts && (mount = getmntent(mounts)))
		if (strcmp(mount->mnt_type, "cgroup") == 0 ||
		    strcmp(mount->mnt_type, "cgroup2") == 0)
			found = find_below(found, mount->mnt_dir, names, DEPTH);
	if (mounts)
		endmntent(mounts);
	return found;
}

static void remove_group(const char *path)
{
	DIR *group = opendir(path);
	const char *name;

	while (group && (name = next_group(group))) {
		char *below = print_text("%s/%s", path, name);

		remove_group(below);
		free(below);
	}
	if (group)
		closedir(group);
	rmdir(path);
}

void control_groups_remove(char *const paths[])
{
	for (size_t i = 0; paths && paths[i]; i++)
		remove_group(paths[i]);
}
