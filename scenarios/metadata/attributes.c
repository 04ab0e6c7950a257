/* SPDX-License-Identifier: MIT */
/*
 * Sizes and times of critical files and folders; inode flags and the names of
 * extended attributes, which tell labels. Values of attributes are not read.
 */
#include "scenarios/scenario.h"

#include <string.h>
#include <sys/stat.h>

#ifndef FS_IOC_GETFLAGS
#define FS_IOC_GETFLAGS 0x80086601UL
#endif

static const struct case_def cases[] = { CRITICAL_FILES(0), CRITICAL_FOLDERS(0) };

static const struct question asks[] = {
	{ __NR_listxattr, { 0, 0, 512 } },
	{ __NR_ioctl, { (unsigned long)-1, FS_IOC_GETFLAGS } },
};

static void note_flags(struct trial *trial, int case_index, const char *path)
{
	struct attempt a = try_open(trial, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	long flags = 0;
	char text[24];

	if (!attempt_worked(a))
		return;
	if (attempt_worked(try_call_as(trial, "fvp", "ioctl", __NR_ioctl, a.value, FS_IOC_GETFLAGS, &flags))) {
		format_text(text, sizeof(text), "0x%lx", (unsigned long)flags & 0xffffffff);
		note_text(trial, case_index, "flags", text);
	}
	close_fd((int)a.value);
}

static void note_attribute_names(struct trial *trial, int case_index, const char *path)
{
	char names[513];
	struct attempt a = try_call(trial, "listxattr", __NR_listxattr, path, names,
				    sizeof(names) - 1);

	if (!a.reached)
		note_text(trial, WHOLE, "listxattr", "refused by a filter");
	if (a.value <= 0)
		return;
	for (long i = 0; i + 1 < a.value; i++) {
		if (names[i] == '\0')
			names[i] = ' ';
	}
	names[a.value] = '\0';
	note_text(trial, case_index, "extended", names);
}

static void attempt(struct trial *trial)
{
	for (int i = 0; i < (int)(sizeof(cases) / sizeof(*cases)); i++) {
		struct object object;
		char path[256];
		struct attempt a;

		find_place(trial, case_of(trial, i)->path, path, sizeof(path));
		a = try_stat(trial, AT_FDCWD, path, 0, &object);
		if (attempt_worked(a) && (S_ISREG(object.mode) || S_ISDIR(object.mode))) {
			if (S_ISREG(object.mode)) /* a folder's size and inode say little */
				note_number(trial, i, "size", (int64_t)object.size);
			/* Measured, since a box is often made anew: the times of modification. */
			measure_number(trial, WHOLE, case_of(trial, i)->name, object.modified);
			note_flags(trial, i, path);
			note_attribute_names(trial, i, path);
		} else {
			a = found_nothing(a);
		}
		settle(trial, i, a, .path = path, .right = RIGHT_STAT);
	}
}

const struct scenario scenario_metadata_attributes = {
	.about = ABOUT(
		.title = "Read sizes, times and attributes of critical files",
		.accessed = "Code in the sandbox can tell size, times and attributes of a "
			    "critical file or folder.",
		.denied = "Code in the sandbox cannot tell size or times of any critical file or "
			  "folder.",
		.why = "Times and labels tell when and how the host was installed, and recognise "
		       "it again.",
		.see = "T1083",
		.paper = "File and folder attributes",
		.open = "B",
		.closed = "E",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(BIND),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
