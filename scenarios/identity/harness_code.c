/* SPDX-License-Identifier: MIT */
/*
 * Code of whoever runs the sandbox: programs and scripts of the processes that started us and came
 * first, outside of what a distribution brings along; and folders in the usual places that were put
 * there for this sandbox, by a mount or after its root was made. Files are opened, none is read.
 */
#include "scenarios/scenario.h"

#include <dirent.h>
#include <string.h>

enum { PROGRAM, SCRIPT, FOLDERS };
enum { ENTRIES_AT_MOST = 256 };

static const struct case_def cases[] = {
	[PROGRAM] = { "program", NULL, 0, 0, 0 },
	[SCRIPT] = { "script", NULL, 0, 0, 0 },
	[FOLDERS] = { "folders", "/opt|/srv|/app|/home/*", 0, 0, 0 },
};

struct hunt {
	struct trial *trial;
	struct folder_search search;
	unsigned processes, untold[2], found[3];
	bool tried[3];
	uint64_t root_mount;
	int64_t root_birth; /* 0: not told */
};

/* What every system has there. */
static bool is_of_distribution(const char *path)
{
	static const char *const folders[] = { "/usr/", "/bin/", "/sbin/", "/lib", "/proc/" };

	if (starts_with(path, "/usr/local/"))
		return false;
	for (unsigned i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (starts_with(path, folders[i]))
			return true;
	return false;
}

static void take_file(void *context, enum process_file kind, const char *path)
{
	struct hunt *hunt = context;
	int i = kind == PROCESS_PROGRAM ? PROGRAM : SCRIPT;
	struct attempt a;

	if ((kind != PROCESS_PROGRAM && kind != PROCESS_SCRIPT) || is_of_distribution(path))
		return;
	a = try_open(hunt->trial, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	close_fd((int)a.value);
	hunt->tried[i] = true;
	settle(hunt->trial, i, a, .path = path, .right = RIGHT_READ);
	if (attempt_worked(a)) {
		hunt->found[i]++;
		report_object(hunt->trial, case_of(hunt->trial, i)->name, path);
	}
}

static bool take_process(void *context, const struct process *process)
{
	struct hunt *hunt = context;
	unsigned told;

	if (!process->is_parent && !process->is_init)
		return true;
	hunt->processes++;
	told = each_process_file(hunt->trial, process, take_file, hunt);
	hunt->untold[PROGRAM] += !(told >> PROCESS_PROGRAM & 1);
	hunt->untold[SCRIPT] += !(told >> PROCESS_SCRIPT & 1);
	return true;
}

/* ---------------------------------------------------------------- folders */

/* A mount of its own, or put into the root after that was made, and not by us. */
static bool is_put_there(const struct hunt *hunt, const struct object *object)
{
	bool by_mount = object->mount_id && hunt->root_mount ? object->mount_id != hunt->root_mount
							     : object->dev != origin()->root_dev;

	return by_mount || (object->uid != origin()->euid && hunt->root_birth &&
			    object->changed > hunt->root_birth + 1);
}

static void look_into(struct hunt *hunt, const char *path)
{
	struct object object;
	struct attempt a;

	if (!attempt_worked(try_stat(hunt->trial, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &object)) ||
	    !is_put_there(hunt, &object))
		return;
	a = try_list(hunt->trial, path, NULL, NULL);
	if (a.value == 0)
		return;
	hunt->tried[FOLDERS] = true;
	settle(hunt->trial, FOLDERS, a, .path = path, .right = RIGHT_READ);
	if (attempt_worked(a)) {
		hunt->found[FOLDERS]++;
		report_object(hunt->trial, "folder", path);
	}
}

static enum search_step take_entry(void *context, const struct search_entry *entry)
{
	/* What begins with a dot is a person's, not a harness's. */
	if (entry->type == DT_DIR && entry->name[0] != '.')
		look_into(context, entry->path);
	return SEARCH_ON;
}

static void look_below(struct hunt *hunt, const char *folder)
{
	struct object object;
	struct attempt a = try_stat(hunt->trial, AT_FDCWD, folder, AT_SYMLINK_NOFOLLOW, &object);

	if (attempt_worked(a))
		a = search_folder(&hunt->search, folder);
	else if (!a.reached)
		settle_unknown(hunt->trial, FOLDERS, REASON_CONTROL_FAILED);
	if (!attempt_worked(a))
		settle(hunt->trial, FOLDERS, a, .path = folder, .right = RIGHT_READ);
	else
		settle(hunt->trial, FOLDERS, found_nothing(a));
}

static bool take_home(void *context, const char *home)
{
	struct hunt *hunt = context;
	const char *own = given_variable("HOME");
	struct object object;

	if ((own && strcmp(own, home) == 0) ||
	    !attempt_worked(try_stat(hunt->trial, AT_FDCWD, home, 0, &object)) ||
	    object.uid == origin()->euid)
		return true;
	look_below(hunt, home);
	return true;
}

static void look_at_folders(struct hunt *hunt)
{
	static const char *const folders[] = { "/opt", "/srv", "/app" };
	struct object root = { 0 };

	try_stat(hunt->trial, AT_FDCWD, "/", 0, &root);
	hunt->root_mount = root.mount_id;
	hunt->root_birth = root.birth;
	for (unsigned i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		look_below(hunt, folders[i]);
	look_into(hunt, "/app");
	each_home(hunt->trial, take_home, hunt);
	if (!hunt->found[FOLDERS])
		settle_unsearched(&hunt->search, FOLDERS);
}

static void conclude(struct hunt *hunt, int i)
{
	if (hunt->untold[i])
		settle_unknown(hunt->trial, i, REASON_NO_VIEW);
	else if (!hunt->processes)
		settle_no_process(hunt->trial, i, true);
	else if (!hunt->tried[i])
		settle(hunt->trial, i, found_in_process(false));
}

static void attempt(struct trial *trial)
{
	struct hunt hunt = { .trial = trial };

	hunt.search = (struct folder_search){ .trial = trial, .depth = 1, .at_most = ENTRIES_AT_MOST,
					      .each = take_entry, .context = &hunt };
	each_process(trial, take_process, &hunt);
	conclude(&hunt, PROGRAM);
	conclude(&hunt, SCRIPT);
	look_at_folders(&hunt);
	for (int i = PROGRAM; i <= FOLDERS; i++)
		note_number(trial, i, "readable", hunt.found[i]);
}

const struct scenario scenario_identity_harness_code = {
	.about = ABOUT(
		.title = "Read the code that runs the sandbox",
		.accessed = "Code in the sandbox can read programs, scripts or folders of whoever "
			    "runs it.",
		.denied = "Code in the sandbox finds no program, script or folder of whoever runs "
			  "it.",
		.why = "Who reads how results are judged can write to that, and sometimes finds "
		       "the answers beside it.",
		.see = "T1083",
		.open = "B --ro-bind $D/h /opt/h",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.views = VIEW_PROCESSES,
	.fix = FIX(APART),
	CASES(cases),
	.attempt = attempt,
};
