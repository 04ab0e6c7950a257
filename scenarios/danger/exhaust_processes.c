/* SPDX-License-Identifier: MIT */
/*
 * Is the number of processes bounded? Only what is declared is read, nothing is started. The
 * kernel gives every account a limit of some ten thousand, which does not stop a fork storm from
 * taking the machine, so only a bound below 4,096 counts; and whoever the kernel exempts from the
 * limit (the machine's own uid 0, wherever a namespace maps it) is not bounded by it.
 */
#include "scenarios/scenario.h"

#include <sys/resource.h>

#define CEILING 4096

/*
 * K8: with the limit lowered to nothing, in our own child, starting one more process fails only
 * for those whom it binds. No file would tell: an id map does not show whose 0 its 0 is.
 */
static struct attempt try_with_limit_of_none(struct trial *trial)
{
	const struct given_limit *given = &origin()->limits[RLIMIT_NPROC];
	uint64_t none[2] = { 0, given->hard }, before[2] = { given->soft, given->hard };
	struct attempt a = try_call(trial, "prlimit64", __NR_prlimit64, 0, RLIMIT_NPROC, none, 0);

	if (!attempt_worked(a))
		return a;
	a = try_fork(trial);
	if (a.value == 0)
		end_child(0);
	if (a.value > 0)
		wait_child(trial, (pid_t)a.value, 500);
	/* Where no child could be made for the trial we are the probe itself. */
	try_call(trial, "prlimit64", __NR_prlimit64, 0, RLIMIT_NPROC, before, 0);
	return a;
}

/* Sets `ret_told` to false when it could not be found out. */
static bool rlimit_binds(struct trial *trial, bool *ret_told)
{
	struct attempt a;
	uint64_t given = origin()->limits[RLIMIT_NPROC].hard;

	*ret_told = true;
	if (given != UINT64_MAX)
		note_number(trial, WHOLE, "rlimit_nproc", (int64_t)given);
	if (given >= CEILING)
		return false;
	if (trial_level(trial) < LEVEL_TOUCH) {
		*ret_told = false;
		return false;
	}
	a = try_with_limit_of_none(trial);
	*ret_told = attempt_worked(a) || a.error == 11; /* EAGAIN */
	if (*ret_told)
		note_flag(trial, WHOLE, "rlimit_binds", !attempt_worked(a));
	return *ret_told && !attempt_worked(a);
}

static void attempt(struct trial *trial)
{
	static const char *const files[] = { "pids.max" };
	struct group_bound group = find_group_bound(trial, "pids", files, 1);
	bool told, binds = rlimit_binds(trial, &told);

	if (!told && group.value >= CEILING)
		settle_unknown(trial, WHOLE, trial_level(trial) < LEVEL_TOUCH ? REASON_LEVEL :
									REASON_CONTROL_FAILED);
	else
		settle_bound(trial, WHOLE, binds, group.value < CEILING, &group);
}

const struct scenario scenario_danger_exhaust_processes = {
	.title = "Exhaust the processes",
	.accessed = "Code in the sandbox may start thousands of processes, as far as bounds can be "
		    "seen from inside.",
	.denied = "Code in the sandbox has the number of its processes bounded below 4,096.",
	.why = "A program that only copies itself takes all process numbers and all processor time "
	       "within seconds, and nobody can log in to stop it.",
	.see = "T1499.001, CWE-770",
	.paper = "Exhaust processes",
	.ours = true,
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(PRC),
	.open = "U",
	.closed = "O",
	.closed_by = BARRIER_BIT(BARRIER_CGROUP),
	.attempt = attempt,
};
