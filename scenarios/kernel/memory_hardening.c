/* SPDX-License-Identifier: MIT */
/*
 * What makes exploits hard is missing where memory may be written and run at once, where written
 * memory may be made to run, or where a program's addresses are the same each time it is started.
 * For the last we run ourselves twice, which print where their stack and a mapping lie.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>

enum { WRITE_AND_RUN, MADE_TO_RUN, SAME_ADDRESSES };
enum { PAGE = 4096, DEADLINE_MS = 400, OUTPUT = 1 };
#define SETTING "kernel.randomize_va_space"
#define GET_MDWE 66 /* PR_GET_MDWE, Linux 6.3; bit 0 is PR_MDWE_REFUSE_EXEC_GAIN */
#define ASK_ONLY 0xffffffffUL

static const struct case_def cases[] = {
	[WRITE_AND_RUN] = { "write-and-run", NULL, 0, 0, 0 },
	[MADE_TO_RUN] = { "made-to-run", NULL, 0, 0, 0 },
	[SAME_ADDRESSES] = { "same-addresses", NULL, 0, 0, 0 },
};

static const struct question asks[] = {
	{ __NR_mmap, { 0, 0, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS } },
	{ __NR_mmap, { 0, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS } },
	{ __NR_mprotect, { 0, 0, PROT_READ | PROT_EXEC } },
	{ __NR_pkey_mprotect, { 0, 0, PROT_READ | PROT_EXEC, -1ul } },
	{ __NR_munmap, { 0 } },
	{ __NR_personality, { ASK_ONLY } },
	{ __NR_dup3, { -1ul, OUTPUT } },
};

