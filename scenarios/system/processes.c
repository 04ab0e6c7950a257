/* SPDX-License-Identifier: MIT */
/*
 * Processes of others: neither ancestors nor descendants of the probe, or ancestors of another
 * account. /proc tells names and arguments; without it signal 0 tells which numbers exist, and
 * where it is refused by account twice over (signal and limits), whose they are not.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

enum { LISTED_AT_MOST = 4095, LOOKED_AT = 512, NUMBERS_TRIED = 4096, ASKED_AT_MOST = 8 };

static const struct question asks[] = {
	{ __NR_getpgid, { 1 } },
	{ __NR_getpid, { 0 } },
};

struct process {
	int pid, parent;
	uint32_t uid;
	bool told; /* its status file could be read */
	char name[20];
};

struct census {
	struct trial *trial;
	unsigned listed, n, foreign, signallable, beyond;
	bool same_namespace; /* numbers in /proc are numbers of calls */
	struct process processes[LOOKED_AT];
};

static int number_in(const char *text)
{
	int number = 0;

	while (*text == ' ' || *text == '\t')
		text++;
	while (*text >= '0' && *text <= '9' && number < 100000000)
		number = number * 10 + (*text++ - '0');
	return number;
}

static bool take_status(void *context, char *line)
{
	struct process *process = context;

	if (strncmp(line, "Name:\t", 6) == 0)
		format_text(process->name, sizeof(process->name), "%s", line + 6);
	else if (strncmp(line, "PPid:", 5) == 0)
		process->parent = number_in(line + 5);
	else if (strncmp(line, "Uid:", 4) == 0)
		process->uid = (uint32_t)number_in(line + 4);
	return true;
}

static bool take_process(void *context, const char *name, unsigned char type)
{
	struct census *census = context;
	struct process *process = &census->processes[census->n];
	char path[64], text[2048];
	struct attempt a;

	(void)type;
	if (name[0] < '1' || name[0] > '9')
		return true;
	census->listed++;
	if (census->n == LOOKED_AT)
		return true;
	format_text(path, sizeof(path), "/proc/%s/status", name);
	a = try_read(census->trial, path, text, sizeof(text) - 1);
	if (a.error == ENOENT || a.error == ESRCH)
		return true; /* it has ended */
	*process = (struct process){ .pid = number_in(name), .told = a.value > 0 };
	if (process->told) {
		text[a.value] = '\0';
		each_line(text, take_status, process);
	}
	census->n++;
	return true;
}

static const struct process *find_process(const struct census *census, int pid)
{
	for (unsigned i = 0; i < census->n; i++) {
		if (census->processes[i].pid == pid)
			return &census->processes[i];
	}
	return NULL;
}

/* Is the first process the second, or above it? */
static bool is_above(const struct census *census, int above, int pid)
{
	for (unsigned depth = 0; pid > 0 && depth < LOOKED_AT; depth++) {
		const struct process *process = find_process(census, pid);

		if (pid == above)
			return true;
		pid = process ? process->parent : 0;
	}
	return false;
}

static bool is_foreign(const struct census *census, const struct process *process)
{
	int own = origin()->pid;

	if (!census->same_namespace)
		return true;
	if (is_witness_process(census->trial, process->pid))
		return false;
	if (is_above(census, own, process->pid) || process->pid == origin()->parent)
		return process->pid == origin()->parent && process->told &&
		       process->uid != origin()->uid;
	return !process->told || !is_above(census, process->pid, own) || process->uid != origin()->uid;
}

static void judge_listed(struct census *census)
{
	for (unsigned i = 0; i < census->n; i++) {
		const struct process *process = &census->processes[i];

		if (!is_foreign(census, process))
			continue;
		census->foreign++;
		if (process->name[0])
			report_object(census->trial, "process", process->name);
		if (census->same_namespace && attempt_worked(try_signal(census->trial, process->pid)))
			census->signallable++;
	}
}

/* EPERM from a signal may be a security module's; limits are guarded by the account alone. */
static bool is_of_other_account(struct trial *trial, int pid)
{
	struct rlimit limit;
	struct attempt a = try_call_as(trial, "ivpp", "prlimit64", __NR_prlimit64, pid, RLIMIT_CORE, NULL,
				    &limit);

	return a.reached && a.error == EPERM;
}

