/* SPDX-License-Identifier: MIT */
/*
 * Power over processes that are not our own, those that started us and the first one included:
 * could they be signalled, could their memory and descriptors be had? Only signal 0 is sent, and of
 * what opens nothing is read.
 */
#include "scenarios/scenario.h"

enum { SIGNAL, DESCRIPTOR, MEMORY, MEMORY_FILE, DESCRIPTOR_FOLDER, MAPS };
enum { SETTLED_AT_MOST = 6 };

static const struct case_def cases[] = {
	[SIGNAL] = { "signal", NULL, SEVERITY_MEDIUM, 0, 0 },
	[DESCRIPTOR] = { "descriptor", NULL, 0, 0, 0 },
	[MEMORY] = { "memory", NULL, 0, 0, 0 },
	[MEMORY_FILE] = { "memory-file", "/proc/PID/mem", 0, 0, 0 },
	[DESCRIPTOR_FOLDER] = { "descriptor-folder", "/proc/PID/fd", SEVERITY_MEDIUM, 0, 0 },
	[MAPS] = { "maps", "/proc/PID/maps", SEVERITY_MEDIUM, 0, 0 },
};
enum { N_CASES = sizeof(cases) / sizeof(*cases) };

static const struct question asks[] = { PROCESS_QUESTIONS };

struct hunt {
	struct trial *trial;
	unsigned tried;
	unsigned settled[N_CASES];
	struct kin open[N_CASES];
};

static struct attempt try_file(struct trial *trial, const struct process *process, const char *name,
			       int flags)
{
	struct attempt a = try_open_process(trial, process, name, flags);

	close_fd((int)a.value);
	return a;
}

/* By number; where a filter refuses that in every form, by descriptor. */
static struct attempt try_signal_of(struct trial *trial, const struct process *process)
{
	struct attempt a = try_signal(trial, process->number), by_descriptor;
	int fd;

	if (a.reached)
		return a;
	by_descriptor = try_call_as(trial, "iv", "pidfd_open", __NR_pidfd_open, process->number, 0);
	if (!attempt_worked(by_descriptor))
		return process_is_gone(by_descriptor) ? by_descriptor : a;
	fd = (int)by_descriptor.value;
	by_descriptor = try_call_as(trial, "fvpv", "pidfd_send_signal", __NR_pidfd_send_signal, fd, 0,
				    NULL, 0);
	close_fd(fd);
	return by_descriptor.reached ? by_descriptor : a;
}

static struct attempt try_memory_file(struct trial *trial, const struct process *process)
{
	return try_file(trial, process, "mem", 0);
}

static struct attempt try_folder(struct trial *trial, const struct process *process)
{
	return try_file(trial, process, "fd", O_DIRECTORY);
}

static struct attempt try_maps(struct trial *trial, const struct process *process)
{
	return try_file(trial, process, "maps", 0);
}

static const struct way {
	struct attempt (*attempt)(struct trial *trial, const struct process *process);
	enum process_right right;
	bool by_call;      /* needs its number */
	bool needs_memory; /* old kernels let everybody open what is not there */
} ways[N_CASES] = {
	[SIGNAL] = { try_signal_of, PROCESS_SIGNAL, true, false },
	[DESCRIPTOR] = { try_take_descriptor, PROCESS_CONTROL, true, false },
	[MEMORY] = { try_read_memory, PROCESS_CONTROL, true, true },
	[MEMORY_FILE] = { try_memory_file, PROCESS_CONTROL, false, true },
	[DESCRIPTOR_FOLDER] = { try_folder, PROCESS_INSPECT, false, false },
	[MAPS] = { try_maps, PROCESS_INSPECT, false, true },
};

/* True where it is in our power in more than being signalled. */
static bool try_way(struct hunt *hunt, unsigned i, const struct process *process)
{
	struct attempt a;

	if ((ways[i].by_call && !process->number) ||
	    (ways[i].needs_memory && process->told && !process->has_memory))
		return false;
	a = ways[i].attempt(hunt->trial, process);
	if (process_is_gone(a))
		return false;
	if (attempt_worked(a))
		add_kin(&hunt->open[i], process);
	if (attempt_worked(a) || hunt->settled[i] < SETTLED_AT_MOST)
		settle_process(hunt->trial, (int)i, a, process, ways[i].right);
	hunt->settled[i]++;
	return attempt_worked(a) && ways[i].right == PROCESS_CONTROL;
}

static bool take_process(void *context, const struct process *process)
{
	struct hunt *hunt = context;
	bool controlled = false;

	hunt->tried++;
	for (unsigned i = 0; i < N_CASES; i++)
		controlled |= try_way(hunt, i, process);
	if (controlled && process->name[0])
		report_object(hunt->trial, "process", process->name);
	return true;
}

static void conclude(struct hunt *hunt, unsigned i)
{
	if (hunt->open[i].processes) {
		note_kin(hunt->trial, (int)i, &hunt->open[i]);
	} else if (!processes(hunt->trial)->complete) {
		settle_unknown(hunt->trial, (int)i, REASON_TIMED_OUT);
	} else if (!hunt->settled[i]) {
		settle_no_process(hunt->trial, (int)i, !ways[i].by_call);
	}
}

static void attempt(struct trial *trial)
{
	struct hunt hunt = { .trial = trial };

	each_process(trial, take_process, &hunt);
	measure_number(trial, WHOLE, "tried", hunt.tried);
	for (unsigned i = 0; i < N_CASES; i++)
		conclude(&hunt, i);
}

const struct scenario scenario_procfs_foreign_control = {
	.about = ABOUT(
		.title = "Control processes that are not its own",
		.accessed = "Code in the sandbox can signal, read or alter processes that it did "
			    "not start: those that started it, the first one, or others.",
		.denied = "Code in the sandbox can neither signal nor read nor alter any process "
			  "that it did not start.",
		.why = "Whoever reaches another process's memory and descriptors acts with its "
		       "rights and holds its secrets; one signal ends it.",
		.see = "T1055.009",
		.open = "U +sleeper",
		.closed = "B --as-pid-1",
		.closed_by = BARRIER_BIT(BARRIER_NAMESPACE)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.views = VIEW_PROCESSES,
	.fix = FIX(PID) | FIX(APART),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
