/* SPDX-License-Identifier: MIT */
/* Touches 96 MiB: under a smaller memory limit the kernel ends it, and only it. */
#include <sys/mman.h>

#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	char *memory =
		mmap(NULL, 96 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		end_child(1);
	for (long i = 0; i < 96 << 20; i += 4096)
		memory[i] = 1;
	settle(trial, WHOLE, found_in_process(true));
}

const struct scenario scenario_faults_swell = {
	.about = ABOUT(
		.title = "Use much memory",
		.accessed = "The fault went unnoticed.",
		.denied = "The fault was taken for a refusal.",
		.why = "A test of the guard."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_OBSERVE,
	.fix = FIX(ONE),
	.attempt = attempt,
};
