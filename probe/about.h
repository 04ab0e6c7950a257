/* SPDX-License-Identifier: MIT */
/*
 * What a scenario says of itself, for those who read, and the tables of cases. In the small program
 * those of all scenarios are one packed piece.
 */
#pragma once

#include "scenarios/registry.h"

/* Before anything else: from here on cases_of() holds. */
void about_unpack(void);
/* Of the registry's row `index`; in the small program without fixtures. Valid for ever. */
struct about about_scenario(unsigned index);
