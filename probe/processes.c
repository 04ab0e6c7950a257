/* SPDX-License-Identifier: MIT */
#include "probe/processes.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "probe/filter.h"
#include "probe/guard.h"
#include "probe/identity.h"
#include "probe/raw.h"
#include "probe/trials.h"

/* More than a status file has in front of what is looked for there. */
#define STATUS_BYTES 4096
#define ABOVE_AT_MOST 64
#define NUMBERS_TRIED 4096
/* Of numbers that are not listed, whose are they? */
#define ASKED_AT_MOST 8
#define UNLISTED_KEPT 64

/* Where no memory could be shared, the trials run in the probe itself, and so does this. */
static struct process_view in_place, *view = &in_place;
static struct trial view_trial;

const struct process_view *processes(const struct trial *trial)
{
	(void)trial;
	return view;
}

/* ---------------------------------------------------------------- status files */

static int number_in(const char *text)
{
	return (int)leading_number(text, NULL);
}

/* An id as /proc shows it here: the overflow id may stand for any that is not mapped. */
static void take_ids(struct process *process, const char *text, bool group)
{
	uint32_t own = group ? origin()->gid : origin()->uid;
	bool ambiguous = overflow_is_ambiguous(&view_trial);

	/* Real, effective, saved: tracing asks for these. */
	for (unsigned i = 0; i < 3; i++) {
		char word[16];
		uint32_t id;

		if (!line_field(text, i, word, sizeof word))
			return;
		id = (uint32_t)leading_number(word, NULL);
		process->unmapped |= ambiguous && id == OVERFLOW_ID && own != OVERFLOW_ID;
		process->other_ids |= id != own;
		/* A signal may come from the real or the saved one. */
		if (i == 0 && !group) {
			process->uid = id;
			process->other_uid = true;
		}
		if (i != 1 && !group && (id == own || id == origin()->euid))
			process->other_uid = false;
	}
}

static void take_uids(struct process *process, const char *text)
{
	take_ids(process, text, false);
}

static void take_gids(struct process *process, const char *text)
{
	take_ids(process, text, true);
}

static void take_name(struct process *process, const char *text)
{
	format_text(process->name, sizeof process->name, "%s", text);
}

static void take_parent(struct process *process, const char *text)
{
	process->parent = number_in(text);
}

static void take_permitted(struct process *process, const char *text)
{
	process->permitted = leading_hex(text);
}

static void take_effective(struct process *process, const char *text)
{
	process->effective = leading_hex(text);
}

static void take_no_new_privs(struct process *process, const char *text)
{
	process->no_new_privs = number_in(text);
}

static void take_seccomp(struct process *process, const char *text)
{
	process->seccomp = number_in(text);
}

static void take_memory(struct process *process, const char *text)
{
	(void)text;
	process->has_memory = true;
}

static const struct status_line {
	const char *head;
	void (*take)(struct process *process, const char *text);
} status_lines[] = {
	{ "Name:\t", take_name },        { "PPid:\t", take_parent },
	{ "Uid:\t", take_uids },         { "Gid:\t", take_gids },
	{ "VmSize:", take_memory },      { "CapPrm:\t", take_permitted },
	{ "CapEff:\t", take_effective }, { "NoNewPrivs:\t", take_no_new_privs },
	{ "Seccomp:\t", take_seccomp },
};

static bool take_line(void *context, char *line)
{
	for (unsigned i = 0; i < sizeof status_lines / sizeof *status_lines; i++) {
		size_t n = strlen(status_lines[i].head);

		if (strncmp(line, status_lines[i].head, n) == 0)
			status_lines[i].take(context, line + n);
	}
	return true;
}

/* EPERM from a signal may be a security module's; limits are guarded by the account alone. */
static bool is_of_other_account(struct trial *trial, int pid)
{
	struct rlimit limit;
	struct attempt a = try_call_as(trial, "ivpp", "prlimit64", __NR_prlimit64, pid, RLIMIT_CORE,
				       NULL, &limit);

	/* Of ourselves nobody but a filter keeps it. */
	return a.reached && a.error == EPERM &&
	       attempt_worked(try_call_as(trial, "ivpp", "prlimit64", __NR_prlimit64, 0,
					  RLIMIT_CORE, NULL, &limit));
}

/* The next place in the list, filled; NULL: it has ended, or there is no room. */
static struct process *add_process(struct trial *trial, int pid)
{
	struct process *process = &view->list[view->n];
	char path[64], text[STATUS_BYTES];
	struct attempt a;

