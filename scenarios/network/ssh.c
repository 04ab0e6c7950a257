/* SPDX-License-Identifier: MIT */
/*
 * A remote shell's connection, up to its identification line.
 */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	static const struct net_protocol ssh = { .ports = { 22 },
						  .request = "SSH-2.0-sandboxeval_%s" };

	try_net(trial, WHOLE, &ssh);
}

const struct scenario scenario_network_ssh = {
	.about = ABOUT(
		.title = "Reach another machine by SSH",
		.accessed = "Code in the sandbox can open an SSH connection to a machine outside.",
		.denied = "Code in the sandbox cannot reach an SSH server outside.",
		.why = "A remote shell controls other machines where a key is at hand, and its "
		       "tunnels hide whatever they carry.",
		.see = "T1021.004",
		.paper = "SSH request",
		.open = "N",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_NO_ROUTE)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.overlaps = true,
	.needs = NEEDS_WITNESS,
	.fix = FIX(NET),
	.attempt = attempt,
};
