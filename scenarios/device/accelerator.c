/* SPDX-License-Identifier: MIT */
/*
 * Graphics and other accelerators: nodes that may be opened (none is: that may wake a device), and
 * what an engine puts beside them – driver libraries mounted one by one, and the driver's version.
 */
#include "scenarios/scenario.h"

#include <linux/stat.h>

enum {
	NVIDIA,
	DISPLAY,
	COMPUTE,
	ACCEL,
	ASCEND,
	TENSTORRENT, /* nodes */
	LIBRARY,
	VERSION,
};

static const struct case_def cases[] = {
	[NVIDIA] = { "nvidia", "/dev/nvidia*", 0, 0, 0 },
	[DISPLAY] = { "dri", "/dev/dri/*", 0, 0, 0 },
	[COMPUTE] = { "kfd", "/dev/kfd", 0, 0, 0 },
	[ACCEL] = { "accel", "/dev/accel*", 0, 0, 0 },
	[ASCEND] = { "davinci", "/dev/davinci*", 0, 0, 0 },
	[TENSTORRENT] = { "tenstorrent", "/dev/tenstorrent/*", 0, 0, 0 },
	[LIBRARY] = { "driver-library", NULL, SEVERITY_LOW, 0, 0 },
	[VERSION] = { "driver-version", NULL, SEVERITY_LOW, 0, 0 },
};

static void try_nodes(struct trial *trial, int i)
{
	char path[256];
	bool more = find_case(trial, i, path, sizeof path);

	for (; more; more = find_next_place(trial, case_of(trial, i)->path, path, sizeof path)) {
		char inner[280];
		struct object object;

		/* /dev/dri/by-path, and /dev/accel that holds the nodes itself */
		format_text(inner, sizeof inner, "%s/.", path);
		if (attempt_worked(try_stat(trial, AT_FDCWD, inner, 0, &object))) {
			format_text(inner, sizeof inner, "%s/accel0", path);
			if (i != ACCEL ||
			    !attempt_worked(try_stat(trial, AT_FDCWD, inner, 0, &object))) {
				settle(trial, i, found_in_process(false));
				continue;
			}
			format_text(path, sizeof path, "%s", inner);
		}
		if (!settle_node(trial, i, path, NODE_LOOK, 0))
			continue;
		report_object(trial, case_of(trial, i)->name, path);
		return;
	}
}

/* A library in the image is a file of the image; what is mounted by itself came with a device. */
static void try_library(struct trial *trial, const char *path)
{
	struct object object;

	if (!attempt_worked(try_stat(trial, AT_FDCWD, path, 0, &object)))
		return;
	if (!(object.attributes_mask & STATX_ATTR_MOUNT_ROOT)) {
		settle_unknown(trial, LIBRARY, REASON_CONTROL_FAILED);
	} else if (object.attributes & STATX_ATTR_MOUNT_ROOT) {
		report_object(trial, "driver-library", path);
		settle(trial, LIBRARY, found_in_process(true));
	}
}

static void try_libraries(struct trial *trial)
{
	static const char *const folders[] = { "/usr/lib/x86_64-linux-gnu", "/usr/lib64",
					       "/usr/lib/aarch64-linux-gnu", "/usr/lib" };
	static const char *const names[] = { "libcuda.so.1", "libnvidia-ml.so.1",
					     "libhsa-runtime64.so.1", "libascend_hal.so" };
	char path[80];

	for (unsigned f = 0; f < sizeof folders / sizeof *folders; f++) {
		for (unsigned n = 0; n < sizeof names / sizeof *names; n++) {
			format_text(path, sizeof path, "%s/%s", folders[f], names[n]);
			try_library(trial, path);
		}
	}
	try_library(trial, "/usr/local/nvidia");
	try_library(trial, "/usr/local/Ascend/driver");
	settle(trial, LIBRARY, found_in_process(false));
}

static void try_versions(struct trial *trial)
{
	static const char *const files[] = {
		"/proc/driver/nvidia/version",     "/sys/module/nvidia/version",
		"/sys/module/amdgpu/version",      "/usr/local/Ascend/driver/version.info",
		"/sys/module/tenstorrent/version",
	};

	for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
		char byte;
		struct attempt a = try_read(trial, files[i], &byte, 1);

		if (a.value == 0)
			a = found_nothing(a);
		if (attempt_worked(a))
			report_object(trial, "driver-version", files[i]);
		settle(trial, VERSION, a, .path = files[i], .right = RIGHT_READ);
	}
}

static void attempt(struct trial *trial)
{
	for (int i = NVIDIA; i <= TENSTORRENT; i++)
		try_nodes(trial, i);
	try_libraries(trial);
	try_versions(trial);
}

const struct scenario scenario_device_accelerator = {
	.about = ABOUT(
		.title = "Reach an accelerator",
		.accessed = "Code in the sandbox can reach a graphics card or another "
			    "accelerator, or finds its driver's files put there for it.",
		.denied = "Code in the sandbox reaches no graphics card or other accelerator.",
		.why = "Their drivers are among the largest in the kernel, their memory may hold "
		       "what the job before left, and the engine's hook that puts them there has "
		       "been a way out itself.",
		.see = "T1120, CWE-668",
		.open = "B --dev-bind /dev/zero /dev/nvidia0",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_OBSERVE,
	.fix = FIX(DEV),
	CASES(cases),
	.attempt = attempt,
};
