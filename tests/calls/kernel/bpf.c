/* SPDX-License-Identifier: MIT */
/* A map of one element, closed at once. A capability permits it, or a setting permits it to all. */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/capability.h>

#include "scenarios/scenario.h"

#define SETTING "kernel.unprivileged_bpf_disabled"

static bool setting_is_on(struct trial *trial)
{
	char text[8] = "";
	struct attempt a = try_read(trial, "/proc/sys/kernel/unprivileged_bpf_disabled", text,
				    sizeof text - 1);

	return a.value > 0 && text[0] != '0';
}

static void attempt(struct trial *trial)
{
	uint32_t map[] = { BPF_MAP_TYPE_ARRAY, 4, 8, 1, 0 }; /* type, sizes, elements, flags */
	struct attempt a = try_call(trial, "bpf", __NR_bpf, BPF_MAP_CREATE, map, sizeof map);
	bool held = has_capability(CAP_BPF) || has_capability(CAP_SYS_ADMIN);
	/* Held and yet refused: it does not count here, so the setting refuses too. */
	bool counts = held && !(a.reached && a.error == EPERM);

	close_fd((int)a.value);
	settle(trial, WHOLE, a, .capability = NEEDS_CAP(CAP_BPF),
	       .sysctl = !counts && setting_is_on(trial) ? SETTING : NULL);
}

const struct scenario scenario_kernel_bpf = {
	.about = ABOUT(
		.title = "Make a BPF map",
		.accessed = "The call is permitted.",
		.denied = "The call is refused.",
		.why = "A test of attribution."),
	.severity = SEVERITY_INFO,
	.level = LEVEL_TOUCH,
	.fix = FIX(ONE),
	.attempt = attempt,
};
