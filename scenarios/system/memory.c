/* SPDX-License-Identifier: MIT */
/*
 * The size of the memory. A sandbox with a memory limit of its own that still shows the host's
 * size tells about the host, and misleads programs that size themselves by it: that is noted.
 */
#include "scenarios/scenario.h"

#include <string.h>
#include <sys/sysinfo.h>

enum { SYSINFO, MEMINFO, NODE };

static const struct case_def cases[] = {
	[SYSINFO] = { "sysinfo", NULL, 0, 0, 0 },
	[MEMINFO] = { "meminfo", "/proc/meminfo", 0, 0, 0 },
	[NODE] = { "node", "/sys/devices/system/node/node0/meminfo", 0, 0, 0 },
};

static const struct question asks[] = { { __NR_sysinfo, { 0 } } };

/* No more than can be counted in KiB. */
static int64_t number_in(const char *text)
{
	uint64_t number = leading_number(text, NULL);

	return number < INT64_MAX / 1024 ? (int64_t)number : INT64_MAX / 1024;
}

/* The control group's limit in bytes, of either version; 0: none is visible. */
static int64_t group_limit(struct trial *trial)
{
	static const char *const paths[] = { "/sys/fs/cgroup/memory.max",
					     "/sys/fs/cgroup/memory/memory.limit_in_bytes" };
	char text[64];

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		struct attempt a = try_text(trial, paths[i], text, sizeof(text));

		if (!attempt_worked(a))
			continue;
		return number_in(text);
	}
	return 0;
}

static int64_t ask_sysinfo(struct trial *trial)
{
	struct sysinfo facts = { 0 };
	struct attempt a = try_call(trial, "sysinfo", __NR_sysinfo, &facts);
	int64_t unit = facts.mem_unit ? facts.mem_unit : 1, bytes = (int64_t)facts.totalram * unit;

	if (attempt_worked(a) && bytes > 0) {
		note_number(trial, SYSINFO, "bytes", bytes);
		measure_number(trial, WHOLE, "free", (int64_t)facts.freeram * unit);
	}
	settle(trial, SYSINFO, bytes > 0 ? a : found_nothing(a));
	return bytes;
}

/* The kernel's table, of the machine or of its first memory node. */
static int64_t ask_table(struct trial *trial, int case_index)
{
	const char *path = case_of(trial, case_index)->path, *total;
	char text[512];
	struct attempt a = try_text(trial, path, text, sizeof(text));
	int64_t bytes = 0;

	if (attempt_worked(a)) {
		total = strstr(text, "MemTotal:");
		bytes = total ? number_in(total + 9) * 1024 : 0;
		if (bytes > 0)
			note_number(trial, case_index, "bytes", bytes);
		else
			a = found_nothing(a);
	}
	settle(trial, case_index, a, .path = path, .right = RIGHT_READ);
	return bytes;
}

static void attempt(struct trial *trial)
{
	int64_t by_call = ask_sysinfo(trial), by_file = ask_table(trial, MEMINFO);
	int64_t limit = group_limit(trial), total = by_call > by_file ? by_call : by_file;

	ask_table(trial, NODE);
	if (limit > 0 && limit < total) {
		note_number(trial, WHOLE, "limit", limit);
		note_flag(trial, WHOLE, "beyond-limit", true);
	}
}

const struct scenario scenario_system_memory = {
	.about = ABOUT(
		.title = "Read the size of the memory",
		.accessed = "Code in the sandbox can tell how much memory the machine has.",
		.denied = "Code in the sandbox cannot tell how much memory the machine has.",
		.why = "The size helps to recognise the machine and to judge how much it can be "
		       "made to take. Ordinary programs ask for it to size themselves.",
		.see = "T1082",
		.paper = "Memory",
		.ours = true,
		.open = "B",
		.closed = "S(sysinfo) -proc",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP) | BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(MASK),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
