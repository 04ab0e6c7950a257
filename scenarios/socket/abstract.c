/* SPDX-License-Identifier: MIT */
/*
 * Unix sockets without a file: their names live in the network namespace, where no mode and no
 * mount keeps anybody away from them.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = {
	{ "x11", "@/tmp/.X11-unix/X*|@/tmp/.ICE-unix/*", 0, 0, 0 },
	{ "dbus", "@/tmp/dbus-*|@dbus-*|@*/dbus-*", 0, 0, 0 },
	{ "containerd-shim", "@/containerd-shim/*|@*containerd*shim*", SEVERITY_CRITICAL, 0, 0 },
	{ "other", "@*", 0, 0, 0 },
};

static void attempt(struct trial *trial)
{
	settle_sockets(trial);
}

const struct scenario scenario_socket_abstract = {
	.about = ABOUT(
		.title = "Reach abstract Unix sockets",
		.accessed = "Code in the sandbox can connect to abstract Unix sockets of programs "
			    "outside.",
		.denied = "Code in the sandbox cannot connect to any abstract Unix socket.",
		.why = "Abstract sockets ask for no right to a file: whoever shares the network "
		       "namespace connects. A container engine could be commanded so "
		       "(CVE-2020-15257).",
		.see = "T1559, CVE-2020-15257",
		.open = "B +abstract:sandboxeval-test --share-net",
		.closed = "B +abstract:sandboxeval-test",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.compares = true,
	.views = VIEW_SOCKETS,
	.fix = FIX(NET),
	CASES(cases),
	.attempt = attempt,
};
