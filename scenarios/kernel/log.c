/* SPDX-License-Identifier: MIT */
/*
 * Can the kernel's log be read? The call is asked for the size of its buffer, the device is opened
 * and closed; no message is read.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>

enum { CALL, DEVICE };
enum { SIZE_BUFFER = 10, NO_ACTION = 99 }; /* SYSLOG_ACTION_SIZE_BUFFER of syslog(2) */
#define KMSG 0x10b         /* the device's number, 1:11 */
#define SETTING "kernel.dmesg_restrict"

static const struct case_def cases[] = {
	[CALL] = { "call", NULL, 0, 0, 0 },
	[DEVICE] = { "device", "/dev/kmsg", 0, 0, 0 },
};

struct restriction {
	bool read, holds; /* the setting was; it keeps us from the log */
};

/* Both answer EPERM, and check it in the same place. */
static struct restriction ask_restriction(struct trial *trial, const struct attempt *a)
{
	struct restriction restriction = { false, false };
	int64_t value;

	if (attempt_worked(*a) || (a->reached && a->error != EPERM))
		return restriction;
	restriction.read = read_setting(trial, SETTING, &value);
	restriction.holds = restriction.read && value > 0;
	return restriction;
}

static struct attempt ask_log(struct trial *trial, int what)
{
	return try_call_as(trial, "vpv", "syslog", __NR_syslog, what, NULL, 0);
}

static void try_call_form(struct trial *trial)
{
	struct attempt a = ask_log(trial, SIZE_BUFFER), check = a;
	struct restriction by = ask_restriction(trial, &a);
	bool unread = a.reached && a.error == EPERM && !by.read;

	if (attempt_worked(a))
		note_number(trial, CALL, "bytes", a.value);
	/* Then the log is the emulator's own, and tells nothing of the machine. */
	if (attempt_worked(a) && kernel_is_emulated(trial))
		note_flag(trial, CALL, "emulated_kernel", true);
	/* K4: there is no such action, and only the privileged are told so. */
	if (unread)
		check = ask_log(trial, NO_ACTION);
	settle(trial, CALL, a, .check = &check,
	       .sysctl = by.holds && (a.reached || !has_capability(CAP_SYSLOG)) ? SETTING : NULL,
	       .capability = by.holds || unread ? NEEDS_CAP(CAP_SYSLOG) : 0);
}

static void try_device(struct trial *trial)
{
	const char *path = case_of(trial, DEVICE)->path;
	struct object object = { 0 };
	struct attempt looked = try_stat(trial, AT_FDCWD, path, 0, &object), a = looked;
	struct restriction by;
	bool permitted;

	/* Something else may stand there: a null device, an empty file, the console's node. */
	if (attempt_worked(looked) && object.rdev != KMSG)
		a = found_nothing(a);
	else if (attempt_worked(looked) || !looked.reached)
		a = try_node(trial, path);
	by = ask_restriction(trial, &a);
	permitted = a.reached && a.error == EPERM &&
		    ask_dac(trial, path, RIGHT_READ) == DAC_PERMITS;
	settle(trial, DEVICE, a, .path = path, .right = RIGHT_READ, .device = a.error == EACCES,
	       .sysctl = by.holds && permitted ? SETTING : NULL,
	       .capability = by.holds && permitted ? NEEDS_CAP(CAP_SYSLOG) : 0,
	       /* Neither mode nor setting: control groups, too, refuse devices by EPERM. */
	       .cgroup = permitted && by.read && !by.holds);
}

static void attempt(struct trial *trial)
{
	try_call_form(trial);
	try_device(trial);
}

static const struct question asks[] = {
	{ __NR_syslog, { SIZE_BUFFER } },
	{ __NR_syslog, { NO_ACTION } },
};

const struct scenario scenario_kernel_log = {
	.about = ABOUT(
		.title = "Read the kernel's log",
		.accessed = "Code in the sandbox can read the kernel's log.",
		.denied = "Code in the sandbox cannot read the kernel's log.",
		.why = "The log tells what hardware there is, what happens on the machine, and "
		       "sometimes addresses of the kernel, which help to exploit it.",
		.see = "T1654, CWE-532",
		.open = "O +SYSLOG +call:syslog",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.fix = FIX(MASK) | FIX(CAP),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
