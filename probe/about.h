/* SPDX-License-Identifier: MIT */
/*
 * What a scenario says of itself, for those who read, and its tables of cases and questions. In the
 * small program those of all scenarios are one packed piece.
 */
#pragma once

#include "scenarios/registry.h"

/* Before anything else: from here on cases_of() and asks_of() hold. */
void about_unpack(void);
/* Of the registry's row `index`; in the small program without fixtures. Valid for ever. */
struct about about_scenario(unsigned index);

#ifdef COMPACT_RECORDS
/*
 * Written by tools/catalogue. The piece holds of each row: title, accessed, denied, why, how, see,
 * paper; then its cases, each a name, a path and a byte each for severity, level and the two halves
 * of kind; then its questions, each a call and its arguments, as numbers of seven bits a byte, the
 * low ones first. Texts end with a zero, and an empty one stands for none.
 */
extern const uint8_t about_packed[];
extern const unsigned about_packed_size, about_size;
extern char about_texts[];
extern struct case_def about_cases[];
extern struct question about_asks[];
#endif
