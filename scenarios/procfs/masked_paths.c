/* SPDX-License-Identifier: MIT */
/*
 * The files and folders of the kernel that container engines cover by default. Each is opened for
 * reading; one byte, one line of keys or one entry shows that something is there, and is dropped.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/stat.h>

enum { KCORE = 2, KEYS = 3 };

static const struct case_def cases[] = {
	{ "acpi", "/proc/acpi", 0, 0, PLACE_FOLDER },
	{ "asound", "/proc/asound", 0, 0, PLACE_FOLDER },
	[KCORE] = { "kcore", "/proc/kcore", 0, 0, 0 },
	[KEYS] = { "keys", "/proc/keys", 0, 0, 0 },
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

/*
 * ID FLAGS USES EXPIRY RIGHTS UID GID TYPE DESCRIPTION. The kernel itself makes an account's rings
 * (_uid.N, _uid_ses.N, .user_reg) when one of its programs asks for them, so they tell nothing; its
 * own ones (.builtin_trusted_keys, .dns_resolver) belong to the machine's root.
 */
static bool take_key(void *context, char *line)
{
	char owner[16], type[16], name[16], own[16];

	format_text(own, sizeof own, "%u", origin()->uid);
	*(bool *)context =
		line_field(line, 5, owner, sizeof owner) &&
		line_field(line, 7, type, sizeof type) &&
		line_field(line, 8, name, sizeof name) &&
		(strcmp(type, "keyring") != 0 || strcmp(owner, own) != 0 ||
		 (name[0] == '.' && strcmp(name, ".user_reg:") != 0));
	return !*(bool *)context;
}

static struct attempt look_for_keys(struct trial *trial, const char *path)
{
	bool found = false;
	struct attempt a = try_lines(trial, path, take_key, &found);

	return attempt_worked(a) && !found ? found_nothing(a) : a;
}

static void attempt(struct trial *trial)
{
	for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
		struct attempt a = look_into(trial, case_of(trial, i)->path,
					     case_of(trial, i)->kind & PLACE_FOLDER);

		if (i == KEYS && attempt_worked(a))
			a = look_for_keys(trial, case_of(trial, i)->path);
		/* The mode's refusal is EACCES: then the capability was not asked for. */
		settle(trial, i, a, .path = case_of(trial, i)->path, .right = RIGHT_READ,
		       .id_unmapped = unmapped_refuses(trial, case_of(trial, i)->path, a,
						       RIGHT_READ, CAP_DAC_OVERRIDE),
		       .capability = i == KCORE && a.error == EPERM ? NEEDS_CAP(CAP_SYS_RAWIO) : 0);
	}
}

const struct scenario scenario_procfs_masked_paths = {
	.about =
		ABOUT(.title = "Read what engines hide of the kernel",
		      .accessed =
			      "Code in the sandbox can read kernel files that container engines "
			      "cover by default.",
		      .denied =
			      "Code in the sandbox can read none of the kernel files that engines "
			      "cover by default.",
		      .why = "Devices, keys, timers and firmware are the whole machine's, so these "
			     "files tell of the host and of others on it.",
		      .see = "CWE-497", .open = "O -masked", .closed = "O",
		      .closed_by = BARRIER_BIT(BARRIER_MASKED) | BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.fix = FIX(MASK),
	CASES(cases),
	.attempt = attempt,
};
