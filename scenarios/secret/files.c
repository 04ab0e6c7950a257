/* SPDX-License-Identifier: MIT */
/*
 * Files where programs keep keys, tokens and passwords, in homes, workspaces and places of the
 * system. What is told is where they lie, how large they are and their modes. Some are looked through
 * for words that tell a credential from mere settings; nothing of it leaves.
 */
#include "scenarios/scenario.h"

#include <string.h>

enum {
	SSH, AWS, DOCKER, MYSQL, NPM, PYPI, MAVEN, TERRAFORM, GLAB, GH, ENV_FILES, PEM, FIRST_PLAIN,
};

static const struct case_def cases[] = {
	[SSH] = { "ssh-keys", "~/.ssh/*|~/.ssh/id_rsa|~/.ssh/id_ed25519|~/.ssh/id_ecdsa", 0, 0, 0 },
	[AWS] = { "aws", "~/.aws/credentials|~/.aws/config|~/.aws/sso/cache/*|~/.aws/cli/cache/*|"
		  "$AWS_SHARED_CREDENTIALS_FILE|$AWS_CONFIG_FILE", 0, 0, 0 },
	[DOCKER] = { "docker", "~/.docker/config.json|~/.dockercfg|$DOCKER_CONFIG/config.json",
		     0, 0, 0 },
	[MYSQL] = { "mysql", "~/.my.cnf|~/.mylogin.cnf", 0, 0, 0 },
	[NPM] = { "npm", "~/.npmrc|//.npmrc|~/.yarnrc.yml|$NPM_CONFIG_USERCONFIG", 0, 0, 0 },
	[PYPI] = { "pypi", "~/.pypirc|~/.config/pip/pip.conf|~/.pip/pip.conf|/etc/pip.conf|"
		   "$PIP_CONFIG_FILE", 0, 0, 0 },
	[MAVEN] = { "maven", "~/.m2/settings.xml|~/.m2/settings-security.xml", 0, 0, 0 },
	[TERRAFORM] = { "terraform", "~/.terraform.d/credentials.tfrc.json|~/.terraformrc", 0, 0, 0 },
	[GLAB] = { "glab", "~/.config/glab-cli/config.yml", 0, 0, 0 },
	[GH] = { "gh", "~/.config/gh/hosts.yml|$GH_CONFIG_DIR/hosts.yml", 0, 0, 0 },
	[ENV_FILES] = { "env-files", "//.env*", 0, 0, 0 },
	[PEM] = { "private-keys", "//*.pem|//*.key", 0, 0, 0 },
	{ "key-stores", "//*.p12|//*.pfx", 0, 0, 0 },
	{ "gcloud", "~/.config/gcloud/credentials.db|~/.config/gcloud/access_tokens.db|"
	  "~/.config/gcloud/application_default_credentials.json|"
	  "~/.config/gcloud/legacy_credentials/|$CLOUDSDK_CONFIG/credentials.db|"
	  "$CLOUDSDK_CONFIG/application_default_credentials.json", 0, 0, 0 },
	{ "azure", "~/.azure/accessTokens.json|~/.azure/msal_token_cache*|"
	  "~/.azure/service_principal_entries*|$AZURE_CONFIG_DIR/msal_token_cache*", 0, 0, 0 },
	{ "oci", "~/.oci/config|~/.oci/*.pem|~/.oci/sessions/", 0, 0, 0 },
	{ "kube", "~/.kube/config|$KUBECONFIG", 0, 0, 0 },
	{ "containers", "~/.config/containers/auth.json|/run/containers/*/auth.json|"
	  "/run/user/*/containers/auth.json|$REGISTRY_AUTH_FILE", 0, 0, 0 },
	{ "netrc", "~/.netrc|~/_netrc|$NETRC", 0, 0, 0 },
	{ "git", "~/.git-credentials|~/.config/git/credentials", 0, 0, 0 },
	{ "gnupg", "~/.gnupg/private-keys-v1.d/|~/.gnupg/secring.gpg|"
	  "$GNUPGHOME/private-keys-v1.d/", 0, 0, 0 },
	{ "postgresql", "~/.pgpass|$PGPASSFILE", 0, 0, 0 },
	{ "gem", "~/.gem/credentials|~/.local/share/gem/credentials", 0, 0, 0 },
	{ "cargo", "~/.cargo/credentials|~/.cargo/credentials.toml|"
	  "$CARGO_HOME/credentials.toml", 0, 0, 0 },
	{ "vault", "~/.vault-token", 0, 0, 0 },
	{ "onepassword", "~/.config/op/config", 0, 0, 0 },
	{ "doctl", "~/.config/doctl/config.yaml", 0, 0, 0 },
	{ "rclone", "~/.config/rclone/rclone.conf|$RCLONE_CONFIG", 0, 0, 0 },
	{ "fly", "~/.fly/config.yml", 0, 0, 0 },
	{ "cloudflared", "~/.cloudflared/cert.pem|~/.cloudflared/*.json", 0, 0, 0 },
	{ "huggingface", "~/.cache/huggingface/token|~/.cache/huggingface/stored_tokens|"
	  "~/.huggingface/token|$HF_HOME/token|$HF_TOKEN_PATH", 0, 0, 0 },
	{ "agents", "~/.claude/*credentials*.json|~/.claude/*auth*.json|"
	  "~/.codex/*credentials*.json|~/.codex/*auth*.json|"
	  "~/.gemini/*credentials*.json|~/.gemini/*auth*.json|~/.gemini/*creds*.json|"
	  "$CLAUDE_CONFIG_DIR/*credentials*.json|$CODEX_HOME/auth.json", 0, 0, 0 },
	{ "kerberos", "/tmp/krb5cc_*|$KRB5CCNAME", 0, 0, 0 },
	{ "firefox", "~/.mozilla/firefox/*/logins.json|~/.mozilla/firefox/*/key4.db|"
	  "~/.mozilla/firefox/*/cookies.sqlite", 0, 0, 0 },
	{ "chromium", "~/.config/google-chrome/*/Login Data|~/.config/google-chrome/*/Cookies|"
	  "~/.config/chromium/*/Login Data|~/.config/chromium/*/Cookies", 0, 0, 0 },
	{ "password-store", "~/.password-store/|$PASSWORD_STORE_DIR/", 0, 0, 0 },
	{ "keyrings", "~/.local/share/keyrings/", 0, 0, 0 },
	{ "histories", "~/.*_history", SEVERITY_MEDIUM, 0, 0 },
	{ "run-secrets", "/run/secrets/*|/run/secrets/*/*|/var/run/secrets/*|/var/run/secrets/*/*|"
	  "/run/credentials/*/*|$CREDENTIALS_DIRECTORY/*", 0, 0, 0 },
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
	[NPM] = { { "_auth", "_password", "AuthToken", "AuthIdent" } },
	[PYPI] = { { "password", "token" } },
	[MAVEN] = { { "<password>", "<passphrase>", "<master>" } },
	[TERRAFORM] = { { "token" } },
	[GLAB] = { { "token: " } },
	[GH] = { { "oauth_token" } },
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
		return starts_with(file->name, "id_") && !strstr(file->name, ".pub");
	case AWS:
		return strcmp(file->name, "credentials") == 0;
	case DOCKER:
		return !strchr(file->text, '"'); /* a part of no JSON */
	case MYSQL:
		return strcmp(file->name, ".mylogin.cnf") == 0; /* its password is no text */
	default:
		return file->case_index >= FIRST_PLAIN;
	}
}

