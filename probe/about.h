/* SPDX-License-Identifier: MIT */
/*
 * What a scenario says of itself, for those who read. In the small program the texts of all of them
 * are one packed piece, unpacked when somebody asks.
 */
#pragma once

#include "scenarios/registry.h"

/* Of the registry's row `index`; in the small program without fixtures. Valid for ever. */
struct about about_scenario(unsigned index);
