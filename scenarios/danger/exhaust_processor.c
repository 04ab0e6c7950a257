/* SPDX-License-Identifier: MIT */
/*
 * Is the processor time bounded: by a limit on the time of each process, by a quota of our
 * control group, or by fewer processors than the machine has? A mask of processors that the
 * process may widen by itself bounds nothing, so it is widened once, in the child.
 */
#include "scenarios/scenario.h"

#include <string.h>
#include <sys/resource.h>

#define MASK_BYTES 1024 /* 8,192 processors */

/* How many processors we may run on; 0: not told. */
static unsigned count_allowed(struct trial *trial, unsigned char mask[MASK_BYTES])
{
	struct attempt a = try_call(trial, "sched_getaffinity", __NR_sched_getaffinity, 0,
				    MASK_BYTES, mask);
	unsigned count = 0;

	for (long i = 0; i < a.value; i++)
		count += (unsigned)__builtin_popcount(mask[i]);
	return count;
}

/* "0-3,8" → 5 */
static unsigned count_range_list(const char *text)
{
	unsigned count = 0;

	do {
		unsigned first = (unsigned)leading_number(text, &text), last = first;

		if (*text == '-')
			last = (unsigned)leading_number(text + 1, &text);
		count += last - first + 1;
	} while (*text++ == ',');
	return count;
}

static bool count_processor_line(void *context, char *line)
{
	*(unsigned *)context += starts_with(line, "cpu") && is_digit(line[3]);
	return true;
}

/* How many processors the machine has running; 0: not told. */
static unsigned count_online(struct trial *trial)
{
	static char text[65536];
	struct attempt a = try_text(trial, "/sys/devices/system/cpu/online", text, 1024);
	unsigned count = 0;

	if (a.value > 0)
		return count_range_list(text);
	a = try_text(trial, "/proc/stat", text, sizeof text);
	if (a.value > 0)
		each_line(text, count_processor_line, &count);
	return count;
}

/* How many we may run on after asking for all; the mask is put back (fork may be refused). */
static unsigned count_widened(struct trial *trial)
{
	static unsigned char before[MASK_BYTES], all[MASK_BYTES], after[MASK_BYTES];
	unsigned count = count_allowed(trial, before);

	memset(all, 0xff, sizeof all);
	if (!attempt_worked(try_call(trial, "sched_setaffinity", __NR_sched_setaffinity, 0,
				     MASK_BYTES, all)))
		return count;
	count = count_allowed(trial, after);
	try_call(trial, "sched_setaffinity", __NR_sched_setaffinity, 0, MASK_BYTES, before);
	return count;
}

/* Fewer than the machine has, and no way to more? */
static bool mask_bounds(struct trial *trial)
{
	static unsigned char mask[MASK_BYTES];
	unsigned online = count_online(trial), allowed = count_allowed(trial, mask), widened;

	if (allowed)
		note_number(trial, WHOLE, "processors", allowed);
	if (online)
		note_number(trial, WHOLE, "processors_online", online);
	if (!online || !allowed || allowed >= online || trial_level(trial) < LEVEL_TOUCH)
		return false;
	widened = count_widened(trial);
	note_number(trial, WHOLE, "processors_after_asking", widened);
	return widened < online;
}

/* "max", "-1": no number. */
static uint64_t bound_in(const char *text)
{
	return is_digit(*text) ? leading_number(text, NULL) : UINT64_MAX;
}

/* The quota of one group in thousandths of a processor; UINT64_MAX: none. */
static uint64_t quota_of(struct trial *trial, const struct control_group *group, bool *unread)
{
	bool second = group->version == 2;
	char text[64], period[64] = "";
	uint64_t quota, length;
	struct attempt a = read_group(trial, group, second ? "cpu.max" : "cpu.cfs_quota_us", text,
				      sizeof text);

	*unread |= !attempt_worked(a) && a.error != 2; /* ENOENT */
	if (second)
		line_field(text, 1, period, sizeof period);
	else
		read_group(trial, group, "cpu.cfs_period_us", period, sizeof period);
	quota = bound_in(text);
	length = bound_in(period);
	if (quota == UINT64_MAX || length == UINT64_MAX || length == 0)
		return UINT64_MAX;
	return quota * 1000 / length;
}

static struct group_bound find_quota(struct trial *trial)
{
	struct group_bound bound = { .value = UINT64_MAX };
	struct control_group group;
	bool more = find_group(trial, "cpu", &group);

	bound.visible = more;
	bound.hidden = group.hidden;
	bound.version = group.version;
	for (; more; more = parent_group(&group)) {
		uint64_t quota = quota_of(trial, &group, &bound.unread);

		if (quota < bound.value) {
			bound.value = quota;
			bound.file = group.version == 2 ? "cpu.max" : "cpu.cfs_quota_us";
		}
	}
	return bound;
}

static void attempt(struct trial *trial)
{
	static unsigned char mask[MASK_BYTES];
	struct group_bound quota = find_quota(trial);
	uint64_t seconds = given_bound(trial, RLIMIT_CPU);
	unsigned processors = count_online(trial);
	bool by_mask = mask_bounds(trial);

	if (!processors)
		processors = count_allowed(trial, mask);
	if (seconds != UINT64_MAX)
		note_number(trial, WHOLE, "rlimit_cpu", (int64_t)seconds);
	/* A quota as large as the machine is none. */
	settle_bound(trial, WHOLE, seconds != UINT64_MAX,
		     by_mask || quota.value < (uint64_t)processors * 1000, &quota);
}

const struct scenario scenario_danger_exhaust_processor = {
	.about = ABOUT(
		.title = "Exhaust the processor",
		.accessed = "Code in the sandbox may compute on all processors without end, as "
			    "far as bounds can be seen from inside.",
		.denied = "Code in the sandbox has its processor time bounded by a resource limit "
			  "or a control group.",
		.why = "Processor time without a bound can be mined with at somebody's cost, and "
		       "it slows down whatever else runs on the machine.",
		.see = "T1496, CWE-770",
		.paper = "Exhaust processor",
		.ours = true,
		.open = "U",
		.closed = "prlimit --cpu=2 B",
		.closed_by = BARRIER_BIT(BARRIER_RLIMIT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.fix = FIX(CPU),
	.attempt = attempt,
};
