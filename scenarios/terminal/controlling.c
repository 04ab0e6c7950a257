/* SPDX-License-Identifier: MIT */
/*
 * Does a terminal belong to the sandbox that others look at: the controlling one, of a session that
 * somebody else leads, or one of the three standard descriptors? They are looked at, and nothing is
 * written to them but the report that everybody sees anyway.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <sys/stat.h>

enum { CONTROLLING, STANDARD_INPUT, STANDARD_OUTPUT, STANDARD_ERROR };

static const struct case_def cases[] = {
	[CONTROLLING] = { "controlling", "/dev/tty", 0, 0, 0 },
	[STANDARD_INPUT] = { "standard-input", NULL, 0, 0, 0 },
	[STANDARD_OUTPUT] = { "standard-output", NULL, 0, 0, 0 },
	[STANDARD_ERROR] = { "standard-error", NULL, 0, 0, 0 },
};

enum { GET_MODE = 0x5401, TTY = 0x500 /* 5:0, the kernel's own number of /dev/tty */ };

static const struct question asks[] = { { __NR_ioctl, { -1, GET_MODE } },
					{ __NR_getsid, { 0x7fffffff } } };

/* "own", "outside" (of this process namespace: number 0), "other"; NULL: not told. */
static const char *leader_of_session(struct trial *trial)
{
	struct attempt a = try_call_as(trial, "i", "getsid", __NR_getsid, 0);

	if (!attempt_worked(a))
		return NULL;
	if (a.value == 0)
		return "outside";
	return a.value == origin()->pid ? "own" : "other";
}

static void look_at_controlling(struct trial *trial)
{
	const char *path = case_of(trial, CONTROLLING)->path, *leader;
	struct attempt a = try_open(trial, path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
	struct object object;

	/* Something else may lie over it. */
	if (attempt_worked(try_stat(trial, (int)a.value, "", AT_EMPTY_PATH, &object)) &&
	    (!S_ISCHR(object.mode) || object.rdev != TTY)) {
		close_fd((int)a.value);
		settle(trial, CONTROLLING, found_nothing(a), .path = path);
		return;
	}
	close_fd((int)a.value);
	/* Hung up, or in an emulated kernel: there is none. */
	if (a.reached && a.error == EIO)
		a.error = ENXIO;
	if (attempt_worked(a)) {
		leader = leader_of_session(trial);
		note_text(trial, CONTROLLING, "session_leader", leader ? leader : "unknown");
		/* It was made for us alone: nobody else's session is spoken to. */
		if (leader && leader[1] == 'w')
			a = found_nothing(a);
	}
	settle(trial, CONTROLLING, a, .path = path, .right = RIGHT_READ);
}

/*
 * The file itself, where the call is refused. Device numbers of terminals, by the kernel's list:
 * consoles, serial lines, pseudo-terminals.
 */
static struct attempt look_at_file(struct trial *trial, int fd)
{
	static const struct {
		unsigned first, last;
	} majors[] = { { 4, 5 }, { 136, 143 }, { 188, 188 }, { 204, 204 }, { 229, 229 } };
	struct object object;
	struct attempt a = try_stat(trial, fd, "", AT_EMPTY_PATH, &object);
	unsigned major = object.rdev >> 8 & 0xfff;

	for (unsigned i = 0; attempt_worked(a) && i < sizeof majors / sizeof *majors; i++)
		if (S_ISCHR(object.mode) && major >= majors[i].first && major <= majors[i].last)
			return a;
	return attempt_worked(a) ? found_nothing(a) : a;
}

static void look_at_descriptor(struct trial *trial, int fd)
{
	char mode[256];
	struct attempt a = try_call_as(trial, "fvp", "TCGETS", __NR_ioctl, fd, GET_MODE, mode);

	/* Not to be told what it is keeps nobody from writing to it. */
	if (!a.reached)
		a = look_at_file(trial, fd);
	/* Closed, hung up, or something that knows no such call: no terminal. */
	if (a.reached && (a.error == EBADF || a.error == EINVAL || a.error == EIO))
		a.error = ENOTTY;
	if (!a.reached)
		settle_unknown(trial, STANDARD_INPUT + fd, REASON_CONTROL_FAILED);
	else
		settle(trial, STANDARD_INPUT + fd, a);
}

static void attempt(struct trial *trial)
{
	look_at_controlling(trial);
	for (int fd = 0; fd <= 2; fd++)
		look_at_descriptor(trial, fd);
}

const struct scenario scenario_terminal_controlling = {
	.about = ABOUT(
		.title = "Reach the caller's terminal",
		.accessed = "Code in the sandbox has a terminal that others look at.",
		.denied = "Code in the sandbox has no terminal, or one that was made for it "
			  "alone.",
		.why = "What is written to a terminal is obeyed by it: escape sequences change "
		       "its title, fake its contents, and make some terminals answer as if "
		       "somebody had typed.",
		.see = "CWE-150",
		.open = "script -qec B -new-session",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.keep = KEEP_STDIO,
	.fix = FIX(TTY),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