/* Is it a thread of a process that is listed? /proc knows those by number, but lists none. */
static bool is_known(const struct census *census, int pid)
{
	struct object object;
	char path[32];

	format_text(path, sizeof(path), "/proc/%d", pid);
	return find_process(census, pid) ||
	       (census->listed &&
		attempt_worked(try_stat(census->trial, AT_FDCWD, path, 0, &object)));
}

/* Numbers that exist though /proc does not list them; `hidden` counts other accounts' only. */
static struct attempt sweep(struct census *census, unsigned *hidden)
{
	struct attempt a = { 0 };
	unsigned asked = 0;
	int own = (int)try_call(census->trial, "getpid", __NR_getpid).value;

	for (int pid = 1; pid <= NUMBERS_TRIED; pid++) {
		a = try_signal(census->trial, pid);
		if (!a.reached)
			return a;
		if ((!attempt_worked(a) && a.error != EPERM) || pid == own ||
		    pid == origin()->pid || is_known(census, pid))
			continue;
		if (!attempt_worked(a) && asked++ < ASKED_AT_MOST &&
		    is_of_other_account(census->trial, pid))
			++*hidden;
		else if (pid < origin()->pid && pid != origin()->parent)
			census->beyond++; /* what came after the probe may be its own */
	}
	a.value = 0;
	a.error = 0;
	return a;
}

static void settle_unlisted(struct census *census, struct attempt listing)
{
	unsigned hidden = 0;
	struct attempt a = sweep(census, &hidden);
	bool listed = attempt_worked(listing) && census->listed;
	/* Outside there are others, and no number beyond ours is known here: another namespace. */
	bool elsewhere = outside_status(census->trial) == STATUS_ACCESSED && a.reached && !hidden &&
			 !census->beyond;

	measure_number(census->trial, WHOLE, "unlisted", hidden + census->beyond);
	if (listed) {
		/* Nothing but ours is listed. What exists beside it was hidden. */
		settle(census->trial, WHOLE, found_nothing(listing), .hidden = hidden || census->beyond,
		       .elsewhere = elsewhere);
	} else if (attempt_worked(a) && !hidden && census->beyond) {
		note_text(census->trial, WHOLE, "not_visible", "/proc");
		settle_unknown(census->trial, WHOLE, REASON_NO_VIEW);
	} else if (!a.reached && !filter_refuses(ask_filter(census->trial, __NR_getpgid,
							   asks[0].args, NULL))) {
		/* Another call would tell that they exist, but not whose they are. */
		note_text(census->trial, WHOLE, "not_visible", "/proc");
		settle_unknown(census->trial, WHOLE, REASON_NO_VIEW);
	} else {
		settle(census->trial, WHOLE, hidden ? a : found_nothing(a), .elsewhere = elsewhere);
		if (!hidden)
			settle(census->trial, WHOLE, found_nothing(listing), .path = "/proc",
			       .right = RIGHT_READ, .elsewhere = elsewhere);
	}
}

static void attempt(struct trial *trial)
{
	struct census census = { .trial = trial };
	char self[16];
	struct attempt a = try_readlink(trial, "/proc/self", self, sizeof(self)), listing;

	census.same_namespace = attempt_worked(a) &&
			      number_in(self) == try_call(trial, "getpid", __NR_getpid).value;
	listing = try_list(trial, "/proc", take_process, &census);
	judge_listed(&census);
	measure_number(trial, WHOLE, "listed", census.listed);
	measure_number(trial, WHOLE, "foreign", census.foreign);
	measure_number(trial, WHOLE, "signallable", census.signallable);
	if (census.foreign)
		settle(trial, WHOLE, listing);
	else if (census.listed > census.n || census.listed >= LISTED_AT_MOST)
		settle_unknown(trial, WHOLE, REASON_TIMED_OUT);
	else
		settle_unlisted(&census, listing);
}

const struct scenario scenario_system_processes = {
	.title = "See processes of others",
	.accessed = "Code in the sandbox can see processes that do not belong to it.",
	.denied = "Code in the sandbox sees no process but its own and those that started it.",
	.why = "Names and arguments of other processes show what runs on the machine, what might be "
	       "attacked, and sometimes a password.",
	.see = "T1057",
	.paper = "Processes",
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.compares = true,
	.fix = FIX(PID),
	.open = "U +sleeper",
	.closed = "B",
	.closed_by = BARRIER_BIT(BARRIER_ABSENT),
	ASKS(asks),
	.attempt = attempt,
};
