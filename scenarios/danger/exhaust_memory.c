/* SPDX-License-Identifier: MIT */
/*
 * Is the memory bounded? Only what is declared is read, nothing is allocated. A bound at nine
 * tenths of the machine or above leaves nothing for the others, so it is none.
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

/* Bounds one process's heap; several processes may still take more together. */
static bool rlimit_bounds(struct trial *trial, int resource, const char *name, uint64_t ceiling)
{
	uint64_t bound = given_bound(trial, resource);

	if (bound >= ceiling)
		return false;
	note_number(trial, WHOLE, name, (int64_t)bound);
	return true;
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
	bool space = rlimit_bounds(trial, RLIMIT_AS, "rlimit_as", ceiling);
	bool data = rlimit_bounds(trial, RLIMIT_DATA, "rlimit_data", ceiling);

	measure_number(trial, WHOLE, "total", (int64_t)total);
	settle_bound(trial, WHOLE, space || data, group.value < ceiling, &group);
}

const struct scenario scenario_danger_exhaust_memory = {
	.title = "Exhaust the memory",
	.accessed = "Code in the sandbox runs without a bound on its memory, as far as bounds can "
		    "be seen from inside.",
	.denied = "Code in the sandbox has its memory bounded by a resource limit or a control "
		  "group.",
	.why = "Without a bound one program can take all memory: the machine stalls, and the "
	       "kernel may end other programs to survive. A resource limit bounds one process's "
	       "heap only; a control group bounds all of them together.",
	.see = "T1499.001, CWE-770",
	.paper = "Exhaust memory",
	.ours = true,
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(MEM),
	.open = "U",
	.closed = "O",
	.closed_by = BARRIER_BIT(BARRIER_CGROUP),
	.attempt = attempt,
};
