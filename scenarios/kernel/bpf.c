/* SPDX-License-Identifier: MIT */
/*
 * Can programs for the kernel's own machine be loaded? A table of one element is made, and a
 * program that returns 0, which is attached to nothing; both are closed at once.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/capability.h>

enum { MAP, PROGRAM };
#define SETTING "kernel.unprivileged_bpf_disabled"

static const struct case_def cases[] = {
	[MAP] = { "map", NULL, 0, 0, 0 },
	[PROGRAM] = { "program", NULL, 0, 0, 0 },
};

/* The heads of the two requests, as Linux 4.4 had them: the kernel takes what follows as zero. */
struct map_request {
	uint32_t type, key_size, value_size, max_entries;
};

struct program_request {
	uint32_t type, n_instructions;
	uint64_t instructions, licence;
	uint32_t log_level, log_size;
	uint64_t log;
	uint32_t kernel_version;
};

static struct attempt make_map(struct trial *trial)
{
	const struct map_request request = { BPF_MAP_TYPE_ARRAY, 4, 8, 1 };

	return try_call_as(trial, "vpv", "bpf", __NR_bpf, BPF_MAP_CREATE, &request, sizeof request);
}

static struct attempt load_program(struct trial *trial, unsigned instructions)
{
	static const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	const struct program_request request = {
		.type = BPF_PROG_TYPE_SOCKET_FILTER,
		.n_instructions = instructions,
		.instructions = (uintptr_t)code,
		.licence = (uintptr_t)"MIT",
	};

	return try_call_as(trial, "vpv", "bpf", __NR_bpf, BPF_PROG_LOAD, &request, sizeof request);
}

static void attempt(struct trial *trial)
{
	/* Whoever holds SYS_ADMIN needs no other. */
	int needs = has_capability(CAP_SYS_ADMIN) ? CAP_SYS_ADMIN : CAP_BPF;

	for (int i = MAP; i <= PROGRAM; i++) {
		struct attempt a = i == MAP ? make_map(trial) : load_program(trial, 2), check = a;
		bool refused = !attempt_worked(a) && (!a.reached || a.error == EPERM), read;
		int64_t disabled = 0;

		close_fd((int)a.value);
		read = refused && read_setting(trial, SETTING, &disabled);
		/* K4: a program of no instructions is refused too, but only after the check. */
		if (refused && !read)
			check = load_program(trial, 0);
		settle(trial, i, a,
		       .sysctl = disabled > 0 && (a.reached || !has_capability(needs)) ? SETTING :
											   NULL,
		       .capability = disabled > 0 || (refused && !read && check.reached) ?
					     NEEDS_CAP(needs) : 0,
		       .check = &check);
	}
}

static const struct question asks[] = {
	{ __NR_bpf, { BPF_MAP_CREATE, 0, sizeof(struct map_request) } },
	{ __NR_bpf, { BPF_PROG_LOAD, 0, sizeof(struct program_request) } },
};

const struct scenario scenario_kernel_bpf = {
	.about = ABOUT(
		.title = "Load BPF programs into the kernel",
		.accessed = "Code in the sandbox can make BPF tables or load BPF programs.",
		.denied = "Code in the sandbox can neither make BPF tables nor load BPF programs.",
		.why = "The kernel checks such a program and then runs it with its own rights: "
		       "flaws in the check have again and again given away the whole machine.",
		.see = "T1068",
		.open = "O +BPF +call:bpf",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(SEC) | FIX(CAP),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
