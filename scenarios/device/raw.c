/* SPDX-License-Identifier: MIT */
/*
 * Disks and memory as the kernel sees them, past all file systems: whether their nodes may be
 * opened for reading. Nothing is read.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { BLOCK, MEM, KMEM, PORT, KMSG, NVRAM };

static const struct case_def cases[] = {
	[BLOCK] = { "block", NULL, 0, 0, 0 },
	[MEM] = { "mem", "/dev/mem", 0, 0, 0 },
	[KMEM] = { "kmem", "/dev/kmem", 0, 0, 0 },
	[PORT] = { "port", "/dev/port", 0, 0, 0 },
	[KMSG] = { "kmsg", "/dev/kmsg", SEVERITY_HIGH, 0, 0 },
	[NVRAM] = { "nvram", "/dev/nvram", SEVERITY_HIGH, 0, 0 },
};

/* Those in memory: opened into the kernel by open_port() and devkmsg_open(), which change nothing.
 */
static const struct {
	enum node_way way;
	int capability;
	unsigned major, minor;
} ways[] = {
	[MEM] = { NODE_OPEN_ANYWHERE, NODE_NEEDS_RAWIO, 1, 1 },
	[KMEM] = { NODE_OPEN_ANYWHERE, NODE_NEEDS_RAWIO, 1, 2 },
	[PORT] = { NODE_OPEN_ANYWHERE, NODE_NEEDS_RAWIO, 1, 4 },
	[KMSG] = { NODE_OPEN_ANYWHERE, NODE_NEEDS_SYSLOG, 1, 11 },
	[NVRAM] = { NODE_OPEN, 0, 10, 144 },
};

struct search {
	struct trial *trial;
	bool in_memory; /* this round: those that are no disks, and may be empty */
	bool opened;
	unsigned nodes;
};

static bool is_in_memory(const char *path)
{
	static const char *const names[] = { "/dev/loop", "/dev/ram", "/dev/zram" };

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (starts_with(path, names[i]))
			return true;
	return false;
}

static bool take_node(void *context, const struct node *node)
{
	struct search *search = context;

	if (!node->is_block || is_in_memory(node->path) != search->in_memory)
		return true;
	search->nodes++;
	if (!search->opened && settle_node(search->trial, BLOCK, node->path, NODE_OPEN, 0)) {
		report_object(search->trial, "block", node->path);
		search->opened = true;
	}
	return true;
}

/* Where the folder cannot be listed a name still leads to its node. */
static void look_for_names(struct search *search)
{
	static const char *const names[] = { "/dev/sda",     "/dev/vda",  "/dev/xvda",
					     "/dev/nvme0n1", "/dev/dm-0", "/dev/mmcblk0",
					     "/dev/loop0" };
	struct object object;

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		struct node node;

		if (!attempt_worked(try_stat(search->trial, AT_FDCWD, names[i], 0, &object)))
			continue;
		node = node_at(names[i], &object);
		search->in_memory = is_in_memory(names[i]);
		take_node(search, &node);
	}
}

static void attempt_block(struct trial *trial)
{
	struct search search = { .trial = trial };
	bool all, all_again;
	struct attempt a = each_node(trial, take_node, &search, &all);

	search.in_memory = true;
	each_node(trial, take_node, &search, &all_again);
	if (!attempt_worked(a))
		look_for_names(&search);
	if (search.nodes)
		note_number(trial, BLOCK, "nodes", search.nodes);
	if (search.opened)
		return;
	/* A filter that lets nothing be opened refuses what was not seen, too. */
	if (!a.reached && !try_open(trial, "/dev", O_RDONLY | O_DIRECTORY).reached) {
		settle(trial, BLOCK, a);
	} else if (!(all && all_again) && a.error != ENOENT) {
		note_text(trial, BLOCK, "not_visible", "/dev");
		settle_unknown(trial, BLOCK, REASON_NO_VIEW);
	} else if (!search.nodes) {
		settle(trial, BLOCK, found_nothing(a), .path = "/dev");
	}
}

/* A name may be given to any node, as of one that is harmless, to cover the real one. */
static bool is_another(struct trial *trial, int i, const char *path)
{
	struct object object;
	struct node node;

	if (!attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)) || !S_ISCHR(object.mode))
		return false;
	node = node_at(path, &object);
	return node.major != ways[i].major || node.minor != ways[i].minor;
}

static void attempt(struct trial *trial)
{
	attempt_block(trial);
	for (int i = MEM; i <= NVRAM; i++) {
		const char *path = case_of(trial, i)->path;

		if (is_another(trial, i, path))
			settle(trial, i, found_in_process(false));
		else if (settle_node(trial, i, path, ways[i].way, ways[i].capability))
			report_object(trial, "character", path);
	}
}

const struct scenario scenario_device_raw = {
	.about = ABOUT(
		.title = "Open the host's disks and memory as devices",
		.accessed = "Code in the sandbox can open a disk, the memory or the log of the "
			    "host as a device.",
		.denied = "Code in the sandbox cannot open a disk, the memory or the log of the "
			  "host as a device.",
		.why = "A disk that is read as a device shows every file on it, whatever the "
		       "sandbox hides or forbids; so does memory, of every process.",
		.see = "T1006",
		.open = "O +device:kmsg +SYSLOG",
		.closed = "O +node:kmsg +SYSLOG",
		.closed_by = BARRIER_BIT(BARRIER_CGROUP)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_OBSERVE,
	.fix = FIX(DEV),
	CASES(cases),
	.attempt = attempt,
};
