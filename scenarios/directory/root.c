/* SPDX-License-Identifier: MIT */
/* The top of the tree: its entries, and among them those that no standard hierarchy has. */
#include "scenarios/scenario.h"

#include <string.h>

struct search {
	struct trial *trial;
	unsigned unusual;
};

static bool is_standard(const char *name)
{
	static const char *const standard[] = {
		"bin",	"boot",	 "dev",	 "etc",	 "home", "lib",	   "lib32", "lib64", "libx32",
		"media", "mnt",	 "opt",	 "proc", "root", "run",	   "sbin",  "srv",   "sys",
		"tmp",	"usr",	 "var",	 "lost+found",
	};

	for (size_t i = 0; i < sizeof(standard) / sizeof(*standard); i++) {
		if (strcmp(name, standard[i]) == 0)
			return true;
	}
	return false;
}

static bool take_entry(void *context, const char *name, unsigned char type)
{
	struct search *search = context;
	char path[256];

	(void)type;
	if (is_standard(name))
		return true;
	search->unusual++;
	format_text(path, sizeof(path), "/%s", name);
	report_object(search->trial, "entry", path);
	return true;
}

static void attempt(struct trial *trial)
{
	struct search search = { trial, 0 };
	struct attempt a = try_list(trial, "/", take_entry, &search);

	if (attempt_worked(a)) {
		note_number(trial, WHOLE, "entries", a.value);
		note_number(trial, WHOLE, "unusual", search.unusual);
	}
	settle(trial, WHOLE, a.value > 0 ? a : found_nothing(a), .path = "/",
	       .right = RIGHT_READ);
}

const struct scenario scenario_directory_root = {
	.about = ABOUT(
		.title = "List the root folder",
		.accessed = "Code in the sandbox can list the root folder.",
		.denied = "Code in the sandbox cannot list the root folder.",
		.why = "The root folder tells what kind of system it is. Names that no standard "
		       "system has show what the sandbox was given, or what it failed to hide.",
		.see = "T1083",
		.paper = "Root directory",
		.open = "B",
		.closed = "B --chmod 0111 /",
		.closed_by = BARRIER_BIT(BARRIER_DAC)),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(BIND),
	.attempt = attempt,
};
