/* SPDX-License-Identifier: MIT */
/*
 * Several runs side by side as an HTML page: what each is and how it stands, then all scenarios,
 * by category, with one column per run. Where cells differ the row says so in words.
 */
#pragma once

#include "host/report.h"

/* Of context->matrix; see struct report. */
bool html_compare(const struct report_context *context, FILE *out, struct error *error);
