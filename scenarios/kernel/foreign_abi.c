/* SPDX-License-Identifier: MIT */
/*
 * Can the kernel be called by another way in than the native one: by the 32-bit interrupt, or by
 * x32 numbers? Both are other architectures to a filter. A child of ours asks for its own number,
 * and dies of it where the filter kills or the processor finds no such way.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

enum { INT80, X32 };

static const struct case_def cases[] = {
	[INT80] = { "int80", "getpid by int 0x80, 32-bit numbers", 0, 0, 0 },
	[X32] = { "x32", "getpid by its x32 number", 0, 0, 0 },
};

#ifdef __x86_64__
#define I386_GETPID 20
#define X32_GETPID (0x40000000L | __NR_getpid)

static const struct question asks[] = { [INT80] = { __NR_getpid, { 0 } },
					[X32] = { X32_GETPID, { 0 } } };

/* How the child tells what it met: errno, or one of these. */
enum { OWN_NUMBER = 0, FEIGNED = 199, ANOTHER_NUMBER, TRAPPED, FAULTED, DEADLINE_MS = 500 };

static void tell_trap(int signal)
{
	end_child(signal == SIGSYS ? TRAPPED : FAULTED);
}

static long call_int80(void)
{
	long value;

	/* Registers above the eighth are unknown to this way in: some kernels clear them. */
	__asm__ volatile("int $0x80"
			 : "=a"(value)
			 : "a"(I386_GETPID), "b"(0), "c"(0), "d"(0), "S"(0), "D"(0)
			 : "r8", "r9", "r10", "r11", "memory");
	return (int)value;
}

static long call_x32(void)
{
	long value;

	__asm__ volatile("syscall" : "=a"(value) : "a"(X32_GETPID) : "rcx", "r11", "memory");
	return (int)value;
}

static _Noreturn void be_child(struct trial *trial, int case_index)
{
	struct sigaction trap = { .sa_handler = tell_trap };
	long own = try_own_number(trial).value, got;

	sigaction(SIGSYS, &trap, NULL);
	/* The kernel logs a fault that nobody handles. */
	sigaction(SIGSEGV, &trap, NULL);
	got = case_index == INT80 ? call_int80() : call_x32();
	if (got == own)
		end_child(OWN_NUMBER);
	/* No process has a number of zero, and the kernel knows fewer errors. */
	end_child(got > 0 ? ANOTHER_NUMBER : got == 0 || got <= -FEIGNED ? FEIGNED : (int)-got);
}

/* Whether an ENOSYS is the kernel's own. */
static bool is_missing(struct trial *trial, int case_index)
{
	const struct question *q = question_of(trial, X32);
	int error;

	if (!filter_tells_enosys())
		return false;
	/* A kernel that has this way in has getpid, unless it is an emulated one. */
	if (case_index == INT80)
		return origin()->seccomp_mode == 0 || kernel_is_emulated(trial);
	return ask_filter(trial, q->nr, q->args, &error) == ANSWER_PASSES;
}

static void settle_exit(struct trial *trial, int case_index, int code)
{
	struct attempt a = { .value = -1, .error = code == FEIGNED ? 0 : code, .nr = -1 };
	bool lacking = code == ENOSYS && is_missing(trial, case_index);

	/* An emulated kernel may take this way in for the native one: then it was another call. */
	if (code != OWN_NUMBER && code != ENOSYS && kernel_is_emulated(trial)) {
		note_text(trial, case_index, "answer", "another call's");
		a.error = ENOSYS;
		lacking = true;
	}
	/* getpid never fails: what says so was not the kernel. */
	a.reached = lacking;
	if (code == OWN_NUMBER)
		settle(trial, case_index, found_in_process(true));
	else if (code == ANOTHER_NUMBER && !lacking)
		settle_unknown(trial, case_index, REASON_CONTRADICTORY);
	else if (code == ENOSYS && !lacking && origin()->seccomp_mode <= 0)
		settle_unknown(trial, case_index, REASON_CONTROL_FAILED);
	else
		settle(trial, case_index, a, .lacking = lacking);
}

static void settle_signal(struct trial *trial, int case_index, int signal)
{
	struct attempt a = { .value = -1, .error = ENOSYS, .nr = -1, .reached = true };

	if (signal != SIGSYS && signal != SIGSEGV) {
		settle_unknown(trial, case_index, REASON_CRASHED);
		return;
	}
	note_text(trial, case_index, "ended_by", signal == SIGSYS ? "SIGSYS" : "SIGSEGV");
	/* Nothing but a filter sends SIGSYS, whoever else listens. */
	if (signal == SIGSYS)
		settle(trial, case_index, found_in_process(false), .filter_active = true);
	else
		settle(trial, case_index, a, .lacking = true);
}

static void try_case(struct trial *trial, int case_index)
{
	struct attempt a = try_fork(trial);
	int status;

	if (!attempt_worked(a)) {
		settle_unknown(trial, case_index, REASON_SETUP_FAILED);
		return;
	}
	if (a.value == 0)
		be_child(trial, case_index);
	status = wait_child(trial, (pid_t)a.value, DEADLINE_MS);
	if (status == -1)
		settle_unknown(trial, case_index, REASON_TIMED_OUT);
	else if (WIFSIGNALED(status))
		settle_signal(trial, case_index, WTERMSIG(status));
	else if (WEXITSTATUS(status) == TRAPPED || WEXITSTATUS(status) == FAULTED)
		settle_signal(trial, case_index, WEXITSTATUS(status) == TRAPPED ? SIGSYS : SIGSEGV);
	else
		settle_exit(trial, case_index, WEXITSTATUS(status));
}

static void attempt(struct trial *trial)
{
	for (int i = INT80; i <= X32; i++)
		try_case(trial, i);
}
#else
static const struct question asks[] = { { __NR_getpid, { 0 } } };

/* The 32-bit way in of arm64 takes a program of its own. */
static void attempt(struct trial *trial)
{
	for (int i = INT80; i <= X32; i++)
		settle_unknown(trial, i, REASON_UNSUPPORTED);
}
#endif

const struct scenario scenario_kernel_foreign_abi = {
	.about = ABOUT(
		.title = "Call the kernel by another architecture's ways",
		.accessed = "Code in the sandbox can call the kernel by another architecture's "
			    "way in.",
		.denied = "Code in the sandbox cannot call the kernel by another architecture's "
			  "way in.",
		.why = "Each way in has numbers of its own. A filter that knows the native ones "
		       "alone lets the others pass or reads them wrongly, and where one is open, "
		       "what this report says of refused calls holds for native calls only.",
		.how = "A child asks for its own process number by the 32-bit interrupt, another "
		       "by the x32 number. It dies by SIGSYS where a filter kills, and by SIGSEGV "
		       "where the kernel was built or started without that way in.",
		.see = "CWE-693",
		.open = "O +arch:X86_64,X86",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(SEC),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
