/* SPDX-License-Identifier: MIT */
/*
 * The guarded child. What it promises, each line a unit test:
 *
 *	probe ──fork──▶ child (own group, dies with the probe, deadline, no core)
 *	  │               └─▶ grandchildren ──▶ reaped by the probe, its subreaper
 *	  └─ waits: pidfd + ppoll; refused: rt_sigtimedwait; refused: yields
 *
 *	- the child's group is set by both sides; a killed, hung or crashed child costs itself only;
 *	- after the deadline: kill group, kill child, bounded blocking reap, reap what escaped;
 *	- SIGSYS is told from other deaths, a deadline from a death;
 *	- stdio, descriptors, cwd and soft limits are changed only where `keep` does not forbid it;
 *	- where fork is refused in every form, guard_start says so and the caller decides.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum ending {
	ENDING_NOT_STARTED, /* fork refused in every form */
	ENDING_EXITED,
	ENDING_SIGNALLED,
	ENDING_SIGSYS, /* a filter killed it */
	ENDING_DEADLINE,
	ENDING_LOST, /* could not be waited for */
};

struct guard_options {
	unsigned keep;        /* enum keep */
	unsigned deadline_ms; /* wall clock */
	unsigned cpu_seconds; /* soft RLIMIT_CPU, 0: none */
};

struct cell {
	pid_t pid;
	int pidfd;
	int64_t deadline; /* monotonic, nanoseconds */
	int fork_error;   /* errno when not started */
	int signal, exit_code;
};

/* Once, before the first start: subreaper, SIGCHLD, SIGPIPE, a null device. */
void guard_prepare(void);
/* Starts work(context) in a guarded child. False: not started, cell->fork_error says why. */
bool guard_start(struct cell *cell, const struct guard_options *guard, void (*work)(void *),
		 void *context);
/* Waits for it until its deadline and ends what it left in its group. */
enum ending guard_finish(struct cell *cell);
/* Both: one child, start to end. */
enum ending guard_run(struct cell *cell, const struct guard_options *guard, void (*work)(void *),
		      void *context);
/* Reaps what escaped from earlier children; call it when no cell is running. False: one stays. */
bool guard_sweep(void);
/*
 * One look, without waiting: who ended, 0 or an error, as wait4 says; where a filter refuses or feigns
 * that call, as waitid says.
 */
long reap_once(pid_t pid, int *status);
/* Monotonic time in nanoseconds. */
int64_t now_ns(void);
/* Shared memory between the probe and its children, zeroed; NULL when refused. */
void *shared_memory(size_t size);
/* Makes a finished view read-only for all who come later. */
void seal_memory(void *memory, size_t size);
