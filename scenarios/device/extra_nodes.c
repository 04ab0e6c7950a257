/* SPDX-License-Identifier: MIT */
/*
 * Device nodes besides those that any program may need: null, zero, full, random, urandom and the
 * terminals. Known by their numbers, for a name can be given to any node. None is opened.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { BLOCK, CHARACTER };

static const struct case_def cases[] = {
	[BLOCK] = { "block", NULL, 0, 0, 0 },
	[CHARACTER] = { "character", NULL, 0, 0, 0 },
};

enum { MAJORS = 64 };

struct census {
	struct trial *trial;
	unsigned nodes[2], n_majors[2];
	struct {
		unsigned major, nodes;
	} majors[2][MAJORS];
};

/* The memory device's harmless minors; the terminals that stand for whoever opens them; ptys. */
static bool is_usual(const struct node *node)
{
	if (node->is_block)
		return false;
	switch (node->major) {
	case 1:
		return node->minor == 3 || node->minor == 5 ||
		       (node->minor >= 7 && node->minor <= 9);
	case 5:
		return node->minor <= 2;
	default:
		return node->major >= 136 && node->major <= 143;
	}
}

static bool take_node(void *context, const struct node *node)
{
	struct census *census = context;
	unsigned kind = node->is_block ? BLOCK : CHARACTER, i = 0;

	if (is_usual(node))
		return true;
	census->nodes[kind]++;
	while (i < census->n_majors[kind] && census->majors[kind][i].major != node->major)
		i++;
	if (i == MAJORS)
		return true;
	/* One of each stands for the sixty terminals beside it. */
	if (i == census->n_majors[kind]) {
		census->n_majors[kind]++;
		census->majors[kind][i].major = node->major;
		report_object(census->trial, case_of(census->trial, kind)->name, node->path);
	}
	census->majors[kind][i].nodes++;
	return true;
}

/* "10: 8, 1: 2", by major from the least. */
static void note_majors(struct trial *trial, const struct census *census, unsigned kind)
{
	char text[400] = "";
	int used = 0, last = -1;

	for (unsigned round = 0; round < census->n_majors[kind]; round++) {
		unsigned least = UINT32_MAX, at = 0;

		for (unsigned i = 0; i < census->n_majors[kind]; i++) {
			unsigned major = census->majors[kind][i].major;

			if ((int)major > last && major < least) {
				least = major;
				at = i;
			}
		}
		used += format_text(text + used, sizeof text - (size_t)used, "%s%u: %u",
				    used ? ", " : "", least, census->majors[kind][at].nodes);
		last = (int)least;
	}
	note_number(trial, (int)kind, "nodes", census->nodes[kind]);
	note_text(trial, (int)kind, "nodes_by_major", text);
}

/* Where the folder cannot be listed a name still leads to its node. */
static void look_for_names(struct census *census)
{
	static const char *const names[] = {
		"/dev/sda",  "/dev/vda",  "/dev/nvme0n1", "/dev/loop0",   "/dev/mem",
		"/dev/kmsg", "/dev/fuse", "/dev/kvm",     "/dev/net/tun", "/dev/dri/card0",
	};
	struct object object;

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		struct node node;

		if (!attempt_worked(try_stat(census->trial, AT_FDCWD, names[i], 0, &object)) ||
		    (!S_ISCHR(object.mode) && !S_ISBLK(object.mode)))
			continue;
		node = node_at(names[i], &object);
		take_node(census, &node);
	}
}

static void attempt(struct trial *trial)
{
	struct census census = { .trial = trial };
	bool all;
	struct attempt a = each_node(trial, take_node, &census, &all);
	bool missing = a.reached && (a.error == ENOENT || a.error == ENOTDIR);

	if (!attempt_worked(a))
		look_for_names(&census);
	for (unsigned kind = 0; kind < 2; kind++) {
		if (census.nodes[kind]) {
			note_majors(trial, &census, kind);
			settle(trial, (int)kind, found_in_process(true));
		} else if (missing || all) {
			settle(trial, (int)kind, found_nothing(a), .path = "/dev");
		} else {
			note_text(trial, (int)kind, "not_visible", "/dev");
			settle_unknown(trial, (int)kind, REASON_NO_VIEW);
		}
	}
}

const struct scenario scenario_device_extra_nodes = {
	.about = ABOUT(
		.title = "See device nodes that programs do not need",
		.accessed = "Code in the sandbox sees device nodes besides the few that any "
			    "program may need.",
		.denied = "Code in the sandbox sees no device nodes but the few that any program "
			  "may need.",
		.why = "Each node is the door to a driver, and the list of them describes the "
		       "machine. A sandbox needs null, zero, full, random, urandom and terminals.",
		.see = "T1120",
		.open = "B --dev-bind /dev/kmsg /dev/kmsg",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.fix = FIX(DEV),
	CASES(cases),
	.attempt = attempt,
};
