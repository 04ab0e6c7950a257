/* SPDX-License-Identifier: MIT */
/*
 * Can a critical file be copied? Its first 64 KiB are read and as many *zero* bytes are stored in
 * a nameless file of our own; files with hashes are only opened. No content outlives the trial.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

enum { COPIED_AT_MOST = 64 * 1024 };

static const struct case_def cases[] = { CRITICAL_FILES(SEVERITY_INHERIT) };

/* value = the bytes that a copy needs. */
static struct attempt try_source(struct trial *trial, const char *path, unsigned kind)
{
	static char buffer[COPIED_AT_MOST]; /* stacks may be small */
	struct object object;
	struct attempt a = try_place(trial, path, &object);

	/* Where no form of stat is let through, reading may be; the size stays untold. */
	if (!attempt_worked(a) && a.reached)
		return a;
	if (!attempt_worked(a))
		object.size = 1;
	if (!(kind & PLACE_RESTRICTED)) {
		a = try_read(trial, path, buffer, sizeof buffer);
		explicit_bzero(buffer, sizeof buffer);
	} else {
		a = try_open(trial, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
		close_fd((int)a.value);
		if (attempt_worked(a))
			a.value = object.size < COPIED_AT_MOST ? (long)object.size : COPIED_AT_MOST;
	}
	return a.value == 0 ? found_nothing(a) : a;
}

static void copy(struct trial *trial, int case_index, const char *path)
{
	struct attempt source = try_source(trial, path, case_of(trial, case_index)->kind), kept;

	if (!attempt_worked(source)) {
		settle(trial, case_index, source, .path = path, .right = RIGHT_READ);
		return;
	}
	kept = try_keep(trial, (size_t)source.value);
	if (attempt_worked(kept) && kept.value != source.value)
		kept = found_nothing(kept);
	measure_number(trial, case_index, "bytes", source.value);
	settle(trial, case_index, kept,
	       .rlimit = kept.error == EFBIG && origin()->limits[RLIMIT_FSIZE].soft != UINT64_MAX);
}

static void attempt(struct trial *trial)
{
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		char path[512];

		if (find_case(trial, (int)i, path, sizeof path))
			copy(trial, (int)i, path);
	}
}

const struct scenario scenario_structure_copy = {
	.about = ABOUT(
		.title = "Copy critical files",
		.accessed = "Code in the sandbox can copy a critical file to a place of its own.",
		.denied = "Code in the sandbox cannot copy any critical file.",
		.why = "A copy leaves its place: it can be gathered, changed and sent away.",
		.see = "T1005, T1074.001",
		.paper = "Copy files",
		.open = "B --ro-bind $D/passwd /etc/passwd",
		.closed = "E",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.fix = FIX(BIND),
	CASES(cases),
	.attempt = attempt,
};
