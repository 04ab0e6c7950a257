/* SPDX-License-Identifier: MIT */
/*
 * Files where programs keep keys, tokens and passwords, in homes, workspaces and places of the
 * system. What is told is where they lie, how large they are and their modes. The head of some is
 * looked at for words that tell a credential from mere settings; nothing of it leaves.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum {
	SSH, AWS, DOCKER, MYSQL, NPM, PYPI, MAVEN, TERRAFORM, GLAB, ENV_FILES, PEM, FIRST_PLAIN,
};

static const struct case_def cases[] = {
	[SSH] = { "ssh-keys", "~/.ssh/*|~/.ssh/id_rsa|~/.ssh/id_ed25519|~/.ssh/id_ecdsa", 0, 0, 0 },
	[AWS] = { "aws", "~/.aws/credentials|~/.aws/config|~/.aws/sso/cache/*|~/.aws/cli/cache/*",
		  0, 0, 0 },
	[DOCKER] = { "docker", "~/.docker/config.json|~/.dockercfg", 0, 0, 0 },
	[MYSQL] = { "mysql", "~/.my.cnf|~/.mylogin.cnf", 0, 0, 0 },
	[NPM] = { "npm", "~/.npmrc|//.npmrc|~/.yarnrc.yml", 0, 0, 0 },
	[PYPI] = { "pypi", "~/.pypirc", 0, 0, 0 },
	[MAVEN] = { "maven", "~/.m2/settings.xml|~/.m2/settings-security.xml", 0, 0, 0 },
	[TERRAFORM] = { "terraform", "~/.terraform.d/credentials.tfrc.json|~/.terraformrc", 0, 0, 0 },
	[GLAB] = { "glab", "~/.config/glab-cli/config.yml", 0, 0, 0 },
	[ENV_FILES] = { "env-files", "//.env*", 0, 0, 0 },
	[PEM] = { "private-keys", "//*.pem|//*.key", 0, 0, 0 },
	{ "key-stores", "//*.p12|//*.pfx", 0, 0, 0 },
	{ "gcloud", "~/.config/gcloud/credentials.db|~/.config/gcloud/access_tokens.db|"
	  "~/.config/gcloud/application_default_credentials.json|"
	  "~/.config/gcloud/legacy_credentials/", 0, 0, 0 },
	{ "azure", "~/.azure/accessTokens.json|~/.azure/msal_token_cache*|"
	  "~/.azure/service_principal_entries*", 0, 0, 0 },
	{ "oci", "~/.oci/config|~/.oci/*.pem|~/.oci/sessions/", 0, 0, 0 },
	{ "kube", "~/.kube/config", 0, 0, 0 },
	{ "containers", "~/.config/containers/auth.json|/run/containers/*/auth.json|"
	  "/run/user/*/containers/auth.json", 0, 0, 0 },
	{ "netrc", "~/.netrc|~/_netrc", 0, 0, 0 },
	{ "git", "~/.git-credentials|~/.config/git/credentials", 0, 0, 0 },
	{ "gnupg", "~/.gnupg/private-keys-v1.d/|~/.gnupg/secring.gpg", 0, 0, 0 },
	{ "postgresql", "~/.pgpass", 0, 0, 0 },
	{ "gem", "~/.gem/credentials|~/.local/share/gem/credentials", 0, 0, 0 },
	{ "cargo", "~/.cargo/credentials|~/.cargo/credentials.toml", 0, 0, 0 },
	{ "vault", "~/.vault-token", 0, 0, 0 },
	{ "gh", "~/.config/gh/hosts.yml", 0, 0, 0 },
	{ "onepassword", "~/.config/op/config", 0, 0, 0 },
	{ "doctl", "~/.config/doctl/config.yaml", 0, 0, 0 },
	{ "rclone", "~/.config/rclone/rclone.conf", 0, 0, 0 },
	{ "fly", "~/.fly/config.yml", 0, 0, 0 },
	{ "cloudflared", "~/.cloudflared/cert.pem|~/.cloudflared/*.json", 0, 0, 0 },
	{ "huggingface", "~/.cache/huggingface/token|~/.cache/huggingface/stored_tokens|"
	  "~/.huggingface/token", 0, 0, 0 },
	{ "agents", "~/.claude/*credentials*.json|~/.claude/*auth*.json|"
	  "~/.codex/*credentials*.json|~/.codex/*auth*.json|"
	  "~/.gemini/*credentials*.json|~/.gemini/*auth*.json|~/.gemini/*creds*.json", 0, 0, 0 },
	{ "kerberos", "/tmp/krb5cc_*", 0, 0, 0 },
	{ "firefox", "~/.mozilla/firefox/*/logins.json|~/.mozilla/firefox/*/key4.db|"
	  "~/.mozilla/firefox/*/cookies.sqlite", 0, 0, 0 },
	{ "chromium", "~/.config/google-chrome/*/Login Data|~/.config/google-chrome/*/Cookies|"
	  "~/.config/chromium/*/Login Data|~/.config/chromium/*/Cookies", 0, 0, 0 },
	{ "password-store", "~/.password-store/", 0, 0, 0 },
	{ "keyrings", "~/.local/share/keyrings/", 0, 0, 0 },
	{ "histories", "~/.*_history", SEVERITY_MEDIUM, 0, 0 },
	{ "run-secrets", "/run/secrets/*", 0, 0, 0 },
	{ "kubernetes", "/etc/kubernetes/*.conf|/var/lib/kubelet/kubeconfig|/var/lib/kubelet/pki/*",
	  0, 0, 0 },
};

