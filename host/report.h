/* SPDX-License-Identifier: MIT */
/*
 * A report format: one file in host/reports/ that defines `const struct report report_NAME`; the
 * folder is the registry. A report renders a run and computes nothing.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "host/error.h"
#include "host/results.h"
#include "host/sandbox.h"

struct matrix_view;

struct report_context {
	const struct run *run;         /* NULL where several are compared */
	const struct sandbox *sandbox; /* for remedies; may be NULL */
	bool color;                    /* escape sequences are welcome */
	unsigned width;                /* columns; 0: not a terminal */
	const struct matrix_view *matrix; /* several runs side by side, for compare(); else NULL */
};

struct report {
	const char *name;    /* "json" */
	const char *summary; /* for --help */
	/* Writes the whole report; the caller checks the stream for errors. */
	bool (*write)(const struct report_context *context, FILE *out, struct error *error);
	/* The same for several runs side by side. NULL: the format has no form for that. */
	bool (*compare)(const struct report_context *context, FILE *out, struct error *error);
};

struct report_row {
	const char *source;
	const struct report *report;
};
extern const struct report_row reports[]; /* ends with a NULL report */
const struct report *report_find(const char *name);