	if (view->n == PROCESSES_KEPT)
		return NULL;
	format_text(path, sizeof path, "/proc/%d/status", pid);
	a = try_text(trial, path, text, sizeof text);
	if (a.error == ENOENT || a.error == ESRCH)
		return NULL;
	*process = (struct process){ .pid = pid,
				     .number = view->same_namespace ? pid : 0,
				     .told = a.value > 0,
				     .seccomp = -1,
				     .no_new_privs = -1 };
	if (process->told) {
		each_line(text, take_line, process);
	} else if (process->number && is_of_other_account(trial, process->number)) {
		process->other_ids = process->other_uid = true;
	}
	view->n++;
	return process;
}

/* ---------------------------------------------------------------- kin */

static struct process *find_process(int pid)
{
	for (unsigned i = 0; i < view->n; i++)
		if (view->list[i].pid == pid)
			return &view->list[i];
	return NULL;
}

/* Is the first process the second, or above it? */
static bool is_above(int above, int pid)
{
	for (unsigned depth = 0; pid > 0 && depth < PROCESSES_KEPT; depth++) {
		const struct process *process = find_process(pid);

		if (pid == above)
			return true;
		pid = process ? process->parent : 0;
	}
	return false;
}

/*
 * Us and those above us, whatever their numbers are. Returns the probe's number in /proc: what
 * /proc/self leads to is this child of it, or the probe where no child could be had.
 */
static int add_line_above(struct trial *trial, int self, bool in_child)
{
	int probe = in_child ? 0 : self;

	for (int pid = self; pid > 0 && view->n < ABOVE_AT_MOST;) {
		const struct process *process = find_process(pid) ? NULL : add_process(trial, pid);

		if (!process)
			break;
		pid = process->parent;
		probe = probe ? probe : pid;
	}
	return view->same_namespace ? origin()->pid : probe;
}

struct lister {
	struct trial *trial;
	bool cut; /* no room for one more */
};

static bool take_entry(void *context, const char *name, unsigned char type)
{
	struct lister *lister = context;
	int pid = number_in(name);
	struct process *process;

	(void)type;
	if (name[0] < '1' || name[0] > '9')
		return true;
	view->listed++;
	process = find_process(pid);
	process = process ? process : add_process(lister->trial, pid);
	if (process)
		process->listed = true;
	else if (view->n == PROCESSES_KEPT)
		lister->cut = true;
	else
		view->vanished++;
	return true;
}

/*
 * Where the probe may not adopt what its children leave, that goes to the first process; a helper
 * that still runs our program, or has just ended, is ours all the same.
 */
static bool is_stray(struct trial *trial, const struct process *process, const struct process *own)
{
	char path[32];
	struct object object;

	if (!own || !own->told || process->pid < own->pid || process->other_ids ||
	    strcmp(process->name, own->name) != 0)
		return false;
	format_text(path, sizeof path, "/proc/%d/exe", process->pid);
	return !process->has_memory ||
	       (attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)) &&
		object.dev == origin()->probe_dev && object.ino == origin()->probe_ino);
}

static void tell_kin(struct trial *trial, int probe, int self)
{
	const struct process *own = find_process(probe);
	int parent = view->same_namespace || !own ? origin()->parent : own->parent;

	for (unsigned i = 0; i < view->n; i++) {
		struct process *process = &view->list[i];
		bool other = process->told && process->uid != origin()->uid;

		process->is_init = process->pid == 1;
		process->is_parent = parent > 0 && process->pid == parent;
		process->own = is_above(probe, process->pid) || process->pid == self ||
			       is_stray(trial, process, own) ||
			       (view->same_namespace && is_witness_process(trial, process->pid));
		process->above =
			!process->own && (process->is_parent || is_above(process->pid, probe));
		process->foreign =
			!process->own && (!view->same_namespace || other || !process->above ||
					  !(process->told || process->is_parent));
	}
}

static bool is_any_foreign(void)
{
	for (unsigned i = 0; i < view->n; i++)
		if (view->list[i].listed && view->list[i].foreign)
			return true;
	return false;
}

/* ---------------------------------------------------------------- what is not listed */

/* Is it a thread of a process that is listed? /proc knows those by number, but lists none. */
static bool is_known(struct trial *trial, int pid)
{
	struct object object;
	char path[32];

	format_text(path, sizeof path, "/proc/%d", pid);
	return find_process(pid) ||
	       (view->listed && attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)));
}

/* Its numbers are those of a namespace that calls do not reach. */
static bool lists_elsewhere(void)
{
	return view->listed > 0 && !view->same_namespace;
}

static void add_unlisted(int pid, bool other)
{
	bool room = view->n < PROCESSES_KEPT && view->unlisted < UNLISTED_KEPT;

	if (room && (lists_elsewhere() || !find_process(pid))) {
		view->unlisted++;
		view->list[view->n++] = (struct process){
			.pid = lists_elsewhere() ? 0 : pid,
			.number = pid,
			.seccomp = -1,
			.no_new_privs = -1,
			.other_ids = other,
			.other_uid = other,
			.is_parent = pid == origin()->parent,
			.is_init = pid == 1,
			.above = pid == origin()->parent,
			.foreign = pid != origin()->parent,
		};
	}
}

