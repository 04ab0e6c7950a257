/* SPDX-License-Identifier: MIT */
/*
 * The files and folders of the kernel that container engines cover by default. Each is opened for
 * reading; one byte, or one entry, shows that something is there, and is dropped.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/stat.h>

enum { KCORE = 2 };

static const struct case_def cases[] = {
	{ "acpi", "/proc/acpi", 0, 0, PLACE_FOLDER },
	{ "asound", "/proc/asound", 0, 0, PLACE_FOLDER },
	[KCORE] = { "kcore", "/proc/kcore", 0, 0, 0 },
	{ "keys", "/proc/keys", 0, 0, 0 },
	{ "latency-stats", "/proc/latency_stats", 0, 0, 0 },
	{ "sched-debug", "/proc/sched_debug", 0, 0, 0 },
	{ "scsi", "/proc/scsi", 0, 0, PLACE_FOLDER },
	{ "timer-list", "/proc/timer_list", 0, 0, 0 },
	{ "timer-stats", "/proc/timer_stats", 0, 0, 0 },
	{ "firmware", "/sys/firmware", 0, 0, PLACE_FOLDER },
};

static bool stop(void *context, const char *name, unsigned char type)
{
	(void)context;
	(void)name;
	(void)type;
	return false;
}

static struct attempt look_into(struct trial *trial, const char *path, bool folder)
{
	struct object object;
	struct attempt a = try_place(trial, path, &object);
	char byte;

	/* Where no form of stat is let through, reading may be. */
	if (!attempt_worked(a) && a.reached)
		return a;
	if (attempt_worked(a))
		folder = S_ISDIR(object.mode);
	if (folder)
		a = try_list(trial, path, stop, NULL);
	else
		a = try_read(trial, path, &byte, 1);
	return a.value == 0 ? found_nothing(a) : a;
}

static void attempt(struct trial *trial)
{
	for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
		struct attempt a = look_into(trial, case_of(trial, i)->path, case_of(trial, i)->kind & PLACE_FOLDER);
		/* The mode's refusal is EACCES: then the capability was not asked for. */
		bool by_capability = i == KCORE && a.error == EPERM;

		settle(trial, i, a, .path = case_of(trial, i)->path, .right = RIGHT_READ,
		       .id_unmapped = unmapped_refuses(trial, case_of(trial, i)->path, a, RIGHT_READ,
						       CAP_DAC_OVERRIDE),
		       .capability = by_capability ? NEEDS_CAP(CAP_SYS_RAWIO) : 0);
	}
}

const struct scenario scenario_procfs_masked_paths = {
	.about = ABOUT(
		.title = "Read what engines hide of the kernel",
		.accessed = "Code in the sandbox can read kernel files that container engines "
			    "cover by default.",
		.denied = "Code in the sandbox can read none of the kernel files that engines "
			  "cover by default.",
		.why = "Devices, keys, timers and firmware are the whole machine's, so these "
		       "files tell of the host and of others on it.",
		.see = "CWE-497",
		.open = "O -masked",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_MASKED) | BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.fix = FIX(MASK),
	CASES(cases),
	.attempt = attempt,
};
