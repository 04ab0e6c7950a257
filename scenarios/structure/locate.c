/* SPDX-License-Identifier: MIT */
/*
 * Which critical and restricted places can be found? Each is opened as a mere location (O_PATH),
 * which asks for search permission on the way and nothing of the object itself.
 */
#include "scenarios/scenario.h"

#include <string.h>

static const struct case_def cases[] = {
	CRITICAL_FILES(SEVERITY_INHERIT),
	RESTRICTED_OTHERS(SEVERITY_INHERIT),
};

static bool is_found(struct trial *trial, const char *tool)
{
	const char *folders = given_variable("PATH");

	if (!folders)
		folders = "/usr/local/bin:/usr/bin:/bin";
	for (size_t n; *folders; folders += n + (folders[n] == ':')) {
		char folder[256], path[512];
		struct object object;

		n = strcspn(folders, ":");
		if (n == 0 || n >= sizeof folder)
			continue;
		memcpy(folder, folders, n);
		folder[n] = '\0';
		format_text(path, sizeof path, "%s/%s", folder, tool);
		if (attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)))
			return true;
	}
	return false;
}

static void note_tools(struct trial *trial)
{
	static const char *const tools[] = { "sh",   "env",     "tar",  "gzip", "curl",
					     "wget", "python3", "perl", "gcc",  "ssh" };
	char found[128] = "";
	size_t n = 0;

	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
		if (is_found(trial, tools[i]))
			n += (size_t)format_text(found + n, sizeof found - n, "%s%s", n ? " " : "",
						 tools[i]);
	note_text(trial, WHOLE, "tools", found);
}

static void attempt(struct trial *trial)
{
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		char path[512];
		struct object object;
		struct attempt a;

		if (!find_case(trial, (int)i, path, sizeof path))
			continue;
		a = try_open(trial, path, O_PATH);
		close_fd((int)a.value);
		/* Where nothing may be opened, a look still finds it. */
		if (!a.reached)
			a = try_stat(trial, AT_FDCWD, path, 0, &object);
		settle(trial, (int)i, a, .path = path, .right = RIGHT_STAT);
	}
	note_tools(trial);
}

const struct scenario scenario_structure_locate = {
	.about = ABOUT(
		.title = "Locate critical files",
		.accessed = "Code in the sandbox can find critical or restricted files by their "
			    "names.",
		.denied = "Code in the sandbox finds none of the critical or restricted files.",
		.why = "What can be found can be tried next, and what is there tells which system "
		       "this is.",
		.see = "T1083",
		.paper = "Locate files",
		.open = "B --ro-bind $D/passwd /etc/passwd",
		.closed = "E",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.fix = FIX(BIND),
	CASES(cases),
	.attempt = attempt,
};
