/* SPDX-License-Identifier: MIT */
/*
 * What the probe prints: one JSON object a line, or a table for people. Everything goes through
 * one buffer to descriptor 1; a lost byte (closed pipe, full disk) is remembered, never fatal.
 */
#pragma once

#include "probe/trial.h"

struct totals {
	unsigned planned, trials, accessed, denied, unknown;
};

void wire_header(unsigned planned);
void wire_try(const char *id);
void wire_trial(const struct trial *trial, double seconds);
void wire_footer(const struct totals *totals, bool clean, double seconds);
/* --list, --explain ID, --plan, --help, --version: text for people. */
void wire_list(void);
bool wire_explain(const char *id);
void wire_plan(const bool selected[]);
void wire_help(void);
void wire_version(void);
/* Flushes; false when some output was lost. */
bool wire_end(void);
