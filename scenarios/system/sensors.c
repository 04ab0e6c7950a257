/* SPDX-License-Identifier: MIT */
/* Temperatures, fans, voltages, batteries: one number that a sensor file gives is enough. */
#include "scenarios/scenario.h"

enum { HARDWARE_MONITOR, THERMAL, POWER_SUPPLY };

static const struct case_def cases[] = {
	[HARDWARE_MONITOR] = { "hardware-monitor", "/sys/class/hwmon", 0, 0, 0 },
	[THERMAL] = { "thermal-zone", "/sys/class/thermal", 0, 0, 0 },
	[POWER_SUPPLY] = { "power-supply", "/sys/class/power_supply", 0, 0, 0 },
};

static const struct device_file sensors[] = {
	{ HARDWARE_MONITOR, "*", "temp*_input" },  { HARDWARE_MONITOR, "*", "fan*_input" },
	{ HARDWARE_MONITOR, "*", "in*_input" },    { HARDWARE_MONITOR, "*", "power*_input" },
	{ HARDWARE_MONITOR, "*", "energy*_input" }, { THERMAL, "thermal_zone*", "temp" },
	{ POWER_SUPPLY, "*", "capacity" },
};

static void attempt(struct trial *trial)
{
	settle_device_files(trial, "sensor", sensors, sizeof sensors / sizeof *sensors);
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
