/* SPDX-License-Identifier: MIT */
/*
 * One scenario of a run as HTML: a line that can be opened, and below it what it means, why it
 * matters, which layers stood in the way, what was seen, and what would close it. It opens
 * without a script; the data- attributes are what the script filters by.
 */
#pragma once

#include <stdio.h>

#include "host/report.h"

void html_finding(FILE *out, const struct report_context *context, const struct result *result);
/* The launcher's remedies for what the scenario found, as a list; false: it has none. */
bool html_remedies(FILE *out, const struct sandbox *sandbox, const struct result *result);
/* The part of the id after its category. */
const char *html_short_id(const struct catalogue_entry *entry);
/* "critical", "open", … : the classes by which a status is coloured. */
void html_status_class(FILE *out, const struct result *result);
unsigned html_accessed_cases(const struct result *result);
