/* SPDX-License-Identifier: MIT */
/*
 * Tokens that an orchestrator, a cloud or a pipeline puts into the box for its workload: files at
 * known mount points, files that variables name, and variables that are tokens themselves.
 */
#include "scenarios/scenario.h"

#define MOUNTED(rest) "/var/run/secrets/" rest "|/run/secrets/" rest

static const struct case_def cases[] = {
	{ "kubernetes-token", MOUNTED("kubernetes.io/serviceaccount/token"), 0, 0, 0 },
	{ "kubernetes-names", MOUNTED("kubernetes.io/serviceaccount/ca.crt") "|"
	  MOUNTED("kubernetes.io/serviceaccount/namespace"), SEVERITY_LOW, 0, 0 },
	{ "aws", MOUNTED("eks.amazonaws.com/serviceaccount/token") "|"
	  MOUNTED("pods.eks.amazonaws.com/serviceaccount/*") "|$AWS_WEB_IDENTITY_TOKEN_FILE|"
	  "$AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", 0, 0, 0 },
	{ "azure", MOUNTED("azure/tokens/*") "|$AZURE_FEDERATED_TOKEN_FILE", 0, 0, 0 },
	{ "google", "$GOOGLE_APPLICATION_CREDENTIALS", 0, 0, 0 },
	{ "projected", MOUNTED("tokens/*"), 0, 0, 0 },
	{ "vault", "/vault/secrets/*", 0, 0, 0 },
	{ "gitlab-job", "$CI_JOB_TOKEN=", 0, 0, 0 },
	{ "github-job", "$ACTIONS_RUNTIME_TOKEN=|$ACTIONS_ID_TOKEN_REQUEST_TOKEN=", 0, 0, 0 },
};

static void attempt(struct trial *trial)
{
	settle_secrets(trial, NULL);
}

const struct scenario scenario_secret_service_account = {
	.about = ABOUT(
		.title = "Use a service account of the platform",
		.accessed = "Code in the sandbox holds a token by which the platform takes it for "
			    "its own workload.",
		.denied = "Code in the sandbox holds no token of the platform's service accounts.",
		.why = "With the workload's token code speaks to the cluster, the cloud or the "
		       "pipeline in its name, and may do what was granted to it, which is often "
		       "more than it needs.",
		.see = "T1528",
		.open = "B --ro-bind $D/sa /run/secrets/kubernetes.io/serviceaccount",
		.closed = "B",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(SA) | FIX(ENV),
	CASES(cases),
	.attempt = attempt,
};
