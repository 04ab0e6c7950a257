/* SPDX-License-Identifier: MIT */
/*
 * Chat and message services, by their usual ports. Variables that look like hooks are evidence,
 * by name.
 */
#include "scenarios/scenario.h"

#include <string.h>

static bool looks_like_a_hook(const char *name)
{
	static const char *const parts[] = { "WEBHOOK", "HOOK_URL", "SLACK_",    "DISCORD_",
					     "TELEGRAM_", "TEAMS_",  "MATTERMOST_" };

	for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strstr(name, parts[i]))
			return true;
	return false;
}

static void attempt(struct trial *trial)
{
	static const struct net_protocol messaging = { .ports = { 443, 5222, 6667, 1883 } };

	note_variables(trial, WHOLE, "hooks", looks_like_a_hook);
	try_net(trial, WHOLE, &messaging);
}

const struct scenario scenario_network_messaging = {
	.about = ABOUT(
		.title = "Send a message",
		.accessed = "Code in the sandbox can talk to a messaging service outside.",
		.denied = "Code in the sandbox cannot reach a messaging service outside.",
		.why = "A chat channel or a web hook takes orders and reports back amid ordinary "
		       "traffic.",
		.see = "T1102",
		.paper = "Messaging services",
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
