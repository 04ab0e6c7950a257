/* SPDX-License-Identifier: MIT */
/*
 * A policy's judgement of a run, for people: in the opening sentence, and as lists of what
 * violates, what was not measured and what is waived, each with the rule that decided.
 */
#pragma once

#include "host/results.h"
#include "host/screen.h"

/* "violates the policy ci-runner in 3 of 51;"; nothing where nobody judged. */
void judged_text_standing(const struct screen *screen, const struct run *run);
/* The lists, each after an empty line. False: memory ran out. */
bool judged_text_lists(const struct screen *screen, const struct run *run);
/*
 * One line for standard error where no report for people is printed: what violates or is not
 * known. Nothing where the policy is satisfied.
 */
void judged_text_line(const struct screen *screen, const struct run *run);
