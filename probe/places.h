/* SPDX-License-Identifier: MIT */
/* The scratch folders, found once by a guarded child, and what stays behind if a trial dies. */
#pragma once

#include "scenarios/scenario.h"

void places_make_view(void);
/* Removes named markers that killed trials left in scratch folders; false when one stays. */
bool places_sweep(void);
