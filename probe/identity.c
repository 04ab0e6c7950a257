/* SPDX-License-Identifier: MIT */
/* Id maps of the user namespace, read once per process from /proc/self/{uid,gid}_map. */
#include "probe/identity.h"

#include <string.h>

#include "probe/trial.h"

#define MAP_RANGES 32

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
	uint64_t number = 0;

	while (*text >= '0' && *text <= '9' && number <= UINT32_MAX)
		number = number * 10 + (uint64_t)(*text++ - '0');
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

static const struct id_map *id_map(struct trial *trial, bool group)
{
	struct id_map *map = &maps[group];
	char text[2048];
	struct attempt a;

	if (map->read)
		return map;
	map->read = true;
	a = try_read(trial, group ? "/proc/self/gid_map" : "/proc/self/uid_map", text,
		     sizeof text - 1);
	if (a.value <= 0)
		return map;
	text[a.value] = '\0';
	each_line(text, add_range, map);
	map->known = map->n > 0;
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

bool in_user_namespace(struct trial *trial)
{
	const struct id_map *map = id_map(trial, false);

	return map->known && !(map->n == 1 && map->ranges[0].inside == 0 &&
			       map->ranges[0].outside == 0 && map->ranges[0].count == UINT32_MAX);
}

bool overflow_is_ambiguous(struct trial *trial)
{
	return !id_map(trial, false)->known || in_user_namespace(trial);
}

bool is_own_group(uint32_t gid)
{
	const struct origin *given = origin();

	if (gid == given->egid)
		return true;
	for (int i = 0; i < given->n_groups && i < 64; i++)
		if (given->groups[i] == gid)
			return true;
	return false;
}
