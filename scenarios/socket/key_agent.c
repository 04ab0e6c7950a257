/* SPDX-License-Identifier: MIT */
/*
 * Agents that hold keys and use them for whoever connects: no key leaves them, yet signatures and
 * logins do. They are connected to and asked for nothing.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = {
	{ "ssh-agent", "$SSH_AUTH_SOCK|/run/user/UID/ssh-agent.socket|/run/user/UID/openssh_agent|"
	  "ssh-agent*|ssh-*/agent.*|.ssh/agent*|.ssh/agent/*|openssh_agent|yubikey-agent*",
	  0, 0, 0 },
	{ "gpg-agent", "/run/user/UID/gnupg/S.gpg-agent|S.gpg-agent*|S.scdaemon|S.keyboxd|"
	  "S.dirmngr|$GPG_AGENT_INFO", 0, 0, 0 },
	{ "keyring", "/run/user/UID/keyring/control|keyring/*|keyring-*/*|kwallet*|ksecretd*|"
	  "$GNOME_KEYRING_CONTROL", 0, 0, 0 },
	{ "1password", ".1password/agent.sock|1password/*.sock|*1password*|*1Password*", 0, 0, 0 },
	{ "other-agent", "bitwarden*.sock|.bitwarden-ssh-agent.sock|keepassxc*|"
	  "org.keepassxc.*|vault-agent*|*spire*/*.sock|$SPIFFE_ENDPOINT_SOCKET", 0, 0, 0 },
};

static void attempt(struct trial *trial)
{
	settle_sockets(trial);
}

const struct scenario scenario_socket_key_agent = {
	.about = ABOUT(
		.title = "Reach an agent that holds keys",
		.accessed = "Code in the sandbox can connect to an agent that signs with "
			    "somebody's keys.",
		.denied = "Code in the sandbox cannot connect to any agent that signs with "
			  "somebody's keys.",
		.why = "An agent signs for all who can connect: code in the sandbox logs in "
		       "elsewhere as the user, and signs in the user's name, for as long as the "
		       "agent lives.",
		.see = "T1563.001",
		.open = "B +listener:$D/run/agent --ro-bind $D/run /run --setenv SSH_AUTH_SOCK "
			"/run/agent",
		.closed = "B --ro-bind $D/none /run --setenv SSH_AUTH_SOCK /run/agent",
		.closed_by = BARRIER_BIT(BARRIER_ABSENT)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.views = VIEW_SOCKETS,
	.fix = FIX(SOCK) | FIX(ENV),
	CASES(cases),
	.attempt = attempt,
};
