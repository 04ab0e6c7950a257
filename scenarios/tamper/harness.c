/* SPDX-License-Identifier: MIT */
/*
 * What the processes are made of that started us and that came first: programs, scripts, the
 * folders they lie in and work in, logs, and what the owner names. And our own program, which the
 * next run may start again.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum {
	OWN_PROGRAM,
	OWN_FOLDER,
	PROGRAM,
	PROGRAM_FOLDER,
	SCRIPT,
	SCRIPT_FOLDER,
	WORKING_FOLDER,
	LOG,
	DECLARED,
	N_CASES,
};

static const struct case_def cases[N_CASES] = {
	[OWN_PROGRAM] = { "own-program", NULL, SEVERITY_MEDIUM, 0, 0 },
	[OWN_FOLDER] = { "own-folder", NULL, SEVERITY_MEDIUM, 0, 0 },
	[PROGRAM] = { "program", NULL, 0, 0, 0 },
	[PROGRAM_FOLDER] = { "program-folder", NULL, 0, 0, 0 },
	[SCRIPT] = { "script", NULL, 0, 0, 0 },
	[SCRIPT_FOLDER] = { "script-folder", NULL, 0, 0, 0 },
	[WORKING_FOLDER] = { "working-folder", NULL, SEVERITY_MEDIUM, 0, 0 },
	[LOG] = { "log", NULL, SEVERITY_MEDIUM, 0, 0 },
	[DECLARED] = { "declared", "target.harness", 0, 0, PLACE_TARGET },
};
/* The case of each kind of file, and that of the folder that it lies in. */
static const struct {
	int file, folder;
} cases_of[N_PROCESS_FILES] = {
	[PROCESS_PROGRAM] = { PROGRAM, PROGRAM_FOLDER },
	[PROCESS_SCRIPT] = { SCRIPT, SCRIPT_FOLDER },
	[PROCESS_FOLDER] = { WORKING_FOLDER, -1 },
	[PROCESS_LOG] = { LOG, -1 },
};

struct harness {
	struct alterations all;
	unsigned processes, untold[N_PROCESS_FILES];
	bool tried[N_CASES];
};

static void try_place_of(struct harness *harness, int i, const char *path, unsigned kind)
{
	harness->tried[i] = true;
	settle_alteration(&harness->all, i, path, kind);
}

/* The folder itself: what else lies in it is not the harness's. */
static void try_folder_of(struct harness *harness, int i, const char *path)
{
	char folder[512];
	char *slash;

	format_text(folder, sizeof(folder), "%s", path);
	slash = strrchr(folder, '/');
	if (!slash || starts_with(folder, "/proc/"))
		return;
	slash[slash == folder] = '\0';
	try_place_of(harness, i, folder, PLACE_FOLDER);
}

static void take_file(void *context, enum process_file kind, const char *path)
{
	struct harness *harness = context;
	unsigned place = kind == PROCESS_FOLDER	  ? PLACE_FOLDER
			 : kind == PROCESS_PROGRAM ? PLACE_PROGRAM
						   : 0;

	try_place_of(harness, cases_of[kind].file, path, place);
	if (cases_of[kind].folder >= 0)
		try_folder_of(harness, cases_of[kind].folder, path);
}

static bool take_process(void *context, const struct process *process)
{
	struct harness *harness = context;
	unsigned told;

	if (!process->is_parent && !process->is_init)
		return true;
	harness->processes++;
	told = each_process_file(harness->all.trial, process, take_file, harness);
	for (int kind = 0; kind < N_PROCESS_FILES; kind++)
		harness->untold[kind] += !(told >> kind & 1);
	return true;
}

static void look_at_own(struct harness *harness)
{
	char path[512];

	if (find_own_program(harness->all.trial, path, sizeof(path))) {
		try_place_of(harness, OWN_PROGRAM, path, PLACE_PROGRAM);
		try_folder_of(harness, OWN_FOLDER, path);
		return;
	}
	settle_unknown(harness->all.trial, OWN_PROGRAM, REASON_NO_VIEW);
	settle_unknown(harness->all.trial, OWN_FOLDER, REASON_NO_VIEW);
}

/* It has no such file, or nobody knows; a folder goes with its file. */
static void conclude(struct harness *harness, int i, int kind)
{
	struct trial *trial = harness->all.trial;

	if (i < 0)
		return;
	if (harness->untold[kind])
		settle_unknown(trial, i, REASON_NO_VIEW);
	else if (!harness->processes)
		settle_no_process(trial, i, true);
	else if (!harness->tried[i])
		settle(trial, i, found_in_process(false));
}

static void attempt(struct trial *trial)
{
	struct harness harness = { .all = { .trial = trial } };

	look_at_own(&harness);
	each_process(trial, take_process, &harness);
	for (int kind = 0; kind < N_PROCESS_FILES; kind++) {
		conclude(&harness, cases_of[kind].file, kind);
		conclude(&harness, cases_of[kind].folder, kind);
	}
	settle_declared_alterations(&harness.all, DECLARED, PLACE_PROGRAM);
	note_alterations(&harness.all);
}

const struct scenario scenario_tamper_harness = {
	.about = ABOUT(
		.title = "Alter what started it",
		.accessed = "Code in the sandbox can alter its own program, or programs, scripts, "
			    "folders or logs of what started it, of the first process, or that its "
			    "owner names.",
		.denied = "Code in the sandbox can alter neither its own program nor what the "
			  "processes are made of that started it, nor what its owner names.",
		.why = "Whoever starts the sandbox and judges the results must not obey what runs "
		       "inside. A script that can be altered obeys it at the next start.",
		.see = "CWE-732, T1565.001",
		.open = "B --bind $D/harness /h -- /h/run",
		.closed = "B --ro-bind $D/harness /h -- /h/run",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.views = VIEW_PROCESSES,
	.fix = FIX(APART) | FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
