/* SPDX-License-Identifier: MIT */
/*
 * Nodes whose drivers do much on request: virtual machines, file systems, networks, input. They are
 * opened for reading, asked for nothing and closed. Groups of devices, sound, cameras and keyboards
 * are only looked at: to open one may lock it, or be seen.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum {
	KVM,
	FUSE,
	TUN,
	VHOST,
	VFIO,
	VFIO_GROUP,
	LOOP_CONTROL,
	UINPUT,
	USERFAULTFD,
	VSOCK,
	MAPPER,
	SOUND,
	VIDEO,
	INPUT,
};

static const struct case_def cases[] = {
	[KVM] = { "kvm", "/dev/kvm", 0, 0, 0 },
	[FUSE] = { "fuse", "/dev/fuse", 0, 0, 0 },
	[TUN] = { "tun", "/dev/net/tun", 0, 0, 0 },
	[VHOST] = { "vhost", "/dev/vhost-*", 0, 0, 0 },
	[VFIO] = { "vfio", "/dev/vfio/vfio", 0, 0, 0 },
	[VFIO_GROUP] = { "vfio-group", "/dev/vfio/*", 0, 0, 0 },
	[LOOP_CONTROL] = { "loop-control", "/dev/loop-control", 0, 0, 0 },
	[UINPUT] = { "uinput", "/dev/uinput|/dev/input/uinput", 0, 0, 0 },
	[USERFAULTFD] = { "userfaultfd", "/dev/userfaultfd", 0, 0, 0 },
	[VSOCK] = { "vsock", "/dev/vsock", 0, 0, 0 },
	[MAPPER] = { "device-mapper", "/dev/mapper/control", 0, 0, 0 },
	[SOUND] = { "sound", "/dev/snd/*", 0, 0, 0 },
	[VIDEO] = { "video", "/dev/video*", 0, 0, 0 },
	[INPUT] = { "input", "/dev/input/event*", 0, 0, 0 },
};

static bool is_looked_at(int case_index)
{
	return case_index == VFIO_GROUP || case_index >= SOUND;
}

static void try_case(struct trial *trial, int i)
{
	enum node_way way = is_looked_at(i) ? NODE_LOOK : NODE_OPEN;
	bool more;
	char path[256];

	for (more = find_case(trial, i, path, sizeof path); more;
	     more = find_next_place(trial, case_of(trial, i)->path, path, sizeof path)) {
		/* The group's own control has its own case. */
		if (i == VFIO_GROUP && strcmp(path, case_of(trial, VFIO)->path) == 0) {
			settle(trial, i, found_in_process(false));
			continue;
		}
		if (!settle_node(trial, i, path, way, 0))
			continue;
		report_object(trial, case_of(trial, i)->name, path);
		return;
	}
}

static void attempt(struct trial *trial)
{
	for (int i = KVM; i <= INPUT; i++)
		try_case(trial, i);
}

const struct scenario scenario_device_control = {
	.about = ABOUT(
		.title = "Open devices that control the kernel",
		.accessed = "Code in the sandbox can open a device that makes the kernel act on "
			    "its behalf.",
		.denied = "Code in the sandbox cannot open any device that makes the kernel act "
			  "on its behalf.",
		.why = "Such drivers start virtual machines, answer for file systems, forge "
		       "packets or keys, watch and listen; and each of them is a large part of "
		       "the kernel to attack.",
		.see = "T1120, CWE-668",
		.open = "O +device:fuse",
		.closed = "O +node:fuse",
		.closed_by = BARRIER_BIT(BARRIER_CGROUP)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(DEV),
	CASES(cases),
	.attempt = attempt,
};
