/* SPDX-License-Identifier: MIT */
/*
 * What the probe says against what the witness saw. Of communication only an arrival counts:
 *
 *	probe says      witness saw it      witness saw nothing
 *	accessed        witnessed           unknown/contradictory
 *	anything else   unknown/contradictory   stays, self-reported
 *
 * A claim that is contradicted is no result, whichever side is wrong: a probe that lies, a
 * stranger who knows the token, an answer that was held back after the question had passed.
 */
#pragma once

#include "host/arrivals.h"
#include "host/results.h"

/* Is this a scenario that the witness has to testify to? */
bool needs_testimony(const struct catalogue_entry *entry);
/*
 * Judges the results, which stand by catalogue index, by what arrived from that place. NULL
 * arrivals: nobody watched, and a claim is unknown/no-witness.
 */
void testify(struct result results[], const struct arrivals *arrivals, const char *place);
/* ",witness.saw=ID+ID": what arrived from there, as a fact for the probe; "" for NULL; malloc'd. */
char *testimony_facts(const struct arrivals *arrivals, const char *place);
