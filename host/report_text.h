/* SPDX-License-Identifier: MIT */
/*
 * What several report formats say alike: how a run stands, its findings, what was seen, what
 * would close it. All texts are malloc'd, free of control characters, and cut; they are still to
 * be escaped for the format (host/markup.h, host/markdown.h).
 *
 *	char *standing = report_standing(run);    "9 of 51 open, 1 unknown; worst: content.read (high)"
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "host/results.h"
#include "host/sandbox.h"

/* Escaped for people (host/escape.h) and at most `limit` bytes, with an ellipsis when cut. */
char *short_text(const char *text, size_t limit);

/*
 * What is open, in one clause: "9 of 51 open"; where nothing is kept out "no isolation found in 51
 * scenarios, 40 open", or, where only some were tried, "nothing kept out in these 3 scenarios, 2
 * open".
 */
char *report_open(const struct run *run);
/* What the sandbox keeps out: "Kept out by the sandbox (…): 12, and parts of 3 more." */
char *report_merit(const struct run *run);
/*
 * The outside of a result that is accessed in both: "same outside", or where the cases differ
 * "11 of 14 outside".
 */
char *report_open_outside(const struct result *result);
/* How it stands, in our own words only: completeness, the policy's verdict, what is open. */
char *report_standing(const struct run *run);
/*
 * What to look at first: what is open, worst first; where there is a policy, what violates it.
 * Fills at most `n` pointers and returns how many there are in all.
 */
unsigned report_findings(const struct run *run, const struct result *findings[], unsigned n);
/*
 * What comes after the first `shown` of them: "high: socket.vsock, tamper.login; 19 medium; 8 low";
 * "" where there is nothing more, or a policy whose violations are listed anyway.
 */
char *report_further(const struct run *run, unsigned shown);
/* "etc-shadow, root-home and 3 more": the open cases, worst first; "" for none. */
char *report_open_cases(const struct result *result, unsigned most);
/* "call: openat2; size: 1204", without times; "" for none. */
char *report_values(const json_t *object, unsigned most);
/* The evidence of the whole, or else of the worst open case, and the first object. */
char *report_seen(const struct result *result);
/* The next remedy in the sandbox's words, or NULL. `code` begins at 0 and is moved on. */
const char *report_remedy(const struct sandbox *sandbox, const struct catalogue_entry *entry,
			  unsigned *code);
/*
 * What a remedy that hides files leaves open: "affinity", the open cases that no file shows; ""
 * where there are none, or other remedies than that.
 */
char *report_left_open(const struct result *result);
/* How long it took, as "0.000212": a dot in every locale, nothing absurd. */
char *report_seconds(double seconds);
