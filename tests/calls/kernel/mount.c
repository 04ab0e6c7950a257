/* SPDX-License-Identifier: MIT */
/*
 * A mount that is made both shared and private: permitted or not is asked first, and then no
 * kernel can do it. A bad pointer will not do, for it is read before the permission is asked.
 */
#include <errno.h>
#include <linux/capability.h>
#include <sys/mount.h>

#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	struct attempt a = try_call(trial, "mount", __NR_mount, NULL, "/", NULL,
				    MS_SHARED | MS_PRIVATE, NULL);
	struct attempt check = a;

	if (a.reached && a.error == EINVAL)
		a.value = 0;
	settle(trial, WHOLE, a, .capability = NEEDS_CAP(CAP_SYS_ADMIN), .check = &check);
}

const struct scenario scenario_kernel_mount = {
	.about = ABOUT(
		.title = "Change a mount",
		.accessed = "The call is permitted.",
		.denied = "The call is refused.",
		.why = "A test of attribution."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_TOUCH,
	.fix = FIX(ONE),
	.attempt = attempt,
};
