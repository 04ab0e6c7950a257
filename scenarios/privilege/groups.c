/* SPDX-License-Identifier: MIT */
/*
 * Supplementary groups beside the own one. Their names are those of /etc/group here, and where it
 * has none the usual ones of their numbers: what a number opens is decided by the host.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum {
	DOCKER,
	LXD,
	DISK,
	SHADOW,
	SUDO,
	WHEEL,
	KVM,
	ADM,
	VIDEO,
	RENDER,
	NAMED,
	OTHER = NAMED,
	UNMAPPED
};

static const struct case_def cases[] = {
	[DOCKER] = { "docker", NULL, 0, 0, 0 },
	[LXD] = { "lxd", NULL, 0, 0, 0 },
	[DISK] = { "disk", NULL, 0, 0, 0 },
	[SHADOW] = { "shadow", NULL, 0, 0, 0 },
	[SUDO] = { "sudo", NULL, 0, 0, 0 },
	[WHEEL] = { "wheel", NULL, 0, 0, 0 },
	[KVM] = { "kvm", NULL, 0, 0, 0 },
	[ADM] = { "adm", NULL, 0, 0, 0 },
	[VIDEO] = { "video", NULL, 0, 0, 0 },
	[RENDER] = { "render", NULL, 0, 0, 0 },
	[OTHER] = { "other", NULL, SEVERITY_MEDIUM, 0, 0 },
	[UNMAPPED] = { "unmapped", NULL, SEVERITY_MEDIUM, 0, 0 },
};

/* Numbers that never change: of Debian, Fedora, Alpine. */
static const struct {
	uint32_t gid;
	int case_index;
} usual[] = { { 4, ADM },  { 6, DISK },    { 10, WHEEL }, { 27, SUDO },
	      { 36, KVM }, { 42, SHADOW }, { 44, VIDEO } };

/* What the kernel shows for a group that is not mapped here; also the number of nogroup. */
#define OVERFLOW 65534u

struct membership {
	uint32_t gid;
	int case_index; /* -1: no name was found */
	bool by_entry;  /* /etc/group itself makes us a member */
};

struct memberships {
	struct trial *trial;
	char account[64];
	unsigned n;
	struct membership list[GROUPS_AT_MOST];
};

/* "name:x:1000:…" of our own id. */
static bool take_account(void *context, char *line)
{
	struct memberships *all = context;
	char *id = strchr(line, ':'), own[16];

	id = id ? strchr(id + 1, ':') : NULL;
	if (!id++)
		return true;
	id[strcspn(id, ":")] = '\0';
	format_text(own, sizeof own, "%u", origin()->euid);
	if (strcmp(id, own) != 0)
		return true;
	line[strcspn(line, ":")] = '\0';
	format_text(all->account, sizeof all->account, "%s", line);
	return false;
}

/* Is it one of the names, which are separated by commas? */
static bool is_member(const char *names, const char *account)
{
	return *account && has_option(names, account);
}

/* "name:x:27:alice,bob" */
static bool take_group(void *context, char *line)
{
	struct memberships *all = context;
	char *id = strchr(line, ':'), *names, text[16];

	id = id ? strchr(id + 1, ':') : NULL;
	names = id ? strchr(id + 1, ':') : NULL;
	if (!names)
		return true;
	*id++ = *names++ = '\0';
	line[strcspn(line, ":")] = '\0';
	for (unsigned i = 0; i < all->n; i++) {
		format_text(text, sizeof text, "%u", all->list[i].gid);
		if (strcmp(id, text) != 0)
			continue;
		all->list[i].by_entry |= is_member(names, all->account);
		for (int k = 0; k < NAMED; k++)
			if (strcmp(case_of(all->trial, k)->name, line) == 0)
				all->list[i].case_index = k;
		if (all->list[i].case_index < 0)
			all->list[i].case_index = OTHER;
	}
	return true;
}

static int usual_case(uint32_t gid)
{
	for (unsigned i = 0; i < sizeof usual / sizeof *usual; i++)
		if (usual[i].gid == gid)
			return usual[i].case_index;
	return OTHER;
}

static void collect(struct trial *trial, struct memberships *all)
{
	const struct origin *given = origin();

	for (int i = 0; i < given->n_groups; i++) {
		uint32_t gid = given->groups[i];

		if (gid == given->egid || gid == given->gid || gid == OVERFLOW)
			continue;
		all->list[all->n++] = (struct membership){ gid, -1, false };
	}
	if (all->n == 0)
		return;
	try_lines(trial, "/etc/passwd", take_account, all);
	try_lines(trial, "/etc/group", take_group, all);
}

/* Held, though nobody here can name them: files that belong to them open all the same. */
static unsigned count_unmapped(struct trial *trial)
{
	bool has_map = attempt_worked(try_access(trial, "/proc/self/gid_map", 4 /* R_OK */));
	unsigned n = 0;

	if (!in_user_namespace(trial) || (has_map && gid_is_mapped(trial, OVERFLOW, NULL)))
		return 0;
	for (int i = 0; i < origin()->n_groups; i++)
		n += origin()->groups[i] == OVERFLOW;
	return n;
}

static void settle_groups(struct trial *trial, const struct memberships *all, int case_index)
{
	char text[256] = "";
	size_t used = 0;

	for (unsigned i = 0; i < all->n; i++) {
		const struct membership *one = &all->list[i];
		int named = one->case_index >= 0 ? one->case_index : usual_case(one->gid);

		if (named != case_index)
			continue;
		/* An image gives its root groups that add nothing to what root may do. */
		if (one->by_entry && origin()->euid == 0 && !trial_is_outside(trial))
			continue;
		if (used < sizeof text - 12)
			used += (size_t)format_text(text + used, sizeof text - used,
						    used ? " %u" : "%u", one->gid);
		note_flag(trial, case_index, "named_here", one->case_index >= 0);
	}
	if (used)
		note_text(trial, case_index, "gids", text);
	settle(trial, case_index, found_in_process(used > 0));
}

static void attempt(struct trial *trial)
{
	struct memberships all = { .trial = trial };
	unsigned unmapped;

	if (origin()->n_groups < 0) {
		note_text(trial, WHOLE, "not_visible", "getgroups, /proc/self/status");
		for (int i = 0; i <= UNMAPPED; i++)
			settle_unknown(trial, i, REASON_NO_VIEW);
		return;
	}
	note_number(trial, WHOLE, "gid", origin()->egid);
	note_number(trial, WHOLE, "groups", origin()->n_groups);
	collect(trial, &all);
	for (int i = 0; i <= OTHER; i++)
		settle_groups(trial, &all, i);
	unmapped = count_unmapped(trial);
	if (unmapped)
		note_number(trial, UNMAPPED, "groups", unmapped);
	settle(trial, UNMAPPED, found_in_process(unmapped > 0));
}

const struct scenario scenario_privilege_groups = {
	.about = ABOUT(
		.title = "Belong to further groups",
		.accessed = "Code in the sandbox belongs to groups beside its own.",
		.denied = "Code in the sandbox belongs to no group beside its own.",
		.why = "A group opens files and sockets whose owner one is not. Some are as good "
		       "as root: who may use the container engine, the disks or the hash file "
		       "needs nothing more.",
		.see = "T1069.001",
		.open = "O +group:27",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(UID),
	CASES(cases),
	.attempt = attempt,
};