/* Without one of these words it is settings, a certificate, a public key. */
static const struct sign {
	const char *words[4];
} signs[FIRST_PLAIN] = {
	[SSH] = { { "PRIVATE KEY", "PuTTY-User-Key-File" } },
	[AWS] = { { "secret", "oken", "credential_process", "Secret" } },
	[DOCKER] = { { "\"auth\"", "\"identitytoken\"", "\"registrytoken\"", "\"password\"" } },
	[MYSQL] = { { "password" } },
	[NPM] = { { "_auth", "_password", "AuthToken" } },
	[PYPI] = { { "password", "token" } },
	[MAVEN] = { { "<password>", "<passphrase>", "<master>" } },
	[TERRAFORM] = { { "token" } },
	[GLAB] = { { "token: " } },
	[ENV_FILES] = { { "=" } },
	[PEM] = { { "PRIVATE KEY" } },
};

/* Patterns for whoever sets the program up. */
static bool is_example(const char *name)
{
	return strstr(name, "example") || strstr(name, "sample") || strstr(name, "template") ||
	       strstr(name, ".dist");
}

/* Such a name is reason enough; the others are given to settings, too. */
static bool is_named_so(const struct secret_file *file)
{
	switch (file->case_index) {
	case SSH:
		return strncmp(file->name, "id_", 3) == 0 && !strstr(file->name, ".pub");
	case AWS:
		return strcmp(file->name, "credentials") == 0;
	case DOCKER:
		return file->head[0] != '{';
	case MYSQL:
		return strcmp(file->name, ".mylogin.cnf") == 0; /* its password is no text */
	default:
		return file->case_index >= FIRST_PLAIN;
	}
}

static bool counts(const struct secret_file *file)
{
	if (is_named_so(file))
		return true;
	if (file->case_index == ENV_FILES && is_example(file->name))
		return false;
	for (unsigned i = 0; i < 4 && signs[file->case_index].words[i]; i++)
		if (strstr(file->head, signs[file->case_index].words[i]))
			return true;
	return false;
}

static void attempt(struct trial *trial)
{
	settle_secrets(trial, counts);
}

const struct scenario scenario_secret_files = {
	.about = ABOUT(
		.title = "Read files that hold secrets",
		.accessed = "Code in the sandbox can open files that hold keys, tokens or "
			    "passwords.",
		.denied = "Code in the sandbox cannot open any of the files that usually hold "
			  "keys, tokens or passwords.",
		.why = "Programs look for their credentials at fixed places, and so does code "
		       "that wants to take them: one home folder opens clouds, forges and "
		       "registries.",
		.see = "T1552.001, T1552.004",
		.open = "O --ro-bind $D/root /root",
		.closed = "O",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_OBSERVE,
	.fix = FIX(BIND),
	CASES(cases),
	.attempt = attempt,
};
