/* SPDX-License-Identifier: MIT */
/* What no trial may do: makes and changes files that are not its own. */
#include "scenarios/scenario.h"

#include <fcntl.h>

static void attempt(struct trial *trial)
{
	struct attempt a = try_open_at(trial, AT_FDCWD, "/etc/hosts", O_WRONLY | O_APPEND, 0);

	if (attempt_worked(a))
		try_write(trial, (int)a.value, "#", 1);
	close_fd((int)a.value);
	settle(trial, WHOLE, a);
}

const struct scenario scenario_planted_writes = {
	.about = ABOUT(
		.title = "Change a file of others",
		.accessed = "A file was changed.",
		.denied = "No file was changed.",
		.why = "The test of harmlessness must see it."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_TOUCH,
	.attempt = attempt,
};
