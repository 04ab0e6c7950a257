/* SPDX-License-Identifier: MIT */
/*
 * Programs that the host starts. What is promised: own session, standard input empty unless a
 * file is named for it, output through bounded pipes, a deadline, and at the end nothing of it is
 * left: what escaped its group is found as subreaper, killed and reaped. Ctrl-C and SIGTERM only
 * set a flag, so that whoever is at work ends its child, undoes its own doings and returns.
 *
 *	interrupt_catch();
 *	struct child_plan plan = { .argv = argv, .seconds = 120, .output = feed, .context = wire };
 *	if (!child_run(&plan, &end, error))
 *		return false;                          could not be started
 *	if (end.how == CHILD_EXITED && end.code == 0) …
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "host/error.h"

#define CHILD_TAIL 2048 /* of what it wrote to standard error, the last bytes */

struct child_plan {
	char *const *argv;
	double seconds; /* wall clock, from start to end */
	/* Takes standard output as it comes; false: enough, end the child. NULL: dropped. */
	bool (*output)(void *context, const char *bytes, size_t n);
	void *context;
	const char *input; /* a file that it gets as standard input; NULL: nothing */
	/*
	 * Until it has printed something, neither an interrupt nor the deadline ends it, unless 10 s
	 * are over: for engines that would leave half a start behind.
	 */
	bool whole_start;
};

enum child_how {
	CHILD_EXITED,
	CHILD_SIGNALLED,
	CHILD_TIMED_OUT,
	CHILD_CUT_OFF,     /* the reader wanted no more */
	CHILD_INTERRUPTED, /* by Ctrl-C or SIGTERM to us */
};

struct child_end {
	enum child_how how;
	int code; /* exit status or signal */
	bool spoke; /* something came on standard output */
	double seconds;
	char errors[CHILD_TAIL]; /* the tail of standard error, as it came: hostile */
	size_t n_errors;
};

/* False: it could not be started at all. */
bool child_run(const struct child_plan *plan, struct child_end *ret_end, struct error *error);
/*
 * The same, but an interrupt waits for its end: for what could not be undone while half done, and
 * for the undoing. Even after an interrupt it runs.
 */
bool child_run_whole(const struct child_plan *plan, struct child_end *ret_end, struct error *error);
/* Runs an undoing to its end (at most 20 s), even after an interrupt. Its output is dropped. */
void child_undo(const char *const argv[]);
/* The first line of what a command prints (both streams), "" when there is none. */
bool child_first_line(const char *const argv[], char *ret_line, size_t size);
/* Is there such a program in $PATH? The path is malloc'd; NULL: no. */
char *program_find(const char *name);

/* A child of ours that lives beside those that are run, and is not to be ended with one of them. */
void child_spare(int pid);
void child_claim(int pid); /* the end of that */
/* Children that are there now were never ours: whoever execs us keeps its background jobs. */
void child_note_inherited(void);
/* Ends all others, and what becomes ours when they end. */
void child_end_rest(void);

/* From now on SIGINT, SIGTERM and SIGHUP are noted instead of deadly. */
void interrupt_catch(void);
bool interrupted(void);
/* The end of that: a signal is deadly again, and one that came last takes effect now. */
void interrupt_release(void);
