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

/* By the call that every program makes before it begins, for no other was tried out yet. */
static long number_at_start(void)
{
	return raw(__NR_set_tid_address, NULL);
}

/* A process of one thread has its number twice. 0: no call tells it. */
long own_number(void)
{
	long number = raw(__NR_getpid);

	if (number <= 0)
		number = raw(__NR_gettid);
	if (number <= 0)
		number = number_at_start();
	return number > 0 ? number : 0;
}

/* A filter may feign success: who is told to be the child, and has its parent's number, is none. */
static long unless_feigned(long pid, long parent)
{
	return pid == 0 && parent > 0 && number_at_start() == parent ? -EPERM : pid;
}

long fork_any_form(void)
{
	struct clone_request request = { .exit_signal = SIGCHLD };
	long parent = number_at_start();
	/* Not the modern form first: a filter that kills for clone3 would take the probe. */
	long pid = unless_feigned(raw(__NR_clone, SIGCHLD, 0, 0, 0, 0), parent);

	/* EAGAIN and ENOMEM are limits, not filters: a sibling would meet them too. */
	if (pid >= 0 || pid == -EAGAIN || pid == -ENOMEM)
		return pid;
	pid = unless_feigned(raw(__NR_clone3, &request, sizeof request), parent);
#ifdef __NR_fork
	if (pid < 0 && pid != -EAGAIN && pid != -ENOMEM)
		pid = unless_feigned(raw(__NR_fork), parent);
#endif
	return pid;
}

/* Where a filter keeps the numbers to itself, there is nothing to compare. */
void tie_to_parent(long parent)
{
	long now;

	raw(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	now = raw(__NR_getppid);
	if (now > 0 && parent > 0 && now != parent)
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

	long self = own_number();
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
	long self = own_number();
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
		long got = reap_once(pid, &status);

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

struct attempt try_own_number(struct trial *trial)
{
	const struct form forms[] = {
		FORM("getpid", __NR_getpid, ""),
		FORM("gettid", __NR_gettid, ""),
		FORM("set_tid_address", __NR_set_tid_address, "p", NULL),
	};

	return try_forms(trial, forms, sizeof forms / sizeof *forms);
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

/* ---------------------------------------------------------------- programs */

struct attempt try_execute(struct trial *trial, const char *path, const char *const argv[])
{
	const char *const nothing[] = { NULL };
	const struct form forms[] = {
		FORM("execve", __NR_execve, "ppp", path, argv, nothing),
		FORM("execveat", __NR_execveat, "dpppv", AT_FDCWD, path, argv, nothing, 0),
	};

	return try_forms(trial, forms, sizeof forms / sizeof *forms);
}

/* An open file, which need not have a name. */
static struct attempt execute_file(struct trial *trial, int fd, const char *const argv[])
{
	const char *const nothing[] = { NULL };
	char link[40];
	const struct form forms[] = {
		FORM("execveat", __NR_execveat, "fpppv", fd, "", argv, nothing, AT_EMPTY_PATH),
		FORM("execve", __NR_execve, "ppp", link, argv, nothing),
	};

	format_text(link, sizeof link, "/proc/self/fd/%d", fd);
	return try_forms(trial, forms, sizeof forms / sizeof *forms);
}

static struct attempt ended_with(int error)
{
	return (struct attempt){
		.value = error ? -1 : 0, .error = error, .nr = -1, .reached = true
	};
}

/* No number: no errno came back that could be evidence. */
static struct attempt judge_end(struct trial *trial, int case_index, int status)
{
	struct attempt a = ended_with(status == -1 ? ETIMEDOUT : ENOEXEC);

	if (status == -1)
		return a;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return ended_with(0);
	if (WIFEXITED(status))
		note_number(trial, case_index, "exit", WEXITSTATUS(status));
	else
		note_number(trial, case_index, "signal", WTERMSIG(status));
	/* A filter that kills for execution could not be asked before. */
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) {
		a.reached = false;
		a.error = EPERM;
	}
	return a;
}

/* The child reports a refusal through the pipe, which a successful execution closes. */
struct attempt try_run(struct trial *trial, int case_index, int fd, const char *path,
		       const char *const argv[], int milliseconds)
{
	int ends[2] = { -1, -1 }, status;
	struct attempt a = try_call(trial, "pipe2", __NR_pipe2, ends, O_CLOEXEC), refusal, got;

	if (attempt_worked(a))
		a = try_fork(trial);
	if (attempt_worked(a) && a.value == 0) {
		refusal = path ? try_execute(trial, path, argv) : execute_file(trial, fd, argv);
		try_write(trial, ends[1], &refusal, sizeof refusal);
		end_child(127);
	}
	close_fd(ends[1]);
	if (!attempt_worked(a)) {
		/* Execution itself needs no child: nothing was learnt. */
		close_fd(ends[0]);
		return ended_with(EAGAIN);
	}
	status = wait_child(trial, (pid_t)a.value, milliseconds);
	got = try_call_as(trial, "fpp", "read", __NR_read, ends[0], &refusal, sizeof refusal);
	close_fd(ends[0]);
	return got.value == (long)sizeof refusal ? refusal : judge_end(trial, case_index, status);
}