/* Numbers that exist though /proc does not list them. */
static void sweep(struct trial *trial)
{
	struct attempt a = { 0 };
	unsigned asked = 0;
	int own = (int)try_own_number(trial).value;
	bool other;

	for (int pid = 1; pid <= NUMBERS_TRIED; pid++) {
		a = try_signal(trial, pid);
		view->sweep = a;
		if (!a.reached)
			return;
		if ((!attempt_worked(a) && a.error != EPERM) || pid == own ||
		    pid == origin()->pid || (!lists_elsewhere() && is_known(trial, pid)))
			continue;
		other = !attempt_worked(a) && asked++ < ASKED_AT_MOST &&
			is_of_other_account(trial, pid);
		if (other)
			view->hidden += !lists_elsewhere();
		else if (pid < origin()->pid && pid != origin()->parent)
			view->beyond += !lists_elsewhere();
		else if (pid != origin()->parent)
			continue; /* what came after the probe may be its own */
		add_unlisted(pid, other);
	}
	view->sweep.value = 0;
	view->sweep.error = 0;
}

/* These two can be asked for by number even where a filter refuses signals. */
static void add_known_numbers(void)
{
	if (origin()->parent > 0)
		add_unlisted(origin()->parent, false);
	if (origin()->pid != 1)
		add_unlisted(1, false);
}

/* ---------------------------------------------------------------- the view */

/* Our number in /proc, where the link leads or, if no link can be read, as the file there says. */
static int find_self(struct trial *trial)
{
	char text[16];

	if (attempt_worked(try_readlink(trial, "/proc/self", text, sizeof text)))
		return number_in(text);
	try_text(trial, "/proc/self/stat", text, sizeof text);
	return number_in(text);
}

static void look(void *context)
{
	struct trial *trial = context;
	struct lister lister = { .trial = trial };
	int own = (int)try_own_number(trial).value;
	int self = find_self(trial), probe;

	/* Refused by a filter: the file's word is all there is. */
	if (own <= 0)
		own = self;
	view->same_namespace = self && self == own;
	probe = add_line_above(trial, self, own != origin()->pid);
	view->listing = try_list(trial, "/proc", take_entry, &lister);
	tell_kin(trial, probe, self);
	if (!is_any_foreign() || lists_elsewhere())
		sweep(trial);
	if (view->listed == 0)
		add_known_numbers();
	/* try_list() ends at that many entries of any name. */
	view->complete = !lister.cut && view->listing.value < 4095;
}

static bool is_wanted(const bool selected[])
{
	for (unsigned i = 0; i < scenario_registry_count; i++)
		if (selected[i] && scenario_registry[i].scenario->views & VIEW_PROCESSES)
			return true;
	return false;
}

void processes_make_view(const bool selected[])
{
	static const struct scenario nobody;
	static const struct scenario_row row = { .id = "processes", .scenario = &nobody };
	const struct guard_options guard = { .deadline_ms = 2000 };
	struct process_view *shared;
	struct cell cell;

	if (!is_wanted(selected))
		return;
	view_trial = (struct trial){ .row = &row, .record = trials_record() };
	shared = shared_memory(sizeof *shared);
	view = shared ? shared : view;
	/* A call that kills the child is noted, and the look made without it. */
	for (int round = 0; round < 8; round++) {
		enum ending ending = ENDING_NOT_STARTED;

		memset(view, 0, sizeof *view);
		record_begin(view_trial.record, &nobody, options.level);
		if (shared)
			ending = guard_run(&cell, &guard, look, &view_trial);
		if (ending == ENDING_NOT_STARTED)
			look(&view_trial);
		if (ending != ENDING_SIGSYS || view_trial.record->calling < 0)
			break;
		filter_mark_lethal((long)view_trial.record->calling);
	}
	if (shared)
		seal_memory(view, sizeof *view);
}

/* Those that are most likely in our power first: a scenario may end before the last. */
static unsigned rank_of(const struct process *process)
{
	if (process->is_parent)
		return 0;
	return process->is_init ? 1 : process->told && !process->other_ids ? 2 : 3;
}

void each_process(const struct trial *trial,
		  bool (*each)(void *context, const struct process *process), void *context)
{
	(void)trial;
	for (unsigned rank = 0; rank <= 3; rank++)
		for (unsigned i = 0; i < view->n; i++)
			if (!view->list[i].own && rank_of(&view->list[i]) == rank &&
			    !each(context, &view->list[i]))
				return;
}
