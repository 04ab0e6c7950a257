/* SPDX-License-Identifier: MIT */
/*
 * Namespaces that could be entered: those of visible processes that are unlike ours, and those that
 * an inherited descriptor leads to. Each is entered by a child that ends at once.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/statfs.h>
#include <sys/wait.h>

#ifndef NS_GET_NSTYPE
#define NS_GET_NSTYPE 0xb703
#endif
#define NSFS_MAGIC 0x6e736673

enum { TRIED_AT_MOST = 4, REFUSED_AT_MOST = 4, DESCRIPTORS = 1024, NOT_REACHED = 255 };

static const struct case_def cases[N_NAMESPACES] = {
	[NAMESPACE_PID] = { "pid", "/proc/PID/ns/pid", 0, 0, 0 },
	[NAMESPACE_NET] = { "net", "/proc/PID/ns/net", 0, 0, 0 },
	[NAMESPACE_MNT] = { "mnt", "/proc/PID/ns/mnt", 0, 0, 0 },
	[NAMESPACE_IPC] = { "ipc", "/proc/PID/ns/ipc", 0, 0, 0 },
	[NAMESPACE_UTS] = { "uts", "/proc/PID/ns/uts", SEVERITY_MEDIUM, 0, 0 },
	[NAMESPACE_USER] = { "user", "/proc/PID/ns/user", 0, 0, 0 },
	[NAMESPACE_CGROUP] = { "cgroup", "/proc/PID/ns/cgroup", SEVERITY_HIGH, 0, 0 },
	[NAMESPACE_TIME] = { "time", "/proc/PID/ns/time", SEVERITY_LOW, 0, 0 },
};

#define ASK(flag) { __NR_setns, { (unsigned long)-1, flag } }
static const struct question asks[] = {
	ASK(0x20000000), ASK(0x40000000), ASK(0x00020000), ASK(0x08000000), ASK(0x04000000),
	ASK(0x10000000), ASK(0x02000000), ASK(0x00000080), { __NR_getpid, { 0 } },
};

/* What is known of one kind. */
struct door {
	bool told; /* our own number is */
	uint64_t own, tried[TRIED_AT_MOST];
	unsigned n_tried, refused, alike;
	bool entered;
	struct kin kin;
	struct attempt look; /* one that worked */
};

struct search {
	struct trial *trial;
	unsigned processes;
	struct door doors[N_NAMESPACES];
};

/* The exit status of the child says how it went. */
static struct attempt enter(struct trial *trial, int fd, enum namespace_kind kind)
{
	unsigned long flag = namespace_flag(kind), args[6] = { (unsigned long)-1, flag };
	struct attempt a = { .value = -1, .error = EPERM, .nr = __NR_setns, .call = "setns" }, child;
	int status;

	if (filter_refuses(ask_filter(trial, __NR_setns, args, &a.error)))
		return a;
	child = try_fork(trial);
	if (!attempt_worked(child)) {
		a.reached = true;
		a.error = ECANCELED; /* there is nobody who could try it */
		return a;
	}
	if (child.value == 0) {
		a = try_call_as(trial, "fv", "setns", __NR_setns, fd, flag);
		end_child(attempt_worked(a) ? 0 : a.reached ? a.error : NOT_REACHED);
	}
	status = wait_child(trial, (pid_t)child.value, 500);
	if (!WIFEXITED(status) || WEXITSTATUS(status) == NOT_REACHED)
		a.error = status == -1 || !WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS
				  ? ECANCELED
				  : EPERM;
	else
		a.error = WEXITSTATUS(status);
	a.reached = a.error == ECANCELED || WIFEXITED(status);
	a.value = a.error ? -1 : 0;
	return a;
}

static void try_door(struct search *search, int fd, enum namespace_kind kind, uint64_t number,
		     const struct process *process)
{
	struct door *door = &search->doors[kind];
	/* Mounts ask for both. */
	int needed = kind == NAMESPACE_MNT && has_capability(CAP_SYS_ADMIN) ? CAP_SYS_CHROOT
									    : CAP_SYS_ADMIN;
	struct attempt a;

	for (unsigned i = 0; i < door->n_tried; i++)
		if (door->tried[i] == number)
			return;
	if (door->entered || door->n_tried == TRIED_AT_MOST)
		return;
	door->tried[door->n_tried++] = number;
	a = enter(search->trial, fd, kind);
	/* EINVAL: it is not below ours, and can be entered from above only. */
	settle(search->trial, (int)kind, a, .capability = NEEDS_CAP(needed),
	       .id_unmapped = a.reached && a.error == EINVAL);
	door->entered = attempt_worked(a);
	if (door->entered && process)
		add_kin(&door->kin, process);
	if (door->entered)
		report_object(search->trial, namespace_name(kind),
			      process ? process->name : "inherited descriptor");
}

