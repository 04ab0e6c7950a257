/* SPDX-License-Identifier: MIT */
/*
 * The results for people at a terminal: --format text, and --paper in the paper's grouping and
 * words. Rows come one by one, so the widths are fixed by the catalogue and not by the results.
 */
#pragma once

#include "probe/wire.h"

void table_header(void);
void table_row(const struct trial *trial);
void table_footer(const struct totals *totals, bool clean);
