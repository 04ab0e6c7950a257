/* SPDX-License-Identifier: MIT */
/*
 * Is the memory bounded? Only what is declared is read, nothing is allocated. A bound at nine
 * tenths of the machine or above leaves nothing for the others, so it is none; and a limit of one
 * process bounds the memory only where the number of processes is bounded, too.
 */
#include "scenarios/scenario.h"

#include <sys/resource.h>
#include <sys/sysinfo.h>

static uint64_t total_memory(struct trial *trial)
{
	struct sysinfo facts = { 0 };
	struct attempt a = try_call(trial, "sysinfo", __NR_sysinfo, &facts);

	return attempt_worked(a) ? (uint64_t)facts.totalram * facts.mem_unit : 0;
}

static uint64_t note_limit(struct trial *trial, int resource, const char *name)
{
	uint64_t bound = given_bound(trial, resource);

	if (bound != UINT64_MAX)
		note_number(trial, WHOLE, name, (int64_t)bound);
	return bound;
}

/*
 * Three processes of half the memory each take all of it. RLIMIT_DATA is evidence only: what is
 * shared between processes does not count towards it, and one call shares memory.
 */
static bool limits_bound(struct trial *trial, uint64_t ceiling, bool *ret_untold)
{
	struct process_bound processes;
	uint64_t each = note_limit(trial, RLIMIT_AS, "per_process_limit");
	uint64_t most = origin()->limits[RLIMIT_NPROC].hard;
	bool few;

	*ret_untold = false;
	note_limit(trial, RLIMIT_DATA, "rlimit_data");
	if (each >= ceiling)
		return false;
	processes = find_process_bound(trial, WHOLE);
	*ret_untold = processes.untold && processes.number == UINT64_MAX &&
		      (most == 0 || each < ceiling / most);
	if (processes.number == UINT64_MAX)
		return false;
	few = processes.number == 0 || each < ceiling / processes.number;
	note_number(trial, WHOLE, "processes", (int64_t)processes.number);
	/* At most 4,095 of at most 2^50: never too large. */
	note_number(trial, WHOLE, "limits_together", (int64_t)(each * processes.number));
	return few;
}

static void attempt(struct trial *trial)
{
	static const char *const files[] = {
		"memory.max", "memory.high", "memory.limit_in_bytes",
		"memory.stat:hierarchical_memory_limit",
	};
	struct group_bound group =
		find_group_bound(trial, "memory", files, sizeof files / sizeof *files);
	uint64_t total = total_memory(trial);
	/* Where the total is not told, only what is no number of bytes at all counts as unlimited. */
	uint64_t ceiling = total ? total / 10 * 9 : (uint64_t)1 << 50;
	bool untold, by_limits = limits_bound(trial, ceiling, &untold);

	measure_number(trial, WHOLE, "total", (int64_t)total);
	if (untold && group.value >= ceiling)
		settle_unknown(trial, WHOLE, process_bound_reason(trial));
	else
		settle_bound(trial, WHOLE, by_limits, group.value < ceiling, &group);
}

const struct scenario scenario_danger_exhaust_memory = {
	.about = ABOUT(
		.title = "Exhaust the memory",
		.accessed = "Code in the sandbox runs without a bound on its memory, as far as "
			    "bounds can be seen from inside.",
		.denied = "Code in the sandbox has its memory bounded by a control group, or by a "
			  "limit of each process and of their number that together leave "
			  "something to others.",
		.why = "Without a bound one program can take all memory: the machine stalls, and "
		       "the kernel may end other programs to survive. Resource limits bound what "
		       "each process maps; files in memory and shared segments only a control "
		       "group bounds.",
		.see = "T1499.001, CWE-770",
		.paper = "Exhaust memory",
		.ours = true,
		.open = "U",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_CGROUP)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(MEM),
	.attempt = attempt,
};
