/* SPDX-License-Identifier: MIT */
/*
 * A file server's control connection.
 */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	static const struct net_protocol ftp = { .ports = { 21 }, .request = "NOOP %s" };

	try_net(trial, WHOLE, &ftp);
}

const struct scenario scenario_network_ftp = {
	.about = ABOUT(
		.title = "Reach a file server by FTP",
		.accessed = "Code in the sandbox can talk to an FTP server outside.",
		.denied = "Code in the sandbox cannot reach an FTP server outside.",
		.why = "File transfer carries whole folders out and tools in, and filters made "
		       "for the web often forget it.",
		.see = "T1071.002, T1048.003",
		.paper = "FTP request",
		.open = "N",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_NO_ROUTE)),
	.severity = SEVERITY_MEDIUM,
	.level = LEVEL_TOUCH,
	.overlaps = true,
	.needs = NEEDS_WITNESS,
	.fix = FIX(NET),
	.attempt = attempt,
};
