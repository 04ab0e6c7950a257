/* SPDX-License-Identifier: MIT */
/*
 * What runs, or decides, when somebody logs in: the start files of shells and the ssh settings in
 * each home, and the files of the system that hold accounts and their rights.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = {
	{ "bash", "~/.bashrc|~/.bash_profile|~/.bash_login|~/.profile", 0, 0, 0 },
	{ "zsh", "~/.zshrc|~/.zshenv|~/.zprofile|~/.zlogin", 0, 0, 0 },
	{ "fish", "~/.config/fish/config.fish", 0, 0, 0 },
	{ "ssh-authorized-keys", "~/.ssh/authorized_keys", 0, 0, 0 },
	{ "ssh-rc", "~/.ssh/rc", 0, 0, 0 },
	{ "ssh-config", "~/.ssh/config", 0, 0, 0 },
	{ "pam-environment", "~/.pam_environment", 0, 0, 0 },
	{ "etc-profile", "/etc/profile|/etc/profile.d", 0, 0, 0 },
	{ "etc-bashrc", "/etc/bash.bashrc|/etc/bashrc", 0, 0, 0 },
	{ "etc-zsh", "/etc/zsh|/etc/zshrc|/etc/zshenv|/etc/zprofile", 0, 0, 0 },
	{ "etc-environment", "/etc/environment", 0, 0, 0 },
	{ "etc-pam", "/etc/pam.d|/etc/security", 0, 0, 0 },
	{ "etc-sshd", "/etc/ssh/sshd_config|/etc/ssh/sshd_config.d", 0, 0, 0 },
	{ "etc-sudoers-d", "/etc/sudoers.d|/etc/sudoers", 0, 0, 0 },
	{ "etc-passwd", "/etc/passwd", 0, 0, 0 },
	{ "etc-shadow", "/etc/shadow", 0, 0, 0 },
	{ "etc-group", "/etc/group", 0, 0, 0 },
};

static void attempt(struct trial *trial)
{
	settle_all_alterations(trial);
}

const struct scenario scenario_tamper_login = {
	.about = ABOUT(
		.title = "Alter what runs when somebody logs in",
		.accessed = "Code in the sandbox can alter or create a file that takes effect "
			    "when somebody logs in.",
		.denied = "Code in the sandbox cannot alter or create any file that takes effect "
			  "when somebody logs in.",
		.why = "Whoever owns a start file, a key list or an account file waits for the "
		       "next login, and then runs outside the sandbox. A home of the sandbox's "
		       "own matters only where something outside starts from it: see `mount`.",
		.see = "T1546.004",
		.open = "B --bind $D/passwd /etc/passwd",
		.closed = "B --ro-bind $D/passwd /etc/passwd",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
