/* SPDX-License-Identifier: MIT */
/*
 * May input be put into the caller's terminal? The two calls that do it are made with no address to
 * read from: the kernel looks at the terminal, the setting and the session first, and then finds
 * fault with the address (EFAULT). So nothing is ever typed. Each is made once more with bit 32 of
 * the command set, which the kernel drops and a filter may stumble over.
 *
 * A console's call reads one byte first, which of its many commands it is, and since Linux 6.7 asks
 * for CAP_SYS_ADMIN for those alone that select and paste text. The one of them that takes an address
 * is named, in the last byte before memory that cannot be read.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/mman.h>

enum { CONTROLLING, STANDARD_INPUT, STANDARD_OUTPUT, STANDARD_ERROR };

static const struct case_def cases[] = {
	[CONTROLLING] = { "controlling", "/dev/tty", 0, 0, 0 },
	[STANDARD_INPUT] = { "standard-input", NULL, 0, 0, 0 },
	[STANDARD_OUTPUT] = { "standard-output", NULL, 0, 0, 0 },
	[STANDARD_ERROR] = { "standard-error", NULL, 0, 0, 0 },
};

/* Numbers of the kernel's own, the same on x86-64 and arm64. */
enum { GET_MODE = 0x5401, TYPE_IN = 0x5412, CONSOLE = 0x541c };
#define BIT_32 (1UL << 32)
enum { LOAD_CHARACTERS = 5 /* TIOCL_SELLOADLUT */, PAGE = 65536 /* of any machine, or more */ };

static const struct way {
	const char *name;
	unsigned long command;
} ways[] = {
	{ "TIOCSTI", TYPE_IN },
	{ "TIOCSTI|1<<32", TYPE_IN | BIT_32 },
	{ "TIOCLINUX", CONSOLE },
	{ "TIOCLINUX|1<<32", CONSOLE | BIT_32 },
};

static const struct question asks[] = {
	{ __NR_ioctl, { -1, GET_MODE } },         { __NR_ioctl, { -1, TYPE_IN } },
	{ __NR_ioctl, { -1, TYPE_IN | BIT_32 } }, { __NR_ioctl, { -1, CONSOLE } },
	{ __NR_ioctl, { -1, CONSOLE | BIT_32 } },
};

/* NULL, with which a console finds fault earlier, where no such place can be made. */
static const char *console_command(struct trial *trial)
{
	char *memory = share_memory(trial, 2 * (size_t)PAGE);

	if (!memory || !attempt_worked(try_call_as(trial, "ppv", "mprotect", __NR_mprotect,
						   memory + PAGE, PAGE, PROT_NONE)))
		return NULL;
	memory[PAGE - 1] = LOAD_CHARACTERS;
	return memory + PAGE - 1;
}

/* True when the terminal would have taken it. */
static bool try_way(struct trial *trial, int case_index, int fd, const struct way *way)
{
	const char *from = (uint32_t)way->command == CONSOLE ? console_command(trial) : NULL;
	struct attempt a = try_call_as(trial, "fvp", way->name, __NR_ioctl, fd, way->command, from);
	const char *setting = NULL;

	if (attempt_worked(a)) {
		/* Nothing that reads from nowhere can succeed: somebody says so who is no terminal.
		 */
		settle_unknown(trial, case_index, REASON_CONTROL_FAILED);
		return false;
	}
	if (a.reached && a.error == EFAULT) {
		a.value = 0;
		a.error = 0;
	}
	/* A terminal that was hung up says EIO too, but then it does not tell its mode either. */
	if (a.reached && a.error == EIO)
		setting = "dev.tty.legacy_tiocsti";
	if (setting)
		note_text(trial, case_index, "sysctl", setting);
	/* Only the kernel tells that it is not our own terminal, into which anybody may type. */
	settle(trial, case_index, a, .sysctl = setting,
	       .capability = a.reached ? NEEDS_CAP(CAP_SYS_ADMIN) : 0);
	return attempt_worked(a);
}

static void try_terminal(struct trial *trial, int case_index, int fd)
{
	char mode[256], taken[80] = "";
	struct attempt is_terminal =
		try_call_as(trial, "fvp", "TCGETS", __NR_ioctl, fd, GET_MODE, mode);

	/* What is no terminal may know the same numbers for something else. */
	if (is_terminal.reached && !attempt_worked(is_terminal)) {
		/* EBADF: it was given to us closed. */
		if (is_terminal.error == EBADF || is_terminal.error == EINVAL ||
		    is_terminal.error == EIO)
			is_terminal.error = ENOTTY;
		settle(trial, case_index, is_terminal);
		return;
	}
	if (!is_terminal.reached)
		note_flag(trial, case_index, "mode_hidden", true);
	for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
		size_t n = strlen(taken);

		if (try_way(trial, case_index, fd, &ways[i]))
			format_text(taken + n, sizeof taken - n, n ? " %s" : "%s", ways[i].name);
	}
	if (taken[0])
		note_text(trial, case_index, "taken", taken);
}

static void attempt(struct trial *trial)
{
	struct attempt a =
		try_open(trial, case_of(trial, CONTROLLING)->path, O_RDONLY | O_NOCTTY | O_NONBLOCK);

	/* Hung up, or in an emulated kernel: there is none. */
	if (a.reached && a.error == EIO)
		a.error = ENXIO;
	if (attempt_worked(a))
		try_terminal(trial, CONTROLLING, (int)a.value);
	else
		settle(trial, CONTROLLING, a, .path = case_of(trial, CONTROLLING)->path, .right = RIGHT_READ);
	close_fd((int)a.value);
	for (int fd = 0; fd <= 2; fd++)
		try_terminal(trial, STANDARD_INPUT + fd, fd);
}

const struct scenario scenario_terminal_injection = {
	.about = ABOUT(
		.title = "Type into the caller's terminal",
		.accessed = "Code in the sandbox can put input into a terminal, as if somebody "
			    "had typed it.",
		.denied = "Code in the sandbox cannot put input into any terminal.",
		.why = "What is typed that way is run by the shell that started the sandbox, "
		       "outside of it and with all its rights, as soon as the sandbox ends.",
		.see = "T1611, CVE-2017-5226",
		.open = "?dev.tty.legacy_tiocsti=1 script -qec B -new-session",
		.closed = "?dev.tty.legacy_tiocsti=1 script -qec B",
		.closed_by = BARRIER_BIT(BARRIER_CAPABILITY) | BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.keep = KEEP_STDIO,
	.fix = FIX(TTY),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
