/* SPDX-License-Identifier: MIT */
/*
 * What runs by itself: at a time, at a start, when a device appears. The folders and files of cron,
 * init, systemd, udev, log rotation and the greeting, and the units and start entries of each home.
 */
#include "scenarios/scenario.h"

static const struct case_def cases[] = {
	{ "crontab", "/etc/crontab|/etc/anacrontab", 0, 0, 0 },
	{ "cron-folders",
	  "/etc/cron.d|/etc/cron.hourly|/etc/cron.daily|/etc/cron.weekly|/etc/cron.monthly", 0, 0, 0 },
	{ "cron-spool", "/var/spool/cron|/var/spool/cron/crontabs|/var/spool/at", 0, 0, 0 },
	{ "init-scripts", "/etc/init.d", 0, 0, 0 },
	{ "rc-local", "/etc/rc.local", 0, 0, PLACE_PROGRAM },
	{ "system-units", "/etc/systemd/system", 0, 0, 0 },
	{ "user-units", "/etc/systemd/user", 0, 0, 0 },
	{ "vendor-units", "/usr/lib/systemd/system|/usr/lib/systemd/user", 0, 0, 0 },
	{ "udev-rules", "/etc/udev/rules.d", 0, 0, 0 },
	{ "logrotate", "/etc/logrotate.d", 0, 0, 0 },
	{ "greeting", "/etc/update-motd.d", 0, 0, 0 },
	{ "autostart", "/etc/xdg/autostart", 0, 0, 0 },
	{ "home-units", "~/.config/systemd/user", 0, 0, 0 },
	{ "home-autostart", "~/.config/autostart", 0, 0, 0 },
};

static void attempt(struct trial *trial)
{
	settle_all_alterations(trial);
}

const struct scenario scenario_tamper_scheduled = {
	.about = ABOUT(
		.title = "Alter what runs at a time or at a start",
		.accessed = "Code in the sandbox can alter or create a job, unit or start script.",
		.denied = "Code in the sandbox cannot alter or create any job, unit or start "
			  "script.",
		.why = "A scheduler that reads these places runs what they name, often as root, "
		       "when nobody is looking. Places on file systems of the sandbox's own "
		       "matter only where something outside starts from them: see `mount`.",
		.see = "T1053.003, T1543.002",
		.open = "B --bind $D/w /etc/cron.d",
		.closed = "B --ro-bind $D/w /etc/cron.d",
		.closed_by = BARRIER_BIT(BARRIER_READ_ONLY)),
	.severity = SEVERITY_HIGH,
	.level = LEVEL_TOUCH,
	.fix = FIX(RO),
	CASES(cases),
	.attempt = attempt,
};
