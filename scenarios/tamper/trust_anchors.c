/* SPDX-License-Identifier: MIT */
/*
 * What tools believe without asking: names and resolvers, certificates, and the settings that say
 * from where packages and sources come.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = {
	{ "hosts", "/etc/hosts", 0, 0, 0 },
	{ "resolver", "/etc/resolv.conf", 0, 0, 0 },
	{ "name-switch", "/etc/nsswitch.conf", 0, 0, 0 },
	{ "certificates",
	  "/etc/ssl/certs|/etc/ssl/cert.pem|/usr/share/ca-certificates|"
	  "/usr/local/share/ca-certificates|/etc/ca-certificates.conf", 0, 0, 0 },
	{ "pki", "/etc/pki", 0, 0, 0 },
	{ "pip", "/etc/pip.conf", 0, 0, 0 },
	{ "npm", "/etc/npmrc", 0, 0, 0 },
	{ "apt",
	  "/etc/apt/sources.list|/etc/apt/sources.list.d|/etc/apt/trusted.gpg.d|"
	  "/etc/apt/keyrings|/usr/share/keyrings", 0, 0, 0 },
	{ "rpm", "/etc/yum.repos.d|/etc/dnf", 0, 0, 0 },
	{ "apk", "/etc/apk/repositories|/etc/apk/keys", 0, 0, 0 },
	{ "git", "/etc/gitconfig", 0, 0, 0 },
	{ "home-git", "~/.gitconfig|~/.config/git/config", 0, 0, 0 },
	{ "home-npm", "~/.npmrc", 0, 0, 0 },
	{ "home-pip", "~/.config/pip|~/.pip", 0, 0, 0 },
	{ "home-cargo", "~/.cargo/config.toml", 0, 0, 0 },
};

static void attempt(struct trial *trial)
{
	settle_all_alterations(trial);
}

const struct scenario scenario_tamper_trust_anchors = {
	.about = ABOUT(
		.title = "Alter what tools trust",
		.accessed = "Code in the sandbox can alter or create settings that say which "
			    "names, certificates or package sources are trusted.",
		.denied = "Code in the sandbox cannot alter or create any setting that says which "
			  "names, certificates or package sources are trusted.",
		.why = "Who decides where a name leads or which certificate counts decides what "
		       "others download and run. Files of the sandbox's own matter only where "
		       "something outside reads them: see `mount`.",
		.see = "T1565.001",
		.open = "B --bind $D/resolv.conf /etc/resolv.conf",
		.closed = "B --ro-bind $D/resolv.conf /etc/resolv.conf",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
