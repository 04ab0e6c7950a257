/* SPDX-License-Identifier: MIT */
#include "probe/automounts.h"

#include <string.h>

#include "probe/text.h"
#include "scenarios/scenario.h"

enum { KEPT = sizeof((struct automounts *)0)->list / sizeof(struct automount) };

/* Length of a mount point that the path lies at or below, else 0. */
static size_t holds(const char *point, const char *path)
{
	return is_at_or_below(path, point) ? strlen(point) : 0;
}

static bool is_below_another(const struct automounts *all, const char *point)
{
	for (unsigned i = 0; i < all->n; i++)
		if (holds(all->list[i].point, point))
			return true;
	return false;
}

static bool take_mount(void *context, const struct mount_line *mount)
{
	struct automounts *all = context;
	struct automount *one = &all->list[all->n];
	bool is_automount = strcmp(mount->type, "autofs") == 0;

	if (!is_automount && !is_below_another(all, mount->point))
		return true;
	if (all->n == KEPT || strlen(mount->point) >= sizeof one->point) {
		all->cut = true;
		return true;
	}
	format_text(one->point, sizeof one->point, "%s", mount->point);
	one->kind = !is_automount ? MOUNTED :
		    strstr(mount->super_options, "indirect") ? AUTOMOUNT_BELOW : AUTOMOUNT_ITSELF;
	all->n++;
	return true;
}

void find_automounts(struct trial *trial, struct automounts *found)
{
	found->n = 0;
	each_mount(trial, take_mount, found);
}

bool is_left_alone(const struct automounts *all, const char *path, bool enters)
{
	const struct automount *on_top = NULL;
	size_t longest = 0;

	/* Of two mounts at one place the later one is on top. */
	for (unsigned i = 0; i < all->n; i++) {
		size_t n = holds(all->list[i].point, path);

		if (!n || n < longest || (all->cut && all->list[i].kind == MOUNTED))
			continue;
		longest = n;
		on_top = &all->list[i];
	}
	if (!on_top || on_top->kind == MOUNTED)
		return false;
	/* "/efi/." is in it already. */
	return path[longest] == '/' || (enters && on_top->kind == AUTOMOUNT_ITSELF);
}
