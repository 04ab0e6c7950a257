/* SPDX-License-Identifier: MIT */
#include "probe/surroundings.h"

#include <errno.h>
#include <string.h>

#include "probe/attempts.h"
#include "probe/children.h"
#include "probe/filter.h"
#include "probe/guard.h"
#include "probe/raw.h"
#include "probe/trial.h"

static struct surroundings nothing; /* all zeros, which need no place in the file */
static struct surroundings *view = &nothing;
static struct marker {
	char path[512]; /* "": free */
} *markers;
static struct trial view_trial;

/* The catalogue's critical folders: never scratch, nor is a folder above one. */
static const struct case_def critical[] = { CRITICAL_ROOT(0), CRITICAL_FOLDERS(0) };

const struct surroundings *surroundings(void)
{
	return view;
}

/* ---------------------------------------------------------------- markers */

bool marker_name(struct trial *trial, const char *folder, char *path, unsigned size)
{
	return marker_name_between(trial, folder, "", "", path, size);
}

bool marker_name_between(struct trial *trial, const char *folder, const char *before,
			 const char *after, char *path, unsigned size)
{
	if (keeps_entries(trial, folder))
		return false;
	for (unsigned i = 0; markers && i < MARKERS; i++) {
		if (markers[i].path[0])
			continue;
		/* A name that is cut would not be the one that is removed. */
		if (format_text(path, size, "%s/%s.sandboxeval-%s-%d-%u%s",
				strcmp(folder, "/") == 0 ? "" : folder, before, trial_nonce(trial),
				(int)own_number(), i, after) >=
		    (int)size - 1)
			return false;
		format_text(markers[i].path, sizeof markers[i].path, "%s", path);
		return true;
	}
	return false;
}

void marker_gone(const char *path)
{
	for (unsigned i = 0; markers && i < MARKERS; i++)
		if (strcmp(markers[i].path, path) == 0)
			markers[i].path[0] = '\0';
}

/* A filter may refuse the younger form alone, or what it says of a name that is not there. */
static long remove_name(const char *path)
{
	long got = raw(__NR_unlinkat, AT_FDCWD, path, 0);

	if (got == -EISDIR)
		got = raw(__NR_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
#ifdef __NR_unlink
	if (got < 0 && got != -ENOENT && got != -ENOTDIR) {
		got = raw(__NR_unlink, path);
		if (got == -EISDIR)
			got = raw(__NR_rmdir, path);
	}
#endif
	return got;
}

bool markers_sweep(void)
{
	bool clean = true;

	for (unsigned i = 0; markers && i < MARKERS; i++) {
		long got;

		if (!markers[i].path[0])
			continue;
		got = remove_name(markers[i].path);
		if (got < 0 && got != -ENOENT && got != -ENOTDIR)
			clean = false;
		markers[i].path[0] = '\0';
	}
	return clean;
}

/* ---------------------------------------------------------------- scratch folders */

static bool is_critical(const char *path)
{
	for (unsigned i = 0; i < sizeof critical / sizeof *critical; i++)
		if (is_at_or_below(critical[i].path, path))
			return true;
	return false;
}

static bool takes_marker(struct trial *trial, const char *folder)
{
	struct attempt a;

	if (options.level < LEVEL_TOUCH)
		return attempt_worked(try_access(trial, folder, 3 /* W_OK | X_OK */));
	a = try_marker(trial, folder, O_RDWR);
	close_fd((int)a.value);
	/* Want of means says nothing of the folder, nor does what may be a filter's word. */
	if (a.error == EMFILE || a.error == ENFILE || a.error == ENOMEM || a.error == ECANCELED ||
	    (a.reached && (a.error == EPERM || a.error == ENOSYS) && filter_oracle() == ORACLE_BROKEN))
		view->scratch_known = false;
	if (!a.reached)
		view->scratch_refused = a;
	return attempt_worked(a);
}

static void consider_scratch(struct trial *trial, const char *folder)
{
	char path[sizeof view->scratch[0]];
	size_t n = folder ? strlen(folder) : 0;

	while (n > 1 && folder[n - 1] == '/')
		n--;
	if (n == 0 || n >= sizeof path || folder[0] != '/' || view->n_scratch == SCRATCH_FOLDERS)
		return;
	memcpy(path, folder, n);
	path[n] = '\0';
	for (unsigned i = 0; i < view->n_scratch; i++)
		if (strcmp(view->scratch[i], path) == 0)
			return;
	if (is_critical(path) || !takes_marker(trial, path))
		return;
	memcpy(view->scratch[view->n_scratch], path, n + 1);
	view->n_scratch++;
}

static void look_around(void *context)
{
	struct trial *trial = context;
	char run_user[64];

	view->scratch_known = true;
	format_text(run_user, sizeof run_user, "/run/user/%u", origin()->euid);
	/* First: it keeps the rest from mounting anything. */
	find_automounts(trial, &view->automounts);
	consider_scratch(trial, given_variable("TMPDIR"));
	consider_scratch(trial, origin()->cwd);
	consider_scratch(trial, "/tmp");
	consider_scratch(trial, "/var/tmp");
	consider_scratch(trial, "/dev/shm");
	consider_scratch(trial, run_user);
	consider_scratch(trial, given_variable("HOME"));
}

/* In a child of its own, for it restricts that; and first, for the others ask what may be removed. */
static void look_at_modules(void *context)
{
	lsm_look(context, &view->lsm);
}

/* A call that kills the child is noted, and the rest looked for without it. */
static void look(void (*work)(void *context))
{
	const struct guard_options guard = { .deadline_ms = 2000 };
	struct cell cell;

	for (int round = 0; round < 8; round++) {
		enum ending ending = guard_run(&cell, &guard, work, &view_trial);

		if (ending != ENDING_SIGSYS || view_trial.record->calling < 0)
			break;
		filter_mark_lethal((long)view_trial.record->calling);
		view->n_scratch = 0;
	}
}

void surroundings_make_view(struct record *record)
{
	static const struct scenario nobody;
	static const struct scenario_row row = { .id = "surroundings", .scenario = &nobody };
	struct surroundings *shared = shared_memory(sizeof *shared);

	markers = shared_memory(MARKERS * sizeof *markers);
	if (!shared)
		return;
	*shared = nothing;
	view = shared;
	view_trial = (struct trial){ .row = &row, .record = record };
	record_begin(record, &nobody, options.level);
	look(look_at_modules);
	look(look_around);
	seal_memory(view, sizeof *view);
}

const char *scratch_folder(struct trial *trial)
{
	(void)trial;
	return view->n_scratch ? view->scratch[0] : NULL;
}

unsigned scratch_folders(struct trial *trial, const char *folders[8])
{
	(void)trial;
	for (unsigned i = 0; i < view->n_scratch; i++)
		folders[i] = view->scratch[i];
	return view->n_scratch;
}

bool scratch_is_known(struct trial *trial)
{
	(void)trial;
	return view->scratch_known;
}

struct attempt no_scratch(struct trial *trial)
{
	const struct attempt not_looked = {
		.value = -1, .error = ECANCELED, .nr = -1, .reached = true
	};

	if (!scratch_is_known(trial))
		return not_looked;
	return view->scratch_refused.call ? view->scratch_refused : found_in_process(false);
}

bool is_below_scratch(struct trial *trial, const char *path)
{
	(void)trial;
	for (unsigned i = 0; i < view->n_scratch; i++)
		if (is_at_or_below(path, view->scratch[i]))
			return true;
	return false;
}
