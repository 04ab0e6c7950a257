/* SPDX-License-Identifier: MIT */
/*
 * Can attributes of devices, drivers and modules be written? Plain files of some parts of /sys are
 * looked at, and the first that the access check promises is opened for writing inside a sandbox
 * and closed again, which has no effect. Other file systems mounted in /sys are left alone.
 */
#include "scenarios/scenario.h"

#include <dirent.h>

enum { ENTRIES_AT_MOST = 4096 };

static const struct case_def cases[] = {
	{ "power", "/sys/power", 0, 0, PLACE_FOLDER },
	{ "kernel", "/sys/kernel", 0, 0, PLACE_FOLDER },
	{ "module", "/sys/module", 0, 0, PLACE_FOLDER },
	{ "class", "/sys/class", 0, 0, PLACE_FOLDER },
	{ "block", "/sys/block", 0, 0, PLACE_FOLDER },
	{ "fs", "/sys/fs", 0, 0, PLACE_FOLDER },
	{ "drivers", "/sys/bus", 0, 0, PLACE_FOLDER },
};

/* How deep the files lie; class and block hold links, to which the way must be walked. */
static const struct part {
	unsigned depth;
	bool links;
	const char *name, *pass;
} parts[] = {
	{ 1, false, NULL, NULL },
	{ 2, false, NULL, "slab,irq" },
	{ 3, false, NULL, "sections,notes,holders" },
	{ 1, true, NULL, NULL },
	{ 2, true, NULL, NULL },
	{ 4, false, NULL, NULL },
	{ 4, false, "bind", "devices" },
};

struct links {
	struct write_search *search;
	unsigned depth; /* below each link */
	bool own_network;
};

/* In a user namespace no attribute of the host's network is its root's. */
static bool is_own_network(struct trial *trial)
{
	return in_user_namespace(trial) ||
	       namespace_sharing(trial, NAMESPACE_NET, NULL) == SHARING_OWN;
}

static enum search_step take_link(void *context, const struct search_entry *entry)
{
	struct links *links = context;

	/* A network of the sandbox's own has devices of its own. */
	if (entry->type != DT_LNK ||
	    (links->own_network && starts_with(entry->path, "/sys/class/net/")))
		return SEARCH_ON;
	return search_writable(links->search, entry->path, links->depth) ? SEARCH_ON : SEARCH_STOP;
}

/* Attributes in the folder itself, then those behind the links in it, or in its folders. */
static void search_links(struct write_search *search, const char *folder, unsigned depth)
{
	struct links links = { search, depth, is_own_network(search->trial) };
	struct folder_search all = { .trial = search->trial, .depth = 2, .each = take_link,
				     .at_most = ENTRIES_AT_MOST, .context = &links };

	if (!search_writable(search, folder, 2))
		return;
	search_folder(&all, folder);
	search->cut |= all.cut;
}

static void attempt(struct trial *trial)
{
	for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
		const struct part *part = &parts[i];
		struct write_search search = { .trial = trial, .case_index = i, .name = part->name,
					       .pass = part->pass, .at_most = ENTRIES_AT_MOST };

		if (part->links)
			search_links(&search, case_of(trial, i)->path, part->depth);
		else
			search_writable(&search, case_of(trial, i)->path, part->depth);
		settle_writable(&search, case_of(trial, i)->path);
	}
}

const struct scenario scenario_sysfs_writable = {
	.about = ABOUT(
		.title = "Write attributes of devices and drivers",
		.accessed = "Code in the sandbox can write attributes of devices, drivers or "
			    "modules, which belong to the host.",
		.denied = "Code in the sandbox can write no attribute of devices, drivers and "
			  "modules.",
		.why = "They switch the machine's power, tune its kernel and tell it which driver "
		       "a device gets; some name programs that the kernel runs on the host.",
		.see = "T1611",
		.open = "O +uid:0 +sys-rw",
		.closed = "O +uid:0",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(MASK),
	CASES(cases),
	.attempt = attempt,
};
