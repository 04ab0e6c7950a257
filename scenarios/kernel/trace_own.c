/* SPDX-License-Identifier: MIT */
/*
 * Can one process inside steer another: read its memory, take a descriptor of it, trace it? A child
 * of ours is the other. It waits until the first two were tried, then asks to be traced and stops;
 * it is let go, and ends.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

enum { TRACE, MEMORY, DESCRIPTOR };
enum { DEADLINE_MS = 300, KILLED = 255 };
#define SETTING "kernel.yama.ptrace_scope"
#define PATTERN UINT64_C(0x5ca1ab1e0ddba115)

static const struct case_def cases[] = {
	[TRACE] = { "trace", NULL, 0, 0, 0 },
	[MEMORY] = { "memory", NULL, 0, 0, 0 },
	[DESCRIPTOR] = { "descriptor", NULL, 0, 0, 0 },
};

static const struct question asks[] = {
	{ __NR_process_vm_readv, { 0x7fffffff, 0, 1, 0, 1 } },
	{ __NR_pidfd_open, { 0x7fffffff, 0 } },
	{ __NR_pidfd_getfd, { -1ul, -1ul, 0 } },
	{ __NR_ptrace, { PTRACE_SEIZE, 0x7fffffff } },
	{ __NR_ptrace, { PTRACE_DETACH, 0x7fffffff } },
	{ __NR_prctl, { PR_SET_DUMPABLE, 1 } },
	{ __NR_kill, { 0x7fffffff, SIGSTOP } },
	{ __NR_kill, { 0x7fffffff, SIGKILL } },
};

struct pair {
	int out, in; /* -1: not open */
};

static struct attempt make_pipe(struct trial *trial, struct pair *pair)
{
	int ends[2] = { -1, -1 };
	struct attempt a = try_call_as(trial, "pv", "pipe2", __NR_pipe2, ends, O_CLOEXEC);

	*pair = (struct pair){ ends[0], ends[1] };
	return a;
}

/* Waits for the parent's word, asks to be traced and stops; ends with the errno of a refusal. */
static _Noreturn void be_traced(struct trial *trial, struct pair *word)
{
	struct attempt a, own;
	char byte;

	close_fd(word->in);
	try_call_as(trial, "fpp", "read", __NR_read, word->out, &byte, 1);
	a = try_call_as(trial, "vvpp", "ptrace", __NR_ptrace, PTRACE_TRACEME, 0, NULL, NULL);
	if (!attempt_worked(a))
		end_child(a.reached ? a.error : KILLED);
	/* Never kill(2) by -1, which is everybody. */
	own = try_own_number(trial);
	if (own.value > 0)
		try_call_as(trial, "iv", "kill", __NR_kill, own.value, SIGSTOP);
	end_child(0);
}

/* Yama lets nobody trace at 3, and at 2 those alone who hold SYS_PTRACE. */
static const char *refusing_module(struct trial *trial, const struct attempt *a)
{
	int64_t scope;

	return !attempt_worked(*a) && a->reached && a->error == EPERM &&
	       read_setting(trial, SETTING, &scope) && scope >= 2 ? "yama" : NULL;
}

static void settle_with_module(struct trial *trial, int case_index, struct attempt a)
{
	static const unsigned long trace_me[6] = { PTRACE_TRACEME };
	const char *module = refusing_module(trial, &a);

	/* It may be a filter's word, and the filter cannot be asked. */
	if (case_index == TRACE && !module && a.reached && a.error == EPERM && !origin()->traced &&
	    ask_filter(trial, __NR_ptrace, trace_me, NULL) == ANSWER_NOT_TOLD) {
		settle_unknown(trial, TRACE, REASON_CONTROL_FAILED);
		return;
	}
	/* Who is traced already cannot be traced by another. */
	settle(trial, case_index, a, .module = module,
	       .traced = case_index == TRACE && !module && a.reached && a.error == EPERM &&
			 origin()->traced);
}

static struct attempt read_memory(struct trial *trial, pid_t child, const volatile uint64_t *there)
{
	uint64_t here = 0;
	const struct iovec to = { &here, sizeof here };
	const struct iovec from = { (void *)(uintptr_t)there, sizeof here };
	struct attempt a = try_call_as(trial, "ipvpv", "process_vm_readv", __NR_process_vm_readv,
				       child, &to, 1, &from, 1, 0);

	return attempt_worked(a) && here != PATTERN ? found_nothing(a) : a;
}

/* The child's end of a pipe that we closed; what was written into it must come out. */
static struct attempt take_descriptor(struct trial *trial, pid_t child, int number)
{
	uint64_t said = 0;
	struct attempt pidfd = try_call_as(trial, "iv", "pidfd_open", __NR_pidfd_open, child, 0), a;

