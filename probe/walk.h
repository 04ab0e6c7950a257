/* SPDX-License-Identifier: MIT */
/*
 * The one tree walk: from "/" ten levels, no links followed, no pseudo or network file systems,
 * at most 3 s, 0.75 CPU-seconds and 1,000,000 entries. Runs in its own guarded child; every
 * selected scenario with a visit() counts into its own tally.
 */
#pragma once

#include "scenarios/scenario.h"

void walk_make_view(const bool selected[]);
