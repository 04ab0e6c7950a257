/* SPDX-License-Identifier: MIT */
/*
 * Is this root of the host, under whatever number? Namespaces give new numbers, one inside the
 * other, so neither our own number nor the map of the innermost tells. The kernel does: by the
 * owner of what it made itself when it started.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <string.h>

/* Nobody refuses: it is asked of what the process was given. */
static const struct attempt not_root = { .value = -1, .error = EPERM, .nr = -1, .reached = true };

/* What the kernel shows for an owner that is not mapped here. */
#define OVERFLOW 65534u

struct map {
	unsigned long width; /* ids that are mapped */
	bool whole;          /* all of them, to themselves */
};

static bool add_range(void *context, char *line)
{
	struct map *map = context;
	char inside[16], outside[16], count[16];
	uint64_t width;

	if (!line_field(line, 0, inside, sizeof inside) ||
	    !line_field(line, 1, outside, sizeof outside) ||
	    !line_field(line, 2, count, sizeof count))
		return true;
	width = leading_number(count, NULL);
	map->width += width;
	map->whole = strcmp(inside, "0") == 0 && strcmp(outside, "0") == 0 &&
		     width == UINT32_MAX;
	return true;
}

static void note_setgroups(struct trial *trial)
{
	char text[16];
	struct attempt a = try_text(trial, "/proc/self/setgroups", text, sizeof text);

	if (a.value <= 0)
		return;
	text[strcspn(text, "\n")] = '\0';
	note_text(trial, WHOLE, "setgroups", text);
}

static void note_map(struct trial *trial)
{
	struct map map = { 0 };
	uint32_t outer;

	if (!attempt_worked(try_lines(trial, "/proc/self/uid_map", add_range, &map)))
		return;
	if (uid_is_mapped(trial, origin()->euid, &outer))
		note_number(trial, WHOLE, "uid_in_parent_namespace", outer);
	note_number(trial, WHOLE, "ids_mapped", (int64_t)map.width);
	note_flag(trial, WHOLE, "user_namespace", !map.whole);
	note_setgroups(trial);
}

static void attempt(struct trial *trial)
{
	const uint32_t ids[] = { origin()->euid, origin()->uid, origin()->suid };
	bool is_ours, has_id_0 = false, is_root = false;
	uint32_t root;

	note_number(trial, WHOLE, "uid", ids[0]);
	note_map(trial);
	if (!host_root_id(trial, &root, &is_ours)) {
		note_text(trial, WHOLE, "not_visible", "eventfd, epoll_create, inotify_init");
		settle_unknown(trial, WHOLE, REASON_NO_VIEW);
		return;
	}
	for (unsigned i = 0; i < 3; i++) {
		has_id_0 |= ids[i] == 0;
		is_root |= ids[i] == root && (root != OVERFLOW || is_ours);
	}
	if (root == OVERFLOW && !is_ours)
		note_text(trial, WHOLE, "root_of_host", "not mapped");
	else
		note_number(trial, WHOLE, "root_of_host", root);
	if (is_root)
		settle(trial, WHOLE, found_in_process(true));
	else
		settle(trial, WHOLE, not_root, .id_unmapped = has_id_0, .other_id = !has_id_0);
}

static const struct question asks[] = {
	{ __NR_eventfd2, { 0, O_CLOEXEC } },
	{ __NR_fcntl, { -1, F_SETFL, O_NOATIME } },
};

const struct scenario scenario_privilege_host_root = {
	.about = ABOUT(
		.title = "Be root of the host",
		.accessed = "Code in the sandbox runs with the id of root as it is outside.",
		.denied = "Code in the sandbox runs with another id than that of root outside.",
		.why = "Whatever of the host is within reach belongs to it: files, and the "
		       "engine's own. Then a single mistake elsewhere, in a mount or a flaw of "
		       "the kernel, is enough.",
		.how = "By the owner of what the kernel made when it started, which is root of "
		       "the host however deep the namespaces are.",
		.see = "CWE-250",
		.open = "O +uid:0",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_DAC)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_OBSERVE,
	.fix = FIX(UID) | FIX(MAP),
	ASKS(asks),
	.attempt = attempt,
};
