/* SPDX-License-Identifier: MIT */
/*
 * Which restricted and critical files can be read? One byte of each is read and dropped; a folder
 * is listed. Most critical texts are for everybody, those with hashes or keys are not.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>

static const struct case_def cases[] = {
	CRITICAL_TEXTS(SEVERITY_INFO),
	CRITICAL_SECRETS(SEVERITY_HIGH),
	RESTRICTED_OTHERS(SEVERITY_HIGH),
};

static struct attempt try_content(struct trial *trial, const char *path)
{
	char byte;
	struct object object;
	struct attempt a = try_place(trial, path, &object);

	/* Where no form of stat is let through, reading may be. */
	if (!attempt_worked(a) && a.reached)
		return a;
	a = try_read(trial, path, &byte, 1);
	if (a.error == EISDIR)
		a = try_list(trial, path, NULL, NULL);
	byte = 0;
	return a.value == 0 ? found_nothing(a) : a;
}

enum { NAMES_AT_MOST = 64 };

/* Of several keys or files in /boot the first may be closed and another open. */
static struct attempt try_places(struct trial *trial, const char *pattern, char *path, size_t size)
{
	char next[512];
	struct attempt a = try_content(trial, path), other;

	format_text(next, sizeof next, "%s", path);
	for (unsigned i = 0; !attempt_worked(a) && i < NAMES_AT_MOST; i++) {
		if (!find_next_place(trial, pattern, next, sizeof next))
			return a;
		other = try_content(trial, next);
		if (attempt_worked(other)) {
			format_text(path, size, "%s", next);
			return other;
		}
	}
	if (!attempt_worked(a) && find_next_place(trial, pattern, next, sizeof next))
		a.error = ECANCELED; /* more than were tried */
	return a;
}

static void attempt(struct trial *trial)
{
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		char path[512];
		struct attempt a;

		if (!find_case(trial, (int)i, path, sizeof path))
			continue;
		a = try_places(trial, case_of(trial, i)->path, path, sizeof path);
		settle(trial, (int)i, a, .path = path, .right = RIGHT_READ,
		       .id_unmapped = unmapped_refuses(trial, path, a, RIGHT_READ,
						       CAP_DAC_OVERRIDE));
	}
}

const struct scenario scenario_content_read = {
	.about = ABOUT(
		.title = "Read critical and restricted files",
		.accessed = "Code in the sandbox can read critical or restricted files.",
		.denied = "Code in the sandbox cannot read any critical or restricted file.",
		.why = "Restricted files hold password hashes and keys; the others describe the "
		       "system and its accounts.",
		.see = "T1005, T1003.008",
		.paper = "Read files",
		.open = "B --ro-bind $D/shadow /etc/shadow",
		.closed = "B --ro-bind $D/shadow-closed /etc/shadow",
		.closed_by = BARRIER_BIT(BARRIER_DAC)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(UID) | FIX(BIND),
	CASES(cases),
	.attempt = attempt,
};
