/* SPDX-License-Identifier: MIT */
/*
 * Where a report goes: "FORMAT=FILE", "FORMAT=-" or "FORMAT" (standard output). A file is
 * opened beside its place before the long run, so that a wrong path is known at once, and takes
 * its name only when all of it is written: an old report is never lost to a half new one.
 *
 *	if (!report_file_open(&file, "json=report.json", error))
 *		return false;
 *	… the run …
 *	written = report_file_write(&file, &context, error);
 *	report_file_close(&file);                   removes what did not get its name
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "host/report.h"

struct report_file {
	const struct report *report;
	char *path;      /* as the user wrote it; "-" is standard output */
	char *temporary; /* not yet renamed; NULL when written in place (a pipe, a device) */
	FILE *out;
};

bool report_file_open(struct report_file *file, const char *text, struct error *error);
bool report_file_is_standard_output(const struct report_file *file);
/* `context` is as for standard output; a file gets neither colour nor width. */
bool report_file_write(struct report_file *file, const struct report_context *context,
		       struct error *error);
void report_file_close(struct report_file *file);
