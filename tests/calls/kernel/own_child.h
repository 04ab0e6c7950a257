/* SPDX-License-Identifier: MIT */
/* For calls that change the process that makes them: in a child, which tells what happened. */
#pragma once

#include <errno.h>
#include <sys/mman.h>

#include "scenarios/scenario.h"

static inline struct attempt in_own_child(struct trial *trial,
					  struct attempt (*act)(struct trial *trial))
{
	struct attempt *told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct attempt child;

	if (told == MAP_FAILED)
		return (struct attempt){ .value = -1, .error = ECANCELED, .nr = -1, .reached = true };
	*told = (struct attempt){ .value = -1, .error = ECANCELED, .nr = -1, .reached = true };
	child = try_fork(trial);
	if (child.value == 0) {
		*told = act(trial);
		end_child(0);
	}
	if (!attempt_worked(child))
		return child;
	wait_child(trial, (pid_t)child.value, 1000);
	return *told;
}
