/* SPDX-License-Identifier: MIT */
/*
 * Could the system itself be altered: the files that decide who may log in and what runs, or a
 * new file beside them? Files are opened for writing and closed, folders take a nameless file;
 * outside a sandbox, and for programs, the access check decides.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = {
	CRITICAL_FILES(SEVERITY_INHERIT),
	{ "etc", "/etc", 0, 0, PLACE_FOLDER },
	{ "etc-pam-d", "/etc/pam.d", 0, 0, PLACE_FOLDER },
	{ "etc-cron-d", "/etc/cron.d", 0, 0, PLACE_FOLDER },
	{ "etc-profile-d", "/etc/profile.d", 0, 0, PLACE_FOLDER },
	{ "cron-spool", "/var/spool/cron/crontabs|/var/spool/cron", 0, 0, PLACE_FOLDER },
	{ "boot", "/boot", 0, 0, PLACE_FOLDER },
	{ "usr", "/usr", 0, 0, PLACE_FOLDER },
	{ "usr-bin", "/usr/bin", 0, 0, PLACE_FOLDER },
	{ "usr-lib", "/usr/lib", 0, 0, PLACE_FOLDER },
	{ "lib", "/lib", 0, 0, PLACE_FOLDER },
	{ "units", "/etc/systemd/system", 0, 0, PLACE_FOLDER },
	{ "vendor-units", "/usr/lib/systemd/system|/lib/systemd/system", 0, 0, PLACE_FOLDER },
};

static void attempt(struct trial *trial)
{
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		char path[512];

		if (!find_case(trial, (int)i, path, sizeof path))
			continue;
		if (case_of(trial, i)->kind & PLACE_FOLDER)
			settle_dir_write(trial, (int)i, path);
		else
			settle_write(trial, (int)i, path, case_of(trial, i)->kind);
	}
}

const struct scenario scenario_danger_alter_system_files = {
	.about = ABOUT(
		.title = "Alter system files",
		.accessed = "Code in the sandbox can alter files that the system runs on, or add "
			    "to them.",
		.denied = "Code in the sandbox cannot alter any file that the system runs on.",
		.why = "Whoever alters these files decides who may log in, what is run and when: "
		       "the system is theirs.",
		.see = "T1565.001",
		.paper = "Modify system files",
		.open = "B --bind $D/passwd /etc/passwd",
		.closed = "B --ro-bind $D/passwd /etc/passwd",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_CRITICAL,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
