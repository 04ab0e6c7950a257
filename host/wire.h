/* SPDX-License-Identifier: MIT */
/*
 * The reader of what the probe prints. All of it is hostile: it is bounded in bytes, lines, line
 * length and depth, strictly typed, and every text is cleaned. It does no input or output.
 *
 *	struct wire *wire = wire_new(planned);
 *	while (…)
 *		if (!wire_feed(wire, bytes, n))
 *			break;                          a bound is reached: end the launch
 *	const struct wire_result *result = wire_end(wire);
 *	…
 *	wire_free(wire);
 *
 * Whatever is not as the contract says is a fault, a sentence: a run with a fault is incomplete.
 * Lines that do not pretend to be ours (a banner, a warning) are foreign output: kept, harmless.
 * What was said twice or in two ways is believed in neither.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "host/results.h"

#define WIRE_MOST_BYTES ((size_t)16 << 20)
#define WIRE_LONGEST_LINE ((size_t)1 << 20)
#define WIRE_MOST_LINES 20000u
#define WIRE_FOREIGN_KEPT 3

struct wire_result {
	bool header, footer;
	bool clean; /* the footer's word; false without one */
	char *probe_version, *probe_arch;
	json_t *origin;
	/* By catalogue index. results[i].arrived tells whether there is one; entry is always set. */
	struct result *results;
	bool *tried; /* announced by a "try" line */
	unsigned n_arrived;
	unsigned n_tried;
	char **faults;       /* sentences without full stop, NULL-terminated; may be NULL */
	unsigned n_faults;   /* all of them; the first 16 are kept */
	unsigned n_foreign;  /* lines that are not ours */
	char *foreign[WIRE_FOREIGN_KEPT]; /* the first, cleaned and cut */
};

struct wire;

/* `planned`: by catalogue index, what this launch was asked to try. */
struct wire *wire_new(const bool planned[]);
/* False when a bound is reached; more bytes are then ignored. */
bool wire_feed(struct wire *wire, const char *bytes, size_t n);
/* The end of the output. The result stays the wire's; take what you need out of it. */
struct wire_result *wire_end(struct wire *wire);
/* How many results are there so far: for progress. */
unsigned wire_arrived(const struct wire *wire);
void wire_free(struct wire *wire);
/* Releases a result's content and makes it an empty one of the same entry (unknown/no-report). */
void wire_result_reset(struct result *result, const struct catalogue_entry *entry);
