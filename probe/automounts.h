/* SPDX-License-Identifier: MIT */
/*
 * Folders that are mounted by being walked into: autofs(5), systemd.automount(5). A trial that looks
 * around must not mount a disk or a share on the machine, so it stays away from them. What is mounted
 * there already is like any other mount.
 */
#pragma once

#include <stdbool.h>

struct trial;

struct automounts {
	unsigned n; /* 0 nearly everywhere */
	bool cut;   /* more than are kept: then whatever lies at or below a kept one is left alone */
	struct automount {
		char point[200];
		enum { AUTOMOUNT_ITSELF, AUTOMOUNT_BELOW, MOUNTED } kind;
	} list[24];
};

/* From the list of mounts; where nobody tells them nothing is known, and nothing left alone. */
void find_automounts(struct trial *trial, struct automounts *found);
/* `enters`: the call would walk into the folder itself, as opendir(3) and statfs(2) do. */
bool is_left_alone(const struct automounts *all, const char *path, bool enters);
