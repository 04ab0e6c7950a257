/* SPDX-License-Identifier: MIT */
/*
 * A JSON report (sandboxeval-report/1), read back into a run. All that decides is checked as
 * strictly as when it came from the probe: a report that contradicts itself is refused, with a
 * sentence that says where. Members that this program does not know are passed over.
 *
 *	struct run *run = run_read_file("report.json", error);      NULL: see the error
 */
#pragma once

#include <jansson.h>

#include "host/error.h"
#include "host/results.h"

/* `name` stands for the report in error messages. */
struct run *run_read_json(const json_t *report, const char *name, struct error *error);
/* "-" is standard input. */
struct run *run_read_file(const char *path, struct error *error);