/* Its number by the link, which is quick, or by what a descriptor leads to. */
static void look_at(struct search *search, const struct process *process, enum namespace_kind kind)
{
	struct door *door = &search->doors[kind];
	uint64_t number = 0;
	struct attempt a = try_namespace(search->trial, process, kind, &number);

	if (attempt_worked(a) && number == door->own) {
		door->alike++;
		door->look = a;
		return;
	}
	if (attempt_worked(a))
		a = try_open_namespace(search->trial, process, kind);
	if (attempt_worked(a))
		try_door(search, (int)a.value, kind, number, process);
	else if (!process_is_gone(a) && door->refused++ < REFUSED_AT_MOST)
		settle_process(search->trial, (int)kind, a, process, PROCESS_INSPECT);
	close_fd((int)a.value);
}

static bool take_process(void *context, const struct process *process)
{
	struct search *search = context;

	search->processes++;
	for (int kind = 0; kind < N_NAMESPACES; kind++)
		if (search->doors[kind].told && !search->doors[kind].entered)
			look_at(search, process, (enum namespace_kind)kind);
	return true;
}

static void take_descriptor(struct search *search, int fd)
{
	struct statfs facts;
	struct object object;
	struct attempt a = try_call_as(search->trial, "fp", "fstatfs", __NR_fstatfs, fd, &facts);

	if (!attempt_worked(a) || (facts.f_type & UINT32_MAX) != NSFS_MAGIC)
		return;
	a = try_call_as(search->trial, "fvp", "ioctl", __NR_ioctl, fd, NS_GET_NSTYPE, 0);
	for (int kind = 0; attempt_worked(a) && kind < N_NAMESPACES; kind++)
		if ((unsigned long)a.value == namespace_flag((enum namespace_kind)kind) &&
		    attempt_worked(try_stat(search->trial, fd, "", AT_EMPTY_PATH, &object)) &&
		    object.ino != search->doors[kind].own)
			try_door(search, fd, (enum namespace_kind)kind, object.ino, NULL);
}

static void conclude(struct search *search, enum namespace_kind kind)
{
	struct door *door = &search->doors[kind];
	bool elsewhere = namespace_sharing(search->trial, kind, NULL) == SHARING_OWN;

	if (door->entered)
		note_kin(search->trial, (int)kind, &door->kin);
	else if (!processes(search->trial)->complete)
		settle_unknown(search->trial, (int)kind, REASON_TIMED_OUT);
	else if (!door->told && search->processes)
		settle_unknown(search->trial, (int)kind, REASON_NO_VIEW);
	else if (door->alike && !door->n_tried && !door->refused)
		settle(search->trial, (int)kind, found_nothing(door->look), .elsewhere = elsewhere);
	else if (!door->n_tried && !door->refused)
		settle_no_process(search->trial, (int)kind, false);
}

static void attempt(struct trial *trial)
{
	struct search search = { .trial = trial };

	for (int kind = 0; kind < N_NAMESPACES; kind++) {
		struct door *door = &search.doors[kind];

		door->told = attempt_worked(
			try_namespace(trial, NULL, (enum namespace_kind)kind, &door->own));
	}
	each_process(trial, take_process, &search);
	for (int fd = 3; origin()->descriptors && fd < DESCRIPTORS; fd++)
		take_descriptor(&search, fd);
	for (int kind = 0; kind < N_NAMESPACES; kind++)
		conclude(&search, (enum namespace_kind)kind);
}

const struct scenario scenario_namespace_join = {
	.about = ABOUT(
		.title = "Enter namespaces of others",
		.accessed = "Code in the sandbox can enter a namespace that is not its own, by a "
			    "process that it sees or a descriptor that it was given.",
		.denied = "Code in the sandbox can enter no namespace but its own.",
		.why = "Whoever enters the host's namespaces has left the sandbox: its files, its "
		       "network, its processes.",
		.see = "T1611",
		.open = "O -pid-namespace +SYS_ADMIN +SYS_PTRACE +call:setns",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_NAMESPACE)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.views = VIEW_PROCESSES,
	.keep = KEEP_DESCRIPTORS,
	.fix = FIX(PID) | FIX(CAP) | FIX(FD),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
