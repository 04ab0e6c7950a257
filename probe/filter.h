/* SPDX-License-Identifier: MIT */
/*
 * K1, the filter oracle: what does the outer system-call filter answer to a call, asked without
 * making the call? See filter.c for how. The view holds the answers to all questions that the
 * usual attempts and the selected scenarios ask, made once; others are asked when they come.
 */
#pragma once

#include "scenarios/scenario.h"

/* How the oracle works here. */
enum oracle {
	ORACLE_UNTRIED,
	ORACLE_LISTENER,   /* the full form: tells even an outer ENOSYS from the kernel's */
	ORACLE_TRACE,      /* no listener: an outer ENOSYS cannot be seen */
	ORACLE_SUPERVISED, /* an outer notify agent: asked per trial, in the trace form */
	ORACLE_NO_FILTER,  /* cannot be asked, but the process has no filter */
	ORACLE_TRACED,     /* a tracer sees every call: the oracle says nothing */
	ORACLE_BROKEN,     /* seccomp(2) refused, or the fact filter=off */
};
const char *oracle_name(enum oracle oracle);

/* Makes the view: asks the usual questions and those of the selected scenarios. */
void filter_make_view(const bool selected[]);
enum oracle filter_oracle(void);
/*
 * A call that met ENOSYS although the oracle lets it pass: is that the filter's doing, which waits for
 * a tracer or an agent that is not there?
 */
bool filter_hides(long nr);
/* A number that the filter cannot be asked about, as the call would be made. */
bool filter_never_asks(unsigned nr);
/* A call that killed a trial (SIGSYS) is not made again: it is treated as refused. */
void filter_mark_lethal(long nr);
