/* SPDX-License-Identifier: MIT */
/*
 * Control groups that an engine left behind. A group is known by its name, wherever in the
 * hierarchies it stands; the kernel removes only those that have no process.
 *
 *	const char *const names[] = { "lxc.payload.box-1", NULL };
 *	char **paths = control_groups_find(names);
 *	control_groups_remove(paths);           a list, freed by the caller
 */
#pragma once

/* The folders of all groups with these names, those above before those below. May be NULL. */
char **control_groups_find(const char *const names[]);
/* With the groups below them, as far as they are empty. */
void control_groups_remove(char *const paths[]);