	/* Refused or not: there are other ways to one, and what counts is the use of it. */
	a = try_call_as(trial, "ffv", "pidfd_getfd", __NR_pidfd_getfd, pidfd.value, number, 0);
	close_fd((int)pidfd.value);
	if (attempt_worked(a)) {
		int fd = (int)a.value;

		struct attempt got = try_call_as(trial, "fpp", "read", __NR_read, fd, &said,
						 sizeof said);

		close_fd(fd);
		/* Whose it is could not be seen. */
		if (got.value != sizeof said)
			a = (struct attempt){ .value = -1, .error = ECANCELED, .reached = true };
		else if (said != PATTERN)
			a = found_nothing(a);
	}
	return a;
}

/* The other form, where a filter refuses the child's. It does not stop the child, which is ended. */
static struct attempt seize(struct trial *trial, pid_t child)
{
	struct attempt a = try_call_as(trial, "vipp", "ptrace", __NR_ptrace, PTRACE_SEIZE, child,
				       NULL, NULL);

	if (attempt_worked(a)) {
		try_call_as(trial, "iv", "kill", __NR_kill, child, SIGKILL);
		wait_child(trial, child, DEADLINE_MS);
	}
	return a;
}

/* What became of the child that asked to be traced; it stands still if it was allowed. */
static struct attempt judge_trace(struct trial *trial, pid_t child)
{
	static const unsigned long trace_me[6] = { PTRACE_TRACEME };
	struct attempt a = { .value = -1, .nr = __NR_ptrace, .call = "ptrace", .reached = true };
	int status = wait_child(trial, child, DEADLINE_MS), error;

	if (status == -1) {
		a.error = ECANCELED;
	} else if (WIFSTOPPED(status)) {
		a = try_call_as(trial, "vipp", "ptrace", __NR_ptrace, PTRACE_DETACH, child, NULL,
				NULL);
		try_call_as(trial, "iv", "kill", __NR_kill, child, SIGKILL);
		wait_child(trial, child, DEADLINE_MS);
	} else if (WIFSIGNALED(status)) {
		a.reached = WTERMSIG(status) != SIGSYS;
		a.error = ECANCELED;
	} else {
		a.reached = WEXITSTATUS(status) != KILLED;
		a.error = WEXITSTATUS(status) ? WEXITSTATUS(status) : ECANCELED;
	}
	if (!a.reached) {
		ask_filter(trial, __NR_ptrace, trace_me, &error);
		a.error = error;
	}
	return a;
}

static void attempt(struct trial *trial)
{
	static const unsigned long trace_me[6] = { PTRACE_TRACEME };
	volatile uint64_t memory = PATTERN;
	struct pair word, held;
	bool ready = attempt_worked(make_pipe(trial, &word));
	struct attempt made, seized;

	ready &= attempt_worked(make_pipe(trial, &held)) &&
		 attempt_worked(try_write(trial, held.in, (const void *)&memory, sizeof memory));
	/* A program that its account may not read is not to be traced, unless it says so. */
	try_call_as(trial, "vvvvv", "prctl", __NR_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
	if (!ready || !attempt_worked(made = try_fork(trial))) {
		for (int i = TRACE; i <= DESCRIPTOR; i++)
			settle_unknown(trial, i, REASON_SETUP_FAILED);
		return;
	}
	if (made.value == 0)
		be_traced(trial, &word);
	/* From here on only the child has these. */
	memory = 0;
	close_fd(held.out);
	close_fd(held.in);
	close_fd(word.out);
	settle_with_module(trial, MEMORY, read_memory(trial, (pid_t)made.value, &memory));
	settle_with_module(trial, DESCRIPTOR,
			   take_descriptor(trial, (pid_t)made.value, held.out));
	seized.value = -1;
	if (filter_refuses(ask_filter(trial, __NR_ptrace, trace_me, NULL)))
		seized = seize(trial, (pid_t)made.value);
	close_fd(word.in);
	settle_with_module(trial, TRACE, attempt_worked(seized)
			   ? seized : judge_trace(trial, (pid_t)made.value));
}

const struct scenario scenario_kernel_trace_own = {
	.about = ABOUT(
		.title = "Trace processes of one's own",
		.accessed = "Code in the sandbox can steer other processes of its account: trace "
			    "them, read their memory or take their open files.",
		.denied = "Code in the sandbox can neither trace processes of its own account nor "
			  "read their memory nor take their open files.",
		.why = "Where several programs share the sandbox, one that was taken over takes "
		       "the others over, with the secrets in their memory. Most programs never "
		       "need it.",
		.see = "T1055.008",
		.open = "B",
		.closed = "S(ptrace,process_vm_readv,pidfd_getfd)",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_TOUCH,
	.fix = FIX(SEC),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
