/* SPDX-License-Identifier: MIT */
/* Temperatures, fans, voltages, batteries: one number that a sensor file gives is enough. */
#include "scenarios/scenario.h"

#include <string.h>

enum { HARDWARE_MONITOR, THERMAL, POWER_SUPPLY };

static const struct case_def cases[] = {
	[HARDWARE_MONITOR] = { "hardware-monitor", "/sys/class/hwmon", 0, 0, 0 },
	[THERMAL] = { "thermal-zone", "/sys/class/thermal", 0, 0, 0 },
	[POWER_SUPPLY] = { "power-supply", "/sys/class/power_supply", 0, 0, 0 },
};

/* "temp1_input": a name that starts so and ends so, in a device whose name starts so. */
static const struct {
	int case_index;
	const char *device, *start, *end;
} sensors[] = {
	{ HARDWARE_MONITOR, "", "temp", "_input" },  { HARDWARE_MONITOR, "", "fan", "_input" },
	{ HARDWARE_MONITOR, "", "in", "_input" },    { HARDWARE_MONITOR, "", "power", "_input" },
	{ HARDWARE_MONITOR, "", "energy", "_input" }, { THERMAL, "thermal_zone", "temp", "temp" },
	{ POWER_SUPPLY, "", "capacity", "capacity" },
};

struct search {
	struct trial *trial;
	int case_index;
	char folder[192], refused_path[256];
	const char *device;
	struct attempt refused;
	unsigned read, unread;
};

static bool is_sensor(const struct search *search, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < sizeof(sensors) / sizeof(*sensors); i++) {
		size_t start = strlen(sensors[i].start), end = strlen(sensors[i].end);

		if (sensors[i].case_index == search->case_index && length >= end &&
		    strncmp(search->device, sensors[i].device, strlen(sensors[i].device)) == 0 &&
		    strncmp(name, sensors[i].start, start) == 0 &&
		    strcmp(name + length - end, sensors[i].end) == 0)
			return true;
	}
	return false;
}

static bool read_sensor(void *context, const char *name, unsigned char type)
{
	struct search *search = context;
	char path[256], text[32];
	struct attempt a;

	(void)type;
	if (!is_sensor(search, name))
		return true;
	format_text(path, sizeof(path), "%s/%s", search->folder, name);
	a = try_read(search->trial, path, text, sizeof(text));
	if (a.value > 0 && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'))) {
		if (search->read++ == 0)
			report_object(search->trial, "sensor", path);
	} else if (search->unread++ == 0) {
		search->refused = attempt_worked(a) ? found_nothing(a) : a;
		format_text(search->refused_path, sizeof(search->refused_path), "%s", path);
	}
	return true;
}

static bool look_at_device(void *context, const char *name, unsigned char type)
{
	struct search *search = context;

	(void)type;
	search->device = name;
	format_text(search->folder, sizeof(search->folder), "%s/%s",
		    case_of(search->trial, search->case_index)->path, name);
	try_list(search->trial, search->folder, read_sensor, search);
	return true;
}

static void look_at(struct trial *trial, int case_index)
{
	struct search search = { .trial = trial, .case_index = case_index };
	const char *path = case_of(trial, case_index)->path;
	struct attempt a = try_list(trial, path, look_at_device, &search);

	if (attempt_worked(a))
		note_number(trial, case_index, "sensors", search.read);
	if (attempt_worked(a) && !search.read && search.unread) {
		settle(trial, case_index, search.refused, .path = search.refused_path,
		       .right = RIGHT_READ);
		return;
	}
	settle(trial, case_index, search.read ? a : found_nothing(a), .path = path,
	       .right = RIGHT_READ);
}

static void attempt(struct trial *trial)
{
	for (int i = HARDWARE_MONITOR; i <= POWER_SUPPLY; i++)
		look_at(trial, i);
}

const struct scenario scenario_system_sensors = {
	.about = ABOUT(
		.title = "Read temperatures, fans and power",
		.accessed = "Code in the sandbox can read a hardware sensor of the host.",
		.denied = "Code in the sandbox cannot read any hardware sensor.",
		.why = "A sensor betrays a physical machine, and its readings follow what the "
		       "neighbours compute.",
		.see = "T1082",
		.paper = "Sensors",
		.open = "B --ro-bind $D/hwmon /sys/class/hwmon",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_OBSERVE,
	.fix = FIX(MASK),
	CASES(cases),
	.attempt = attempt,
};
