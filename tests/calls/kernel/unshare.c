/* SPDX-License-Identifier: MIT */
/* A mount namespace, and a user namespace, each for a child of our own that ends with it. */
#include <linux/capability.h>
#include <sched.h>

#include "scenarios/kernel/own_child.h"

enum { MOUNT, USER };

static const struct case_def cases[] = {
	[MOUNT] = { "mount", NULL, 0, 0, 0 },
	[USER] = { "user", NULL, 0, 0, 0 },
};

static const struct question asks[] = {
	{ __NR_unshare, { CLONE_NEWNS } },
	{ __NR_unshare, { CLONE_NEWUSER } },
};

static struct attempt unshare_mount(struct trial *trial)
{
	return try_call(trial, "unshare", __NR_unshare, CLONE_NEWNS);
}

static struct attempt unshare_user(struct trial *trial)
{
	return try_call(trial, "unshare", __NR_unshare, CLONE_NEWUSER);
}

static bool none_are_allowed(struct trial *trial)
{
	char text[8] = "";
	struct attempt a = try_read(trial, "/proc/sys/user/max_user_namespaces", text,
				    sizeof text - 1);

	return a.value > 0 && text[0] == '0';
}

static void attempt(struct trial *trial)
{
	struct attempt user = in_own_child(trial, unshare_user);
	/* The bound may be an outer namespace's, whose setting is not ours to read. */
	bool bounded = (user.reached && user.error == ENOSPC) || none_are_allowed(trial);

	settle(trial, MOUNT, in_own_child(trial, unshare_mount),
	       .capability = NEEDS_CAP(CAP_SYS_ADMIN));
	settle(trial, USER, user, .sysctl = bounded ? "user.max_user_namespaces" : NULL);
}

const struct scenario scenario_kernel_unshare = {
	.about = ABOUT(
		.title = "Make namespaces",
		.accessed = "The call is permitted.",
		.denied = "The call is refused.",
		.why = "A test of attribution."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_TOUCH,
	.fix = FIX(ONE),
	CASES(cases),
	ASKS(asks),
	.attempt = attempt,
};
