/* SPDX-License-Identifier: MIT */
/*
 * Can programs of the system be run? Three that do nothing are started in a child, with an empty
 * environment and their output dropped; one that ends with success counts.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

enum { TRUE, ENV, SHELL };
enum { DEADLINE_MS = 600 };

static const struct case_def cases[] = {
	[TRUE] = { "bin-true", "/bin/true", 0, 0, PLACE_PROGRAM },
	[ENV] = { "usr-bin-env", "/usr/bin/env", 0, 0, PLACE_PROGRAM },
	[SHELL] = { "bin-sh", "/bin/sh", 0, 0, PLACE_PROGRAM },
};

static const char *const arguments[][4] = {
	[TRUE] = { "true" },
	[ENV] = { "env" },
	[SHELL] = { "sh", "-c", ":" },
};

/* The child reports a refusal through the pipe, which a successful execution closes. */
static _Noreturn void become(struct trial *trial, int case_index, const int ends[2])
{
	struct attempt a = try_execute(trial, cases[case_index].path, arguments[case_index]);

	try_write(trial, ends[1], &a, sizeof a);
	end_child(127);
}

static void settle_end(struct trial *trial, int case_index, int status)
{
	/* No number: no errno came back that could be evidence. */
	struct attempt a = { .value = -1, .error = EPERM, .nr = -1, .reached = true };

	if (status == -1) {
		settle_unknown(trial, case_index, REASON_TIMED_OUT);
		return;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		settle(trial, case_index, found_in_process(true));
		return;
	}
	if (WIFEXITED(status))
		note_number(trial, case_index, "exit", WEXITSTATUS(status));
	else
		note_number(trial, case_index, "signal", WTERMSIG(status));
	/* A filter that kills for execution could not be asked before. */
	a.reached = !(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
	a.error = a.reached ? ENOEXEC : EPERM;
	settle(trial, case_index, a);
}

static void settle_refusal(struct trial *trial, int case_index, struct attempt refusal)
{
	const char *path = cases[case_index].path;
	struct object object;

	/* The file is there: its interpreter or loader is not. */
	if (refusal.error == ENOENT &&
	    attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object))) {
		note_text(trial, case_index, "missing", "interpreter");
		settle(trial, case_index, refusal);
		return;
	}
	settle(trial, case_index, refusal, .path = path, .right = RIGHT_EXECUTE, .executes = true);
}

static void execute(struct trial *trial, int case_index)
{
	int ends[2], status;
	struct attempt a = try_call(trial, "pipe2", __NR_pipe2, ends, O_CLOEXEC), refusal;
	struct attempt got;

	if (attempt_worked(a))
		a = try_fork(trial);
	else
		ends[0] = ends[1] = -1;
	if (attempt_worked(a) && a.value == 0)
		become(trial, case_index, ends);
	close_fd(ends[1]);
	if (!attempt_worked(a)) {
		/* Execution itself needs no child: nothing was learnt. */
		close_fd(ends[0]);
		settle_unknown(trial, case_index, REASON_SETUP_FAILED);
		return;
	}
	status = wait_child(trial, (pid_t)a.value, DEADLINE_MS);
	got = try_call_as(trial, "fpp", "read", __NR_read, ends[0], &refusal, sizeof refusal);
	close_fd(ends[0]);
	if (got.value == (long)sizeof refusal)
		settle_refusal(trial, case_index, refusal);
	else
		settle_end(trial, case_index, status);
}

static void attempt(struct trial *trial)
{
	for (int i = TRUE; i <= SHELL; i++)
		execute(trial, i);
}

const struct scenario scenario_content_execute = {
	.title = "Run programs of the system",
	.accessed = "Code in the sandbox can run programs that the system provides.",
	.denied = "Code in the sandbox cannot run any of the usual programs of the system.",
	.why = "A shell and its tools are what an intruder uses next; most code needs none.",
	.see = "T1059.004",
	.paper = "Execute files",
	.severity = SEVERITY_LOW,
	.level = LEVEL_TOUCH,
	.fix = FIX(BIND) | FIX(SEC),
	.open = "B",
	.closed = "E",
	.closed_by = BARRIER_BIT(BARRIER_ABSENT),
	CASES(cases),
	.attempt = attempt,
};
