/* SPDX-License-Identifier: MIT */
/* Counters of energy and power: one reading that is a number is enough, and is dropped. */
#include "scenarios/scenario.h"

#include <string.h>

enum { POWERCAP, HARDWARE_MONITOR };

static const struct case_def cases[] = {
	[POWERCAP] = { "powercap", "/sys/class/powercap", 0, 0, 0 },
	[HARDWARE_MONITOR] = { "hardware-monitor", "/sys/class/hwmon", 0, 0, 0 },
};

static const struct {
	int case_index;
	const char *pattern;
} counters[] = {
	{ POWERCAP, "energy_uj" },
	{ POWERCAP, "power_uw" },
	{ HARDWARE_MONITOR, "power*_input" },
	{ HARDWARE_MONITOR, "power*_average" },
	{ HARDWARE_MONITOR, "energy*_input" },
};

struct search {
	struct trial *trial;
	int case_index;
	char folder[192], refused_path[256];
	struct attempt refused;
	unsigned read, unread;
};

static bool is_counter(int case_index, const char *name)
{
	for (unsigned i = 0; i < sizeof counters / sizeof *counters; i++)
		if (counters[i].case_index == case_index &&
		    matches_pattern(counters[i].pattern, name))
			return true;
	return false;
}

static bool read_counter(void *context, const char *name, unsigned char type)
{
	struct search *search = context;
	char path[256], text[32];
	struct attempt a;

	(void)type;
	if (!is_counter(search->case_index, name))
		return true;
	format_text(path, sizeof path, "%s/%s", search->folder, name);
	a = try_read(search->trial, path, text, sizeof text);
	if (a.value > 0 && text[0] >= '0' && text[0] <= '9') {
		if (search->read++ == 0)
			report_object(search->trial, "counter", path);
	} else if (search->unread++ == 0) {
		search->refused = attempt_worked(a) ? found_nothing(a) : a;
		format_text(search->refused_path, sizeof search->refused_path, "%s", path);
	}
	return true;
}

static bool look_at_device(void *context, const char *name, unsigned char type)
{
	struct search *search = context;

	(void)type;
	format_text(search->folder, sizeof search->folder, "%s/%s", case_of(search->trial, search->case_index)->path,
		    name);
	try_list(search->trial, search->folder, read_counter, search);
	return true;
}

static void look_at(struct trial *trial, int case_index)
{
	struct search search = { .trial = trial, .case_index = case_index };
	const char *path = case_of(trial, case_index)->path;
	struct attempt a = try_list(trial, path, look_at_device, &search);

	if (attempt_worked(a))
		note_number(trial, case_index, "counters", search.read);
	if (attempt_worked(a) && !search.read && search.unread)
		settle(trial, case_index, search.refused, .path = search.refused_path,
		       .right = RIGHT_READ);
	else
		settle(trial, case_index, search.read ? a : found_nothing(a), .path = path,
		       .right = RIGHT_READ);
}

static void attempt(struct trial *trial)
{
	look_at(trial, POWERCAP);
	look_at(trial, HARDWARE_MONITOR);
}

const struct scenario scenario_sidechannel_energy = {
	.about = ABOUT(
		.title = "Read how much energy the machine uses",
		.accessed = "Code in the sandbox can read a counter of the energy that the "
			    "machine uses.",
		.denied = "Code in the sandbox cannot read how much energy the machine uses.",
		.why = "Read often enough, such a counter tells what others compute: keys of "
		       "cipher code have been found that way.",
		.see = "CWE-203, CVE-2020-8694",
		.open = "B --ro-bind $D/powercap /sys/class/powercap",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.fix = FIX(MASK),
	CASES(cases),
	.attempt = attempt,
};
