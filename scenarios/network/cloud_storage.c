/* SPDX-License-Identifier: MIT */
/*
 * A bucket of an object store, by the port of encrypted web requests. Credentials for one are
 * evidence, by name; their values are not looked at.
 */
#include "scenarios/scenario.h"

#include <string.h>

static bool opens_a_bucket(const char *name)
{
	static const char *const names[] = {
		"AWS_ACCESS_KEY_ID",
		"AWS_SECRET_ACCESS_KEY",
		"AWS_SESSION_TOKEN",
		"AWS_WEB_IDENTITY_TOKEN_FILE",
		"AZURE_STORAGE_CONNECTION_STRING",
		"AZURE_STORAGE_KEY",
		"AZURE_STORAGE_SAS_TOKEN",
		"GOOGLE_APPLICATION_CREDENTIALS",
		"MINIO_SECRET_KEY",
		"R2_SECRET_ACCESS_KEY",
		"B2_APPLICATION_KEY",
	};

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static void attempt(struct trial *trial)
{
	static const struct net_protocol bucket = { .ports = { 443 },
						   .request = "HEAD /%s HTTP/1.0" };

	note_variables(trial, WHOLE, "credentials", opens_a_bucket);
	try_net(trial, WHOLE, &bucket);
}

const struct scenario scenario_network_cloud_storage = {
	.about = ABOUT(
		.title = "Reach cloud storage",
		.accessed = "Code in the sandbox can reach a stand-in for an object store "
			    "outside.",
		.denied = "Code in the sandbox cannot reach an object store outside.",
		.why = "A bucket takes any amount of data at once, from an address that few "
		       "filters refuse.",
		.see = "T1567.002",
		.paper = "Cloud storage",
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
