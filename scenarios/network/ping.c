/* SPDX-License-Identifier: MIT */
/*
 * An echo request, the smallest way out: a datagram socket of the ICMP kind, or a raw one.
 */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	static const struct net_protocol ping = { .kind = NET_ICMP };

	try_net(trial, WHOLE, &ping);
}

const struct scenario scenario_network_ping = {
	.about = ABOUT(
		.title = "Ping another machine",
		.accessed = "Code in the sandbox can send echo requests to a machine outside.",
		.denied = "Code in the sandbox cannot send echo requests to a machine outside.",
		.why = "An echo request shows which machines are there, and its payload can carry "
		       "data past a filter that only looks at TCP and UDP.",
		.see = "T1095",
		.paper = "Ping",
		.open = "N +ping",
		.closed = "N",
		.closed_by = BARRIER_BIT(BARRIER_CAPABILITY) | BARRIER_BIT(BARRIER_SYSCTL)),
	.severity = SEVERITY_LOW,
	.level = LEVEL_TOUCH,
	.overlaps = true,
	.needs = NEEDS_WITNESS,
	.fix = FIX(NET),
	.attempt = attempt,
};
