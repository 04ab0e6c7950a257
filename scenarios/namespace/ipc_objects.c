/* SPDX-License-Identifier: MIT */
/*
 * Objects of System V and POSIX messages that are there: the probe makes none, so all are
 * another's. The calls tell how many there are; /proc/sysvipc does where a filter refuses them.
 */
#include "scenarios/scenario.h"

#include <string.h>
#include <sys/statfs.h>

#define MQUEUE_MAGIC 0x19800202

enum { SHARED_MEMORY, SEMAPHORES, MESSAGES, QUEUES };
enum { SHM_INFO_ = 14, SEM_INFO_ = 19, MSG_INFO_ = 12 };
enum { SHM_STAT_ = 13, SEM_STAT_ = 18, MSG_STAT_ = 11, ASKED_AT_MOST = 64 };

static const struct case_def cases[] = {
	[SHARED_MEMORY] = { "shared-memory", "/proc/sysvipc/shm", 0, 0, 0 },
	[SEMAPHORES] = { "semaphores", "/proc/sysvipc/sem", 0, 0, 0 },
	[MESSAGES] = { "messages", "/proc/sysvipc/msg", 0, 0, 0 },
	[QUEUES] = { "queues", "/dev/mqueue", 0, 0, 0 },
};

static const struct question asks[] = {
	{ __NR_shmctl, { 0, SHM_INFO_, 0 } },
	{ __NR_semctl, { 0, 0, SEM_INFO_, 0 } },
	{ __NR_msgctl, { 0, MSG_INFO_, 0 } },
};

/* Room for any of the kernel's structures; the numbers at their beginning are what is looked at. */
union facts {
	int numbers[64];
	uint64_t align;
};

static struct attempt ask_call(struct trial *trial, int kind, int number, int command,
			       union facts *facts)
{
	if (kind == SHARED_MEMORY)
		return try_call_as(trial, "vvp", "shmctl", __NR_shmctl, number, command, facts);
	if (kind == MESSAGES)
		return try_call_as(trial, "vvp", "msgctl", __NR_msgctl, number, command, facts);
	return try_call_as(trial, "vvvp", "semctl", __NR_semctl, number, 0, command, facts);
}

static const struct {
	int info, stat;
	unsigned at; /* where the answer to `info` says how many there are: shmctl(2), … */
} ways[] = {
	[SHARED_MEMORY] = { SHM_INFO_, SHM_STAT_, 0 },
	[SEMAPHORES] = { SEM_INFO_, SEM_STAT_, 7 },
	[MESSAGES] = { MSG_INFO_, MSG_STAT_, 0 },
};

static bool count_line(void *context, char *line)
{
	(void)line;
	++*(unsigned *)context;
	return true;
}

/* By their index, as far as we may: those that could be used, too. */
static unsigned count_readable(struct trial *trial, int kind, long last)
{
	unsigned readable = 0;
	union facts facts;

	for (long i = 0; i <= last && i < ASKED_AT_MOST; i++)
		readable += attempt_worked(ask_call(trial, kind, (int)i, ways[kind].stat, &facts));
	return readable;
}

static void look_for(struct trial *trial, int kind, bool elsewhere)
{
	union facts facts = { .numbers = { 0 } };
	struct attempt a = ask_call(trial, kind, 0, ways[kind].info, &facts), listed;
	unsigned lines = 0;
	int number;

	if (attempt_worked(a)) {
		number = facts.numbers[ways[kind].at];
		measure_number(trial, kind, "objects", number);
		if (number > 0)
			measure_number(trial, kind, "readable",
				       count_readable(trial, kind, a.value));
		settle(trial, kind, number > 0 ? a : found_nothing(a), .elsewhere = elsewhere);
		return;
	}
	settle(trial, kind, a);
	/* The first line is a heading. */
	listed = try_lines(trial, case_of(trial, kind)->path, count_line, &lines);
	if (attempt_worked(listed) && lines > 1)
		measure_number(trial, kind, "objects", lines - 1);
	settle(trial, kind, lines > 1 ? listed : found_nothing(listed), .path = case_of(trial, kind)->path,
	       .right = RIGHT_READ, .elsewhere = elsewhere && attempt_worked(listed));
}

static void look_for_queues(struct trial *trial, bool elsewhere)
{
	const char *path = case_of(trial, QUEUES)->path;
	struct statfs facts;
	struct attempt a = try_statfs(trial, path, &facts);
	bool mounted = attempt_worked(a) && (facts.f_type & UINT32_MAX) == MQUEUE_MAGIC;

	a = try_list(trial, path, NULL, NULL);
	if (attempt_worked(a) && mounted)
		measure_number(trial, QUEUES, "objects", a.value);
	/* An empty mount of this kind hides nothing: it is what it is. */
	if (mounted)
		settle(trial, QUEUES, a.value > 0 ? a : found_nothing(a), .elsewhere = elsewhere);
	else
		settle(trial, QUEUES, found_nothing(a), .path = path, .right = RIGHT_READ);
}

static void attempt(struct trial *trial)
{
	/* K9: outside there are some, and these are not the namespaces that hold them. */
	bool elsewhere = outside_status(trial) == STATUS_ACCESSED &&
			 namespace_sharing(trial, NAMESPACE_IPC, NULL) == SHARING_OWN;

	for (int kind = SHARED_MEMORY; kind <= MESSAGES; kind++)
		look_for(trial, kind, elsewhere);
	look_for_queues(trial, elsewhere);
}

const struct scenario scenario_namespace_ipc_objects = {
	.about = ABOUT(
		.title = "See shared memory and message queues of others",
		.accessed = "Code in the sandbox sees shared memory, semaphores or message queues "
			    "that it did not make.",
		.denied = "Code in the sandbox sees no shared memory, semaphore or message queue "
			  "of others.",
		.why = "Such objects outlive the programs that made them, and connect whoever "
		       "knows their number: with the host, or with other sandboxes.",
		.see = "T1559",
		.open = "with_memory O -ipc-namespace",
		.closed = "with_memory O",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.compares = true,
	.fix = FIX(IPC),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
