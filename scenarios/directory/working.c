/* SPDX-License-Identifier: MIT */
/*
 * The working folder: its name and what it holds. A name that begins "(unreachable)" stands for a
 * folder outside the root, which the sandbox left open behind it: that is flagged.
 */
#include "scenarios/scenario.h"

#include <string.h>

/* The folder's name, by the call that every shell makes, else as /proc tells it. */
static struct attempt ask_name(struct trial *trial, char *name, size_t size)
{
	struct attempt a = try_call_as(trial, "pp", "getcwd", __NR_getcwd, name, size - 1), link;

	if (attempt_worked(a)) {
		name[a.value] = '\0';
		return a;
	}
	link = try_readlink(trial, "/proc/self/cwd", name, size);
	return attempt_worked(link) ? link : a;
}

static void attempt(struct trial *trial)
{
	char name[1024] = "";
	struct attempt named = ask_name(trial, name, sizeof(name));
	struct attempt listed = try_list(trial, ".", NULL, NULL);

	if (attempt_worked(named)) {
		note_text(trial, WHOLE, "folder", name);
		note_flag(trial, WHOLE, "outside-root", starts_with(name, "(unreachable)"));
	}
	if (attempt_worked(listed))
		measure_number(trial, WHOLE, "entries", listed.value);
	if (attempt_worked(listed) && !attempt_worked(named))
		settle(trial, WHOLE, named);
	else
		settle(trial, WHOLE, listed, .path = ".", .right = RIGHT_READ);
}

const struct scenario scenario_directory_working = {
	.about = ABOUT(
		.title = "List the working folder",
		.accessed = "Code in the sandbox can name and list the folder it is started in.",
		.denied = "Code in the sandbox cannot both name and list the folder it is started "
			  "in.",
		.why = "The working folder is where code looks first, and shows what else was put "
		       "there.",
		.see = "T1083",
		.paper = "Current directory",
		.ours = true,
		.open = "B --chdir /usr",
		.closed = "B --dir /w --chmod 0111 /w --chdir /w",
		.closed_by = BARRIER_BIT(BARRIER_DAC)),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.keep = KEEP_CWD,
	.fix = FIX(BIND),
	.attempt = attempt,
};
