/* SPDX-License-Identifier: MIT */
/* Counters of energy and power: one reading that is a number is enough, and is dropped. */
#include "scenarios/scenario.h"

enum { POWERCAP, HARDWARE_MONITOR };

static const struct case_def cases[] = {
	[POWERCAP] = { "powercap", "/sys/class/powercap", 0, 0, 0 },
	[HARDWARE_MONITOR] = { "hardware-monitor", "/sys/class/hwmon", 0, 0, 0 },
};

static const struct device_file counters[] = {
	{ POWERCAP, "*", "energy_uj" },
	{ POWERCAP, "*", "power_uw" },
	{ HARDWARE_MONITOR, "*", "power*_input" },
	{ HARDWARE_MONITOR, "*", "power*_average" },
	{ HARDWARE_MONITOR, "*", "energy*_input" },
};

static void attempt(struct trial *trial)
{
	settle_device_files(trial, "counter", counters, sizeof counters / sizeof *counters);
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
