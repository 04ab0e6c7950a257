/* SPDX-License-Identifier: MIT */
/*
 * A run as rows of the history's tables, and back: the only place that knows the columns. What
 * is read back is as little trusted as what came from inside: an unknown word is `unknown`, a
 * broken object is empty.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "host/database.h"
#include "host/results.h"

/* The run's own row; its number is then the database's last row. */
bool history_record(struct database *database, const struct run *run, struct error *error);
bool history_record_results(struct database *database, int64_t number, const struct run *run,
			    struct error *error);
/* NULL: there is none, or it cannot be read. */
struct run *history_restore(struct database *database, int64_t number, struct error *error);
bool history_restore_results(struct database *database, int64_t number, struct run *run,
			     struct error *error);
