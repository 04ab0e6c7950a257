/* SPDX-License-Identifier: MIT */
/*
 * Barriers, drawn: the layers that a system call meets on its way into the kernel and out to the
 * network, in that order, and which of them were shown to refuse. One that was not shown to
 * refuse may have let the attempt pass, or was never asked: the drawing does not tell them apart.
 */
#pragma once

#include <stdio.h>

#include "host/results.h"

/* How an attempt fared in the sandbox and, where there is one, in the baseline. */
void html_layers_of(FILE *out, const struct result *result);
/* For the whole run: how much each layer refuses, and how much it alone. */
void html_layers_section(FILE *out, const struct run *run);
/* "dac, seccomp", or "unattributed" for none; each with its meaning as a title. */
void html_barriers(FILE *out, barrier_set set);
