/* SPDX-License-Identifier: MIT */
/* Fills the record that origin() of scenario.h returns. Called once, before the first fork. */
#pragma once

/* `program` is argv[0], which may be NULL. */
void origin_record(char **environment, const char *program);
/* The filter oracle found that somebody traces us. */
void origin_mark_traced(void);
