/* SPDX-License-Identifier: MIT */
/*
 * Which scenarios run: --only and --skip, lists of ids and categories separated by commas; with
 * --paper the paper's alone.
 */
#pragma once

#include <stdbool.h>

#define SELECTION_MAX 1024

/* NULL when every element names an id or a category, else what is wrong. */
const char *selection_fault(const char *list);
/* Fills selected[] by the options; returns how many are selected. */
unsigned selection_make(bool selected[SELECTION_MAX]);
