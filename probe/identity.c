/* SPDX-License-Identifier: MIT */
/* Id maps of the user namespace, read once per process from /proc/self/{uid,gid}_map. */
#include "probe/identity.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "probe/attempts.h"
#include "probe/trial.h"

#define FIRST_USER_NAMESPACE UINT64_C(0xeffffffd)
#define MAP_RANGES 340 /* the kernel takes no more */

struct id_map {
	bool read, known;
	unsigned n;
	struct {
		uint32_t inside, outside, count;
	} ranges[MAP_RANGES];
};

static struct id_map maps[2];

static uint32_t number_of(const char *text)
{
	uint64_t number = leading_number(text, NULL);

	return number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

static bool add_range(void *context, char *line)
{
	struct id_map *map = context;
	char fields[3][16];

	for (unsigned i = 0; i < 3; i++)
		if (!line_field(line, i, fields[i], sizeof fields[i]))
			return true;
	if (map->n < MAP_RANGES) {
		map->ranges[map->n].inside = number_of(fields[0]);
		map->ranges[map->n].outside = number_of(fields[1]);
		map->ranges[map->n++].count = number_of(fields[2]);
	}
	return true;
}

static bool is_of_proc(struct trial *trial, const char *path)
{
	struct mount_facts mount;
	struct object object;

	return ask_mount(trial, path, &mount) && mount.type == PROC_SUPER_MAGIC &&
	       attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)) && S_ISREG(object.mode);
}

bool is_disguised(struct trial *trial, const char *path)
{
	struct statfs facts;

	return attempt_worked(try_statfs(trial, path, &facts)) && facts.f_type &&
	       (facts.f_type & UINT32_MAX) != PROC_SUPER_MAGIC;
}

static const struct id_map *id_map(struct trial *trial, bool group)
{
	const char *path = group ? "/proc/self/gid_map" : "/proc/self/uid_map";
	struct id_map *map = &maps[group];
	struct attempt a;

	if (map->read)
		return map;
	map->read = true;
	if (is_disguised(trial, path))
		return map;
	a = try_lines(trial, path, add_range, map);
	/* An empty one is true, too: nobody wrote it yet. But not that of a null device over it. */
	map->known = map->n > 0 ||
		     (attempt_worked(a) && is_of_proc(trial, path) && !kernel_is_emulated(trial));
	return map;
}

static bool is_mapped(struct trial *trial, bool group, uint32_t id, uint32_t *outer)
{
	const struct id_map *map = id_map(trial, group);

	if (outer)
		*outer = id;
	if (!map->known)
		return true;
	for (unsigned i = 0; i < map->n; i++) {
		if (id < map->ranges[i].inside || id - map->ranges[i].inside >= map->ranges[i].count)
			continue;
		if (outer)
			*outer = map->ranges[i].outside + (id - map->ranges[i].inside);
		return true;
	}
	return false;
}

bool uid_is_mapped(struct trial *trial, uint32_t uid, uint32_t *outer)
{
	return is_mapped(trial, false, uid, outer);
}

bool gid_is_mapped(struct trial *trial, uint32_t gid, uint32_t *outer)
{
	return is_mapped(trial, true, gid, outer);
}

static bool is_refused(struct attempt a, int error)
{
	return a.reached && a.error == error;
}

/*
 * Capabilities count over mapped owners alone: to be refused what one of them permits shows that
 * this is none. To open a file without a trace in it is for its owner, or who acts as any.
 */
static enum mapping ask_kernel(struct trial *trial, const char *path, const struct object *object)
{
	struct attempt opened;

	if (has_capability(CAP_DAC_OVERRIDE) &&
	    is_refused(try_access(trial, path, 2 /* W_OK */), EACCES))
		return OWNER_UNMAPPED;
	if (!has_capability(CAP_FOWNER) || !(S_ISREG(object->mode) || S_ISDIR(object->mode)))
		return OWNER_NOT_TOLD;
	opened = try_open(trial, path, O_RDONLY | O_NOATIME);
	close_fd((int)opened.value);
	if (is_refused(opened, EPERM))
		return OWNER_UNMAPPED;
	return attempt_worked(opened) && object->gid != OVERFLOW_ID ? OWNER_MAPPED : OWNER_NOT_TOLD;
}

/* Are all ids mapped, and to themselves? */
static bool is_whole(struct trial *trial)
{
	const struct id_map *map = id_map(trial, false);
	uint32_t root;

	if (!map->known)
		return !host_root_id(trial, &root, NULL) || root == 0;
	return map->n == 1 && map->ranges[0].inside == 0 && map->ranges[0].outside == 0 &&
	       map->ranges[0].count == UINT32_MAX;
}

enum mapping owner_mapping(struct trial *trial, const char *path, const struct object *object)
{
	if (!uid_is_mapped(trial, object->uid, NULL) || !gid_is_mapped(trial, object->gid, NULL))
		return OWNER_UNMAPPED;
	return (object->uid == OVERFLOW_ID || object->gid == OVERFLOW_ID) &&
			       !is_whole(trial)
		       ? ask_kernel(trial, path, object)
		       : OWNER_MAPPED;
}

bool in_user_namespace(struct trial *trial)
{
	static enum { NOT_ASKED, FIRST, LATER } which;
	uint64_t number;

	if (!is_whole(trial))
		return true;
	/* One may be made that maps all ids to themselves. The number is that of namespaces(7). */
	if (which == NOT_ASKED)
		which = attempt_worked(try_namespace(trial, NULL, NAMESPACE_USER, &number)) &&
					number > FIRST_USER_NAMESPACE
				? LATER
				: FIRST;
	return which == LATER;
}

/*
 * Descriptors of events have no file; the kernel made one inode for all of them when it started, as
 * root. So its owner is root of the host, in our numbers, however deep the namespaces are.
 */
bool host_root_id(struct trial *trial, uint32_t *ret_id, bool *ret_is_ours)
{
	const struct form forms[] = {
		FORM("eventfd2", __NR_eventfd2, "vv", 0, O_CLOEXEC),
		FORM("epoll_create1", __NR_epoll_create1, "v", O_CLOEXEC),
		FORM("inotify_init1", __NR_inotify_init1, "v", O_CLOEXEC),
	};
	struct attempt made = try_forms(trial, forms, sizeof forms / sizeof *forms), a;
	struct object object = { 0 };
	bool told = attempt_worked(made) &&
		    attempt_worked(try_stat(trial, (int)made.value, "", AT_EMPTY_PATH, &object));

	*ret_id = object.uid;
	if (ret_is_ours && told) {
		/* The overflow id says nothing. This flag may be set by the owner, and by who may act
		 * as any owner that is mapped. */
		a = try_call_as(trial, "fvv", "fcntl", __NR_fcntl, made.value, F_SETFL, O_NOATIME);
		*ret_is_ours = attempt_worked(a);
		told = attempt_worked(a) || (a.reached && a.error == EPERM);
	}
	close_fd((int)made.value);
	return told;
}

bool is_own_instance(struct trial *trial, const char *path)
{
	struct object object;
	uint32_t root;

	return in_user_namespace(trial) && host_root_id(trial, &root, NULL) &&
	       attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)) && object.uid != root;
}

bool overflow_is_ambiguous(struct trial *trial)
{
	return !id_map(trial, false)->known || !is_whole(trial);
}

bool is_own_group(uint32_t gid)
{
	const struct origin *given = origin();

	if (gid == given->egid)
		return true;
	for (int i = 0; i < given->n_groups; i++)
		if (given->groups[i] == gid)
			return true;
	return false;
}
