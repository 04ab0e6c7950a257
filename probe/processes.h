/* SPDX-License-Identifier: MIT */
/*
 * The view of processes: who is there, whose it is and how it stands to us, found once in a guarded
 * child. Only status files are read, and only signal 0 is sent.
 */
#pragma once

#include <stdbool.h>

/* Makes the view if a selected scenario declares it. */
void processes_make_view(const bool selected[]);
