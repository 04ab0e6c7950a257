/* SPDX-License-Identifier: MIT */
/*
 * Can a ring for system calls be had? The smallest one is made and closed; nothing is asked of it.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/resource.h>

#define SETTING "kernel.io_uring_disabled"
/* It is 1 for those without CAP_SYS_ADMIN who are not in kernel.io_uring_group, 2 for all. */
enum { FOR_MOST = 1, FOR_ALL = 2 };
/* Of memory that counts as locked: a page for the queues and one for their entries. */
#define LEAST_RING 8192

/* Zeroes ask for nothing special. The kernel fills it in: struct io_uring_params, 120 bytes. */
struct ring_request {
	uint32_t words[30];
};

static void attempt(struct trial *trial)
{
	struct ring_request request = { { 0 } };
	struct attempt a = try_call_as(trial, "vp", "io_uring_setup", __NR_io_uring_setup, 1,
				       &request);
	int64_t disabled = 0;
	bool withheld = !attempt_worked(a) && read_setting(trial, SETTING, &disabled) &&
			disabled >= FOR_MOST && (!a.reached || a.error == EPERM);

	close_fd((int)a.value);
	if (attempt_worked(a) && kernel_is_emulated(trial))
		note_flag(trial, WHOLE, "emulated_kernel", true);
	/* A member of the group is let in by 1, which only a call that was made tells. */
	if (!a.reached && disabled == FOR_MOST)
		withheld = false;
	settle(trial, WHOLE, a, .sysctl = withheld ? SETTING : NULL,
	       .rlimit = a.reached && a.error == ENOMEM &&
			 given_bound(trial, RLIMIT_MEMLOCK) < LEAST_RING,
	       .capability = withheld && disabled == FOR_MOST ? NEEDS_CAP(CAP_SYS_ADMIN) : 0);
}

static const struct question asks[] = { { __NR_io_uring_setup, { 1 } } };

const struct scenario scenario_kernel_io_uring = {
	.about = ABOUT(
		.title = "Use io_uring",
		.accessed = "Code in the sandbox can open an io_uring, to have system calls done "
			    "for it.",
		.denied = "Code in the sandbox cannot open an io_uring.",
		.why = "Work that is queued there is done by the kernel and never seen by the "
		       "filter of system calls; the code behind it has been a rich source of "
		       "kernel flaws.",
		.see = "T1068",
		.open = "B",
		.closed = "S(io_uring_setup)",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(SEC),
	ASKS(asks),
	.attempt = attempt,
};
