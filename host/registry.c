/* SPDX-License-Identifier: MIT */
/*
 * Look-ups in the tables that tools/registry.sh writes from the files in host/sandboxes/ and
 * host/reports/.
 */
#include "host/report.h"
#include "host/sandbox.h"

#include <string.h>

const struct sandbox *sandbox_find(const char *name)
{
	for (const struct sandbox_row *row = sandboxes; row->sandbox; row++) {
		if (strcmp(row->sandbox->name, name) == 0)
			return row->sandbox;
	}
	return NULL;
}

const struct report *report_find(const char *name)
{
	for (const struct report_row *row = reports; row->report; row++) {
		if (strcmp(row->report->name, name) == 0)
			return row->report;
	}
	return NULL;
}
