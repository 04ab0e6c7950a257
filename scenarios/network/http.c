/* SPDX-License-Identifier: MIT */
/*
 * The web: plain requests on the usual ports, and the port that encrypted ones take.
 */
#include "scenarios/scenario.h"

static void attempt(struct trial *trial)
{
	static const struct net_protocol http = { .ports = { 80, 8080, 443 },
						   .request = "GET /%s HTTP/1.0" };

	try_net(trial, WHOLE, &http);
}

const struct scenario scenario_network_http = {
	.about = ABOUT(
		.title = "Send a web request",
		.accessed = "Code in the sandbox can exchange web requests with a machine "
			    "outside.",
		.denied = "Code in the sandbox cannot reach a web server outside.",
		.why = "The web is the main way out: whatever the code read can be sent to any "
		       "site, and further code can be fetched.",
		.see = "T1071.001, T1041",
		.paper = "HTTP request",
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