/* What follows a word: "${NPM_TOKEN}" stands for what is elsewhere, "KEY=" for nothing. */
static bool is_filled(const char *at, bool may_be_below)
{
	size_t n = strcspn(at, ":=\n");

	if (!strchr("=>", at[-1]) && at[n] && at[n] != '\n')
		at += n + 1;
	at += strspn(at, " \t\"'");
	return !starts_with(at, "${") && (may_be_below || !strchr("\r\n#", *at));
}

static bool has_word(const struct secret_file *file, const char *word)
{
	const char *at = file->text;

	while ((at = strstr(at, word))) {
		at += strlen(word);
		if (is_filled(at, file->case_index != ENV_FILES))
			return true;
	}
	return false;
}

/* An address may hold a password, too. */
static bool has_address(const struct secret_file *file)
{
	for (const char *at = file->text; (at = strstr(at, "://")); at += 3)
		if (shape_of(NULL, at, NULL) == SHAPE_CREDENTIAL)
			return true;
	return false;
}

static bool counts(const struct secret_file *file)
{
	int i = file->case_index;

	if (is_named_so(file))
		return true;
	if (i == ENV_FILES && is_example(file->name))
		return false;
	for (unsigned k = 0; k < 4 && signs[i].words[k]; k++)
		if (has_word(file, signs[i].words[k]))
			return true;
	return (i == NPM || i == PYPI) && has_address(file);
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
