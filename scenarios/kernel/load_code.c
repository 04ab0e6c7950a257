/* SPDX-License-Identifier: MIT */
/*
 * May code be loaded into the kernel, or another kernel be prepared? Each call is made with
 * arguments that the kernel refuses right after it has asked for the right to do it: EPERM is the
 * answer to those who may not. Nothing is loaded, unloaded or prepared.
 */
#include "scenarios/scenario.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>

enum { MODULE_BYTES, MODULE_FILE, MODULE_REMOVAL, KERNEL_PARTS, KERNEL_FILE };

static const struct case_def cases[] = {
	[MODULE_BYTES] = { "init-module", NULL, 0, 0, 0 },
	[MODULE_FILE] = { "finit-module", NULL, 0, 0, 0 },
	[MODULE_REMOVAL] = { "delete-module", NULL, 0, 0, 0 },
	[KERNEL_PARTS] = { "kexec-load", NULL, 0, 0, 0 },
	[KERNEL_FILE] = { "kexec-file-load", NULL, 0, 0, 0 },
};

/* Pointers that lead nowhere, no bytes, no descriptor, no such flags, too many parts. */
static const struct question calls[] = {
	[MODULE_BYTES] = { __NR_init_module, { 0, 0, 1 } },
	[MODULE_FILE] = { __NR_finit_module, { -1ul, 1, -1ul } },
	[MODULE_REMOVAL] = { __NR_delete_module, { 1, 0 } },
	[KERNEL_PARTS] = { __NR_kexec_load, { 0, -1ul, 0, 0xdead } },
	[KERNEL_FILE] = { __NR_kexec_file_load, { -1ul, -1ul, 0, 0, -1ul } },
};

static const struct {
	const char *name;
	int capability;
	const char *setting; /* once 1, it stays so, and nobody may */
} means[] = {
	[MODULE_BYTES] = { "init_module", CAP_SYS_MODULE, "kernel.modules_disabled" },
	[MODULE_FILE] = { "finit_module", CAP_SYS_MODULE, "kernel.modules_disabled" },
	[MODULE_REMOVAL] = { "delete_module", CAP_SYS_MODULE, "kernel.modules_disabled" },
	[KERNEL_PARTS] = { "kexec_load", CAP_SYS_BOOT, "kernel.kexec_load_disabled" },
	[KERNEL_FILE] = { "kexec_file_load", CAP_SYS_BOOT, "kernel.kexec_load_disabled" },
};

/* What the kernel says to these arguments, and to them alone, once the right is there. */
static bool passed_check(const struct attempt *a)
{
	return a->reached && (a->error == ENOEXEC || a->error == EINVAL || a->error == EFAULT ||
			      a->error == EBADF);
}

static void attempt(struct trial *trial)
{
	bool counted = kexec_is_counted(trial);

	for (int i = MODULE_BYTES; i <= KERNEL_FILE; i++) {
		struct attempt a;
		bool refused, held;
		int64_t disabled = 0;

		if (counted && i >= KERNEL_PARTS) {
			note_text(trial, i, "not_made", "kernel.kexec_load_limit_* would count it");
			settle_unknown(trial, i, REASON_CONTROL_FAILED);
			continue;
		}
		a = try_call_with(trial, means[i].name, calls[i].nr, calls[i].args);
		refused = !a.reached || a.error == EPERM;
		held = a.reached && has_capability(means[i].capability);
		if (refused)
			read_setting(trial, means[i].setting, &disabled);
		if (passed_check(&a)) {
			a.value = 0;
			note_flag(trial, i, "proxy", true);
		} else if (attempt_worked(a)) {
			/* Nothing can come of these arguments: somebody feigns. */
			settle_unknown(trial, i, REASON_CONTRADICTORY);
			continue;
		}
		settle(trial, i, a, .capability = NEEDS_CAP(means[i].capability),
		       .sysctl = disabled > 0 ? means[i].setting : NULL,
		       /* Only this call asks before it looks at its arguments. */
		       .module = i == KERNEL_PARTS && held && refused && disabled == 0 &&
						 is_locked_down(trial) ?
					 "lockdown" : NULL);
	}
}

const struct scenario scenario_kernel_load_code = {
	.about = ABOUT(
		.title = "Load code into the kernel",
		.accessed = "Code in the sandbox may load modules into the kernel, or replace the "
			    "kernel.",
		.denied = "Code in the sandbox may neither load modules into the kernel nor "
			  "replace it.",
		.why = "Code in the kernel stands above every boundary on the machine, this "
		       "sandbox's and all others'.",
		.see = "T1547.006, T1611",
		.open = "O +SYS_MODULE +SYS_BOOT "
			"+call:init_module,finit_module,delete_module,kexec_load,kexec_file_load",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_CAPABILITY) | BARRIER_BIT(BARRIER_SECCOMP)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.fix = FIX(CAP) | FIX(SEC),
	CASES(cases),
	ASKS(calls),
	.attempt = attempt,
};