/* Addresses are large, not negative: only the last page of numbers are errors. */
static struct attempt map_page(struct trial *trial, int protection)
{
	return try_call_as(trial, "ppvvfp", "mmap", __NR_mmap, NULL, PAGE, protection,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void unmap_page(struct trial *trial, struct attempt a)
{
	if (attempt_worked(a))
		try_call_as(trial, "pp", "munmap", __NR_munmap, a.value, PAGE);
}

/* Of the process itself, since Linux 6.3: it cannot be taken back. */
static void note_own_promise(struct trial *trial, int case_index)
{
	struct attempt a = try_call_as(trial, "vvvvv", "prctl", __NR_prctl, GET_MDWE, 0, 0, 0, 0);

	if (attempt_worked(a) && (a.value & 1))
		note_flag(trial, case_index, "refuse_exec_gain", true);
}

static void try_protections(struct trial *trial)
{
	struct attempt a = map_page(trial, PROT_READ | PROT_WRITE | PROT_EXEC);
	struct attempt plain = map_page(trial, PROT_READ | PROT_WRITE);

	unmap_page(trial, a);
	if (!attempt_worked(a))
		note_own_promise(trial, WRITE_AND_RUN);
	settle(trial, WRITE_AND_RUN, a);
	if (!attempt_worked(plain)) {
		settle_unknown(trial, MADE_TO_RUN, REASON_SETUP_FAILED);
		return;
	}
	a = try_call_as(trial, "ppv", "mprotect", __NR_mprotect, plain.value, PAGE,
			PROT_READ | PROT_EXEC);
	if (!a.reached)
		a = try_call_as(trial, "ppvv", "pkey_mprotect", __NR_pkey_mprotect, plain.value,
				PAGE, PROT_READ | PROT_EXEC, -1);
	unmap_page(trial, plain);
	if (!attempt_worked(a))
		note_own_promise(trial, MADE_TO_RUN);
	settle(trial, MADE_TO_RUN, a);
}

/* ---------------------------------------------------------------- addresses */

struct addresses {
	unsigned long stack, mapping;
};

static _Noreturn void become_self(struct trial *trial, const int ends[2])
{
	const char *path = (const char *)getauxval(AT_EXECFN);
	const char *const argv[] = { path, "--addresses", NULL };
	struct attempt a = try_call_as(trial, "fvv", "dup3", __NR_dup3, ends[1], OUTPUT, 0);

	if (path && attempt_worked(a))
		try_execute(trial, path, argv);
	end_child(127);
}

/* False: we could not be run, or not be heard. */
static bool run_self(struct trial *trial, struct addresses *addresses)
{
	int ends[2] = { -1, -1 };
	struct attempt a = try_call_as(trial, "pv", "pipe2", __NR_pipe2, ends, O_CLOEXEC);

	if (attempt_worked(a))
		a = try_fork(trial);
	if (attempt_worked(a) && a.value == 0)
		become_self(trial, ends);
	close_fd(ends[1]);
	if (attempt_worked(a)) {
		wait_child(trial, (pid_t)a.value, DEADLINE_MS);
		a = try_call_as(trial, "fpp", "read", __NR_read, ends[0], addresses,
				sizeof *addresses);
	}
	close_fd(ends[0]);
	return a.value == (long)sizeof *addresses;
}

/* Nothing was called: a refusal that the setting alone accounts for. */
static void settle_random(struct trial *trial, bool read, int64_t random)
{
	const struct attempt differ = { .value = -1, .error = read && random > 0 ? 0 : EPERM,
					.nr = -1, .reached = true };

	settle(trial, SAME_ADDRESSES, differ, .sysctl = read && random > 0 ? SETTING : NULL);
}

static void try_addresses(struct trial *trial)
{
	struct addresses first, second;
	struct attempt kind = try_call_as(trial, "v", "personality", __NR_personality, ASK_ONLY);
	bool fixed = attempt_worked(kind) && (kind.value & ADDR_NO_RANDOMIZE);
	bool ran = run_self(trial, &first) && run_self(trial, &second);
	int64_t random = 0;
	bool read = read_setting(trial, SETTING, &random);

	if (attempt_worked(kind))
		note_flag(trial, SAME_ADDRESSES, "addr_no_randomize", fixed);
	if (read)
		note_number(trial, SAME_ADDRESSES, "randomize_va_space", random);
	if (ran) {
		note_flag(trial, SAME_ADDRESSES, "same_stack", first.stack == second.stack);
		note_flag(trial, SAME_ADDRESSES, "same_mapping", first.mapping == second.mapping);
		if (first.stack == second.stack || first.mapping == second.mapping)
			settle(trial, SAME_ADDRESSES, found_in_process(true));
		else
			settle_random(trial, read, random);
		return;
	}
	/* We may not be run again. What the kernel would do is told by what it was told to do. */
	note_flag(trial, SAME_ADDRESSES, "proxy", true);
	if (fixed || (read && random == 0))
		settle(trial, SAME_ADDRESSES, found_in_process(true));
	else if (read && attempt_worked(kind))
		settle_random(trial, read, random);
	else
		settle_unknown(trial, SAME_ADDRESSES, REASON_SETUP_FAILED);
}

static void attempt(struct trial *trial)
{
	try_protections(trial);
	try_addresses(trial);
}

const struct scenario scenario_kernel_memory_hardening = {
	.about = ABOUT(
		.title = "Write code into memory and run it",
		.accessed = "Code in the sandbox can write memory and then run it, or knows where "
			    "in memory the next program will lie.",
		.denied = "Code in the sandbox cannot run memory that it wrote, and programs lie "
			  "elsewhere in memory each time.",
		.why = "Whoever finds a flaw in a program brings code of their own into it, or "
		       "uses what is there at known places. Compilers at run time need such "
		       "memory; most programs do not.",
		.see = "T1620, CWE-1329",
		.open = "setarch -R B",
		.closed = "S(mmap@2&4=4,mprotect@2&4=4,pkey_mprotect@2&4=4)",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP) | BARRIER_BIT(BARRIER_SYSCTL)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_TOUCH,
	.fix = FIX(SEC),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
