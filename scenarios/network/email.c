/* SPDX-License-Identifier: MIT */
/*
 * Mail servers, by the three ports that accept mail. A local mail program is evidence only: none
 * is run.
 */
#include "scenarios/scenario.h"

static void note_mail_programs(struct trial *trial)
{
	static const char *const places[] = {
		"/usr/sbin/sendmail", "/usr/bin/mail", "/usr/bin/msmtp",
		"/var/spool/postfix/public/pickup", "/run/dovecot/lmtp",
	};
	for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
		if (attempt_worked(try_access(trial, places[i], 0)))
			report_object(trial, "mail", places[i]);
}

static void attempt(struct trial *trial)
{
	static const struct net_protocol email = { .ports = { 25, 465, 587 },
						    .request = "EHLO %s" };

	note_mail_programs(trial);
	try_net(trial, WHOLE, &email);
}

const struct scenario scenario_network_email = {
	.about = ABOUT(
		.title = "Send e-mail",
		.accessed = "Code in the sandbox can talk to a mail server outside.",
		.denied = "Code in the sandbox cannot reach a mail server outside.",
		.why = "E-mail carries data out under somebody else's name, and a machine that "
		       "sends unasked mail is soon blocked.",
		.see = "T1071.003, T1048.003",
		.paper = "Email",
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
