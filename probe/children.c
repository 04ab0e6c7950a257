/* SPDX-License-Identifier: MIT */
/* Children of trials: fork by any form, wait with a deadline, signal 0. */
#include "probe/children.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "probe/abi.h"
#include "probe/attempts.h"
#include "probe/guard.h"
#include "probe/raw.h"
#include "probe/trial.h"

/* The first version of the kernel's struct clone_args (CLONE_ARGS_SIZE_VER0, Linux 5.3). */
struct clone_request {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
};

long fork_any_form(void)
{
	struct clone_request request = { .exit_signal = SIGCHLD };
	/* Not the modern form first: a filter that kills for clone3 would take the probe. */
	long pid = raw(__NR_clone, SIGCHLD, 0, 0, 0, 0);

	/* EAGAIN and ENOMEM are limits, not filters: a sibling would meet them too. */
	if (pid >= 0 || pid == -EAGAIN || pid == -ENOMEM)
		return pid;
	pid = raw(__NR_clone3, &request, sizeof request);
#ifdef __NR_fork
	if (pid < 0 && pid != -EAGAIN && pid != -ENOMEM)
		pid = raw(__NR_fork);
#endif
	return pid;
}

void tie_to_parent(long parent)
{
	raw(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (raw(__NR_getppid) != parent)
		end_child(1);
}

void end_child(int code)
{
	for (;;) {
		raw(__NR_exit_group, code);
		raw(__NR_exit, code);
	}
}

struct attempt try_fork(struct trial *trial)
{
	struct clone_request request = { .exit_signal = SIGCHLD };
	const struct form forms[] = {
		FORM("clone3", __NR_clone3, "pv", &request, sizeof request),
		FORM("clone", __NR_clone, "vpppp", SIGCHLD, 0, 0, 0, 0),
#ifdef __NR_fork
		FORM("fork", __NR_fork, ""),
#endif
	};

	long self = raw(__NR_getpid);
	struct attempt a = try_forms(trial, forms, sizeof forms / sizeof *forms);

	if (attempt_worked(a) && a.value == 0) {
		tie_to_parent(self);
		trial_descend();
	}
	return a;
}

struct attempt try_fork_as(struct trial *trial, long nr, uint64_t flags)
{
	struct clone_request request = { .flags = flags, .exit_signal = SIGCHLD };
	const struct form modern = FORM("clone3", __NR_clone3, "pv", &request, sizeof request);
	const struct form older = FORM("clone", __NR_clone, "vpppp", flags | SIGCHLD, 0, 0, 0, 0);
	long self = raw(__NR_getpid);
	struct attempt a = try_forms(trial, nr == __NR_clone3 ? &modern : &older, 1);

	if (attempt_worked(a) && a.value == 0) {
		/* From a process namespace of its own the parent cannot be seen. */
		if (!(flags & CLONE_NEWPID))
			tie_to_parent(self);
		trial_descend();
	}
	return a;
}

void *share_memory(struct trial *trial, size_t size)
{
	(void)trial;
	return shared_memory(size);
}

int wait_child(struct trial *trial, pid_t pid, int milliseconds)
{
	int64_t until = now_ns() + (int64_t)milliseconds * 1000000;
	int status = -1;

	(void)trial;
	for (unsigned round = 0;; round++) {
		/* Most children end at once; the others may be waited for in longer steps. */
		struct timespec pause = { 0, round < 4 ? 25000 << round : 200000 };
		long got = raw(__NR_wait4, pid, &status, WNOHANG | __WALL, NULL);

		if (got == pid)
			return status;
		if (got < 0 && got != -EINTR)
			return -1;
		if (now_ns() > until)
			break;
		/* One of the calls that were tried out before: a filter may kill for others. */
		if (raw(__NR_ppoll, NULL, 0, &pause, NULL, 0) < 0)
			raw(__NR_sched_yield);
	}
	raw(__NR_kill, pid, SIGKILL);
	raw(__NR_wait4, pid, &status, __WALL, NULL);
	return -1;
}

struct attempt try_signal(struct trial *trial, pid_t pid)
{
	const siginfo_t queued = { .si_code = SI_QUEUE };
	const struct form forms[] = {
		FORM("kill", __NR_kill, "iv", pid, 0),
		FORM("tgkill", __NR_tgkill, "iiv", pid, pid, 0),
		FORM("tkill", __NR_tkill, "iv", pid, 0),
		FORM("rt_sigqueueinfo", __NR_rt_sigqueueinfo, "ivp", pid, 0, &queued),
	};

	return try_forms(trial, forms, sizeof forms / sizeof *forms);
}
