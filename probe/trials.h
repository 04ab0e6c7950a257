/* SPDX-License-Identifier: MIT */
/*
 * Running trials: each in a guarded child, those that wait beside each other, and what the
 * child's end says where the trial said nothing.
 */
#pragma once

#include "probe/trial.h"
#include "probe/wire.h"

/* Runs the selected scenarios in the registry's order, printing each; adds to `totals`. */
void trials_run(const bool selected[], struct totals *totals);
/* A record to lend to a view; NULL when there is no memory for one. */
struct record *trials_record(void);
/* What the probe could have left behind: false when something stayed. */
bool trials_clean(void);
/* Notes the state to compare with; once, before the first trial. */
void trials_prepare(void);
