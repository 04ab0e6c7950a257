/* SPDX-License-Identifier: MIT */
/*
 * Can a process handle its own page faults? A descriptor for it is made and closed: one that stops
 * the kernel, too, when it touches such a page, and one that stops this process alone (Linux 5.11).
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>

enum { KERNEL_TOO, USER_ONLY };
#define USER_MODE_ONLY 1
#define SETTING "vm.unprivileged_userfaultfd"

static const struct case_def cases[] = {
	[KERNEL_TOO] = { "kernel-faults", NULL, SEVERITY_INHERIT, 0, 0 },
	[USER_ONLY] = { "user-faults", NULL, SEVERITY_INHERIT, 0, 0 },
};

static const struct question asks[] = {
	[KERNEL_TOO] = { __NR_userfaultfd, { O_CLOEXEC } },
	[USER_ONLY] = { __NR_userfaultfd, { O_CLOEXEC | USER_MODE_ONLY } },
};

static struct attempt make(struct trial *trial, int which)
{
	struct attempt a = try_call_as(trial, "v", "userfaultfd", __NR_userfaultfd,
				       question_of(trial, which)->args[0]);

	close_fd((int)a.value);
	return a;
}

static void attempt(struct trial *trial)
{
	struct attempt twin = make(trial, USER_ONLY), a = make(trial, KERNEL_TOO);
	int64_t allowed;
	/* Unread, the setting is told by EPERM for this flag alone: see userfaultfd(2). */
	bool told_by_twin = attempt_worked(twin) && a.reached;
	bool withheld = !attempt_worked(a) && (!a.reached || a.error == EPERM) &&
			(read_setting(trial, SETTING, &allowed) ? allowed == 0 : told_by_twin);

	settle(trial, KERNEL_TOO, a,
	       .sysctl = withheld && (a.reached || !has_capability(CAP_SYS_PTRACE)) ? SETTING :
										      NULL,
	       .capability = withheld ? NEEDS_CAP(CAP_SYS_PTRACE) : 0);
	/* Before Linux 5.11 there was no such flag. */
	settle(trial, USER_ONLY, twin, .lacking = twin.reached && twin.error == EINVAL);
}

const struct scenario scenario_kernel_userfaultfd = {
	.about = ABOUT(
		.title = "Handle page faults with userfaultfd",
		.accessed = "Code in the sandbox can handle its own page faults, and so make what "
			    "touches its memory wait.",
		.denied = "Code in the sandbox cannot handle page faults itself.",
		.why = "Whoever makes the kernel wait in the middle of its work has all the time "
		       "there is to win a race against it: many exploits of kernel flaws rest on "
		       "that.",
		.see = "T1068, CWE-362",
		.open = "B",
		.closed = "S(userfaultfd)",
		.closed_by = BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.fix = FIX(SEC),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
